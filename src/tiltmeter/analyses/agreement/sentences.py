"""What is said of the agreement: where it is high and low, and who answers differently from the others."""

from collections.abc import Iterable, Sequence
from statistics import median

from tiltmeter.analyses.agreement.annotator_scales import REVERSED, SCALE_R, SHIFTED
from tiltmeter.analyses.agreement.annotators import (
    ALL_R,
    CANNOT_TELL,
    CONSTANT,
    COPIED,
    COPY,
    MARKS,
    NOTICED,
    PACE,
    TOO_FAST,
    UNRELATED,
)
from tiltmeter.analyses.agreement.judge_sentences import judge_paragraphs
from tiltmeter.analyses.agreement.rater_agreement import ALL_AGREE, ALPHA, GIVEN, PAIRS, PANEL
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted
from tiltmeter.report.few_items import FEW
from tiltmeter.report.text import in_brackets, number_of, value_with_unit

FEW_PANELS = 0.5
"""Where a smaller share of the items has a full panel of answers, a note says so."""
FEW_NAMES = 3
"""So many annotators of whom nothing can be said are named."""
SHOWN = 10
"""How many annotators a sentence names at most."""
ALL_SAID = {
    CONSTANT: ("gives the same answer to everything", "give the same answer to everything"),
    COPIED: (
        "has the same answers as another annotator", "have the same answers as another annotator",
    ),
    REVERSED: ("answers the other way round throughout", "answer the other way round throughout"),
    UNRELATED: (
        "gives answers that are unrelated to the others’", "give answers that are unrelated to the others’",
    ),
    TOO_FAST: ("answers far faster than the others", "answer far faster than the others"),
    SHIFTED: ("answers on a shifted scale throughout", "answer on a shifted scale throughout"),
}  # fmt: skip
"""What one annotator does, and what several do, by the verdict on all their answers."""
NOBODY_KNOWS = " As many annotators are marked as not, so the answers cannot show who is reversed."
BY_R = (REVERSED, UNRELATED)
"""Verdicts that the correlation shows."""


def words(numbers: Numbers) -> list[Paragraph]:
    """Where agreement is highest and lowest, and which annotators answer differently from the others."""
    scales, throughout = numbers.all(SCALE_R), numbers.all(ALL_R)
    turned = [e for e in scales if e.verdict == REVERSED]
    by_question: dict[str, list[str]] = {}
    for e in scales:
        if e.verdict == SHIFTED:
            by_question.setdefault(e.groups["question"], []).append(e.groups["annotator"])
    texts = [Paragraph(_headline(numbers), "headline"), *judge_paragraphs(numbers)]
    # Where there is one question, its scale says what all answers do.
    is_single = len({e.groups["question"] for e in scales}) == 1
    said = {
        REVERSED: {e.groups["annotator"] for e in turned} if is_single else set(),
        SHIFTED: {who for names in by_question.values() for who in names} if is_single else set(),
    }
    for verdict in MARKS:
        marked = [e for e in throughout if e.verdict == verdict]
        known = said.get(verdict, set())
        marked = [e for e in marked if e.groups["annotator"] not in known]
        texts += [Paragraph(_listed(verdict, marked, numbers), "warning")] if marked else []
    effects = {e.groups["question"]: i for i, e in enumerate(turned[:SHOWN])}
    for i, e in enumerate(turned[:SHOWN]):
        # The effect of all reversed annotators of a question is said once, after the last of them.
        is_last = effects[e.groups["question"]] == i
        texts.append(Paragraph(_reversal(e, numbers, with_effect=is_last), "warning"))
    if len(turned) > SHOWN:
        more = (
            f"{len(turned) - SHOWN:,} more scales of single questions are reversed: see the table."
        )
        texts.append(Paragraph(more, "warning"))
    cannot_tell = [e for e in throughout if e.verdict == CANNOT_TELL]
    if cannot_tell:
        texts.append(Paragraph(_cannot_tell(cannot_tell, numbers)))
    elif throughout and not turned and not any(e.verdict == REVERSED for e in throughout):
        texts.append(Paragraph("No annotator’s scale is reversed."))
    if by_question:
        listed = (f"{question} ({_names(who)})" for question, who in by_question.items())
        texts.append(Paragraph(f"Shifted scales: {'; '.join(listed)}."))
    return texts


def _cannot_tell(unknown: Sequence[Estimate], numbers: Numbers) -> str:
    """How many annotators could be neither marked nor shown to be related to the others, and why."""
    everybody, names = len(numbers.all(ALL_R)), [e.groups["annotator"] for e in unknown]
    who = "all" if len(unknown) == everybody else f"{len(unknown):,} of"
    of = (
        ", ".join(names) if len(names) <= FEW_NAMES else f"{who} {counted(everybody, 'annotators')}"
    )
    head = f"Nothing shows whether {of} answered with care"
    answers = (
        f"{median(e.n for e in unknown):,.0f} answers{' (median)' if len(unknown) > 1 else ''}"
    )
    known = [e.value or 0.0 for e in numbers.all(NOTICED) if e.groups["annotator"] in names]
    if 2 * len(known) < len(unknown):
        return (
            f"{head}: {answers} are too few, or too similar, to compare with those of the others."
        )
    noticed = median(known)
    return f"{head}: of {answers}, random ones would be marked as unrelated in {noticed:.0f} % of cases."


