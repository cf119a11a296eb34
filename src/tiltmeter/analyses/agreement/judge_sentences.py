"""What is said of judges: whether they pass, and with whom they agree more."""

from collections.abc import Iterator, Sequence

from tiltmeter.analyses.agreement.annotator_groups import JUDGE_DIFFERENCE, LESS, MORE
from tiltmeter.analyses.agreement.judge_numbers import ADVANTAGE, PASSED, WINNING_RATE
from tiltmeter.core.analysis import Numbers
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Paragraph
from tiltmeter.core.text import counted, verb_for
from tiltmeter.report.text import number_of, span, value_with_unit
from tiltmeter.stats.raters.judge_errors import ITEMS_ALONE

FEWEST_TESTED = 3
"""The authors ask for three annotators; docs/explanation/coverage/judges.md has what fewer do."""
SHOWN = 12
"""How many judges have a sentence each; of more, those that pass are named together."""


def judge_paragraphs(numbers: Numbers) -> list[Paragraph]:
    """Whether each judge may replace people, and with which group of annotators it agrees more."""
    rates = numbers.all(WINNING_RATE)
    several = len({e.groups["question"] for e in rates}) > 1
    epsilon = str(numbers.card.settings.get("epsilon", ""))
    texts = [
        Paragraph(_verdict(rate, numbers, epsilon, several=several), "headline")
        for rate in rates[:SHOWN]
    ]
    if len(rates) > SHOWN:
        passed = [_whose(rate, several=several) for rate in rates if rate.verdict == PASSED]
        listed = f": {', '.join(passed)}" if passed else ""
        texts = [
            Paragraph(
                f"{len(passed)} of {counted(len(rates), 'judges')} "
                f"{verb_for(len(passed), 'pass')} at ε = {epsilon}{listed}.",
                "headline",
            )
        ]
    texts += [Paragraph(text) for text in _differences(numbers, several=several)]
    return texts


def _whose(estimate: Estimate, *, several: bool) -> str:
    judge, question = estimate.groups["judge"], estimate.groups["question"]
    return f"{judge} ({question})" if several else judge


def _verdict(rate: Estimate, numbers: Numbers, epsilon: str, *, several: bool) -> str:
    """Whether a judge passes, with ω and ρ."""
    judge = _whose(rate, several=several)
    if rate.value is None:
        return f"{judge}: the alternative annotator test is not possible: {rate.why}."
    won = round(rate.value * rate.n)
    verdict = "passes" if rate.verdict == PASSED else "does not pass"
    advantage = numbers.get(ADVANTAGE, **rate.groups)
    more = ""
    if advantage is not None and advantage.value is not None:
        interval = f" ({span(advantage)})" if advantage.low is not None else ""
        more = f", ρ = {number_of(advantage, advantage.value)}{interval}"
    return (
        f"{judge} {verdict} the alternative annotator test at ε = {epsilon}: ω = "
        f"{number_of(rate, rate.value)} ({won} of {counted(rate.n, 'annotators')}){more}."
    )


def _differences(numbers: Numbers, *, several: bool) -> Iterator[str]:
    """With which group a judge agrees more, where that is significant; once for two groups."""
    differences = numbers.all(JUDGE_DIFFERENCE)
    known = [e for e in differences if e.value is not None]
    told: set[tuple[str, ...]] = set()
    for e in known:
        attribute = e.groups["attribute"]
        alike = [
            other for other in known
            if all(other.groups[axis] == e.groups[axis] for axis in ("question", "judge", "attribute"))
        ]  # fmt: skip
        place = (e.groups["question"], e.groups["judge"], attribute)
        if e.verdict not in {MORE, LESS} or (len(alike) == 2 and place in told):  # noqa: PLR2004
            continue
        told.add(place)
        who = "the same people" if e.interval == ITEMS_ALONE else "people like these"
        yield (
            f"{_whose(e, several=several)} agrees {e.verdict} with {attribute} {e.groups['group']} than with "
            f"the others: {value_with_unit(e)} ({span(e)}, for {who})."
        )
    if known and not told:
        yield "No judge agrees significantly more or less with one group of annotators than with the others."


def few_people(estimates: Sequence[Estimate]) -> list[str]:
    """Cautions where a test rests on one or two annotators, or intervals are about the same people only."""
    notes = []
    few = [e for e in estimates if e.name == WINNING_RATE.name and 0 < e.n < FEWEST_TESTED]
    if few:
        judges = ", ".join(dict.fromkeys(e.groups["judge"] for e in few))
        notes.append(
            f"The test of {judges} rests on {counted(min(e.n for e in few), 'annotators')}: with fewer than "
            "three, it passes a judge that is worse by ε more often than it should."
        )
    alone = [e for e in estimates if e.interval == ITEMS_ALONE]
    if alone:
        notes.append(
            f"Intervals of judges for other items and the same people: {len(alone):,}. They rest on fewer "
            "than five people, who do not show how far others would differ."
        )
    return notes
