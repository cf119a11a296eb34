"""The places of models in a plane of two measures, and of their names."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.study_views import Plane
from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.label_places import Box, least_covering, spread_out
from tiltmeter.report.text import number, short_title

WHOLE = 100.0
NAMED = 6
"""Up to this many models have their names beside them; more are numbered, with a key."""
LINE = 18
"""The distance from one name to the next."""
LETTER = 8.4
"""The estimated mean width of a name's letters, on the safe side."""
WIDEST_KEY = 380
BESIDE = ((9, -5), (-9, -5), (9, 14), (-9, 14), (0, -9), (0, 18), (15, 5), (-15, 5))
"""Possible places of a point's number relative to the point, the best first."""
NUMERAL = (13.0, 12.0)
"""The width and height of a number."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One model in the plane."""

    label: str
    x: Estimate
    y: Estimate
    contour: Estimate | None
    """The model's value of the measure whose contours are drawn; None where it has none."""

    @property
    def at(self) -> tuple[float, float]:
        """The point (x, y), both in %."""
        return self.x.value or 0.0, self.y.value or 0.0

    @property
    def estimates(self) -> list[Estimate]:
        """The model's estimates, for a table."""
        return [e for e in (self.y, self.x, self.contour) if e is not None]


@dataclass(frozen=True, slots=True)
class Frame:
    """The position of the plot in the picture, in the picture's own units."""

    width: int
    left: int
    right: int
    height: int
    top: int = 52
    narrow: bool = False
    """Whether names are always in a key under the plot, however few there are."""

    def x(self, value: float) -> float:
        """The horizontal place of a value of the first measure."""
        return self.left + (self.right - self.left) * value / WHOLE

    def y(self, value: float) -> float:
        """The vertical place of a value of the second measure."""
        return self.top + self.height * (1 - value / WHOLE)


WIDE = Frame(width=720, left=44, right=704, height=420)
NARROW = Frame(width=340, left=30, right=326, height=300, narrow=True)


def spot_of(label: str, estimates: Sequence[Estimate], view: Plane) -> Spot | None:
    """A model's spot, from its estimates over all items; None where either measure has no value."""
    by_name = {e.name: e for e in estimates if not e.groups and e.value is not None}
    if view.x not in by_name or view.y not in by_name:
        return None
    return Spot(label, by_name[view.x], by_name[view.y], by_name.get(view.contours))


def keyed(spots: Sequence[Spot], layout: Frame) -> bool:
    """Whether names are put in a key, as there is no room beside the points."""
    room = int((layout.width - _column(spots, layout)) / LETTER)
    longest = max(len(f"{visible(spot.label)} {contour_of(spot)}") for spot in spots)
    return layout.narrow or len(spots) > NAMED or longest > room


def named(spots: Sequence[Spot], layout: Frame) -> list[Markup]:
    """The names in one column to the right of all intervals, each with a line to its point."""
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
    """The numbers of the points, and from the height `top` on the key that explains them."""
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
    """The model's value of the measure whose contours are drawn; "" where it has none."""
    return number(spot.contour.value or 0.0, spot.contour.unit) if spot.contour else ""


def numerals(spots: Sequence[Spot], layout: Frame) -> list[tuple[float, float]]:
    """The place (middle of the lower edge) of each point's number, where it covers least of the others."""
    points = [(layout.x(s.at[0]), layout.y(s.at[1])) for s in spots]
    feet: list[tuple[float, float]] = []
    for i, (x, y) in enumerate(points):
        others = [_box(a, b + NUMERAL[1] / 2) for k, (a, b) in enumerate(points) if k != i]
        places = [(x + dx, y + dy) for dx, dy in BESIDE]
        boxes = [_box(*place) for place in places]
        feet.append(places[least_covering(boxes, [*others, *(_box(*foot) for foot in feet)])])
    return feet


def _box(x: float, foot: float) -> Box:
    """The box of a number or a point, given the middle of its lower edge."""
    wide, high = NUMERAL
    return x - wide / 2, foot - high, x + wide / 2, foot


def _column(spots: Sequence[Spot], layout: Frame) -> float:
    """The left end of the column of names."""
    return max(layout.x(_end(spot)) for spot in spots) + 24


def _end(spot: Spot) -> float:
    """The value at which the drawing of a point ends on the right: the upper end of its interval."""
    return spot.at[0] if spot.x.high is None else spot.x.high
