"""A line plot, such as of learning curves, in which each line has a band of its intervals."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from markupsafe import Markup

from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.label_places import spread_out
from tiltmeter.report.plots.scale import PlotAxis, frame, round_scale
from tiltmeter.report.text import number

SIZE, ROW, LINE = 12, 17, 13
COLOURS = 6
"""How many colours lines have; the next six lines repeat them and are dashed."""
DASHES = ("", " dashed", " dotted")
SAMPLE = 22
"""The length of a line in the key."""
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Look:
    """How a line is drawn, so that lines of one kind look alike in all panels of a picture."""

    colour: int = 0
    """From 0; the same colours come again from `COLOURS` on, with other dashes."""
    dashes: int = 0
    """0 for a solid line, then dashed, dotted, and solid again."""


@dataclass(frozen=True, slots=True)
class PlotLine:
    """One line, which is interrupted where a value is None."""

    label: str
    across: Sequence[float]
    """The places of the values along the axis, ascending."""
    values: Sequence[float | None]
    low: Sequence[float | None] = ()
    """The lower ends of the intervals; () for none."""
    high: Sequence[float | None] = ()
    """The upper ends of the intervals; () for none."""
    level: bool = False
    """Whether the line is a reference level, such as a noise floor, which is drawn thin and grey."""
    look: Look | None = None
    """None for the colour of its place among the lines."""


@dataclass(frozen=True, slots=True)
class LineFrame:
    """The dimensions of the plot and its key, in the picture's own units."""

    width: float
    height: float
    left: float
    key: float
    """The width of the key at the right, where names have two lines; 0 puts the key under the picture."""


WIDE = LineFrame(720, 330, 52, 150)
NARROW = LineFrame(340, 250, 44, 0)
TOP, FOOT = 26, 40


def line_plot(
    drawn: Sequence[PlotLine],
    *,
    name: str,
    across: str,
    up: str,
    beside: Sequence[float] = (),
    layout: LineFrame = WIDE,
) -> Markup:
    """The lines as an inline SVG with a key; `across` and `up` name the axes, with their units.

    `beside` are heights in pictures to compare with this one: the vertical axis has room for them.
    """
    end = layout.width - layout.key - 10
    x = PlotAxis(round_scale([v for line in drawn for v in line.across], 0.0), layout.left, end)
    heights = [v for line in drawn for v in (*line.values, *line.low, *line.high) if v is not None]
    heights += beside
    y = PlotAxis(round_scale(heights, 0.06), layout.height - FOOT, TOP)
    shapes = frame(x, y, across, up, SIZE)
    styles = list(_styles(drawn))
    # All bands before the first line, so that no band covers a line.
    for curve, style in zip(drawn, styles, strict=True):
        shapes += _band(curve, x, y, style)
    for curve, style in zip(drawn, styles, strict=True):
        shapes += _line(curve, x, y, style)
    key, foot = _key(drawn, styles, y, layout)
    desc = "; ".join(f"{curve.label}: {_ends(curve)}" for curve in drawn)
    title = f"{up} by {across}"
    return svg.figure(name, title, desc, (layout.width, foot), *shapes, *key)


def _styles(drawn: Sequence[PlotLine]) -> Iterator[str]:
    """The CSS classes of each line: its colour, and whether it is dashed."""
    count = levels = 0
    for line in drawn:
        if line.level:
            yield f"reference{' long' if levels % 2 else ''}"
            levels += 1
        else:
            look = line.look or Look(count)
            dashes = DASHES[(look.dashes + look.colour // COLOURS) % len(DASHES)]
            yield f"series d{look.colour % COLOURS + 1}{dashes}"
            count += 1


def _band(curve: PlotLine, x: PlotAxis, y: PlotAxis, style: str) -> list[Markup]:
    """The area between the ends of the intervals, in pieces where some intervals are not known."""
    pieces: list[list[tuple[float, float, float]]] = [[]]
    for at, low, high in zip(curve.across, curve.low, curve.high, strict=False):
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


def _line(curve: PlotLine, x: PlotAxis, y: PlotAxis, style: str) -> list[Markup]:
    places = [None if v is None else (x.at(a), y.at(v)) for a, v in zip(curve.across, curve.values)]  # noqa: B905
    pieces = [svg.line(a[0], a[1], b[0], b[1], style) for a, b in pairwise(places) if a and b]
    lone = [
        place
        for i, place in enumerate(places)
        if place and not any(places[max(i - 1, 0) : i]) and not any(places[i + 1 : i + 2])
    ]
    dots = [svg.element("circle", cx=a, cy=b, r=3, cls=f"{style} dot") for a, b in lone]
    return [
        svg.element("g", svg.element("title", f"{curve.label}: {_ends(curve)}"), *pieces, *dots)
    ]


def _key(
    drawn: Sequence[PlotLine], styles: Sequence[str], y: PlotAxis, layout: LineFrame
) -> tuple[list[Markup], float]:
    """The names of the lines, at their right ends or under the picture, and the picture's height."""
    room = (layout.key or layout.width) - SAMPLE - 8
    labels = [svg.wrapped(visible(curve.label), room, SIZE) for curve in drawn]
    step = ROW + LINE * (max(map(len, labels), default=1) - 1)
    if not layout.key:
        top = layout.height + 14.0
        rows = [(0.0, top + step * i) for i in range(len(drawn))]
        foot = top + step * len(drawn) - 6
    else:
        left = layout.width - layout.key
        ends = [y.at(next(v for v in reversed(line.values) if v is not None)) for line in drawn]
        rows = [(left, at) for at in spread_out(ends, step, TOP, layout.height - FOOT)]
        foot = max(layout.height, max(at for _, at in rows) + step)
    shapes = []
    for label, style, (left, at) in zip(labels, styles, rows, strict=True):
        shapes.append(svg.line(left, at, left + SAMPLE, at, style))
        shapes += (
            svg.text(words, left + SAMPLE + 6, at + 4 + LINE * i, "label", size=SIZE)
            for i, words in enumerate(label)
        )
    return shapes, foot


def _points(places: Sequence[Point]) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in places)


def _ends(curve: PlotLine) -> str:
    known = [v for v in curve.values if v is not None]
    return number(known[0]) if curve.level else f"from {number(known[0])} to {number(known[-1])}"
