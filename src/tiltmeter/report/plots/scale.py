"""Where a value stands between the ends of a plot; the same in text, on the page and in print."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from tiltmeter.core.results import Estimate
from tiltmeter.report.text import is_percent

STEPS_EACH_SIDE = 3
"""At most so many tick marks on either side of the neutral line."""

HALF = 50.0
"""Of all pairs, in percent."""
WHOLE_AXIS_FROM = 30.0
"""A percentage further than this from one half is shown between 0 and 100."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear axis with the neutral value in the middle."""

    low: float
    high: float
    neutral: float
    ticks: tuple[float, ...]
    """In rising order; the neutral value is one of them."""

    def at(self, value: float, start: float, end: float) -> float:
        """The place of `value` where `low` stands at `start` and `high` at `end`.

        >>> Scale(20, 80, 50, (20, 50, 80)).at(35, 100, 500)
        200.0
        """
        share = (value - self.low) / (self.high - self.low)
        return start + min(max(share, 0.0), 1.0) * (end - start)


def nice_step(reach: float, most: int) -> float:
    """The smallest of 1, 2, 5, 10, … (any power of ten) that covers `reach` in `most` steps.

    >>> nice_step(29, 3), nice_step(0.7, 3)
    (10.0, 0.5)
    """
    if reach < 1e-300:  # nothing, or so little that dividing it leaves nothing  # noqa: PLR2004
        return 1.0
    power = 10.0 ** math.floor(math.log10(reach / most))
    # A hair of slack, so that 0.3 in 3 steps is 0.1 although 0.3 / 0.1 > 3 in floating point.
    return next(m * power for m in (1, 2, 5, 10) if reach / (m * power) <= most + 1e-9)


def scale_of(estimates: Sequence[Estimate]) -> Scale:
    """An axis that holds every value and interval end, as wide to the left as to the right.

    A percentage around 50 never reaches below 0 or above 100; the axis of sizes begins at 0. The
    estimates are of one measure.

    >>> one = Estimate("rate", 57.3, 51.0, 63.4, None, 240, neutral=50, unit="%")
    >>> scale_of([one]).ticks
    (35.0, 40.0, 45.0, 50.0, 55.0, 60.0, 65.0)
    """
    if all(e.meaning.magnitude or e.neutral is None for e in estimates):
        return _from_zero(estimates)
    neutral = estimates[0].neutral or 0.0
    ends = [end for e in estimates for end in (e.low, e.value, e.high) if end is not None]
    reach = max((abs(end - neutral) for end in ends), default=0.0)
    if is_percent(estimates[0].unit) and neutral == HALF and reach > WHOLE_AXIS_FROM:
        return Scale(0.0, 100.0, HALF, (0.0, 25.0, 50.0, 75.0, 100.0))
    step = nice_step(reach, STEPS_EACH_SIDE)
    count = max(1, math.ceil(reach / step - 1e-9))
    # A lean without sides, such as a strength, is below neutral by chance alone, which needs little room.
    least = max(1, math.ceil((neutral - min(ends, default=neutral)) / step - 1e-9))
    meaning = estimates[0].meaning
    below = least if meaning.neutral_is and meaning.role == "lean" and not meaning.sides else count
    ticks = tuple(neutral + k * step for k in range(-below, count + 1))
    return Scale(ticks[0], ticks[-1], neutral, ticks)


def _from_zero(estimates: Sequence[Estimate]) -> Scale:
    """An axis for values that are never below 0: from there on."""
    ends = [end for e in estimates for end in (e.value, e.high) if end is not None]
    reach = max(ends, default=0.0) or 1.0
    step = nice_step(reach, 5)
    ticks = [k * step for k in range(max(1, math.ceil(reach / step - 1e-9)) + 1)]
    return Scale(-step / 4, ticks[-1], 0.0, tuple(ticks))  # apart from what stands left of it
