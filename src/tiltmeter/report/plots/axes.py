"""What pictures with an axis share: where values stand, grid lines with their numbers, and marks."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.report.plots import svg
from tiltmeter.report.plots.scale import Scale


@dataclass(frozen=True, slots=True)
class PlotAxis:
    """A scale laid from one place of a picture to another, across or up."""

    scale: Scale
    start: float
    end: float

    def at(self, value: float) -> float:
        """Where a value stands; what lies beyond the ends stands at them."""
        return self.scale.at(value, self.start, self.end)

    def grid(self, top: float, bottom: float) -> list[Markup]:
        """An upright line at each tick."""
        return [svg.line(x, top, x, bottom, "grid") for x in map(self.at, self.scale.ticks)]

    def numbers(
        self, y: float, ticks: Sequence[float] | None = None, size: float | None = None
    ) -> list[Markup]:
        """The numbers of these ticks, or of all, under an axis that goes across."""
        shown = self.scale.ticks if ticks is None else ticks
        return [svg.text(tick_text(t), self.at(t), y, "tick", "middle", size) for t in shown]


def tick_text(value: float) -> str:
    """A round number at an axis, with a true minus sign.

    >>> tick_text(-0.25), tick_text(50.0)
    ('−0.25', '50')
    """
    return f"{value:g}".replace("-", "−")


def interval(low: float | None, high: float | None, axis: PlotAxis, y: float) -> list[Markup]:
    """A line from one end to the other with a stop at either; none where an end is not known."""
    if low is None or high is None:
        return []
    ends = axis.at(low), axis.at(high)
    stops = [svg.line(x, y - 4, x, y + 4, "interval") for x in ends]
    return [svg.line(ends[0], y, ends[1], y, "interval"), *stops]


def point(x: float, y: float, *, filled: bool, radius: float = 5) -> Markup:
    """A mark, filled where it is significant."""
    return svg.element("circle", cx=x, cy=y, r=radius, cls="point clear" if filled else "point")


def diamond(x: float, y: float, cls: str) -> Markup:
    """A mark for what is not one of many."""
    points = f"{x - 7:g},{y:g} {x:g},{y - 7:g} {x + 7:g},{y:g} {x:g},{y + 7:g}"
    return svg.element("polygon", points=points, cls=cls)
