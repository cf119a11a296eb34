"""Two measures of the same points: one stands across, the other up."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.axes import PlotAxis, tick_text
from tiltmeter.report.plots.scale import Scale, nice_step

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 340, 276, 44, 26, 46
RIGHT, SIZE = 8, 11
MOST_NAMED = 8
"""So many points have their names beside them; more have numbers."""
MOST_NUMBERED = 60
"""More have neither."""
LETTERS = 18
LETTER, LINE = 6.1, 12.0
"""How wide and high a letter of a name is, at most on average."""
PLACES = ((7, 4, "start"), (-7, 4, "end"), (0, -8, "middle"), (0, 17, "middle"),
          (6, -7, "start"), (-6, -7, "end"), (6, 15, "start"), (-6, 15, "end"))  # fmt: skip
"""Where a name may stand, seen from its point, best first."""


@dataclass(frozen=True, slots=True)
class Dot:
    """One point, with the intervals of its numbers where they are known."""

    number: int
    """In the list of points."""
    label: str
    x: float
    y: float
    across: tuple[float, float] | None = None
    up: tuple[float, float] | None = None


def scale_of(values: Sequence[float]) -> Scale:
    """An axis with at most five round steps that holds all values, and a little more.

    >>> scale_of([0.44, 0.58])
    Scale(low=0.426, high=0.594, neutral=0.0, ticks=(0.45, 0.5, 0.55))
    """
    low, high = min(values), max(values)
    room = 0.1 * (high - low) or max(abs(high), 1.0) * 0.1
    low, high = low - room, high + room
    step = nice_step(high - low, 5)
    ticks = range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    marks = tuple(round(k * step, 12) for k in ticks)
    return Scale(round(low, 12), round(high, 12), 0.0, marks)


def scatter(dots: Sequence[Dot], *, name: str, across: str, up: str) -> Markup:
    """The points as an inline SVG with thin lines for intervals.

    Args:
        dots: At least one.
        name: Makes the ids in the page unique.
        across: The measure that stands across.
        up: The one that stands up.
    """
    foot, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    x = PlotAxis(scale_of([v for d in dots for v in (d.x, *(d.across or ()))]), LEFT, end)
    y = PlotAxis(scale_of([v for d in dots for v in (d.y, *(d.up or ()))]), foot, TOP)
    places = [(x.at(d.x), y.at(d.y)) for d in dots]
    parts = [*_frame(x, y, across, up), *_intervals(dots, x, y)]
    said = [f"{d.label}: {four(d.x)}, {four(d.y)}" for d in dots]
    parts += [
        svg.element("circle", svg.element("title", words), cx=a, cy=b, r=3.5, cls="point clear")
        for words, (a, b) in zip(said, places, strict=True)
    ]
    if len(dots) <= MOST_NUMBERED:
        parts += _names(dots, places)
    desc = "; ".join(said[:MOST_NUMBERED])
    return svg.figure(name, f"{across} (across) and {up} (up)", desc, (WIDTH, HEIGHT), *parts)


def _frame(x: PlotAxis, y: PlotAxis, across: str, up: str) -> list[Markup]:
    letters = int(WIDTH / 5.9)
    parts = [svg.line(x.start, y.start, x.end, y.start, "axis"),
             svg.line(x.start, y.end, x.start, y.start, "axis")]  # fmt: skip
    parts += [*x.grid(y.end, y.start), *x.numbers(y.start + 14, size=SIZE)]
    for tick in y.scale.ticks:
        high = y.at(tick)
        parts.append(svg.line(x.start, high, x.end, high, "grid"))
        parts.append(svg.text(tick_text(tick), x.start - 5, high + 4, "tick", "end", SIZE))
    names = [svg.shortened(visible(name), letters) for name in (up, across)]
    return [
        *parts,
        svg.text(f"↑ {names[0]}", 0, 12, "tick", size=SIZE),
        svg.text(f"{names[1]} →", x.end, HEIGHT - 10, "tick", "end", SIZE),
    ]


def _intervals(dots: Sequence[Dot], x: PlotAxis, y: PlotAxis) -> list[Markup]:
    parts = []
    for d in dots:
        a, b = x.at(d.x), y.at(d.y)
        if d.across:
            parts.append(svg.line(x.at(d.across[0]), b, x.at(d.across[1]), b, "leader"))
        if d.up:
            parts.append(svg.line(a, y.at(d.up[0]), a, y.at(d.up[1]), "leader"))
    return parts


def _names(dots: Sequence[Dot], places: Sequence[tuple[float, float]]) -> list[Markup]:
    """Names, or numbers, each where it covers least of what stands already."""
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    parts = []
    for dot, (x, y) in zip(dots, places, strict=True):
        label = (
            svg.shortened(visible(dot.label), LETTERS)
            if len(dots) <= MOST_NAMED
            else f"{dot.number}"
        )
        wide = LETTER * len(label)
        boxes = [(_box(x + dx, y + dy, wide, anchor), dx, dy, anchor) for dx, dy, anchor in PLACES]
        box, dx, dy, anchor = min(boxes, key=lambda one: _cost(one[0], taken))
        taken.append(box)
        parts.append(svg.text(label, x + dx, y + dy, "label", anchor, SIZE))
    return parts


def _box(x: float, y: float, wide: float, anchor: str) -> tuple[float, float, float, float]:
    left = x - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
    return left, y - LINE + 2, left + wide, y + 2


def _cost(
    box: tuple[float, float, float, float], taken: Sequence[tuple[float, float, float, float]]
) -> float:
    """How much of other names and points it covers, and how far it hangs over the edge."""
    left, top, right, bottom = box
    over = max(0.0, LEFT - left) + max(0.0, right - WIDTH) + max(0.0, TOP - top)
    covered = sum(
        max(0.0, min(right, r) - max(left, a)) * max(0.0, min(bottom, b) - max(top, t))
        for a, t, r, b in taken
    )
    return covered + 40 * over


def four(value: float) -> str:
    """Four significant digits."""
    return f"{value:.4g}".replace("-", "−")
