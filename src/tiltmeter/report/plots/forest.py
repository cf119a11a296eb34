"""A forest plot: one row for each subset or model, intervals as lines, and one neutral line through all."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.scale import PlotAxis, Scale, scale_of
from tiltmeter.report.text import (
    in_brackets,
    neutral_text,
    neutral_words,
    number_of,
    short_unit,
    sides,
    span,
)
from tiltmeter.report.value_marks import mark_notes, value_mark


@dataclass(frozen=True, slots=True)
class Row:
    """One row of the plot."""

    label: str
    estimate: Estimate
    total: bool = False
    """Whether the row is about all items: it is drawn as a diamond, with a line above it."""
    apart: bool = False
    """Whether a line sets the row off from the one above it."""
    beside: tuple[float, float] | None = None
    """A range to compare the value with, drawn behind it; the caption says what it is."""


@dataclass(frozen=True, slots=True)
class ForestLayout:
    """The positions of the parts of a forest plot, in the picture's own units."""

    width: int
    left: int
    right: int
    """The right end of the plot, which begins at `left`."""
    row: int
    """The height of a row."""
    top: int = 52
    stacked: bool = False
    """Whether labels are above their marks instead of beside them, for narrow places."""
    above: bool = False
    """Whether labels have lines of their own above the numbers, as there is no room beside these."""
    lines: int = 1
    """How many lines the longest label above its numbers has."""
    folded: bool = False
    """Whether the names of the two sides are on two lines, as there is no room beside the neutral line."""


WIDE = ForestLayout(width=720, left=190, right=530, row=30)
NARROW = ForestLayout(width=340, left=14, right=326, row=46, stacked=True)
BARE, NAMELESS = 28, 38
"""The room above rows without a neutral line, where only the unit stands, and above those whose sides have no
names."""
FOOT = 26
FOLD = 16
LINE = 15
APART = 6
"""How much higher rows are where a label has two lines, so that labels of neighbours do not touch."""
MARKED = 24
"""The height of the lower part of a stacked row, where its mark is and no text."""
COUNTS = 60
"""How far from the right edge the numbers end, which leaves room for n."""
BETWEEN = 14
"""The distance from a label or a number to the plot, since a mark may be at either end of it."""
LONGEST = 280
"""The most room for labels beside the plot; longer ones have two lines."""
LETTERS, STRONG, SMALL, WAY = 14.6, 15.4, 13.0, 12.5
"""Font sizes from which widths are estimated, a little too large so that wide fonts fit too: usual labels,
bold ones, those in narrow places, and the names of the two sides."""


def forest(
    rows: Sequence[Row],
    *,
    name: str,
    title: str,
    layout: ForestLayout = WIDE,
    scale: Scale | None = None,
) -> Markup:
    """The rows from top to bottom as an inline SVG; all have the same unit and neutral value.

    Several plots may share one scale; None fits it to the rows.
    """
    shown = scale or scale_of([row.estimate for row in rows])
    layout = _roomy(rows, layout)
    bottom = layout.top + layout.row * len(rows)
    axis = PlotAxis(shown, layout.left, layout.right)
    shapes = _frame(axis, rows[0].estimate, layout, bottom)
    shapes += [_row(row, i, axis, layout) for i, row in enumerate(rows)]
    desc = "; ".join(_said(row) for row in rows)
    notes = svg.note_lines(mark_notes(row.estimate for row in rows), layout.width, SMALL)
    foot = bottom + FOOT + LINE * len(notes)
    shapes += [
        svg.text(note, 0, bottom + FOOT + LINE * (i + 1) - 4, "tick")
        for i, note in enumerate(notes)
    ]
    return svg.figure(name, title, desc, (layout.width, foot), *shapes)


def _roomy(rows: Sequence[Row], layout: ForestLayout) -> ForestLayout:
    """The layout adapted to the rows, with room for labels, numbers and the names of both sides."""
    if not layout.stacked:
        longest = max(svg.breadth(_value(row.estimate), _size(row)) for row in rows)
        labels = max(svg.breadth(visible(row.label), _size(row)) for row in rows)
        left = math.ceil(max(layout.left, min(labels + BETWEEN, LONGEST)))
        right = min(layout.right, int(layout.width - COUNTS - longest - BETWEEN))
        wraps = any(
            len(svg.wrapped(visible(row.label), left - BETWEEN, _size(row))) > 1 for row in rows
        )
        layout = replace(layout, left=left, right=right, row=layout.row + APART * wraps)
    elif any(svg.breadth(visible(row.label), _size(row)) > _beside(row, layout) for row in rows):
        whole = layout.right - layout.left
        lines = max(len(svg.wrapped(visible(row.label), whole, _size(row))) for row in rows)
        layout = replace(layout, above=True, lines=lines, row=layout.row + LINE * lines)
    if sides(rows[0].estimate) is None:
        layout = replace(layout, top=BARE if rows[0].estimate.neutral is None else NAMELESS)
    middle = (layout.left + layout.right) / 2
    room = min(middle, layout.width - middle) - 10
    ways = sides(rows[0].estimate) or ("", "")
    if max(svg.breadth(f"{way} →", WAY) for way in ways) > room:
        layout = replace(layout, folded=True, top=layout.top + FOLD)
    return layout


