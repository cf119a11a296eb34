"""Where models stand on a plane between two measures, and where their names do."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import visible
from tiltmeter.core.views import Plane
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.label_places import Box, least_covering, spread_out
from tiltmeter.report.text import number, short_title

WHOLE = 100.0
NAMED = 6
"""So many models may have their names beside them; more are numbered, with a key."""
LINE = 18
"""From one name to the next."""
LETTER = 8.4
"""How wide a letter of a name is, at most on average."""
WIDEST_KEY = 380
BESIDE = ((9, -5), (-9, -5), (9, 14), (-9, 14), (0, -9), (0, 18), (15, 5), (-15, 5))
"""Where the number of a point may stand, seen from the point, best first."""
NUMERAL = (13.0, 12.0)
"""Room for a number: wide, high."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One model on the plane."""

    label: str
    x: Estimate
    y: Estimate
    contour: Estimate | None
    """The measure whose lines are drawn."""

    @property
    def at(self) -> tuple[float, float]:
        """The place, both in %."""
        return self.x.value or 0.0, self.y.value or 0.0

    @property
    def estimates(self) -> list[Estimate]:
        """What is known of it, for a table."""
        return [e for e in (self.y, self.x, self.contour) if e is not None]


@dataclass(frozen=True, slots=True)
class Frame:
    """Where the plot stands in the picture, in the picture's own units."""

    width: int
    left: int
    right: int
    height: int
    top: int = 52
    narrow: bool = False
    """Names stand in a key under the plot, however few there are."""

    def x(self, value: float) -> float:
        """Where this value of the measure across stands."""
        return self.left + (self.right - self.left) * value / WHOLE

    def y(self, value: float) -> float:
        """Where this value of the measure that goes up stands."""
        return self.top + self.height * (1 - value / WHOLE)


WIDE = Frame(width=720, left=44, right=704, height=420)
NARROW = Frame(width=340, left=30, right=326, height=300, narrow=True)


def spot_of(label: str, estimates: Sequence[Estimate], view: Plane) -> Spot | None:
    """A model's place, from its scores over all items; None where either has no value."""
    by_name = {e.name: e for e in estimates if not e.groups and e.value is not None}
    if view.x not in by_name or view.y not in by_name:
        return None
    return Spot(label, by_name[view.x], by_name[view.y], by_name.get(view.contours))


def keyed(spots: Sequence[Spot], layout: Frame) -> bool:
    """Are names to stand in a key, for want of room beside the points?"""
    room = int((layout.width - _column(spots, layout)) / LETTER)
    longest = max(len(f"{visible(spot.label)} {contour_of(spot)}") for spot in spots)
    return layout.narrow or len(spots) > NAMED or longest > room


def named(spots: Sequence[Spot], layout: Frame) -> list[Markup]:
    """Names in one column to the right of all intervals, each with a line to its point."""
    column = _column(spots, layout)
    top, foot = layout.top + LINE / 2, layout.top + layout.height
    heights = spread_out([layout.y(s.at[1]) for s in spots], LINE, top, foot)
    shapes = []
    for spot, y in zip(spots, heights, strict=True):
        start = layout.x(_end(spot)) + 6
        shapes += [
            svg.line(start, layout.y(spot.at[1]), column - 4, y, "leader"),
            svg.text(f"{visible(spot.label)} {contour_of(spot)}", column, y + 4.5, "label"),
        ]
    return shapes


def key(spots: Sequence[Spot], layout: Frame, top: float) -> list[Markup]:
    """Each point's number, and under the plot, from `top`, what it stands for."""
    shapes, end = [], min(layout.right, layout.left + WIDEST_KEY)
    for i, (spot, (x, y)) in enumerate(zip(spots, numerals(spots, layout), strict=True), 1):
        low = top + i * LINE
        value = f"{short_title(spot.contour)} {contour_of(spot)}" if spot.contour else ""
        letters = int((end - layout.left - 24) / LETTER) - len(value) - 2
        shapes += [
            svg.text(f"{i}", x, y, "label small strong", "middle"),
            svg.text(f"{i}", layout.left + 8, low, "label small strong", "middle"),
            svg.text(
                svg.shortened(visible(spot.label), letters), layout.left + 24, low, "label small"
            ),
            svg.text(value, end, low, "value small", "end"),
        ]
    return shapes


def contour_of(spot: Spot) -> str:
    """The value of the measure whose lines are drawn; "" where it has none."""
    return number(spot.contour.value or 0.0, spot.contour.unit) if spot.contour else ""


def numerals(spots: Sequence[Spot], layout: Frame) -> list[tuple[float, float]]:
    """The middle of the foot of each point's number: near it, where it covers least of the others."""
    points = [(layout.x(s.at[0]), layout.y(s.at[1])) for s in spots]
    feet: list[tuple[float, float]] = []
    for i, (x, y) in enumerate(points):
        others = [_box(a, b + NUMERAL[1] / 2) for k, (a, b) in enumerate(points) if k != i]
        places = [(x + dx, y + dy) for dx, dy in BESIDE]
        boxes = [_box(*place) for place in places]
        feet.append(places[least_covering(boxes, [*others, *(_box(*foot) for foot in feet)])])
    return feet


def _box(x: float, foot: float) -> Box:
    """The room of a number, or of a point, by the middle of its foot."""
    wide, high = NUMERAL
    return x - wide / 2, foot - high, x + wide / 2, foot


def _column(spots: Sequence[Spot], layout: Frame) -> float:
    """Where names beside the points would begin."""
    return max(layout.x(_end(spot)) for spot in spots) + 24


def _end(spot: Spot) -> float:
    """The right end of what is drawn of the point."""
    return spot.at[0] if spot.x.high is None else spot.x.high
