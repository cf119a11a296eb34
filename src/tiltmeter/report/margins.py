"""How strongly a model prefers one of the texts of an item to another, item by item."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import islice

from tiltmeter.core.records import Record
from tiltmeter.core.study_views import Margins

AT_ONCE = 1_000
"""How many margins are read before all but the largest are dropped."""


@dataclass(frozen=True, slots=True)
class Margin:
    """How strongly a model prefers one side of an item to the other."""

    record: Record
    value: float
    """Above 0 where the first side is preferred, below 0 where the second is."""
    unit: str = "%"
    """The unit of `value`: "nats", "points", or "%" for a confidence, which `value` gives as a share of 1."""


def scores(
    record: Record, view: Margins, decimals: int | None = None
) -> tuple[float, float] | None:
    """The scores of both sides, rounded to `decimals` as the run did; None if one is missing or infinite."""
    first, second = record.scores.get(view.sides[0]), record.scores.get(view.sides[1])
    if first is None or second is None or not (math.isfinite(first) and math.isfinite(second)):
        return None
    return (
        (first, second) if decimals is None else (round(first, decimals), round(second, decimals))
    )


def confidence(record: Record, view: Margins, decimals: int | None = None) -> float | None:
    """1 − score(S) / score(S′) of the preferred S, with the sign of the preference.

    In [-1, 1], neutral 0: +0.2 says that the first side is preferred and its score is 0.8 of the
    other's. None where the scores are missing, infinite or above 0: not log-probabilities, so their
    ratio says nothing. The size is `metrics.preference.confidence`.
    Nangia et al. 2020, equation 2, https://doi.org/10.18653/v1/2020.emnlp-main.154

    >>> confidence(Record("1", {"a": -8.0, "b": -10.0}, {}), Margins(("a", "b"), ("A", "B")))
    0.19999999999999996
    """
    both = scores(record, view, decimals)
    if both is None or max(both) > 0:
        return None
    first, second = both
    if first == second:
        return 0.0
    return math.copysign(1 - max(both) / min(both), first - second)


def margins(
    records: Sequence[Record], view: Margins, rule: str = "", decimals: int | None = None
) -> Iterator[Margin]:
    """The margin of every item that has one, in the order of the records.

    For a relative view it is the confidence. Otherwise it is the difference of the scores: in nats where the
    rule's scores can be log-probabilities and none is above 0, in points where they cannot.
    """
    if view.relative:
        for record in records:
            if (value := confidence(record, view, decimals)) is not None:
                yield Margin(record, value)
        return
    in_logs = rule not in view.in_points and all(
        max(both) <= 0 for record in records if (both := scores(record, view, decimals)) is not None
    )
    for record in records:
        if (both := scores(record, view, decimals)) is not None:
            yield Margin(record, both[0] - both[1], "nats" if in_logs else "points")


def surest(
    records: Sequence[Record],
    view: Margins,
    count: int,
    *,
    rule: str = "",
    decimals: int | None = None,
) -> tuple[list[Margin], list[Margin]]:
    """The `count` items with the strongest preference for the first side, and those for the second side.

    The strongest come first; ties are ordered by the item's id, so that equal results give equal pages.
    """

    def rank(margin: Margin) -> tuple[float, str]:
        return -abs(margin.value), margin.record.item

    first: list[Margin] = []
    second: list[Margin] = []
    # Records may be read from a file as they are needed: never hold the margins of all of them.
    every = margins(records, view, rule, decimals)
    while some := list(islice(every, AT_ONCE)):
        first = nsmallest(count, [*first, *(m for m in some if m.value > 0)], key=rank)
        second = nsmallest(count, [*second, *(m for m in some if m.value < 0)], key=rank)
    return first, second
