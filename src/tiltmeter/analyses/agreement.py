"""agreement: how far annotators agree, and who uses a reversed or shifted scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tiltmeter.analysis.quality.rater_agreement import (
    ALL_AGREE,
    ALPHA,
    ALPHA_WITHOUT,
    ENOUGH_AGREE,
    GIVEN,
    GWET,
    KAPPA,
    LOWEST,
    NEEDED,
    PAIRS_AGREE,
    PANEL,
    REVERSED,
    SHIFT,
    SHIFTED,
    SLOPE,
    R,
    level_of,
    rater_agreement,
)
from tiltmeter.analysis.quality.true_labels import ACCURACY, GIVEN_SHARE, TRUE_SHARE
from tiltmeter.core.analysis import Analysis, Circumstances, Input, Numbers, finish, paths_of
from tiltmeter.core.analysis_views import NumberColumn, NumberTable
from tiltmeter.core.errors import BadInput
from tiltmeter.core.options import Encoding, Option, Seed, check_options
from tiltmeter.core.results import Estimate, Paragraph, Result, notes_of
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.ratings import scale_named
from tiltmeter.report.text import counted, number_of, span, value_with_unit
from tiltmeter.run.monitor import Monitor
from tiltmeter.stats.agreement import Level

METHOD = (
    "“All agree” is the share of items with the panel’s number of answers that have only equal ones; "
    "“m agree” the share of the same items with at least m equal ones (m-of-n agreement); “pairs agree” "
    "the share of equal pairs of answers, averaged over items. Krippendorff’s α, Fleiss’ κ (on "
    "the same items as “all agree”) and Gwet’s AC (AC1 for nominal answers, else AC2) are corrected for "
    "chance: 1 is full agreement, 0 chance. Ordinal and interval levels count answers that are close as "
    "agreeing in part, except in κ. Intervals are for other items and the same annotators: Wilson’s, or "
    "score intervals from leaving out items."
)
SCALES = (
    "Each annotator against the mean of the others: a negative correlation r means a reversed scale, a "
    "shift other ends or a stricter reading. A scale is marked as reversed if the whole 95\u00a0% interval "
    "of r is below 0, as shifted if the whole interval of the shift is beyond a tenth of the range."
)
LABELS = (
    "The model of Dawid and Skene estimates the true label of each item and every annotator’s errors "
    "together: an annotator counts as accurate where the answers agree with what all answers, weighted by "
    "accuracy, point to. It takes labels as unordered, and annotators to be right more often than not. "
    "Intervals are score intervals from a bootstrap of items."
)
TRUE = "True labels and accuracy (Dawid–Skene)"


@dataclass(frozen=True, slots=True)
class AgreementOptions:
    """The options of `tiltmeter agreement`."""

    question: Annotated[
        tuple[str, ...], Option("A column of answers; repeatable.", metavar="COLUMN")
    ] = ()
    annotator: Annotated[
        str, Option("Column of annotators (default annotator).", metavar="COLUMN")
    ] = ""
    item: Annotated[str, Option("Column of items (default item).", metavar="COLUMN")] = ""
    level: Annotated[
        Level | None,
        Option(
            "Level of all questions (default: words and two numbers are nominal, up to ten numbers ordinal, "
            "more an interval scale)."
        ),
    ] = None
    agree: Annotated[
        int | None,
        Option(
            "How many answers of a panel must be equal for m-of-n agreement (default: more than half).",
            min=2, metavar="M",
        ),
    ] = None  # fmt: skip
    scale: Annotated[str, Option("Rating scale of single ratings.", metavar="LOW:HIGH")] = "0:100"
    encoding: Encoding = ""
    seed: Seed = 0

    def __post_init__(self) -> None:
        """Refuse what cannot be computed."""
        check_options(self)


def _columns(*drops: tuple[str, int, int]) -> tuple[NumberColumn, ...]:
    """A value and its interval each: the measure, and when a narrow terminal leaves either out."""
    return tuple(
        column
        for measure, value, interval in drops
        for column in (
            NumberColumn(measure, drop=value), NumberColumn(measure, "interval", drop=interval)
        )
    )  # fmt: skip


QUESTIONS = (
    NumberColumn(PANEL.name, drop=4),
    NumberColumn(PANEL.name, "n", "items"),
    *_columns((ALL_AGREE.name, 0, 2)),
    NumberColumn(NEEDED.name, drop=5),
    *_columns(
        (ENOUGH_AGREE.name, 4, 5), (PAIRS_AGREE.name, 3, 5), (ALPHA.name, 0, 3), (KAPPA.name, 3, 6),
        (GWET.name, 2, 6),
    ),
)  # fmt: skip
SCALE = (
    NumberColumn(R.name, "n", "items", drop=4),
    *_columns((R.name, 0, 1), (SLOPE.name, 3, 6), (SHIFT.name, 3, 6)),
    NumberColumn(ALPHA_WITHOUT.name, drop=2),
    NumberColumn(R.name, "verdict", "mark"),
)
VIEWS = (
    NumberTable("questions", "Agreement by question", ("question",), QUESTIONS, explained=METHOD),
    NumberTable("reversed", "With and without reversed scales", ("question", "change"), QUESTIONS),
    NumberTable(
        "annotators", "Scales by annotator", ("question", "annotator"), SCALE, strong=(REVERSED,),
        most=100, explained=SCALES,
    ),
    NumberTable(
        "accuracy", TRUE, ("question", "annotator"),
        (NumberColumn(ACCURACY.name, "n", "items", drop=2), *_columns((ACCURACY.name, 0, 1))), most=100,
    ),
    NumberTable(
        "labels", TRUE, ("question", "label"),
        (NumberColumn(GIVEN_SHARE.name), NumberColumn(TRUE_SHARE.name)), explained=LABELS,
    ),
)  # fmt: skip


def compute(files: Sequence[Input], options: AgreementOptions, _: Monitor) -> Result:
    """Agreement on each question of a table, each annotator's scale, and true labels."""
    if len(files) > 1:
        raise BadInput("agreement is about one table", "name one file")
    judgments = read_judgments(
        paths_of(files)[0],
        annotator=options.annotator, item=options.item, questions=options.question,
        scale=scale_named(options.scale), encoding=options.encoding,
    )  # fmt: skip
    estimates = rater_agreement(
        judgments, level=options.level, needed=options.agree, seed=options.seed
    )
    levels = {q: options.level or level_of(judgments, q) for q in judgments.answers}
    named = ", ".join(f"{question} {level}" for question, level in levels.items())
    questions = list(judgments.answers)
    return finish(
        ANALYSIS,
        estimates,
        Circumstances(
            data={
                "name": judgments.name, "sha256": judgments.sha256,
                "annotators": len(judgments.annotators), "items": len(judgments.items),
                "questions": questions,
            },
            subtitle=judgments.name,
            seed=options.seed,
            settings={
                "questions": ", ".join(questions), "levels": named,
                "agree": str(options.agree or "more than half"),
            },
            notes=notes_of("data", [f"Levels: {named}.", *judgments.notes]),
        ),
    )  # fmt: skip