def _listed(verdict: str, marked: Sequence[Estimate], numbers: Numbers) -> str:
    """How many annotators are marked, who, and what shows it."""
    singular, plural = ALL_SAID[verdict]
    annotators = [e.groups["annotator"] for e in marked]
    head = (
        f"{annotators[0]} {singular}"
        if len(marked) == 1
        else f"{counted(len(marked), 'annotators')} {plural}"
    )
    shown = ""
    if verdict in BY_R:
        shown = f" (correlation with the others r = {_ends(marked)})"
    elif verdict == TOO_FAST:
        times = [e for e in numbers.all(PACE) if e.groups["annotator"] in annotators]
        shown = f" ({_ends(times)} times the usual time)"
    elif verdict == COPIED:
        equal = [e for e in numbers.all(COPY) if e.groups["annotator"] in annotators]
        shown = f" ({_ends(equal)} equal answers)"
    named = "" if len(marked) == 1 else f": {_names(annotators)}"
    text = f"{head}{shown}{named}."
    if verdict == REVERSED and 2 * len(marked) >= len(numbers.all(ALL_R)):
        text += NOBODY_KNOWS
    return text


def _ends(estimates: Sequence[Estimate]) -> str:
    """The lowest and the highest value, or the only one."""
    values = [e.value or 0.0 for e in estimates]
    ends = [number_of(estimates[0], value) for value in (min(values), max(values))]
    return " to ".join(dict.fromkeys(ends))


def _names(who: Sequence[str]) -> str:
    more = f" and {len(who) - SHOWN:,} more" if len(who) > SHOWN else ""
    return ", ".join(who[:SHOWN]) + more


def _headline(numbers: Numbers) -> str:
    data = numbers.card.data
    alphas = [e for e in numbers.all(ALPHA) if len(e.groups) == 1]
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
        pairs = numbers.get(PAIRS, **high.groups)
        of_pairs = f" and {counted(int(pairs.value or 0), 'pairs')} of answers" if pairs else ""
        alpha = f"α = {value_with_unit(high)}{in_brackets(high)}"
        return f"{about}: {alpha}, on {counted(high.n, 'items')}{of_pairs}."
    if len(known) == 1:
        return f"{about}. {high.groups['question']} has α = {value_with_unit(high)}; the others have none."
    return (
        f"{about}. Agreement is highest on {high.groups['question']} (α = {value_with_unit(high)}) and "
        f"lowest on {low.groups['question']} (α = {value_with_unit(low)})."
    )


def _reversal(scale: Estimate, numbers: Numbers, *, with_effect: bool) -> str:
    """Who reversed the scale of a question, and what difference all of these make to the agreement."""
    question, who = scale.groups["question"], scale.groups["annotator"]
    is_single = len({e.groups["question"] for e in numbers.all(ALPHA)}) == 1
    text = (
        f"{who} uses a reversed scale{'' if is_single else f' for {question}'}: correlation with the mean of "
        f"the others r = {number_of(scale, scale.value or 0)}{in_brackets(scale)}."
    )
    marks = [e.verdict == REVERSED for e in numbers.all(SCALE_R, question=question)]
    if 2 * sum(marks) >= len(marks):
        text += NOBODY_KNOWS
    if not with_effect:
        return text
    shares = [e for e in numbers.all(ALL_AGREE, question=question) if "change" in e.groups]
    given = {GIVEN: "of items as given"}
    shown = [
        f"{_agreed(e, numbers)} {given.get(e.groups['change'], e.groups['change'])}" for e in shares
    ]
    return text + (f" All annotators agree on {'; '.join(shown)}." if shown else "")


def _agreed(share: Estimate, numbers: Numbers) -> str:
    alpha = numbers.get(ALPHA, **share.groups)
    text = "an undefined share" if share.value is None else value_with_unit(share)
    known = alpha is not None and alpha.value is not None
    return f"{text} (α = {value_with_unit(alpha)})" if alpha and known else text


def few_panels(estimates: Sequence[Estimate]) -> list[str]:
    """A caution where "all agree", "m agree" and κ rest on fewer than half of the items."""
    plain = [e for e in estimates if [*e.groups] == ["question"]]
    items = {e.groups["question"]: e.n for e in plain if e.name == ALPHA.name}
    panels = [e for e in plain if e.name == PANEL.name]
    few = [e for e in panels if e.n < FEW_PANELS * items.get(e.groups["question"], 0)]
    if not few:
        return []

    def span_of(counts: Iterable[int]) -> str:
        ordered = sorted(counts)
        return " to ".join(f"{n:,}" for n in dict.fromkeys((ordered[0], ordered[-1])))

    which = few[0].groups["question"] if len(few) == 1 else counted(len(few), "questions")
    note = (
        f"{which}: “all agree”, “m agree” and κ rest on {span_of(e.n for e in few)} of "
        f"{span_of(items[e.groups['question']] for e in few)} items, those with exactly "
        f"{few[0].value:,.0f} answers. α, AC and “pairs agree” use all items."
    )
    return [note]
