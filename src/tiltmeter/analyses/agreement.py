"""agreement: how far annotators agree, and who uses a reversed or shifted scale."""

from collections.abc import Iterable, Sequence
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


SHOWN = 10
"""Annotators that a sentence names."""
ALL_SAID = {
    agreed.REVERSED: ("answers on a reversed scale throughout", "answer on a reversed scale throughout"),
    agreed.UNRELATED: (
        "gives answers that are unrelated to the others’", "give answers that are unrelated to the others’",
    ),
    agreed.SHIFTED: ("answers on a shifted scale throughout", "answer on a shifted scale throughout"),
}  # fmt: skip
"""Of the answers to all questions: what one annotator does, and what several do."""
FEW_PANELS = 0.5
"""A caution is due where a smaller share of the items has a full panel of answers."""


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
            notes=(
                *notes_of("data", [f"Levels: {listed}.", *judgments.notes]),
                *notes_of("caution", few_panels(estimates)),
            ),
        ),
    )  # fmt: skip


def few_panels(estimates: Sequence[Estimate]) -> list[str]:
    """A caution where "all agree", "m agree" and κ rest on fewer than half of the items."""
    plain = [e for e in estimates if [*e.groups] == ["question"]]
    items = {e.groups["question"]: e.n for e in plain if e.name == agreed.ALPHA.name}
    panels = [e for e in plain if e.name == agreed.PANEL.name]
    few = [e for e in panels if e.n < FEW_PANELS * items.get(e.groups["question"], 0)]
    if not few:
        return []

    def span_of(counts: Iterable[int]) -> str:
        ordered = sorted(counts)
        return " to ".join(f"{n:,}" for n in dict.fromkeys((ordered[0], ordered[-1])))

    which = few[0].groups["question"] if len(few) == 1 else f"{len(few)} questions"
    note = (
        f"{which}: “all agree”, “m agree” and κ rest on {span_of(e.n for e in few)} of "
        f"{span_of(items[e.groups['question']] for e in few)} items, those with exactly "
        f"{few[0].value:,.0f} answers. α, AC and “pairs agree” use all items."
    )
    return [note]


def words(numbers: Numbers) -> list[Paragraph]:
    """Where agreement is highest and lowest, and who answers in another way than the others."""
    scales, throughout = numbers.all(agreed.R), numbers.all(agreed.ALL_R)
    turned = [e for e in scales if e.verdict == agreed.REVERSED]
    texts = [Paragraph(_headline(numbers), "headline")]
    # Where there is one question, its scales say what those of all answers say elsewhere.
    alone = [] if throughout else [e for e in scales if e.verdict == agreed.UNRELATED]
    for verdict, said in ALL_SAID.items():
        marked = [e for e in (*throughout, *alone) if e.verdict == verdict]
        texts += [Paragraph(_listed(said, marked), "warning")] if marked else []
    texts += [Paragraph(_reversal(e, numbers), "warning") for e in turned[:SHOWN]]
    if len(turned) > SHOWN:
        more = (
            f"{len(turned) - SHOWN:,} more scales of single questions are reversed: see the table."
        )
        texts.append(Paragraph(more, "warning"))
    if (
        any(e.value is not None for e in scales)
        and not turned
        and not any(e.verdict == agreed.REVERSED for e in throughout)
    ):
        texts.append(Paragraph("No annotator’s scale is reversed."))
    by_question: dict[str, list[str]] = {}
    for e in scales:
        if e.verdict == agreed.SHIFTED:
            by_question.setdefault(e.groups["question"], []).append(e.groups["annotator"])
    if by_question:
        listed = (f"{question} ({_names(who)})" for question, who in by_question.items())
        texts.append(Paragraph(f"Shifted scales: {'; '.join(listed)}."))
    return texts


def _listed(said: tuple[str, str], marked: Sequence[Estimate]) -> str:
    """How many annotators are marked, who, and their correlations with the others."""
    one, several = said
    values = [e.value or 0.0 for e in marked]
    named = _names([e.groups["annotator"] for e in marked])
    if len(marked) == 1:
        r = number_of(marked[0], values[0])
        return f"{named} {one} (correlation with the mean of the others r = {r})."
    ends = f"{number_of(marked[0], min(values))} to {number_of(marked[0], max(values))}"
    with_others = f"correlation with the mean of the others r = {ends}"
    return f"{len(marked)} annotators {several} ({with_others}): {named}."


def _names(who: Sequence[str]) -> str:
    more = f" and {len(who) - SHOWN:,} more" if len(who) > SHOWN else ""
    return ", ".join(who[:SHOWN]) + more


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
    if len(known) == 1:
        return f"{about}. {high.groups['question']} has α = {value_with_unit(high)}; the others have none."
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