def words(numbers: Numbers) -> list[Paragraph]:
    """Where agreement is highest and lowest, whose scale is reversed, and whose is shifted."""
    scales = numbers.all(R.name)
    turned = [e for e in scales if e.verdict == REVERSED]
    said = [Paragraph(_headline(numbers), "headline")]
    said += [Paragraph(_reversal(e, numbers), "warning") for e in turned]
    if scales and not turned:
        said.append(Paragraph("No annotator’s scale is reversed."))
    by_question: dict[str, list[str]] = {}
    for e in scales:
        if e.verdict == SHIFTED:
            by_question.setdefault(e.groups["question"], []).append(e.groups["annotator"])
    if by_question:
        named = "; ".join(f"{question} ({', '.join(who)})" for question, who in by_question.items())
        said.append(Paragraph(f"Shifted scales: {named}."))
    return said


def _headline(numbers: Numbers) -> str:
    data = numbers.card.data
    alphas = [e for e in numbers.all(ALPHA.name) if len(e.groups) == 1]
    about = (
        f"{counted(data['annotators'], 'annotators')}, {counted(data['items'], 'items')}, "
        f"{counted(len(alphas), 'questions')}"
    )
    known = sorted((e for e in alphas if e.value is not None), key=lambda e: e.value or 0.0)
    if not known:
        return f"{about}. Agreement is undefined: {alphas[0].why}."
    low, high = known[0], known[-1]
    if len(alphas) == 1:
        return f"{about}: α = {value_with_unit(high)}."
    return (
        f"{about}. Agreement is highest on {high.groups['question']} (α = {value_with_unit(high)}) and "
        f"lowest on {low.groups['question']} (α = {value_with_unit(low)})."
    )


def _reversal(scale: Estimate, numbers: Numbers) -> str:
    """Who turned the scale of a question round, and what that does to the agreement."""
    question, who = scale.groups["question"], scale.groups["annotator"]
    text = (
        f"{who} answers {question} on a reversed scale: correlation with the mean of the others r = "
        f"{number_of(scale, scale.value or 0)} ({span(scale)})."
    )
    marks = [e.verdict == REVERSED for e in numbers.all(R.name, question=question)]
    if 2 * sum(marks) >= len(marks):
        text += " As many annotators are marked as not, so the answers cannot show who is reversed."
    shares = [e for e in numbers.all(ALL_AGREE.name, question=question) if "change" in e.groups]
    shown = [
        f"{_agreed(e, numbers)} {'of items as given' if e.groups['change'] == GIVEN else e.groups['change']}"
        for e in shares
    ]
    return text + (f" All annotators agree on {'; '.join(shown)}." if shown else "")


def _agreed(share: Estimate, numbers: Numbers) -> str:
    alpha = numbers.get(ALPHA.name, **share.groups)
    text = "an undefined share" if share.value is None else value_with_unit(share)
    known = alpha is not None and alpha.value is not None
    return f"{text} (α = {value_with_unit(alpha)})" if alpha and known else text


ANALYSIS = Analysis(
    "agreement",
    "Agreement of annotators",
    "Agreement of annotators: percent, α, κ, Gwet's AC, reversed scales, true labels.",
    "1",
    "",
    "",
    "Marks do not show why answers differ, and nothing was deleted. Annotators who agree can share an error.",
    (
        LOWEST, ALL_AGREE, ENOUGH_AGREE, PAIRS_AGREE, ALPHA, KAPPA, GWET, PANEL, NEEDED, R, SLOPE, SHIFT,
        ALPHA_WITHOUT, ACCURACY, GIVEN_SHARE, TRUE_SHARE,
    ),
    VIEWS,
    compute,
    AgreementOptions,
    "A table with a row per annotator and item, or single ratings as for compare-people.",
    "FILE",
    words=words,
)  # fmt: skip
