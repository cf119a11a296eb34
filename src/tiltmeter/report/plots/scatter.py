"""Two measures of the same points: one stands across, the other up."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.scale import nice_step
from tiltmeter.report.plots.squares import words

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 340, 276, 44, 26, 46
RIGHT = 8
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


@dataclass(frozen=True, slots=True)
class Axis:
    """From where to where, and where its marks stand."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def at(self, value: float, start: float, end: float) -> float:
        """Where a value stands between start and end."""
        return start + (end - start) * (value - self.low) / (self.high - self.low)


def axis_of(values: Sequence[float]) -> Axis:
    """An axis with at most five round steps that holds all values, and a little more.

    >>> axis_of([0.44, 0.58])
    Axis(low=0.426, high=0.594, ticks=(0.45, 0.5, 0.55))
    """
    low, high = min(values), max(values)
    room = 0.1 * (high - low) or max(abs(high), 1.0) * 0.1
    low, high = low - room, high + room
    step = nice_step(high - low, 5)
    ticks = range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    return Axis(round(low, 12), round(high, 12), tuple(round(k * step, 12) for k in ticks))


def scatter(dots: Sequence[Dot], *, name: str, across: str, up: str) -> Markup:
    """The points as an inline SVG with thin lines for intervals.

    Args:
        dots: At least one.
        name: Makes the ids in the page unique.
        across: The measure that stands across.
        up: The one that stands up.
    """
    axes = (
        axis_of([v for d in dots for v in (d.x, *(d.across or ()))]),
        axis_of([v for d in dots for v in (d.y, *(d.up or ()))]),
    )
    places = [
        (axes[0].at(d.x, LEFT, WIDTH - RIGHT), axes[1].at(d.y, HEIGHT - BOTTOM, TOP)) for d in dots
    ]
    parts = [*_frame(axes, across, up), *_intervals(dots, axes)]
    for dot, (x, y) in zip(dots, places, strict=True):
        title = svg.element("title", f"{dot.label}: {_text(dot.x)}, {_text(dot.y)}")
        parts.append(svg.element("circle", title, cx=x, cy=y, r=3.5, cls="point clear"))
    if len(dots) <= MOST_NUMBERED:
        parts += _names(dots, places)
    desc = "; ".join(f"{d.label}: {_text(d.x)}, {_text(d.y)}" for d in dots[:MOST_NUMBERED])
    return svg.figure(name, f"{across} (across) and {up} (up)", desc, (WIDTH, HEIGHT), *parts)


def _frame(axes: tuple[Axis, Axis], across: str, up: str) -> list[Markup]:
    foot, end = HEIGHT - BOTTOM, WIDTH - RIGHT
    parts = [svg.line(LEFT, foot, end, foot, "axis"), svg.line(LEFT, TOP, LEFT, foot, "axis")]
    for tick in axes[0].ticks:
        x = axes[0].at(tick, LEFT, end)
        parts += [
            svg.line(x, TOP, x, foot, "grid"),
            words(_text(tick), x, foot + 14, 11, "tick", "middle"),
        ]
    for tick in axes[1].ticks:
        y = axes[1].at(tick, foot, TOP)
        parts += [
            svg.line(LEFT, y, end, y, "grid"),
            words(_text(tick), LEFT - 5, y + 4, 11, "tick", "end"),
        ]
    letters = int(WIDTH / 5.9)
    return [
        *parts,
        words(f"↑ {svg.shortened(visible(up), letters)}", 0, 12, 11, "tick"),
        words(f"{svg.shortened(visible(across), letters)} →", end, HEIGHT - 10, 11, "tick", "end"),
    ]


def _intervals(dots: Sequence[Dot], axes: tuple[Axis, Axis]) -> list[Markup]:
    parts = []
    for d in dots:
        x, y = axes[0].at(d.x, LEFT, WIDTH - RIGHT), axes[1].at(d.y, HEIGHT - BOTTOM, TOP)
        if d.across:
            ends = (axes[0].at(v, LEFT, WIDTH - RIGHT) for v in d.across)
            parts.append(svg.line(next(ends), y, next(ends), y, "leader"))
        if d.up:
            ends = (axes[1].at(v, HEIGHT - BOTTOM, TOP) for v in d.up)
            parts.append(svg.line(x, next(ends), x, next(ends), "leader"))
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
        parts.append(words(label, x + dx, y + dy, 11, "label", anchor))
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


def _text(value: float) -> str:
    return f"{value:.4g}".replace("-", "−")
