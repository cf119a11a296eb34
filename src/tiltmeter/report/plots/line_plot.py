"""Lines over a number that grows, such as learning curves, each in a band of its intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, floor

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.axes import PlotAxis, tick_text
from tiltmeter.report.plots.scale import Scale, nice_step
from tiltmeter.report.text import number

SIZE, ROW = 12, 17
COLOURS = 6
"""Lines of different colours; the next six have the same ones and are dashed."""
SAMPLE = 22
"""Length of a line in the key."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One line; where a value is None it is interrupted."""

    label: str
    across: Sequence[float]
    """Where the values stand, ascending."""
    values: Sequence[float | None]
    low: Sequence[float | None] = ()
    """Lower ends of the intervals; () for none."""
    high: Sequence[float | None] = ()
    level: bool = False
    """Whether it is a mark to compare with, such as a noise floor: drawn thin and grey."""


@dataclass(frozen=True, slots=True)
class LineFrame:
    """Where the lines stand."""

    width: float
    height: float
    left: float
    key: float
    """Room for names at the right; 0 puts them under the picture."""


WIDE_LINES = LineFrame(720, 330, 52, 150)
NARROW_LINES = LineFrame(340, 250, 44, 0)
TOP, FOOT = 26, 40


def line_plot(
    drawn: Sequence[PlotLine], *, name: str, across: str, up: str, layout: LineFrame = WIDE_LINES
) -> Markup:
    """The lines as an inline SVG with a key.

    Args:
        drawn: At least one, each with a value.
        name: Makes the ids in the page unique.
        across: What grows, with its unit.
        up: What the values are, with their unit.
        layout: WIDE_LINES or NARROW_LINES.
    """
    end = layout.width - layout.key - 10
    x = PlotAxis(_scale([v for one in drawn for v in one.across], room=0.0), layout.left, end)
    y = PlotAxis(_scale(list(_heights(drawn))), layout.height - FOOT, TOP)
    parts = _frame(x, y, across, up, layout)
    styles = list(_styles(drawn))
    for one, style in zip(drawn, styles, strict=True):
        parts += _band(one, x, y, style)
    for one, style in zip(drawn, styles, strict=True):
        parts += _line(one, x, y, style)
    key, foot = _key(drawn, styles, y, layout)
    desc = "; ".join(f"{one.label}: {_ends(one)}" for one in drawn)
    title = f"{up} by {across}"
    return svg.figure(name, title, desc, (layout.width, foot), *parts, *key)


def _scale(values: Sequence[float], room: float = 0.06) -> Scale:
    """An axis with about five round steps that holds the values, and a little more."""
    low, high = min(values), max(values)
    more = room * (high - low) or (max(abs(high), 1.0) * 0.05 if low == high else 0.0)
    low, high = low - more, high + more
    step = nice_step(high - low, 5)
    ticks = range(ceil(low / step - 1e-9), floor(high / step + 1e-9) + 1)
    return Scale(low, high, 0.0, tuple(round(k * step, 12) for k in ticks))


def _heights(drawn: Sequence[PlotLine]) -> Iterator[float]:
    for one in drawn:
        yield from (v for v in (*one.values, *one.low, *one.high) if v is not None)


def _styles(drawn: Sequence[PlotLine]) -> Iterator[str]:
    """The classes of each line: its colour, and whether it is dashed."""
    count = levels = 0
    for one in drawn:
        if one.level:
            yield f"reference{' long' if levels % 2 else ''}"
            levels += 1
        else:
            dashed = " dashed" if count // COLOURS % 2 else ""
            yield f"series d{count % COLOURS + 1}{dashed}"
            count += 1


