"""What people earned an hour, and the bonus that would bring it up to a promised rate."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.survey.collected import Collected
from tiltmeter.survey.form import Pay

HOUR = 3600.0
TENTH = 10
SET = 4
"""Examples of as many types that earn one bonus for variety."""


@dataclass(frozen=True, slots=True)
class PersonPay:
    """One person's time and money."""

    person: str
    seconds: float
    """On all screens, without the time in other tabs."""
    amount: float
    """Basic pay and bonuses earned."""
    hourly: float
    """What the amount is per hour of work."""
    bonus: float
    """Suggested, to reach the promised hourly rate."""


@dataclass(frozen=True, slots=True)
class PayReport:
    """What people earned an hour. Everybody who began is paid, whatever the checks say."""

    currency: str
    target: float
    """The promised hourly rate; 0 where there is none."""
    people: tuple[PersonPay, ...]
    median: float | None
    """Median of what people earned per hour; None where nobody finished."""
    tenth: float | None
    """10th percentile per hour: nine of ten people earned more."""
    bonuses: float
    """Sum of the suggested bonuses."""


def pay_report(collected: Collected, *, hourly: float = 0.0) -> PayReport:
    """Earnings per hour of those who finished, and the bonus that each is owed up to a rate (0: the form's).

    Raises:
        BadInput: The form does not say what is paid.
    """
    pay = collected.form.pay
    if pay is None:
        raise BadInput("the form does not say what people are paid", "write [pay] and amount = …")
    target = hourly or pay.hourly
    seconds: dict[str, float] = defaultdict(float)
    for page in collected.pages:
        seconds[page.person] += max(page.seconds - page.hidden, 0.0)
    variety = variety_bonuses(collected, pay)
    people = tuple(
        _one(person.id, seconds[person.id], pay.amount + variety[person.id], target)
        for person in collected.people
        if person.outcome == "finished" and seconds[person.id] > 0
    )
    rates = [earned.hourly for earned in people]
    return PayReport(
        currency=pay.currency,
        target=target,
        people=people,
        median=float(np.median(rates)) if rates else None,
        tenth=float(np.percentile(rates, TENTH)) if rates else None,
        bonuses=round(sum(earned.bonus for earned in people), 2),
    )


def _one(person: str, seconds: float, amount: float, target: float) -> PersonPay:
    owed = max(target * seconds / HOUR - amount, 0.0)
    return PersonPay(person, seconds, amount, amount * HOUR / seconds, round(owed, 2))


def variety_bonuses(collected: Collected, pay: Pay) -> Mapping[str, float]:
    """By person, the bonus for writing about different types (question `bias_type`)."""
    types: dict[str, list[str]] = defaultdict(list)
    for response in collected.responses:
        if pay.variety and response.question == "bias_type":
            types[response.person].append(str(response.value))
    bonuses = {
        person: pay.variety * sets_of_types(written_types)
        for person, written_types in types.items()
    }
    return defaultdict(float, bonuses)


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
