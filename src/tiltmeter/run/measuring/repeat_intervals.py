"""Intervals of numbers that rest on several replies to each item.

The items remain what is sampled: all replies to an item are in its cluster, so that differences between them
widen the interval by as much as they do the estimate's error. Two things are added:

- Some intervals count rows in a small sample, so that copies of the replies would make them narrower. Each is
  therefore widened by as much as the same interval of one repeat shrinks if its replies are copied.
- What is common to the replies of one repeat, such as the state of a server, makes repeats a second sample,
  crossed with the items. Tiltmeter asks for all repeats of an item one after the other and draws each on its
  own, which leaves nothing in common; logs of other programs may have it. It is tested for
  (`repeat_effect`), and added to the interval where it shows and there are enough repeats to tell how
  large it is.

docs/explanation/coverage/repeats.md says how often such intervals cover.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Column, Integers, Labels
from tiltmeter.stats.confidence_intervals.intervals import LEAST, student_half_width
from tiltmeter.stats.hypothesis_tests.repeat_effects import repeat_effect

FEWEST = 5
"""The fewest repeats from which the spread between them is added to an interval."""
SUSPECTED, SURE = 0.2, 0.05
"""The p-values of `repeat_effect` below which the spread is added, and below which a remark says that it
is not."""
ADDED = "replies to all items differ between repeats by more than chance, which is in the interval"
NOT_ADDED = (
    "replies to all items differ between repeats by more than chance, which is not in the interval: it takes "
    f"{FEWEST} repeats"
)
LIMITS = {"%": (0.0, 100.0), "percentage points": (-100.0, 100.0)}


@dataclass(frozen=True, slots=True)
class Repeated:
    """A number that rests on several replies to each item, one row a reply."""

    columns: Sequence[Column]
    """What the number is computed from, shape (n,) each."""
    repeats: Integers
    """The repeat of each row, from 0."""
    by: Callable[[Integers], tuple[float, Inference]]
    """The number and its uncertainty for some rows, of which some may occur several times. It draws the same
    random numbers for all, and raises Undefined where there is none."""

    def inference(self, value: float, sure: Inference) -> Inference:
        """The uncertainty of the number over all rows, from what clusters alone give."""
        if len(self._rows) < 2 or sure.low is None or sure.high is None:  # noqa: PLR2004
            return sure
        # The order of the repeats must not matter, so they are taken in the order of what they contain.
        ordered = sorted(self._rows, key=self._content)
        for rows in (*ordered[len(ordered) // 2 :], *ordered[: len(ordered) // 2]):
            try:
                number, one = self.by(rows)
                _, copied = self.by(np.tile(rows, len(ordered)))
            except Undefined:
                continue
            if one.low is None or one.high is None or copied.low is None or copied.high is None:
                continue
            below = self._factor(number - one.low, number - copied.low)
            above = self._factor(one.high - number, copied.high - number)
            low, high = value - below * (value - sure.low), value + above * (sure.high - value)
            return sure._replace(low=low, high=high)
        return sure

    def crossed(
        self,
        value: float,
        sure: Inference,
        clusters: Labels,
        metric: Callable[..., float],
        unit: str,
    ) -> Inference:
        """The uncertainty, with what is common to the replies of a repeat."""
        n = len(self._rows)
        if n < 2 or sure.low is None or sure.high is None:  # noqa: PLR2004
            return sure
        columns = [np.asarray(column) for column in self.columns]
        numbers = [column.astype(np.float64) for column in columns if column.dtype.kind in "fiub"]
        p = repeat_effect(numbers, clusters, self.repeats)
        if p >= (SUSPECTED if n >= FEWEST else SURE):
            return sure
        low, high, why = sure.low, sure.high, NOT_ADDED
        with suppress(Undefined):
            values = [metric(*(column[rows] for column in self.columns)) for rows in self._rows]
            if n >= FEWEST:
                squares = np.array([np.var(values) * n])
                reach = float(np.nan_to_num(student_half_width(squares, np.array([n])))[0])
                least, most = LIMITS.get(unit, (min(low, 0.0), np.inf))
                low = max(value - float(np.hypot(value - low, reach)), least)
                high, why = min(value + float(np.hypot(high - value, reach)), most), ADDED
        return sure._replace(low=low, high=high, why="; ".join(filter(None, (sure.why, why))))

    def _factor(self, one: float, copied: float) -> float:
        """How many times as far the end of an interval is away as if the replies had been copied.

        At least 1 where some items have fewer replies than others, so that not all were copied.
        """
        factor = one / copied if copied > LEAST else 1.0
        return factor if len({len(rows) for rows in self._rows}) == 1 else max(factor, 1.0)

    @property
    def _rows(self) -> list[Integers]:
        """The rows of each repeat."""
        return [np.flatnonzero(self.repeats == repeat) for repeat in np.unique(self.repeats)]

    def _content(self, rows: Integers) -> tuple[bytes, ...]:
        return tuple(np.asarray(column)[rows].tobytes() for column in self.columns)
