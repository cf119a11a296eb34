"""annotations: what people said about hypotheses that models wrote, on one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tiltmeter.analyses.annotations.hypothesis_judgments import (
    NAME,
    RECODED,
    THIRD,
    harmonised,
    read_hypothesis_judgments,
)
from tiltmeter.analyses.annotations.judgment_agreement import (
    AC1,
    AGREEMENT_QUANTITIES,
    ALL_FOUR,
    ALPHA,
    PAIR,
    REVERSED,
    SCALE,
    THREE,
    agreement_estimates,
    scale_estimates,
)
from tiltmeter.analyses.annotations.judgment_records import judgment_records
from tiltmeter.analyses.annotations.judgment_shares import (
    BASED_ON_THE_SITUATION,
    CONVENTIONS,
    HARMONISED,
    IDENTITY,
    IDENTITY_WITHOUT_SITUATION,
    ILLEGITIMATE,
    NEGATIVE,
    NEGATIVE_NOT_NEUTRAL,
    NEUTRAL,
    POSITIVE,
    SHARES,
    STEREOTYPE,
    STEREOTYPE_YES,
    counted_judgments,
    share_estimates,
    shared_rows,
)
from tiltmeter.core.analysis import (
    Analysis,
    Circumstances,
    Input,
    Numbers,
    digest,
    finish,
    paths_of,
)
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.reading.answer_options import ChoiceOptions
from tiltmeter.core.reading.options import Option, Seed
from tiltmeter.core.results import Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.core.views import NumberTable, RecordTable, Shown, Strips, number_columns
from tiltmeter.report.text import number_of, span, value_with_unit
from tiltmeter.report.with_and_without import with_and_without
from tiltmeter.run.monitor import Monitor


@dataclass(frozen=True, slots=True)
class AnnotationOptions(ChoiceOptions):
    """The options of `tiltmeter analyse annotations`."""

    convention: Annotated[
        str,
        Option(
            "harmonised (one scale, all judgments) or sotnikova2021 (codes as published, one "
            "judgment per hypothesis).",
            choices=CONVENTIONS,
        ),
    ] = HARMONISED
    seed: Seed = 0


def compute(files: Sequence[Input], options: AnnotationOptions, _: Monitor) -> Result:
    """Shares, agreement and scales of the published answers, of files in their layout or of a survey."""
    published = read_hypothesis_judgments(paths_of(files) or NAME)
    judgments = counted_judgments(published, options.convention)
    rows = shared_rows(judgments, options.convention)
    estimates = [
        *share_estimates(rows),
        *agreement_estimates(judgments),
        *scale_estimates(published, options.seed),
    ]
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
        judgment_records(harmonised(published).rows, rows),
    )  # fmt: skip


def words(numbers: Numbers) -> list[Paragraph]:
    """The headline, and a warning for each annotator whose scale is turned round."""
    wrong, based = numbers[ILLEGITIMATE], numbers[IDENTITY]
    hypotheses = counted(wrong.clusters or 0, "hypotheses")
    headline = (
        f"{counted(wrong.n, 'judgments')} of {hypotheses}: {value_with_unit(wrong)} are not valid or not "
        f"plausible; of the others {value_with_unit(based)} ({span(based)}) are based on the identity."
    )
    reversed_scales = [e for e in numbers.all(SCALE) if e.verdict == REVERSED]
    return [Paragraph(headline, "headline"), *(_reversal(e, numbers) for e in reversed_scales)]


def _reversal(scale: Estimate, numbers: Numbers) -> Paragraph:
    who, question = scale.groups["annotator"], scale.groups["question"]
    is_known = who == THIRD and question in RECODED
    on_one_scale = is_known and numbers.card.convention == HARMONISED
    used = "It is reversed here" if on_one_scale else "It is not corrected here"
    four, pair = (numbers.all(q, question=question)[0] for q in (ALL_FOUR, PAIR))
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


SHARE_COLUMNS = (
    *ILLEGITIMATE.columns(missing="–"),
    *IDENTITY.columns(missing="–"),
    *IDENTITY.columns(interval=2),
    *BASED_ON_THE_SITUATION.columns(on="files", missing="–"),
    *IDENTITY_WITHOUT_SITUATION.columns(missing="–"),
    *STEREOTYPE.columns(missing="–"),
    *STEREOTYPE.columns(interval=2),
    *STEREOTYPE_YES.columns(on="files", missing="–"),
    *NEGATIVE.columns(missing="–"),
    *NEUTRAL.columns(on="files", missing="–"),
    *POSITIVE.columns(on="files", missing="–"),
    *NEGATIVE_NOT_NEUTRAL.columns(on="files", missing="–"),
)


def _shares_by(name: str, title: str, *axes: str, on: Shown = "both") -> NumberTable:
    """All shares along some axes; readers see those that say most, files all of them with intervals."""
    return NumberTable(
        name,
        title,
        axes,
        SHARE_COLUMNS,
        most=110,
        on=on,
        explained="Illegitimate: not valid or not plausible. Of the others: based on the identity; "
        "on the identity and not on the situation; a stereotype, yes or maybe; negative. The files "
        "have all shares with intervals.",
    )


EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> judged = pl.DataFrame([
...     {"ID": f"SNLI{n}", "Premise": "A man needs help.", "Hypothesis": f"He is number {n}.",
...      "Annotator ID": f"Annotator {who}", "Valid": 1, "Plausible": 1, "Identity": 1 if n % 2 else 5,
...      "Situtation": 1, "Neg(1)-Pos(5)": 3, "Stereotype": 5, "Anti-stereotype?": 5}
...     for n in range(6) for who in (1, 2)
... ])
>>> tm.analyse.annotations(judged).headline
<not_valid_or_not_plausible: 0 % (0 to 39.03), n 12>"""
ANALYSIS = Analysis(
    name="annotations",
    title="Judgments of generated hypotheses",
    version="2",
    source="Sotnikova et al. 2021, doi:10.18653/v1/2021.findings-acl.355",
    summary="Judgments of generated hypotheses: shares by domain and group, agreement, reversed "
    "scales.",
    not_what="The published judgments are those of four authors of one paper; other people would "
    "judge otherwise. Whether something is a stereotype was left to each annotator.",
    example=EXAMPLE,
    inputs="Files in the published layout, or answers.csv of a survey with the form inference7 "
    "(default: the published ones).",
    metavar="FILE…",
    fewest=0,
    quantities=(*SHARES, *AGREEMENT_QUANTITIES),
    compute=with_and_without(compute, ILLEGITIMATE, IDENTITY, STEREOTYPE, NEGATIVE),
    options=AnnotationOptions,
    words=words,
    views=(
        NumberTable(
            "shares",
            "Shares of judgments",
            ("measure",),
            (
                *number_columns("", value=0, interval=0, n=1),
                *number_columns("", "hypotheses", clusters=2),
            ),
            measures=tuple(share.name for share in SHARES),
            explained="All shares but the first are of judgments that call the hypothesis valid "
            "and plausible. Intervals (95 %) are for other hypotheses: Wilson’s, with "
            "hypotheses as clusters.",
        ),
        _shares_by("by-domain", "By domain", "domain"),
        _shares_by("by-generator", "By generator", "generator", on="page"),
        _shares_by("by-group", "By group", "domain", "group", on="page"),
        _shares_by("by-situation", "By situation", "situation", on="page"),
        Strips(
            "identity",
            "Based on identity by group",
            caption="Lines and bands: all judgments of a domain, with their 95 % interval. The "
            "darker a point, the more are identity only.",
            measure="based_on_identity",
            columns="domain",
            points="group",
            shade="identity_without_situation",
        ),
        Strips(
            "stereotype",
            "Stereotype, yes or maybe, by group",
            caption="Lines and bands: all judgments of a domain, with their 95 % interval. The "
            "darker a point, the more are negative.",
            measure="stereotype_yes_or_maybe",
            columns="domain",
            points="group",
            shade="negative",
        ),
        Strips(
            "illegitimate",
            "Not valid or not plausible by group",
            caption="Lines and bands: all judgments of a domain, with their 95 % interval.",
            measure="not_valid_or_not_plausible",
            columns="domain",
            points="group",
        ),
        NumberTable(
            "agreement",
            "Agreement of the four annotators",
            ("question",),
            (
                *ALL_FOUR.columns("hypotheses", n=0, value=0, interval=3),
                *THREE.columns(value=2, interval=5),
                *PAIR.columns(value=0, interval=3),
                *ALPHA.columns(value=0, interval=3),
                *AC1.columns(value=1, interval=4),
            ),
            explained="Answers count as three: yes, not sure, no (of sentiment: positive, neutral, "
            "negative). “All four” is the share of hypotheses about which all four annotators say "
            "the same; “three” and “pair” are the chance that three, or two, answers drawn at "
            "random are equal. Krippendorff’s α is of the five ordered codes, Gwet’s AC1 of the "
            "three answers: 1 is full agreement, 0 chance. Intervals are for other hypotheses.",
        ),
        NumberTable(
            "agreement-by-group",
            "Agreement by group",
            ("domain", "group"),
            THREE.columns(),
            spread="question",
            on="files",
        ),
        NumberTable(
            "scales",
            "Scales by annotator, as published",
            ("question", "annotator"),
            (*SCALE.columns(n=2, value=0, interval=1), *SCALE.columns("mark", verdict=0)),
            strong=("reversed",),
            explained="Each annotator’s codes as published, against the mean of the others. A "
            "scale is marked as reversed if r is below 0 with p < .05 after Holm’s adjustment over the "
            "annotators of a question; the intervals are not adjusted. Codes that an annotator never "
            "uses may mean other words.",
        ),
        RecordTable(
            "associations",
            "Evoked associations by group",
            of="associations",
            axes=("domain", "group"),
            scores=("answers", "different"),
            texts=("associations", "keywords"),
            headings={
                "associations": "associations (times)",
                "keywords": "words that stand out (times)",
            },
            decimals={"answers": 0, "different": 0},
            files_only=("different",),
            most=100,
            on="both",
            explained="What annotators wrote that they associate with the group, parted at commas "
            "and “and”, and how often; words that stand out are more frequent than in the answers "
            "about other groups.",
        ),
        RecordTable(
            "hypotheses",
            "Hypotheses",
            of="hypothesis",
            axes=("situation", "group", "domain", "item"),
            scores=(
                "judgments",
                "not_valid_or_not_plausible",
                "based_on_identity",
                "identity_without_situation",
                "stereotype_yes_or_maybe",
                "negative",
            ),
            texts=("hypothesis",),
            by="generator",
            folded=True,
            decimals={"judgments": 0},
            files_only=(
                "domain",
                "item",
                "not_valid_or_not_plausible",
                "based_on_identity",
                "identity_without_situation",
                "stereotype_yes_or_maybe",
                "negative",
            ),
        ),
        RecordTable(
            "judgments",
            "Judgments in words",
            of="judgment",
            axes=("item", "annotator", "situation", "group"),
            texts=(
                "premise",
                "hypothesis",
                "valid?",
                "plausible?",
                "identity?",
                "situation?",
                "sentiment?",
                "stereotype?",
                "anti-stereotype?",
                "evoked?",
            ),
            drops={
                "premise": 5,
                "valid?": 4,
                "plausible?": 3,
                "anti-stereotype?": 2,
                "hypothesis": 1,
            },
            on="files",
        ),
    ),
)
