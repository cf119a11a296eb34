"""agreement: how far annotators agree, and who uses a reversed or shifted scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from tiltmeter.analysis.quality import rater_agreement as agreed
from tiltmeter.core.analysis import Circumstances, Input, Numbers, finish, paths_of
from tiltmeter.core.analysis_file import AnalysisFile
from tiltmeter.core.errors import BadInput
from tiltmeter.core.options import CheckedOptions, Encoding, Missing, Seed
from tiltmeter.core.results import Estimate, Paragraph, Result, notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.files.missing_words import missing_words
from tiltmeter.data.people.annotator_answers import AnswerReading, read_judgments
from tiltmeter.data.people.answer_codes import DeclaredScale
from tiltmeter.data.people.ratings import scale_named, whole_steps
from tiltmeter.report.few_items import FEW
from tiltmeter.report.text import number_of, span, value_with_unit
from tiltmeter.run.monitor import Monitor
from tiltmeter.stats.agreement import Level

FILE = AnalysisFile.beside(__file__)


def names_listed(text: str | None) -> tuple[str, ...]:
    """What an option lists, separated by commas.

    >>> names_listed("ann, bo"), names_listed(None)
    (('ann', 'bo'), ())
    """
    return tuple(filter(None, map(str.strip, (text or "").split(","))))


@dataclass(frozen=True, slots=True)
class AgreementOptions(CheckedOptions):
    """The options of `tiltmeter agreement`."""

    question: Annotated[tuple[str, ...], FILE.option("question")] = ()
    annotator: Annotated[str, FILE.option("annotator")] = ""
    item: Annotated[str, FILE.option("item")] = ""
    annotators: Annotated[
        tuple[str, ...], FILE.option("annotators", parse=names_listed, typed=str)
    ] = ()
    level: Annotated[Level | None, FILE.option("level")] = None
    agree: Annotated[int | None, FILE.option("agree")] = None
    scale: Annotated[str | None, FILE.option("scale")] = None
    categories: Annotated[tuple[str, ...], FILE.option("categories")] = ()
    order: Annotated[tuple[str, ...], FILE.option("order")] = ()
    fold_case: Annotated[bool, FILE.option("fold_case")] = False
    encoding: Encoding = ""
    missing: Missing = None
    seed: Seed = 0


def declared_scales(options: AgreementOptions) -> dict[str, DeclaredScale]:
    """What --categories, --order and --scale say, by question; under "" of all that are not named.

    Raises:
        BadInput: A question is given two scales, or one of fewer than two answers.
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
        options.annotator, options.item, options.annotators, options.question,
        scale_named(options.scale) if options.scale else None, scales, options.fold_case, options.encoding,
    )  # fmt: skip
    with missing_words(options.missing, kept=declared):
        judgments = read_judgments(paths_of(files)[0], reading)
    estimates = agreed.rater_agreement(
        judgments, level=options.level, needed=options.agree, seed=options.seed
    )
    levels = {q: options.level or agreed.level_of(judgments, q) for q in judgments.answers}
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
            settings={
                "questions": ", ".join(questions), "levels": listed,
                "agree": str(options.agree or "more than half"),
                "declared": "; ".join(
                    f"{question or 'all questions'}: {', '.join(scale.values)}"
                    for question, scale in scales.items()
                ),
            },
            notes=notes_of("data", [f"Levels: {listed}.", *judgments.notes]),
        ),
    )  # fmt: skip


def words(numbers: Numbers) -> list[Paragraph]:
    """Where agreement is highest and lowest, whose scale is reversed, and whose is shifted."""
    scales = numbers.all(agreed.R)
    turned = [e for e in scales if e.verdict == agreed.REVERSED]
    texts = [Paragraph(_headline(numbers), "headline")]
    texts += [Paragraph(_reversal(e, numbers), "warning") for e in turned]
    if scales and not turned:
        texts.append(Paragraph("No annotator’s scale is reversed."))
    by_question: dict[str, list[str]] = {}
    for e in scales:
        if e.verdict == agreed.SHIFTED:
            by_question.setdefault(e.groups["question"], []).append(e.groups["annotator"])
    if by_question:
        listed = (f"{question} ({', '.join(who)})" for question, who in by_question.items())
        texts.append(Paragraph(f"Shifted scales: {'; '.join(listed)}."))
    return texts


def _headline(numbers: Numbers) -> str:
    data = numbers.card.data
    alphas = [e for e in numbers.all(agreed.ALPHA) if len(e.groups) == 1]
    about = (
        f"{counted(data['annotators'], 'annotators')}, {counted(data['items'], 'items')}, "
        f"{counted(len(alphas), 'questions')}"
    )
    known = sorted((e for e in alphas if e.value is not None), key=lambda e: e.value or 0.0)
    if not known:
        return f"{about}. Agreement is undefined: {alphas[0].why}."
    if max(e.n for e in known) < FEW:
        return f"{about}. That is too few items to say how far people agree."
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
    marks = [e.verdict == agreed.REVERSED for e in numbers.all(agreed.R, question=question)]
    if 2 * sum(marks) >= len(marks):
        text += " As many annotators are marked as not, so the answers cannot show who is reversed."
    shares = [e for e in numbers.all(agreed.ALL_AGREE, question=question) if "change" in e.groups]
    given = {agreed.GIVEN: "of items as given"}
    shown = [
        f"{_agreed(e, numbers)} {given.get(e.groups['change'], e.groups['change'])}" for e in shares
    ]
    return text + (f" All annotators agree on {'; '.join(shown)}." if shown else "")


def _agreed(share: Estimate, numbers: Numbers) -> str:
    alpha = numbers.get(agreed.ALPHA, **share.groups)
    text = "an undefined share" if share.value is None else value_with_unit(share)
    known = alpha is not None and alpha.value is not None
    return f"{text} (α = {value_with_unit(alpha)})" if alpha and known else text


ANALYSIS = FILE.analysis(agreed.QUANTITIES, compute, AgreementOptions, words)
