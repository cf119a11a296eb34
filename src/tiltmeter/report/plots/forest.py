"""A forest plot: one row a subset or a model, intervals as lines, one neutral line through all."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.scale import Scale, scale_of
from tiltmeter.report.text import is_significant, neutral_text, neutral_words, number, sides, span


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the plot."""

    label: str
    estimate: Estimate
    total: bool = False
    """Over all items: drawn as a diamond, under a rule."""
    apart: bool = False
    """Under a rule: what stands between it and the row above was left out."""
    beside: tuple[float, float] | None = None
    """A range to read the value against, drawn under it; the caption says what it is."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where things stand, in the picture's own units."""

    width: int
    left: int
    right: int
    """The plot lies between these two."""
    row: int
    top: int = 52
    stacked: bool = False
    """The label above its mark instead of beside it: for narrow places."""
    above: bool = False
    """The label on a line of its own above the numbers, for want of room beside them."""
    letters: int = 60
    """How long a label may be, at most."""
    folded: bool = False
    """Which way is which in two lines, for want of room beside the neutral line."""


WIDE = Layout(width=720, left=190, right=530, row=30)
NARROW = Layout(width=340, left=14, right=326, row=46, stacked=True)
FOOT = 26
FOLD = 16
LINE = 15
COUNTS = 60
"""How far from the right edge the numbers end, so that n has its place."""
BETWEEN = 8
"""From a label to what stands behind it."""
LONGEST = 280
"""Room for labels beside the plot, at most; longer ones are cut in the middle."""
LETTERS, STRONG, SMALL, WAY = 14.6, 15.4, 13.0, 12.5
"""How large letters are taken to be so that wide fonts fit too: usual, bold, in narrow places, and of
the words that say which way is which."""


def forest(
    rows: Sequence[Row],
    *,
    name: str,
    title: str,
    layout: Layout = WIDE,
    scale: Scale | None = None,
) -> Markup:
    """The rows from top to bottom in the order given, as an inline SVG.

    Args:
        rows: At least one; of measures with one unit and one neutral value.
        name: Makes the ids in the page unique.
        title: What the picture shows, for those who do not see it.
        layout: WIDE or NARROW.
        scale: To share one axis between several plots.
    """
    shown = scale or scale_of([row.estimate for row in rows])
    layout = _roomy(rows, layout)
    bottom = layout.top + layout.row * len(rows)
    parts = [_frame(shown, rows[0].estimate, layout, bottom)]
    parts += [_row(row, i, shown, layout) for i, row in enumerate(rows)]
    desc = "; ".join(_said(row) for row in rows)
    return svg.figure(name, title, desc, (layout.width, bottom + FOOT), *parts)


def _roomy(rows: Sequence[Row], layout: Layout) -> Layout:
    """With room for the labels before the plot, for the numbers behind it, and for both ways."""
    if not layout.stacked:
        longest = max(svg.breadth(_value(row.estimate), _size(row)) for row in rows)
        labels = max(svg.breadth(visible(row.label), _size(row)) for row in rows)
        left = int(max(layout.left, min(labels + BETWEEN, LONGEST)))
        right = min(layout.right, int(layout.width - COUNTS - longest))
        layout = replace(layout, left=left, right=right)
    elif any(svg.breadth(visible(row.label), _size(row)) > _beside(row, layout) for row in rows):
        layout = replace(layout, above=True, row=layout.row + LINE)
    middle = (layout.left + layout.right) / 2
    room = min(middle, layout.width - middle) - 10
    ways = sides(rows[0].estimate) or ("", "")
    if max(svg.breadth(f"{way} →", WAY) for way in ways) > room:
        layout = replace(layout, folded=True, top=layout.top + FOLD)
    return layout


def _size(row: Row) -> float:
    return STRONG if _stands_out(row) else LETTERS


def _beside(row: Row, layout: Layout) -> float:
    """The room before the numbers of a row in a narrow place."""
    return layout.right - layout.left - svg.breadth(_numbers(row), SMALL) - BETWEEN


def _numbers(row: Row) -> str:
    return f"{_value(row.estimate)}  n {row.estimate.n:,}"


def _stands_out(row: Row) -> bool:
    return row.total or bool(is_significant(row.estimate))


