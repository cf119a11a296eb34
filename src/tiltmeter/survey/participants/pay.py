"""What people are owed by how they left, what they earned an hour, and the bonus up to a promised rate."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.files.chosen_answers import KNOWN_MARKS, AnswerChoice
from tiltmeter.survey.collected import Collected, Participant
from tiltmeter.survey.form import Form, Pay
from tiltmeter.survey.outcomes import OUTCOMES, Outcome
from tiltmeter.survey.participants.money import ZERO, cents_up

MILLI = 1000
HOUR = 3600 * MILLI
FASTEST = 5.0
"""Nobody reads a survey in fewer seconds: if half of those who finished were faster, they are programs."""
TENTH = 10
SET = 4
"""Examples of as many types that earn one bonus for variety."""


@dataclass(frozen=True, slots=True)
class PersonPay:
    """One person's time and money."""

    person: str
    outcome: Outcome
    seconds: float
    """On all screens, without the time in other tabs; 0 where it is not known."""
    amount: Decimal
    """What the form pays for the outcome; 0 where it does not say."""
    variety: Decimal = ZERO
    """Bonus for writing about different types."""
    top_up: Decimal = ZERO
    """Bonus that is missing to the promised hourly rate."""

    @property
    def bonus(self) -> Decimal:
        """All that is paid besides the amount."""
        return self.variety + self.top_up

    @property
    def total(self) -> Decimal:
        """Everything that the person is owed."""
        return self.amount + self.bonus

    @property
    def hourly(self) -> float | None:
        """What amount and variety are per hour of work; None where the time is not known."""
        earned = float(self.amount + self.variety)
        return earned * HOUR / (self.seconds * MILLI) if self.seconds > 0 else None


@dataclass(frozen=True, slots=True)
class OutcomePay:
    """What all people with one outcome are owed."""

    outcome: Outcome
    people: int
    each: Decimal | None
    """What the form pays each; None where it does not say, which counts as 0."""
    amounts: Decimal
    bonuses: Decimal


@dataclass(frozen=True, slots=True)
class PayReport:
    """What people are owed, by how they left, whatever the checks say; who is under way is not in it."""

    currency: str
    reward: Decimal
    """What those who finish are paid."""
    target: Decimal
    """The promised hourly rate; 0 where there is none."""
    people: tuple[PersonPay, ...]
    median: float | None
    """Median of what those who finished earned an hour; None where no times of people are known."""
    tenth: float | None
    """10th percentile an hour: nine of ten people earned more."""
    by_outcome: tuple[OutcomePay, ...] = ()
    """Sums of each outcome that somebody has."""
    left_out: int = 0
    """People who are not in it, by choice."""

    @property
    def timed(self) -> int:
        """The number of people whom median and percentile are about."""
        return len(_rates(self.people))

    @property
    def why_no_rate(self) -> str:
        """Why there is no hourly pay, as a clause; "" where there is."""
        if self.median is not None:
            return ""
        if self.timed:
            return f"those who finished took less than {FASTEST:.0f} s, as programs do"
        return "nobody has finished yet, or the times on pages are not known"

    @property
    def amounts(self) -> Decimal:
        """Sum of what the outcomes pay, without bonuses."""
        return sum((person.amount for person in self.people), ZERO)

    @property
    def top_ups(self) -> Decimal:
        """Sum of the bonuses up to the promised rate."""
        return sum((person.top_up for person in self.people), ZERO)

    @property
    def bonuses(self) -> Decimal:
        """Sum of all bonuses."""
        return sum((person.bonus for person in self.people), ZERO)

    @property
    def total(self) -> Decimal:
        """Everything that people are owed, without the panel's fees."""
        return self.amounts + self.bonuses


def pay_of(form: Form, outcome: Outcome) -> Decimal | None:
    """What the form pays people with an outcome; None where it does not say.

    Raises:
        BadInput: The form does not say what is paid at all.
    """
    page = form.outcomes.page(outcome)
    if page is not None and page.pay is not None:
        return page.pay
    return _pay(form).amount if outcome == "finished" else None


def _pay(form: Form) -> Pay:
    if form.pay is None:
        raise BadInput("the form does not say what people are paid", "write [pay] and amount = …")
    return form.pay


