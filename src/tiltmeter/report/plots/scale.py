"""The scales and axes of plots, shared by the terminal and the page, and their grid lines."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.text import is_percent

STEPS_EACH_SIDE = 3
"""The most tick marks on either side of the neutral line."""

HALF = 50.0
"""One half, in percent."""
WHOLE_AXIS_FROM = 30.0
"""If a percentage is farther from one half than this, in points, the axis goes from 0 to 100."""


@dataclass(frozen=True, slots=True)
class Scale:
    """A linear scale from `low` to `high` that contains the neutral value."""

    low: float
    high: float
    neutral: float
    ticks: tuple[float, ...]
    """The values of the tick marks, in rising order."""

    def at(self, value: float, start: float, end: float) -> float:
        """The place of `value` if `low` is at `start` and `high` at `end`; values beyond are put at the ends.

        >>> Scale(20, 80, 50, (20, 50, 80)).at(35, 100, 500)
        200.0
        """
        share = (value - self.low) / (self.high - self.low)
        return start + min(max(share, 0.0), 1.0) * (end - start)


@dataclass(frozen=True, slots=True)
class PlotAxis:
    """A scale drawn from one place of a picture to another, horizontally or vertically."""

    scale: Scale
    start: float
    end: float

    def at(self, value: float) -> float:
        """The place of a value; values beyond the ends are put at them."""
        return self.scale.at(value, self.start, self.end)

    def grid(self, top: float, bottom: float) -> list[Markup]:
        """A vertical grid line at each tick of a horizontal axis."""
        return [svg.line(x, top, x, bottom, "grid") for x in map(self.at, self.scale.ticks)]

    def levels(self, start: float, end: float, size: float) -> list[Markup]:
        """A horizontal grid line at each tick of a vertical axis, with its number to the left."""
        shapes = []
        for tick in self.scale.ticks:
            high = self.at(tick)
            shapes.append(svg.line(start, high, end, high, "grid"))
            shapes.append(svg.text(tick_text(tick), start - 6, high + 4, "tick", "end", size))
        return shapes

    def numbers(
        self, y: float, ticks: Sequence[float] | None = None, size: float | None = None
    ) -> list[Markup]:
        """The numbers under a horizontal axis, at these ticks or, with None, at all."""
        shown = self.scale.ticks if ticks is None else ticks
        return [svg.text(tick_text(t), self.at(t), y, "tick", "middle", size) for t in shown]

    def interval(self, low: float | None, high: float | None, y: float) -> list[Markup]:
        """A line between the ends of an interval with a short bar at each; [] where an end is not known."""
        if low is None or high is None:
            return []
        ends = self.at(low), self.at(high)
        stops = [svg.line(x, y - 4, x, y + 4, "interval") for x in ends]
        return [svg.line(ends[0], y, ends[1], y, "interval"), *stops]


def frame(x: PlotAxis, y: PlotAxis, across: str, up: str, size: float) -> list[Markup]:
    """The grid lines with their numbers, the names of both axes, and the line under the plot."""
    names = [svg.fitted(visible(words), x.end, size) for words in (up, across)]
    return [
        *x.grid(y.end, y.start),
        *x.numbers(y.start + size + 4, size=size),
        *y.levels(x.start, x.end, size),
        svg.line(x.start, y.start, x.end, y.start, "axis"),
        svg.text(f"↑ {names[0]}", 0, 13, "tick", size=size),
        svg.text(f"{names[1]} →", x.end, y.start + 34, "tick", "end", size),
    ]


def tick_text(value: float) -> str:
    """The number at a tick of an axis, with a true minus sign.

    >>> tick_text(-0.25), tick_text(50.0)
    ('−0.25', '50')
    """
    return f"{value:g}".replace("-", "−")


def nice_step(reach: float, most: int) -> float:
    """The smallest step of the form 1, 2 or 5 times a power of ten that covers `reach` in `most` steps.

    >>> nice_step(29, 3), nice_step(0.7, 3)
    (10.0, 0.5)
    """
    if reach < 1e-300:  # nothing, or so little that dividing it leaves nothing  # noqa: PLR2004
        return 1.0
    power = 10.0 ** math.floor(math.log10(reach / most))
    # A hair of slack, so that 0.3 in 3 steps is 0.1 although 0.3 / 0.1 > 3 in floating point.
    return next(m * power for m in (1, 2, 5, 10) if reach / (m * power) <= most + 1e-9)


def round_scale(values: Sequence[float], room: float) -> Scale:
    """A scale with at most five round steps that contains all values and, beyond them, `room` of their range.

    >>> round_scale([0.44, 0.58], 0.1)
    Scale(low=0.426, high=0.594, neutral=0.0, ticks=(0.45, 0.5, 0.55))
    """
    low, high = min(values), max(values)
    more = room * (high - low) if low < high else 0.05 * max(abs(high), 1.0)
    low, high = round(low - more, 12), round(high + more, 12)
    step = nice_step(high - low, 5)
    ticks = range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    return Scale(low, high, 0.0, tuple(round(k * step, 12) for k in ticks))


def scale_of(estimates: Sequence[Estimate]) -> Scale:
    """A scale for estimates of one measure that contains all values and intervals, around the neutral value.

    A percentage around 50 never reaches below 0 or above 100. A scale of magnitudes, or of a measure without
    a neutral value, begins at 0.

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
    lowest, highest = meaning.range("")  # of ratios, which declare their limits
    ticks = tuple(neutral + k * step for k in range(-below, count + 1))
    ticks = tuple(t for t in ticks if lowest - step < t < highest + step)
    return Scale(ticks[0], ticks[-1], neutral, ticks)


def _from_zero(estimates: Sequence[Estimate]) -> Scale:
    """A scale that begins at 0, for values that are never below."""
    ends = [end for e in estimates for end in (e.value, e.high) if end is not None]
    reach = max(ends, default=0.0) or 1.0
    step = nice_step(reach, 5)
    ticks = [k * step for k in range(max(1, math.ceil(reach / step - 1e-9)) + 1)]
    return Scale(-step / 4, ticks[-1], 0.0, tuple(ticks))  # apart from what stands left of it
