"""Named points in columns, such as groups by domain, with the value and interval of each whole column."""

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report import text
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.label_places import spread_out
from tiltmeter.report.plots.scale import PlotAxis, round_scale

SIZE, ROW = 10, 12
TOP, FOOT, GAP = 24, 34, 8
DOT, OUT = 8, 12
"""The distances from the left edge of a column to the middle of its points, and from there to their names."""


@dataclass(frozen=True, slots=True)
class StripPoint:
    """One point with its name."""

    label: str
    estimate: Estimate
    shade: float | None = None
    """A number that decides how dark the point is, the higher the darker; None where it is not known."""


@dataclass(frozen=True, slots=True)
class Strip:
    """One column: its points, and the estimate for the whole column, if there is one."""

    label: str
    points: Sequence[StripPoint]
    whole: Estimate | None = None


@dataclass(frozen=True, slots=True)
class StripFrame:
    """The dimensions of a strip plot, in the picture's own units."""

    width: float
    height: float
    """The height of the points' area in each row of columns."""
    columns: int
    """How many columns are side by side; more are drawn in further rows."""
    left: float = 34


WIDE = StripFrame(760, 330, 6)
NARROW = StripFrame(340, 250, 2)


def strip_plot(
    strips: Sequence[Strip], *, name: str, title: str, layout: StripFrame = WIDE
) -> Markup:
    """The columns side by side on one scale from 0, as an inline SVG."""
    points = [point for strip in strips for point in strip.points]
    wholes = [strip.whole for strip in strips if strip.whole]
    ends = [end for e in wholes for end in (e.low, e.high)]
    known = [v for v in (*(p.estimate.value for p in points), *ends) if v is not None]
    scale = round_scale([0.0, *known], 0.03)
    shades = [p.shade for p in points if p.shade is not None]
    shapes = [svg.text(text.short_unit(points[0].estimate.unit), 0, TOP - 14, "tick", size=SIZE)]
    top = float(TOP)
    for start in range(0, len(strips), layout.columns):
        axis = PlotAxis(scale, top + layout.height, top)
        shapes += _row(strips[start : start + layout.columns], axis, shades, layout)
        top += layout.height + FOOT
    desc = "; ".join(f"{s.label}: {', '.join(map(_worded, s.points))}" for s in strips)
    return svg.figure(name, title, desc, (layout.width, top), *shapes)


def _row(
    strips: Sequence[Strip], y: PlotAxis, shades: Sequence[float], layout: StripFrame
) -> list[Markup]:
    """One row of columns with the numbers of their axis."""
    shapes = y.levels(layout.left, layout.width, SIZE)
    broad = (layout.width - layout.left) / layout.columns
    for i, strip in enumerate(strips):
        left = layout.left + i * broad
        shapes += _whole(strip.whole, y, left, left + broad - GAP)
        shapes += _points(strip, y, shades, left, broad - GAP)
        lines = svg.wrapped(visible(strip.label), broad - GAP, SIZE + 1)
        shapes += [
            svg.text(words, left, y.start + 16 + ROW * j, "label strong", size=SIZE + 1)
            for j, words in enumerate(lines)
        ]
    return shapes


def _whole(whole: Estimate | None, y: PlotAxis, left: float, right: float) -> list[Markup]:
    """A line at the value of the whole column, over a band for its interval."""
    if whole is None or whole.value is None:
        return []
    at, band = y.at(whole.value), []
    if whole.low is not None and whole.high is not None:
        top, foot = y.at(whole.high), y.at(whole.low)
        box = {"x": left, "y": top, "width": right - left, "height": foot - top}
        band = [svg.element("rect", **box, cls="beside")]
    return [*band, svg.line(left, at, right, at, "median")]


def _points(
    strip: Strip, y: PlotAxis, shades: Sequence[float], left: float, broad: float
) -> list[Markup]:
    """The points of a column with lines to their names; those with lower shades are lighter."""
    x, heights = left + DOT, [y.at(p.estimate.value or 0.0) for p in strip.points]
    places = spread_out([at + 3.5 for at in heights], ROW, y.end, y.start + 4)
    shapes = []
    for point, at, place in zip(strip.points, heights, places, strict=True):
        name = svg.fitted(visible(point.label), broad - DOT - OUT, SIZE)
        shapes.append(svg.line(x, at, x + OUT - 2, place - 3.5, "leader"))
        shapes.append(svg.text(name, x + OUT, place, "label", size=SIZE))
    for point, at in zip(strip.points, heights, strict=True):
        dark, title = _darkness(point.shade, shades), svg.element("title", _worded(point))
        dot = {"cx": x, "cy": at, "r": 4}
        # An opaque circle first: the translucent one over it would show the line to the name.
        shapes.append(svg.element("circle", **dot, cls="point"))
        shapes.append(svg.element("circle", title, **dot, cls="point clear", fill_opacity=dark))
    return shapes


def _darkness(shade: float | None, shades: Sequence[float]) -> float:
    """The opacity for a shade, from 0 for the lowest to 1 for the highest; 1 where there are no shades."""
    if not shades:
        return 1.0
    low, high = min(shades), max(shades)
    return 0.0 if shade is None or low == high else (shade - low) / (high - low)


def _worded(point: StripPoint) -> str:
    e = point.estimate
    shade = "" if point.shade is None else f", shade {text.number(point.shade)}"
    return f"{point.label} {text.number_of(e, e.value or 0.0)}{text.in_brackets(e)}{shade}"