def pay_report(
    collected: Collected, *, hourly: Decimal = ZERO, choice: AnswerChoice | None = None
) -> PayReport:
    """What people are owed, and what those who finished earned an hour.

    Args:
        collected: A study.
        hourly: The rate to which bonuses bring everybody who is paid; 0 for the form's.
        choice: The people who are in it, by the checks that flagged anything of theirs, or by a list.

    Raises:
        BadInput: The form does not say what is paid.
    """
    pay = _pay(collected.form)
    target = hourly or pay.hourly
    seconds = seconds_worked(collected)
    variety = variety_bonuses(collected, pay)
    ended = [person for person in collected.people if person.outcome is not None]
    chosen = [
        person
        for person in ended
        if choice is None or choice.takes(person.id, collected.flags_of(person.id))
    ]
    people = tuple(
        _one(collected.form, person, seconds[person.id], variety[person.id], target)
        for person in chosen
    )
    rates = _rates(people) if _is_human(people) else []
    return PayReport(
        currency=pay.currency,
        reward=pay_of(collected.form, "finished") or ZERO,
        target=target,
        people=people,
        median=float(np.median(rates)) if rates else None,
        tenth=float(np.percentile(rates, TENTH)) if rates else None,
        by_outcome=tuple(_sums(collected.form, people)),
        left_out=len(ended) - len(chosen),
    )


def _sums(form: Form, people: Sequence[PersonPay]) -> Iterator[OutcomePay]:
    for outcome in OUTCOMES:
        several = [person for person in people if person.outcome == outcome]
        amounts = sum((person.amount for person in several), ZERO)
        bonuses = sum((person.bonus for person in several), ZERO)
        if several:
            yield OutcomePay(outcome, len(several), pay_of(form, outcome), amounts, bonuses)


def check_marks(collected: Collected, marks: Iterable[str]) -> None:
    """Raise BadInput if a mark that chooses people is given by no check.

    Raises:
        UnknownName: A mark is neither in the study nor one of Tiltmeter's.
    """
    found = {mark.check for several in collected.marks.values() for mark in several}
    for mark in marks:
        if mark not in found | KNOWN_MARKS:
            raise UnknownName("mark", mark, found or KNOWN_MARKS)


def _rates(people: Iterable[PersonPay]) -> list[float]:
    """What each of those who finished earned an hour, where the time is known."""
    finished = (person.hourly for person in people if person.outcome == "finished")
    return [rate for rate in finished if rate is not None]


def _is_human(people: Iterable[PersonPay]) -> bool:
    """Whether those who finished took the time that people need."""
    times = [p.seconds for p in people if p.outcome == "finished" and p.seconds > 0]
    return bool(times) and float(np.median(times)) >= FASTEST


def _one(
    form: Form, person: Participant, seconds: float, variety: Decimal, target: Decimal
) -> PersonPay:
    assert person.outcome is not None  # noqa: S101 only of those who left
    amount = pay_of(form, person.outcome) or ZERO
    earned = amount + variety
    promised = target * round(seconds * MILLI) / HOUR
    # The rate is promised to those whose work is paid.
    top_up = cents_up(max(promised - earned, ZERO)) if earned else ZERO
    return PersonPay(person.id, person.outcome, seconds, amount, variety, top_up)


def seconds_worked(collected: Collected) -> Mapping[str, float]:
    """Seconds by person on all screens that were submitted, without the time in other tabs."""
    seconds: dict[str, float] = defaultdict(float)
    for page in collected.pages:
        seconds[page.person] += max(page.seconds - page.hidden, 0.0)
    return seconds


def variety_bonuses(collected: Collected, pay: Pay) -> Mapping[str, Decimal]:
    """By person, the bonus for writing about different types (question `bias_type`)."""
    types: dict[str, list[str]] = defaultdict(list)
    for response in collected.responses:
        if pay.variety and response.question == "bias_type":
            types[response.person].append(str(response.value))
    bonuses = {
        person: pay.variety * sets_of_types(written_types)
        for person, written_types in types.items()
    }
    return defaultdict(lambda: ZERO, bonuses)


def sets_of_types(types: Iterable[str]) -> int:
    """How many sets of examples of `SET` different types can be made, each example used once.

    Nangia et al. 2020 pay $1 for each set of four (section 2).

    >>> sets_of_types(["age", "race", "gender", "religion", "age", "race", "gender"])
    1
    >>> sets_of_types(["age", "age", "race", "race", "gender", "gender", "religion", "disability"])
    2
    """
    counts: Sequence[int] = list(Counter(types).values())
    sets = 0
    # So many sets can be made if each type gives at most one example to each of them.
    while sum(min(count, sets + 1) for count in counts) >= SET * (sets + 1):
        sets += 1
    return sets
