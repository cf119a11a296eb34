"""agreement: how far annotators agree, and who uses a reversed or shifted scale."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Annotated

from tiltmeter.analyses.agreement.annotator_groups import GROUP_QUANTITIES, annotator_groups
from tiltmeter.analyses.agreement.judge_numbers import JUDGE_QUANTITIES
from tiltmeter.analyses.agreement.judge_sentences import few_people
from tiltmeter.analyses.agreement.judges import compared, left_out, read_judges
from tiltmeter.analyses.agreement.rater_agreement import (
    ALPHA,
    QUANTITIES,
    level_of,
    rater_agreement,
)
from tiltmeter.analyses.agreement.sentences import few_panels, words
from tiltmeter.analyses.agreement.views import VIEWS
from tiltmeter.core.analysis import Analysis, Circumstances, Input, finish, paths_of
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.answer_options import AnswerColumns, ChoiceOptions
from tiltmeter.core.reading.options import Encoding, Missing, Option, Seed
from tiltmeter.core.results import Result, notes_of
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.people.annotator_answers import read_judgments
from tiltmeter.data.people.answer_codes import DeclaredScale
from tiltmeter.data.people.judgments import AnswerReading
from tiltmeter.data.people.ratings import scale_named, whole_steps
from tiltmeter.derived.people.annotators import by_columns
from tiltmeter.report.with_and_without import with_and_without
from tiltmeter.run.monitor import Monitor
from tiltmeter.stats.raters.kappa_and_alpha import Level


def names_listed(text: str | None) -> tuple[str, ...]:
    """The entries of an option that lists several, separated by commas.

    >>> names_listed("ann, bo"), names_listed(None)
    (('ann', 'bo'), ())
    """
    return tuple(filter(None, map(str.strip, (text or "").split(","))))


OF_JUDGES = "A judge that may replace them can share it too."
"""What agreement does not show of judges."""


@dataclass(frozen=True, slots=True)
class AgreementOptions(ChoiceOptions):
    """The options of `tiltmeter analyse agreement`."""

    question: Annotated[
        tuple[str, ...], Option("Column of answers; repeatable.", metavar="COLUMN")
    ] = ()
    annotator: Annotated[
        str, Option("Column of annotators (default annotator).", metavar="COLUMN")
    ] = ""
    item_column: Annotated[str, Option("Column of items (default item).", metavar="COLUMN")] = ""
    columns: AnswerColumns = field(default_factory=dict)
    annotators: Annotated[
        tuple[str, ...],
        Option(
            "Columns with the answers of one annotator each, separated by commas.",
            metavar="COLUMNS",
            parse=names_listed,
            typed=str,
        ),
    ] = ()
    level: Annotated[
        Level | None,
        Option(
            "Level of all questions (default: words and two numbers are nominal, up to ten numbers "
            "ordinal, more an interval scale)."
        ),
    ] = None
    agree: Annotated[
        int | None,
        Option(
            "How many answers of a panel must be equal for m-of-n agreement (default: more than "
            "half).",
            min=2,
            metavar="M",
        ),
    ] = None
    scale: Annotated[
        str | None,
        Option(
            "Scale of the answers: of single ratings (default 0:100), or whole numbers such as "
            "1:5.",
            metavar="LOW:HIGH",
        ),
    ] = None
    categories: Annotated[
        tuple[str, ...],
        Option(
            "All possible answers, separated by commas, for all questions or for one; "
            "repeatable. Changes AC where nobody chose one of them.",
            metavar="[QUESTION=]LIST",
        ),
    ] = ()
    order: Annotated[
        tuple[str, ...],
        Option(
            "All answers from low to high, separated by commas: they become ordinal; repeatable.",
            metavar="[QUESTION=]LIST",
        ),
    ] = ()
    fold_case: Annotated[
        bool, Option("Count labels that differ only in case or spaces as one.")
    ] = False
    judge: Annotated[
        tuple[str, ...],
        Option(
            "A judge to be compared with the people: an annotator of the table, a file with its answers, "
            "or model:MODEL, classifier:MODEL and the like, which is asked about --text-column; repeatable.",
            metavar="NAME_OR_FILE",
        ),
    ] = ()
    epsilon: Annotated[
        float,
        Option(
            "How much worse than an annotator a judge may be, as a share of items: .2 for experts, .15 "
            "for skilled people, .1 for crowds.",
            min=0,
            below=1,
        ),
    ] = 0.1
    text_column: Annotated[
        str, Option("Column with the text of each item, for judges that read it.", metavar="COLUMN")
    ] = ""
    by: Annotated[
        tuple[tuple[str, ...], ...],
        Option(
            "Also report agreement within and between the groups of annotators in this column; "
            "repeatable. COLUMN,COLUMN crosses columns.",
            metavar="COLUMN[,COLUMN]",
            parse=by_columns,
            typed=tuple[str, ...],
        ),
    ] = ()
    encoding: Encoding = ""
    missing: Missing = None
    seed: Seed = 0


def declared_scales(options: AgreementOptions) -> dict[str, DeclaredScale]:
    """The declared answers by question, from --categories, --order and --scale; "" is for all others.

    Raises:
        BadInput: A question has two scales, or a scale has fewer than two answers.
    """
    scales: dict[str, DeclaredScale] = {}
    if options.scale and (steps := whole_steps(scale_named(options.scale))):
        scales[""] = DeclaredScale(steps)
    for name, given in (("--categories", options.categories), ("--order", options.order)):
        for text in given:
            question, sign, listed = text.rpartition("=")
            values = names_listed(listed)
            if len(values) < 2 or len(set(values)) < len(values):  # noqa: PLR2004
                reason = f"{name} {text!r} does not list two different answers or more"
                raise BadInput(
                    reason, f"write {name} low,medium,high or {name} QUESTION=low,medium,high"
                )
            if question in scales:
                what = f"the question {question!r}" if sign else "all questions"
                reason = f"the answers to {what} are declared twice"
                raise BadInput(reason, "give one of --categories, --order and --scale")
            scales[question] = DeclaredScale(values, ordered=name == "--order")
    return scales


def compute(files: Sequence[Input], options: AgreementOptions, _: Monitor) -> Result:
    """Agreement on each question of a table, each annotator's scale, and true labels."""
    if len(files) > 1:
        raise BadInput("agreement is about one table", "name one file")
    scales = declared_scales(options)
    declared = {value for scale in scales.values() for value in scale.values}
    reading = AnswerReading(
        options.annotator, options.item_column, options.annotators, options.question,
        scale_named(options.scale) if options.scale else None, scales, options.fold_case,
        tuple(dict.fromkeys(chain.from_iterable(options.by))), options.text_column, options.encoding,
        options.columns,
    )  # fmt: skip
    # A declared answer such as "none" is an answer, not a missing value.
    with missing_words(options.missing, kept=declared):
        path = paths_of(files)[0]
        judgments = read_judgments(path, reading)
        judgments, judges = read_judges(judgments, options.judge, path, reading, options.level)
    levels = {q: options.level or level_of(judgments, q) for q in judgments.answers}
    groups = [annotator_groups(judgments, columns) for columns in options.by]
    estimates = [
        *rater_agreement(judgments, level=options.level, needed=options.agree, seed=options.seed),
        *compared(judgments, judges, groups, levels, options.epsilon),
    ]
    listed = ", ".join(f"{question} {level}" for question, level in levels.items())
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
            limits=f"{ANALYSIS.not_what} {OF_JUDGES}" if judges else "",
            settings={
                "questions": ", ".join(questions), "levels": listed,
                "agree": str(options.agree or "more than half"),
                "declared": "; ".join(
                    f"{question or 'all questions'}: {', '.join(scale.values)}"
                    for question, scale in scales.items()
                ),
                **({"epsilon": f"{options.epsilon:g}"} if judges else {}),
                **({"by": ", ".join(of.attribute for of in groups)} if groups else {}),
            },
            notes=(
                *notes_of("data", [f"Levels: {listed}.", *judgments.notes]),
                *notes_of("data", left_out(judgments, judges, groups)),
                *notes_of("caution", [*few_panels(estimates), *few_people(estimates)]),
            ),
        ),
    )  # fmt: skip


EXAMPLE = """\
>>> import polars as pl, tiltmeter as tm
>>> answers = pl.DataFrame({
...     "item": ["a", "a", "b", "b", "c", "c", "d", "d"],
...     "annotator": ["ann", "bob"] * 4,
...     "tone": [1, 1, 2, 2, 4, 5, 5, 5],
... })
>>> tm.analyse.agreement(answers, question="tone").estimate("alpha", question="tone")
<alpha of question tone: 0.9103 (0.08666 to 0.9998), n 4>"""
ANALYSIS = Analysis(
    name="agreement",
    title="Agreement of annotators",
    version="1",
    summary="Agreement of annotators: percent, α, κ, Gwet's AC; reversed scales, true labels, judges.",
    not_what="Marks do not show why answers differ, and nothing was deleted. Annotators who agree "
    "can share an error.",
    example=EXAMPLE,
    inputs="A table with a row per annotator and item, or single ratings as for compare-people.",
    metavar="FILE",
    quantities=(*QUANTITIES, *JUDGE_QUANTITIES, *GROUP_QUANTITIES),
    compute=with_and_without(compute, ALPHA, over=("question",)),
    options=AgreementOptions,
    words=words,
    views=VIEWS,
)
