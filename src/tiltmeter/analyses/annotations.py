"""annotations: what people said about hypotheses that models wrote, on one scale."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

from tiltmeter.analysis.quality import judged_hypotheses as judged
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    paths_of,
)
from tiltmeter.core.analysis_views import NumberColumn, NumberTable, RecordTable, Strips
from tiltmeter.core.options import CheckedOptions, Option, Seed
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.results import Estimate, Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.views import View
from tiltmeter.data.people.inference_annotations import (
    NAME,
    QUESTIONS,
    RECODED,
    THIRD,
    harmonised,
    read_hypothesis_judgments,
)
from tiltmeter.report.text import number_of, span, value_with_unit
from tiltmeter.run.monitor import Monitor

HOW = (
    "All shares but the first are of judgments that call the hypothesis valid and plausible. Intervals "
    "(95\u00a0%) are for other hypotheses: stretched bootstraps that draw hypotheses with all their "
    "judgments."
)
COLUMNS = (
    "Illegitimate: not valid or not plausible. Of the others: based on the identity; on the identity and not "
    "on the situation; a stereotype, yes or maybe; negative. The files have all shares with intervals."
)
AGREEMENT = (
    "Answers count as three: yes, not sure, no (of sentiment: positive, neutral, negative). “All four” is "
    "the share of hypotheses about which all four annotators say the same; “three” and “pair” are the chance "
    "that three, or two, answers drawn at random are equal. Krippendorff’s α is of the five ordered codes, "
    "Gwet’s AC1 of the three answers: 1 is full agreement, 0 chance. Intervals are for other hypotheses."
)
SCALES = (
    "Each annotator’s codes as published, against the mean of the others. A scale is reversed if the whole "
    "interval of r is below 0. Codes that an annotator never uses may mean other words."
)
HOW_EVOKED = (
    "What annotators wrote that they associate with the group, parted at commas and “and”, and how often; "
    "words that stand out are more frequent than in the answers about other groups."
)
SHOWN = (
    judged.ILLEGITIMATE, judged.IDENTITY, judged.IDENTITY_ONLY, judged.STEREOTYPE, judged.NEGATIVE,
)  # fmt: skip
"""Shares that tables by group show; the files have all."""
WITH_INTERVAL = (judged.IDENTITY, judged.STEREOTYPE)


@dataclass(frozen=True, slots=True)
class AnnotationOptions(CheckedOptions):
    """The options of `tiltmeter annotations`."""

    convention: Annotated[
        str,
        Option(
            "harmonised (one scale, all judgments) or sotnikova2021 (codes as published, one judgment per "
            "hypothesis).",
            choices=judged.CONVENTIONS,
        ),
    ] = judged.HARMONISED
    seed: Seed = 0


def _by_axis() -> Iterator[NumberTable]:
    """A row for each value of an axis, a column for each share."""
    columns: list[NumberColumn] = []
    for share in judged.SHARES:
        hidden = share not in SHOWN
        columns.append(NumberColumn(share.name, on="files" if hidden else "both", missing="–"))
        if share in WITH_INTERVAL:
            columns.append(NumberColumn(share.name, "interval", drop=2))
    for axes in judged.AXES:
        name = axes[-1]
        yield NumberTable(
            f"by-{name}", f"By {name}", axes, tuple(columns), most=110, explained=COLUMNS,
            on="both" if name == "domain" else "page",
        )  # fmt: skip


BAND = "Lines and bands: all judgments of a domain, with their 95\u00a0% interval."


def _picture(name: str, share: Quantity, shade: Quantity | None = None) -> Strips:
    """A share by group within domains."""
    darker = f" The darker a point, the more are {shade.meaning.short}." if shade else ""
    title = share.meaning.title
    return Strips(
        name, f"{title}{',' if ',' in title else ''} by group", share.name, "domain", "group",
        shade.name if shade else "", caption=f"{BAND}{darker}",
    )  # fmt: skip


VIEWS: tuple[View, ...] = (
    NumberTable(
        "shares", "Shares of judgments", ("measure",),
        (
            NumberColumn(), NumberColumn(shows="interval"), NumberColumn(shows="n", drop=1),
            NumberColumn(shows="clusters", heading="hypotheses", drop=2),
        ),
        measures=tuple(share.name for share in judged.SHARES),
        explained=HOW,
    ),
    *_by_axis(),
    _picture("identity", judged.IDENTITY, judged.IDENTITY_ONLY),
    _picture("stereotype", judged.STEREOTYPE, judged.NEGATIVE),
    _picture("illegitimate", judged.ILLEGITIMATE),
    NumberTable(
        "agreement", "Agreement of the four annotators", ("question",),
        (
            NumberColumn(judged.ALL_FOUR.name, "n", "hypotheses"),
            *judged.ALL_FOUR.columns(value=0, interval=3), *judged.THREE.columns(value=2, interval=5),
            *judged.PAIR.columns(value=0, interval=3), *judged.ALPHA.columns(value=0, interval=3),
            *judged.AC1.columns(value=1, interval=4),
        ),
        explained=AGREEMENT,
    ),
    NumberTable(
        "agreement-by-group", "Agreement by group", ("domain", "group"), (NumberColumn(judged.THREE.name),),
        spread="question", on="files",
    ),
    NumberTable(
        "scales", "Scales by annotator, as published", ("question", "annotator"),
        (
            *judged.SCALE.columns(n=2, value=0, interval=1),
            NumberColumn(judged.SCALE.name, "verdict", "mark"),
        ),
        strong=(judged.REVERSED,), explained=SCALES,
    ),
    RecordTable(
        "associations", "Evoked associations by group", of=judged.ASSOCIATIONS, axes=("domain", "group"),
        texts=("associations", "keywords"), scores=("answers", "different"), on="both", most=100,
        headings={"associations": "associations (times)", "keywords": "words that stand out (times)"},
        decimals={"answers": 0, "different": 0}, files_only=("different",),
        explained=HOW_EVOKED,
    ),
    RecordTable(
        "hypotheses", "Hypotheses", of=judged.HYPOTHESIS, axes=("situation", "group", "domain", "item"),
        texts=("hypothesis",), scores=("judgments", *(share.name for share in SHOWN)), by="generator",
        files_only=("domain", "item", *(share.name for share in SHOWN)), folded=True,
        decimals={"judgments": 0},
    ),
    RecordTable(
        "judgments", "Judgments in words", of=judged.JUDGMENT,
        axes=("item", "annotator", "situation", "group"),
        texts=("premise", "hypothesis", *map(judged.ANSWER.format, QUESTIONS), judged.EVOKED), on="files",
        drops={"premise": 5, "valid?": 4, "plausible?": 3, "anti-stereotype?": 2, "hypothesis": 1},
    ),
)  # fmt: skip


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


ANALYSIS = Analysis(
    "annotations",
    "Judgments of generated hypotheses",
    "Judgments of generated hypotheses: shares by domain and group, agreement, reversed scales.",
    "2",
    "Sotnikova et al. 2021, doi:10.18653/v1/2021.findings-acl.355",
    "",
    "The published judgments are those of four authors of one paper; other people would judge otherwise. "
    "Whether something is a stereotype was left to each annotator.",
    judged.QUANTITIES,
    VIEWS,
    compute,
    AnnotationOptions,
    "Files in the published layout, or answers.csv of a survey with the form inference7 (default: the "
    "published ones).",
    "FILE…",
    0,
    words,
)