def _size(row: Row) -> float:
    return STRONG if _stands_out(row) else LETTERS


def _beside(row: Row, layout: ForestLayout) -> float:
    """The room for a label beside the numbers of its row, in a narrow place."""
    return layout.right - layout.left - svg.breadth(_numbers(row), SMALL) - BETWEEN


def _numbers(row: Row) -> str:
    return f"{_value(row.estimate)}  n {row.estimate.n:,}"


def _stands_out(row: Row) -> bool:
    return row.total or bool(shown_significant(row.estimate))


def _frame(axis: PlotAxis, sample: Estimate, layout: ForestLayout, bottom: int) -> list[Markup]:
    """The ticks, the neutral line with its name, and the names of both sides."""
    top, middle = layout.top, axis.at(axis.scale.neutral)
    spans, through = [(float(top), float(bottom))], [(top - 8.0, float(bottom))]
    if layout.stacked:  # beside the marks alone, so that no line runs through a label or a number
        marks = range(top + layout.row, bottom + 1, layout.row)
        spans = through = [(float(end - MARKED), float(end)) for end in marks]
    shapes = [line for span in spans for line in axis.grid(*span)]
    shapes += axis.numbers(bottom + 18)
    if sample.neutral is not None:
        words = f"{neutral_words(sample)} {neutral_text(sample)} {short_unit(sample.unit)}".rstrip()
        half = svg.breadth(words, WAY) / 2
        inside = min(max(middle, half), max(layout.width - half, half))  # whole, at either end too
        shapes += [
            *(svg.line(middle, start, middle, end, "neutral") for start, end in through),
            svg.text(words, inside, top - _above(sample, layout), "tick", "middle"),
        ]
    elif sample.unit:
        shapes.append(svg.text(short_unit(sample.unit), axis.end, top - 14, "tick", "end"))
    if ways := sides(sample):
        # On either side of the neutral line, so that nobody has to guess which way is which.
        ends = ((0, 30, "start"), (layout.width, 14, "end"))
        beside = ((middle - 10, 14, "end"), (middle + 10, 14, "start"))
        arrows = (f"← {ways[0]}", f"{ways[1]} →")
        for words, (x, up, anchor) in zip(arrows, ends if layout.folded else beside, strict=True):
            whole = svg.fitted(words, layout.width - 8, WAY)
            shapes.append(svg.text(whole, x, top - up, "way", anchor))
    return shapes


def _above(sample: Estimate, layout: ForestLayout) -> int:
    """How far above the rows the name of the neutral value stands."""
    if sides(sample) is None:
        return 14
    return 46 if layout.folded else 30


def _row(row: Row, place: int, axis: PlotAxis, layout: ForestLayout) -> Markup:
    top, estimate = layout.top + place * layout.row, row.estimate
    weight = (" small" if layout.stacked else "") + (" strong" if _stands_out(row) else "")
    if layout.stacked:
        y, line, start = top + layout.row - 14.0, top + 17.0, layout.left
        edge, value_text = layout.right, _numbers(row)
        room = float(layout.right - layout.left) if layout.above else _beside(row, layout)
    else:
        y, start = top + layout.row / 2, 0
        line, edge, value_text = y + 4.5, layout.width - COUNTS, _value(estimate)
        room = layout.left - BETWEEN
    label = svg.wrapped(visible(row.label), room, _size(row))
    first = line if layout.stacked else line - LINE / 2 * (len(label) - 1)
    shapes = []
    if row.beside is not None:
        low, high = map(axis.at, row.beside)
        shapes.append(
            svg.element("rect", x=low, y=y - 8, width=high - low, height=16, cls="beside")
        )
    if row.total or row.apart:
        shapes.append(svg.line(0, top, layout.width, top, "rule"))
    shapes += [
        *(
            svg.text(words, start, first + LINE * i, f"label{weight}")
            for i, words in enumerate(label)
        ),
        svg.text(
            value_text, edge, line + LINE * layout.lines * layout.above, f"value{weight}", "end"
        ),
    ]
    if not layout.stacked:
        shapes.append(svg.text(f"n {estimate.n:,}", layout.width, line, "tick", "end"))
    shapes += axis.interval(estimate.low, estimate.high, y)
    if estimate.value is not None:
        x, clear = axis.at(estimate.value), bool(shown_significant(estimate))
        whole = svg.diamond(x, y, "point clear" if clear else "point")
        shapes.append(whole if row.total else svg.point(x, y, filled=clear))
    return svg.element("g", svg.element("title", _said(row)), *shapes, cls="row")


def _value(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    return number_of(estimate, estimate.value) + value_mark(estimate) + in_brackets(estimate)


def _said(row: Row) -> str:
    """The row in words, for its tooltip and the description of the picture."""
    e = row.estimate
    if e.value is None:
        return f"{row.label}: undefined: {e.why}"
    clear = {True: "significant", False: "not significant"}
    inside = span(e)
    words = [f"{row.label}: {number_of(e, e.value)}", inside and f"interval {inside}"]
    state = shown_significant(e)
    words += [f"n {e.n:,}", "" if state is None else clear[state]]
    return ", ".join(part for part in words if part)