def _frame(scale: Scale, sample: Estimate, layout: Layout, bottom: int) -> Markup:
    """Ticks, the neutral line with its name, and which way is which."""

    def x(value: float) -> float:
        return scale.at(value, layout.left, layout.right)

    top, middle = layout.top, x(scale.neutral)
    parts = [svg.line(x(tick), top, x(tick), bottom, "grid") for tick in scale.ticks]
    parts += [svg.text(_tick(t), x(t), bottom + 18, "tick", "middle") for t in scale.ticks]
    if sample.neutral is not None:
        words = f"{neutral_words(sample)} {neutral_text(sample)}"
        parts += [
            svg.line(middle, top - 8, middle, bottom, "neutral"),
            svg.text(words, middle, top - (46 if layout.folded else 30), "tick", "middle"),
        ]
    ways = sides(sample)
    if ways and layout.folded:
        parts += [
            svg.text(f"← {ways[0]}", 0, top - 30, "way", "start"),
            svg.text(f"{ways[1]} →", layout.width, top - 14, "way", "end"),
        ]
    elif ways:
        # On either side of the neutral line, so that nobody has to guess which way is which.
        parts += [
            svg.text(f"← {ways[0]}", middle - 10, top - 14, "way", "end"),
            svg.text(f"{ways[1]} →", middle + 10, top - 14, "way", "start"),
        ]
    return Markup("").join(parts)


def _row(row: Row, place: int, scale: Scale, layout: Layout) -> Markup:
    top = layout.top + place * layout.row
    estimate = row.estimate
    high = top + 17 if layout.stacked else top + layout.row / 2 + 4.5
    y = top + layout.row - 14 if layout.stacked else top + layout.row / 2
    weight = " small" if layout.stacked else ""
    weight += " strong" if _stands_out(row) else ""
    start = layout.left if layout.stacked else 0
    whole = svg.shortened(visible(row.label), layout.letters)
    edge, said, room = layout.width - COUNTS, _value(estimate), layout.left - BETWEEN
    if layout.stacked:
        edge, said = layout.right, _numbers(row)
        room = layout.right - layout.left if layout.above else int(_beside(row, layout))
    label = svg.fitted(whole, room, _size(row))
    below = high + LINE if layout.above else high
    parts = [
        svg.text(label, start, high, f"label{weight}"),
        svg.text(said, edge, below, f"value{weight}", "end"),
    ]
    if not layout.stacked:
        parts.append(svg.text(f"n {estimate.n:,}", layout.width, high, "tick", "end"))
    if row.total or row.apart:
        parts.insert(0, svg.line(0, top, layout.width, top, "rule"))
    if row.beside is not None:
        low, high = (scale.at(end, layout.left, layout.right) for end in row.beside)
        parts.insert(
            0, svg.element("rect", x=low, y=y - 8, width=high - low, height=16, cls="beside")
        )
    parts.append(_mark(row, y, scale, layout))
    return svg.element("g", svg.element("title", _said(row)), *parts, cls="row")


def _mark(row: Row, y: float, scale: Scale, layout: Layout) -> Markup:
    estimate, parts = row.estimate, []

    def x(value: float) -> float:
        return scale.at(value, layout.left, layout.right)

    if estimate.low is not None and estimate.high is not None:
        low, high = x(estimate.low), x(estimate.high)
        parts.append(svg.line(low, y, high, y, "interval"))
        parts += [svg.line(end, y - 4, end, y + 4, "interval") for end in (low, high)]
    if estimate.value is not None:
        at, kind = x(estimate.value), "point clear" if is_significant(estimate) else "point"
        if row.total:
            points = f"{at - 7:g},{y:g} {at:g},{y - 7:g} {at + 7:g},{y:g} {at:g},{y + 7:g}"
            parts.append(svg.element("polygon", points=points, cls=kind))
        else:
            parts.append(svg.element("circle", cx=at, cy=y, r=5, cls=kind))
    return Markup("").join(parts)


def _value(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    inside = span(estimate, "–")
    return number(estimate.value, estimate.unit) + (f" ({inside})" if inside else "")


def _said(row: Row) -> str:
    """The row in words: for the desc, and for whoever points at it."""
    e = row.estimate
    if e.value is None:
        return f"{row.label}: undefined: {e.why}"
    clear = {True: "significant", False: "not significant"}
    inside = span(e)
    parts = [f"{row.label}: {number(e.value, e.unit)}", inside and f"interval {inside}"]
    state = is_significant(e)
    parts += [f"n {e.n:,}", "" if state is None else clear[state]]
    return ", ".join(part for part in parts if part)


def _tick(value: float) -> str:
    return f"{value:g}".replace("-", "−")
