"""A scatter plot of two measures of the same points."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.label_places import Box, least_covering
from tiltmeter.report.plots.scale import PlotAxis, frame, round_scale

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 340, 276, 44, 26, 46
RIGHT, SIZE = 8, 11
MOST_NAMED = 8
"""Up to this many points have their names beside them; more have numbers."""
MOST_NUMBERED = 60
"""Up to this many points have names or numbers; more have neither."""
LETTERS = 26
LETTER, LINE = 6.1, 12.0
"""The estimated mean width of a letter and the height of a line, on the safe side."""
PLACES = ((7, 4, "start"), (-7, 4, "end"), (0, -8, "middle"), (0, 17, "middle"),
          (6, -7, "start"), (-6, -7, "end"), (6, 15, "start"), (-6, 15, "end"))  # fmt: skip
"""Possible places of a name relative to its point, with the text's anchor, the best first."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One point, with the intervals of its two values where they are known."""

    number: int
    """The point's number in the list of points."""
    label: str
    x: float
    y: float
    across: tuple[float, float] | None = None
    up: tuple[float, float] | None = None


def scatter(dots: Sequence[Dot], *, name: str, across: str, up: str) -> Markup:
    """The points as an inline SVG with thin lines for intervals; `across` and `up` name the axes."""
    foot, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    x = PlotAxis(round_scale([v for d in dots for v in (d.x, *(d.across or ()))], 0.1), LEFT, end)
    y = PlotAxis(round_scale([v for d in dots for v in (d.y, *(d.up or ()))], 0.1), foot, TOP)
    places = [(x.at(d.x), y.at(d.y)) for d in dots]
    upright = svg.line(x.start, y.end, x.start, y.start, "axis")
    shapes = [*frame(x, y, across, up, SIZE), upright]
    for dot, (a, b) in zip(dots, places, strict=True):
        if dot.across:
            shapes.append(svg.line(x.at(dot.across[0]), b, x.at(dot.across[1]), b, "leader"))
        if dot.up:
            shapes.append(svg.line(a, y.at(dot.up[0]), a, y.at(dot.up[1]), "leader"))
    texts = [f"{d.label}: {four(d.x)}, {four(d.y)}" for d in dots]
    shapes += [
        svg.element("circle", svg.element("title", words), cx=a, cy=b, r=3.5, cls="point clear")
        for words, (a, b) in zip(texts, places, strict=True)
    ]
    if len(dots) <= MOST_NUMBERED:
        shapes += _names(dots, places)
    desc = "; ".join(texts[:MOST_NUMBERED])
    return svg.figure(name, f"{across} (across) and {up} (up)", desc, (WIDTH, HEIGHT), *shapes)


def _names(dots: Sequence[Dot], places: Sequence[tuple[float, float]]) -> list[Markup]:
    """The names or numbers of the points, each placed where it covers least of what is already drawn."""
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    shapes = []
    for dot, (x, y) in zip(dots, places, strict=True):
        words = svg.shortened(visible(dot.label), LETTERS)
        label = words if len(dots) <= MOST_NAMED else f"{dot.number}"
        wide = LETTER * len(label)
        boxes = [_box(x + dx, y + dy, wide, anchor) for dx, dy, anchor in PLACES]
        best = least_covering(boxes, taken, (LEFT, TOP, WIDTH, HEIGHT))
        dx, dy, anchor = PLACES[best]
        taken.append(boxes[best])
        shapes.append(svg.text(label, x + dx, y + dy, "label", anchor, SIZE))
    return shapes


def _box(x: float, y: float, wide: float, anchor: str) -> Box:
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    return left, y - LINE + 2, left + wide, y + 2


def four(value: float) -> str:
    """A number with four significant digits and a true minus sign."""
    return f"{value:.4g}".replace("-", "−")
