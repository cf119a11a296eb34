"""How far answers differ by sides, places and what came first, with intervals over people."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import Quantity, quantity
from tiltmeter.core.text import decimal_number
from tiltmeter.core.types import Integers
from tiltmeter.data.people.shown_answers import ShownAnswer
from tiltmeter.stats.hypothesis_tests.exact_tests import holm
from tiltmeter.stats.regression.within_strata import WithinSlope, mean_excess, within_slope

ORDER, QUESTION, ANSWER = "order", "question", "answer"
MOST_ANSWERS = 12
"""Options of a question up to which each is compared."""
ENDS, ROW, PAGE, ITEM = "swapped ends", "place of the row", "place of the page", "place of the item"

DIFFERENCE = quantity(
    "order_difference", "Difference by order", "difference", counts="answers", neutral=0, decimals=2,
)  # fmt: skip
"""In the units of the answers: with ends swapped less without, or by place."""
FIRST_TEXT = quantity(
    "first_text_difference", "Difference by which text came first", "difference", counts="answers",
    unit="percentage points", neutral=0,
)  # fmt: skip
FIRST_OPTION = quantity(
    "first_option_excess", "First option above chance", "above chance", counts="answers",
    unit="percentage points", neutral=0,
)  # fmt: skip
"""How much oftener the option in the first place was chosen than by chance."""
FIRST_SHARE = quantity(
    "first_option_share", "Share of the first option", "chosen first", counts="answers", unit="%"
)
CHANCE = quantity(
    "first_option_chance",
    "Share of the first option by chance",
    "by chance",
    counts="answers",
    unit="%",
)
QUANTITIES = (DIFFERENCE, FIRST_TEXT, FIRST_OPTION, FIRST_SHARE, CHANCE)

_FACTORS: dict[str, Callable[[ShownAnswer], float | None]] = {
    ENDS: lambda a: None if a.swapped is None else float(a.swapped),
    ROW: lambda a: a.row_place,
    PAGE: lambda a: a.page_place,
    ITEM: lambda a: a.item_place,
}
"""Orders whose effect is a difference, or a slope per place, of answers that are numbers."""


@dataclass(frozen=True, slots=True)
class _Values:
    """Answers as numbers `y`, and for each the place or side `x` at which its question was shown."""

    y: list[float]
    x: list[float]
    answers: list[ShownAnswer]

    def slope(self) -> WithinSlope:
        """How much answers change per unit of x, within each question about each item."""
        strata = _numbered([(a.page, a.question, a.item) for a in self.answers])
        people = _numbered([a.person for a in self.answers])
        return within_slope(np.array(self.y), np.array(self.x), strata, people)


def order_effects(answers: Sequence[ShownAnswer]) -> list[Estimate]:
    """Every order that was recorded: over all questions, then by question; p is adjusted in each of both."""
    numbers = [(a, n) for a in answers if (n := _number(a)) is not None]
    overall, single = [*_by_factor(numbers)], [*_by_factor(numbers, each=True)]
    single += _by_text(answers)
    options, each_option = _by_option(answers)
    return [*_adjusted([*overall, *options]), *_adjusted([*single, *each_option])]


def _by_factor(
    numbers: Sequence[tuple[ShownAnswer, float]], *, each: bool = False
) -> Iterator[Estimate]:
    for order, place_of in _FACTORS.items():
        groups: dict[str, _Values] = defaultdict(lambda: _Values([], [], []))
        for answer, number in numbers:
            place = place_of(answer)
            if place is not None:
                values = groups[answer.question if each else ""]
                values.y.append(number)
                values.x.append(place)
                values.answers.append(answer)
        for question, values in groups.items():
            at = {ORDER: order} | ({QUESTION: question} if each else {})
            yield _estimate(DIFFERENCE, values.slope, len(values.y), at)


def _by_text(answers: Sequence[ShownAnswer]) -> Iterator[Estimate]:
    """Of questions about an item whose texts change places: by each answer, or in the units of numbers.

    Compared are answers of people who saw the question's own text first, if it is named after one, else the
    first text by name, with those of the others.
    """
    by_question: dict[str, list[ShownAnswer]] = defaultdict(list)
    for answer in answers:
        if answer.texts_order:
            by_question[answer.question].append(answer)
    for question, given in by_question.items():
        names = sorted(given[0].texts_order)
        text = question if question in names else names[0]
        first = [float(a.texts_order[0] == text) for a in given]
        at = {ORDER: f"{text} first", QUESTION: question}
        numbers = [_number(a) for a in given]
        if None not in numbers:
            values = _Values([n or 0.0 for n in numbers], first, given)
            yield _estimate(DIFFERENCE, values.slope, len(given), at)
            continue
        options = [value for value, _ in Counter(v for a in given for v in a.chosen).most_common()]
        for option in options[:MOST_ANSWERS]:
            values = _Values([float(option in a.chosen) for a in given], first, given)
            yield _estimate(
                FIRST_TEXT, values.slope, len(given), {**at, ANSWER: option}, percent=True
            )


def _by_option(answers: Sequence[ShownAnswer]) -> tuple[list[Estimate], list[Estimate]]:
    """How often the first of the options that change places was chosen: in all, and by question."""
    by_question: dict[str, list[ShownAnswer]] = defaultdict(list)
    for answer in answers:
        if answer.options_order:
            by_question[answer.question].append(answer)
    singles: list[Estimate] = []
    everything: list[_Choice] = []
    for question, given in by_question.items():
        moving = _moving(given)
        if len(moving) < 2:  # noqa: PLR2004
            why = "its options came in the same order for everybody"
            at = {QUESTION: question}
            singles.append(FIRST_OPTION.at(None, why=why, groups=at, n=len(given)))
            continue
        rows: list[_Choice] = []
        for answer in given:
            chosen = moving & {*answer.chosen}
            if chosen:
                first = next(option for option in answer.options_order if option in moving)
                chance = len(chosen) / len(moving)
                rows.append(_Choice(float(first in chosen), chance, answer.person))
        everything += rows
        at = {QUESTION: question}
        if rows:
            singles.append(_excess(rows, at))
            hits, chances = (100 * sum(part) / len(rows) for part in [*zip(*rows, strict=True)][:2])
            singles.append(FIRST_SHARE.at(hits, n=len(rows), groups=at))
            singles.append(CHANCE.at(chances, n=len(rows), groups=at))
    return ([_excess(everything, {ORDER: "first option"})] if everything else []), singles


class _Choice(NamedTuple):
    """An answer to a question with options in random order."""

    hit: float
    """1 where the first option was chosen."""
    chance: float
    person: str


def _excess(rows: Sequence[_Choice], at: dict[str, str]) -> Estimate:
    hits, chances, people = zip(*rows, strict=True)
    return _estimate(
        FIRST_OPTION,
        lambda: mean_excess(np.array(hits), np.array(chances), _numbered(people)),
        len(rows), at, percent=True,
    )  # fmt: skip


def _moving(given: Sequence[ShownAnswer]) -> set[str]:
    """The options that came in more than one place."""
    places: dict[str, set[int]] = defaultdict(set)
    for answer in given:
        for place, option in enumerate(answer.options_order):
            places[option].add(place)
    return {option for option, seen in places.items() if len(seen) > 1}


def _estimate(
    of: Quantity,
    slope: Callable[[], WithinSlope],
    n: int,
    at: dict[str, str],
    *,
    percent: bool = False,
) -> Estimate:
    try:
        made = slope()
    except Undefined as undefined:
        return of.at(None, Inference(None, None, why=str(undefined)), n=n, groups=at)
    factor = 100.0 if percent else 1.0
    inference = made.inference.times(factor)
    return of.at(factor * made.slope, inference, n=n, groups=at, clusters=made.people)


def _adjusted(estimates: Sequence[Estimate]) -> list[Estimate]:
    """With p adjusted by Holm over all of them."""
    ps = holm([e.p for e in estimates])
    return [
        e if p is None else replace(e, p_adjusted=p, adjustment="Holm")
        for e, p in zip(estimates, ps, strict=True)
    ]


def _number(answer: ShownAnswer) -> float | None:
    """The answer as a number: of sliders, and of scales whose points are numbers."""
    return decimal_number(answer.value) if answer.kind in {"slider", "scale"} else None


def _numbered(names: Sequence[object]) -> Integers:
    numbers: dict[object, int] = {}
    return np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
