"""Profiles of a matrix's rows: a bar for each pair of traits, towards the trait the row is nearer to."""

import math
from collections.abc import Sequence

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.heat import BOLD, words_of
from tiltmeter.report.plots.matrix_grid import MatrixGrid, count_significant, usual_end
from tiltmeter.report.plots.scale import PlotAxis, Scale, nice_step
from tiltmeter.report.text import number

WIDTH, LEFT, RIGHT = 340, 118, 222
"""The width of a profile, and the places between which its bars are drawn."""
BETWEEN = 40
"""The distance between two profiles side by side."""
NAME, ROW, HEAD, FOOT, SIZE = 22, 17, 20, 34, 11
LONGEST = 2.0
"""How many times as long as the bars the axis is at most, to have room for intervals."""
COLOURS = 6
"""How many colours dimensions have; a seventh dimension has the first one's again."""


def axis_of(grid: MatrixGrid) -> PlotAxis:
    """One axis for all rows, wide enough for values and intervals except for a few outliers."""
    bounded = [(c.value or 0.0, c.low or 0.0, c.high or 0.0) for c in grid.shown]
    values = usual_end([abs(value) for value, _, _ in bounded])
    # Intervals of few answers are so long that on their axis no bar would be seen: they are cut.
    reach = min(usual_end([max(map(abs, three)) for three in bounded]), LONGEST * values)
    step = nice_step(reach, 4)
    steps = math.ceil(reach / step - 1e-9)
    ticks = tuple(k * step for k in range(-steps, steps + 1))
    return PlotAxis(Scale(ticks[0], ticks[-1], 0.0, ticks), LEFT, RIGHT)


def profiles(
    grid: MatrixGrid, rows: Sequence[str], *, name: str, title: str, layout: int = 2
) -> Markup:
    """The profiles of these rows on one axis as an inline SVG, with `layout` profiles side by side."""
    axis = axis_of(grid)
    panels = [_profile(grid, row, axis) for row in rows]
    shapes, top = [], 0.0
    for start in range(0, len(panels), layout):
        line = panels[start : start + layout]
        shapes += [
            svg.element("g", drawn, transform=f"translate({i * (WIDTH + BETWEEN)} {top:g})")
            for i, (drawn, _) in enumerate(line)
        ]
        top += max(height for _, height in line)
    counts = (
        f"{visible(row)}: {count_significant(cells)} of {len(cells)}"
        for row in rows
        if (cells := grid.of_row(row))
    )
    desc = f"Significant {grid.view.column_names}. {'; '.join(counts)}. The table has the numbers."
    width = layout * WIDTH + (layout - 1) * BETWEEN
    return svg.figure(name, title, desc, (width, top), *shapes)


def _profile(grid: MatrixGrid, row: str, axis: PlotAxis) -> tuple[Markup, float]:
    """The profile of one row, with its columns by dimension, and the height of the drawing."""
    cells = grid.of_row(row)
    count = f"{count_significant(cells)} of {len(cells)} significant"
    shown = svg.fitted(visible(row), WIDTH - svg.breadth(count, SIZE) - 12, BOLD * 13)
    shapes = [
        svg.text(shown, 0, 14, "domain", size=13),
        svg.text(count, WIDTH, 14, "tick", "end", SIZE),
    ]
    y = float(NAME)
    for place, block in enumerate(grid.columns):
        colour = f"d{place % COLOURS + 1}"
        members = [grid.cells[row, c] for c in block.members if (row, c) in grid.cells]
        if block.name and members:
            head = svg.fitted(visible(block.name), LEFT, BOLD * SIZE)
            shapes.append(svg.text(head, 0, y + HEAD - 6, f"dimension {colour}", size=SIZE))
            y += HEAD
        for cell in members:
            shapes.append(_bar_row(grid, cell, y, axis, colour))
            y += ROW
    ruled = [*axis.grid(NAME, y + 3), svg.line(axis.at(0), NAME, axis.at(0), y + 3, "neutral")]
    ends = (axis.scale.low, 0.0, axis.scale.high)
    ticks = axis.numbers(y + 16, ends, SIZE)
    return svg.element("g", *ruled, *shapes, *ticks, cls="profile"), y + FOOT


def _bar_row(grid: MatrixGrid, cell: Estimate, top: float, axis: PlotAxis, colour: str) -> Markup:
    rooms = (LEFT - 6, WIDTH - RIGHT - 6)
    left, right = (
        svg.fitted(trait, room, BOLD * SIZE)
        for trait, room in zip(grid.traits(cell), rooms, strict=True)
    )
    value, y, sure = cell.value or 0.0, top + ROW / 2, shown_significant(cell) is True
    side = 0 if value == 0 else (1 if value > 0 else -1)
    weights = ["label strong" if sure and side == way else "label" for way in (-1, 1)]
    bar = f"bar {colour}{'' if sure else ' unsure'}"
    shapes = [
        svg.element("title", words_of(grid, cell)),
        svg.text(left, LEFT - 6, y + 4, weights[0], "end", SIZE),
        svg.text(right, RIGHT + 6, y + 4, weights[1], size=SIZE),
    ]
    if cell.value is None:
        shapes.append(svg.text("undefined", axis.at(0), y + 4, "tick", "middle", SIZE))
    elif abs(value) > axis.scale.high:  # cut where the axis ends, so that it says its value itself
        at, anchor = (axis.at(value) - 4 * side, "end" if side > 0 else "start")
        shapes.append(_bar(axis, value, y, bar))
        shapes.append(svg.text(number(value), at, y + 4, "beyond", anchor, SIZE))
        return svg.element("g", *shapes, cls="pair-row")
    else:
        shapes.append(_bar(axis, value, y, bar))
    if cell.low is not None and cell.high is not None:
        shapes.append(svg.line(axis.at(cell.low), y, axis.at(cell.high), y, "interval"))
    return svg.element("g", *shapes, cls="pair-row")


def _bar(axis: PlotAxis, value: float, y: float, cls: str) -> Markup:
    start, end = sorted((axis.at(0), axis.at(value)))
    return svg.element("rect", x=start, y=y - 5, width=end - start, height=10, cls=cls)
