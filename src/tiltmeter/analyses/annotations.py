"""annotations: what people said about hypotheses that models wrote, on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tiltmeter.analysis.quality import judged_hypotheses as judged
from tiltmeter.core.analysis import Circumstances, Input, Numbers, digest, finish, paths_of
from tiltmeter.core.analysis_file import AnalysisFile
from tiltmeter.core.options import CheckedOptions, Seed
from tiltmeter.core.results import Estimate, Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.people.inference_annotations import (
    NAME,
    RECODED,
    THIRD,
    harmonised,
    read_hypothesis_judgments,
)
from tiltmeter.report.text import number_of, span, value_with_unit
from tiltmeter.run.monitor import Monitor

FILE = AnalysisFile.beside(__file__)


@dataclass(frozen=True, slots=True)
class AnnotationOptions(CheckedOptions):
    """The options of `tiltmeter annotations`."""

    convention: Annotated[str, FILE.option("convention", choices=judged.CONVENTIONS)] = (
        judged.HARMONISED
    )
    seed: Seed = 0


def compute(files: Sequence[Input], options: AnnotationOptions, _: Monitor) -> Result:
    """Shares, agreement and scales of the published answers, of files in their layout or of a survey."""
    published = read_hypothesis_judgments(paths_of(files) or NAME)
    judgments = judged.counted_judgments(published, options.convention)
    estimates = judged.judgment_estimates(
        published, convention=options.convention, seed=options.seed
    )
    return finish(
        ANALYSIS,
        estimates,
        Circumstances(
            data={
                "name": published.name, "sha256": digest(*published.sha256),
                "files": list(published.sha256), "judgments as published": len(published.rows),
                "warning": "Hypotheses contain stereotypes and insults.",
            },
            convention=options.convention,
            subtitle=f"{published.name}, convention {options.convention}",
            seed=options.seed,
            notes=notes_of("data", judgments.done),
        ),
        judged.judgment_records(
            harmonised(published).rows, judged.shared_rows(judgments, options.convention)
        ),
    )  # fmt: skip


def words(numbers: Numbers) -> list[Paragraph]:
    """The headline, and a warning for each annotator whose scale is turned round."""
    wrong, based = numbers[judged.ILLEGITIMATE], numbers[judged.IDENTITY]
    hypotheses = counted(wrong.clusters or 0, "hypotheses")
    headline = (
        f"{counted(wrong.n, 'judgments')} of {hypotheses}: {value_with_unit(wrong)} are not valid or not "
        f"plausible; of the others {value_with_unit(based)} ({span(based)}) are based on the identity."
    )
    reversed_scales = [e for e in numbers.all(judged.SCALE) if e.verdict == judged.REVERSED]
    return [Paragraph(headline, "headline"), *(_reversal(e, numbers) for e in reversed_scales)]


def _reversal(scale: Estimate, numbers: Numbers) -> Paragraph:
    who, question = scale.groups["annotator"], scale.groups["question"]
    is_known = who == THIRD and question in RECODED
    on_one_scale = is_known and numbers.card.convention == judged.HARMONISED
    used = "It is turned round here" if on_one_scale else "It is not corrected here"
    four, pair = (numbers.all(q, question=question)[0] for q in (judged.ALL_FOUR, judged.PAIR))
    agree = (
        f": all four agree on {value_with_unit(four)} of hypotheses, two of them on {value_with_unit(pair)}"
        if four.value is not None
        else ""
    )
    return Paragraph(
        f"{who} used the scale of {question} the other way round: r = "
        f"{number_of(scale, scale.value or 0)} ({span(scale)}). {used}{agree}.",
        "warning",
    )


ANALYSIS = FILE.analysis(judged.QUANTITIES, compute, AnnotationOptions, words)