def _frame(x: PlotAxis, y: PlotAxis, across: str, up: str, layout: LineFrame) -> list[Markup]:
    parts = [*x.grid(y.end, y.start), *x.numbers(y.start + 16, size=SIZE)]
    for tick in y.scale.ticks:
        high = y.at(tick)
        parts.append(svg.line(x.start, high, x.end, high, "grid"))
        parts.append(svg.text(tick_text(tick), x.start - 6, high + 4, "tick", "end", SIZE))
    parts.append(svg.line(x.start, y.start, x.end, y.start, "axis"))
    names = [svg.fitted(visible(text), layout.width, SIZE) for text in (up, across)]
    return [
        *parts,
        svg.text(f"↑ {names[0]}", 0, 13, "tick", size=SIZE),
        svg.text(f"{names[1]} →", x.end, y.start + 34, "tick", "end", SIZE),
    ]


def _band(one: PlotLine, x: PlotAxis, y: PlotAxis, style: str) -> list[Markup]:
    """The area between the ends of the intervals, piece by piece where one is not known."""
    pieces: list[list[tuple[float, float, float]]] = [[]]
    for at, low, high in zip(one.across, one.low, one.high, strict=False):
        if low is None or high is None:
            pieces.append([])
        else:
            pieces[-1].append((x.at(at), y.at(low), y.at(high)))
    return [
        svg.element(
            "polygon",
            points=_points([(a, h) for a, _, h in piece] + [(a, b) for a, b, _ in piece[::-1]]),
            cls=f"series-band {style}",
        )
        for piece in pieces
        if len(piece) > 1
    ]


def _line(one: PlotLine, x: PlotAxis, y: PlotAxis, style: str) -> list[Markup]:
    places = [None if v is None else (x.at(a), y.at(v)) for a, v in zip(one.across, one.values)]  # noqa: B905
    parts = [svg.line(a[0], a[1], b[0], b[1], style) for a, b in pairwise(places) if a and b]
    lone = [
        place
        for i, place in enumerate(places)
        if place and not any(places[max(i - 1, 0) : i]) and not any(places[i + 1 : i + 2])
    ]
    dots = [svg.element("circle", cx=a, cy=b, r=3, cls=f"{style} dot") for a, b in lone]
    return [svg.element("g", svg.element("title", f"{one.label}: {_ends(one)}"), *parts, *dots)]


def _key(
    drawn: Sequence[PlotLine], styles: Sequence[str], y: PlotAxis, layout: LineFrame
) -> tuple[list[Markup], float]:
    """Names of the lines, at their right ends or under the picture, and how high the picture is."""
    if not layout.key:
        top = layout.height + 14.0
        rows = [(0.0, top + ROW * i) for i in range(len(drawn))]
        foot = top + ROW * len(drawn) - 6
    else:
        left = layout.width - layout.key
        ends = [y.at(_last(one)) for one in drawn]
        rows = [(left, at) for at in _apart(ends, TOP, layout.height - FOOT)]
        foot = max(layout.height, max(at for _, at in rows) + ROW)
    room = (layout.key or layout.width) - SAMPLE - 8
    parts = []
    for one, style, (left, at) in zip(drawn, styles, rows, strict=True):
        label = svg.fitted(visible(one.label), room, SIZE)
        parts.append(svg.line(left, at, left + SAMPLE, at, style))
        parts.append(svg.text(label, left + SAMPLE + 6, at + 4, "label", size=SIZE))
    return parts, foot


def _apart(wanted: Sequence[float], top: float, bottom: float) -> list[float]:
    """Places near the wanted ones, a row apart from each other, from `top` on.

    >>> _apart([50, 52, 20], 10, 100)
    [50, 67, 20]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    found = [0.0] * len(wanted)
    before = top - ROW
    for i in order:
        before = found[i] = max(wanted[i], before + ROW)
    over = before - bottom
    if over > 0:  # push up from the last one
        after = bottom + ROW
        for i in reversed(order):
            after = found[i] = max(min(found[i], after - ROW), top - ROW)
    return found


def _points(places: Sequence[Point]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in places)


def _last(one: PlotLine) -> float:
    return next(v for v in reversed(one.values) if v is not None)


def _ends(one: PlotLine) -> str:
    known = [v for v in one.values if v is not None]
    return number(known[0]) if one.level else f"from {number(known[0])} to {number(known[-1])}"
