"""A heat map of a matrix, in which the colour of a cell shows which of two traits its row is nearer to."""

import math
from dataclasses import replace

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted, verb_for, visible
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.matrix_grid import MatrixGrid, traits_of
from tiltmeter.report.plots.squares import HeatLayout, cell_words, head, legend, marks_of, square
from tiltmeter.report.text import sides

WIDE = HeatLayout(width=720, left=240, widest=44, row=18, head=260, size=12, legend=66)
NARROW = HeatLayout(
    width=340, left=180, widest=26, row=15, head=240, size=10.5, legend=78, narrow=True
)
HEAD_GAP, BLOCK_GAP, DOMAIN = 10, 6, 20
TITLE = 26
"""The height of the title."""
BOLD = 1.1
"""How much broader bold letters are than others."""


def heat(
    grid: MatrixGrid,
    *,
    name: str,
    title: str,
    layout: HeatLayout = WIDE,
    reach: float | None = None,
) -> Markup:
    """The heat map as an inline SVG, with large squares for significant cells and small ones for others.

    Values from `reach` on have the deepest colour; pictures to be compared share it. None fits the cells.
    """
    reach = reach or grid.reach
    bold = [block.name for block in grid.rows]
    longest = max(
        *(svg.breadth(visible(row), layout.size) for row in grid.row_labels),
        *(svg.breadth(visible(name), BOLD * layout.size) for name in bold),
    )
    layout = replace(layout, left=min(layout.left, math.ceil(longest) + 8))
    places, step = _columns(grid, layout)
    bottom = TITLE + layout.legend + _head_height(grid, layout)
    shown = svg.fitted(visible(title), layout.width, BOLD * 13)
    shapes = [
        svg.text(shown, 0, 14, "domain", size=13),
        _legend(grid, layout, reach),
        _heads(grid, places, step, bottom, layout),
    ]
    y = bottom
    for block in grid.rows:
        if block.name:
            y += DOMAIN
            cut = svg.fitted(visible(block.name), layout.left - 8, BOLD * layout.size)
            shapes.append(svg.text(cut, layout.left - 8, y - 4, "domain", "end", layout.size))
        for row in block.members:
            shapes.append(_row(grid, row, y, places, step, layout, reach))
            y += layout.row
        y += BLOCK_GAP
    return svg.figure(name, title, _description(grid), (layout.width, y + 4), *shapes)


def _columns(grid: MatrixGrid, layout: HeatLayout) -> tuple[dict[str, float], float]:
    """The left end of each column, and the width of all columns."""
    gaps = BLOCK_GAP * (len(grid.columns) - 1)
    step = min(layout.widest, (layout.width - layout.left - gaps) / max(len(grid.column_labels), 1))
    places, x = {}, float(layout.left)
    for block in grid.columns:
        for column in block.members:
            places[column] = x
            x += step
        x += BLOCK_GAP
    return places, step


def _head_height(grid: MatrixGrid, layout: HeatLayout) -> float:
    heads = (" – ".join(traits_of(column)) for column in grid.column_labels)
    longest = max(svg.breadth(head, layout.size) for head in heads)
    return min(longest, layout.head) + HEAD_GAP + DOMAIN * any(block.name for block in grid.columns)


def _heads(
    grid: MatrixGrid, places: dict[str, float], step: float, bottom: float, layout: HeatLayout
) -> Markup:
    """The names of the columns, read upwards, with each trait in its colour, under those of their domains."""
    size, top = min(layout.size, step), TITLE + layout.legend
    shapes = []
    for column, x in places.items():
        left, right = traits_of(column)
        if svg.breadth(f"{left} – {right}", size) > layout.head:
            half = (layout.head - svg.breadth(" – ", size)) / 2
            left, right = (svg.fitted(trait, half, size) for trait in (left, right))
        traits = (svg.element("tspan", left, cls="left"), " – ",
                  svg.element("tspan", right, cls="right"))  # fmt: skip
        shapes.append(head(traits, x + step / 2, bottom, size))
    for block in grid.columns:
        if block.name:
            start, end = places[block.members[0]], places[block.members[-1]] + step
            cut = svg.fitted(visible(block.name), end - start, BOLD * layout.size)
            shapes += [
                svg.line(start, top + 15, end, top + 15, "axis"),
                svg.text(cut, start, top + 10, "dimension", size=layout.size),
            ]
    return Markup("").join(shapes)


def _row(
    grid: MatrixGrid,
    row: str,
    y: float,
    places: dict[str, float],
    step: float,
    layout: HeatLayout,
    reach: float,
) -> Markup:
    cut = svg.fitted(visible(row), layout.left - 8, layout.size)
    name = svg.text(cut, layout.left - 8, y + layout.row - 5, "label", "end", layout.size)
    cells = [
        square(
            cell.value, words_of(grid, cell), (x, y, step, layout.row),
            significant=shown_significant(cell) is True, reach=reach,
        )
        for column, x in places.items()
        if (cell := grid.cells.get((row, column)))
    ]  # fmt: skip
    return svg.element("g", name, *cells, cls="group")


def words_of(grid: MatrixGrid, cell: Estimate) -> str:
    """A cell in words, for its tooltip: "elderly, old – new: −0.420, p 0.003; nearer to old"."""
    words = cell_words(cell, grid.row(cell), " – ".join(grid.traits(cell)), with_n=False)
    if cell.name != grid.view.measure or cell.value is None:
        return words
    nearer = grid.nearer(cell) if shown_significant(cell) else ""
    return f"{words}; {f'nearer to {nearer}' if nearer else 'not significant'}"


def _legend(grid: MatrixGrid, layout: HeatLayout, reach: float) -> Markup:
    """The legend of the colours and of the marks."""
    beyond = any(abs(cell.value or 0.0) > reach for cell in grid.shown)
    ends = (f"≤ −{reach:g}", f"≥ {reach:g}") if beyond else (f"−{reach:g}", f"{reach:g}")
    low, high = sides(next(iter(grid.cells.values()))) or ("lower", "higher")
    x = 0.0 if layout.narrow else float(layout.left)
    marks = marks_of(grid.shown)
    return legend(x, TITLE + 16.0, (f"← {low}", f"{high} →"), ends, marks, narrow=layout.narrow)


def _description(grid: MatrixGrid) -> str:
    """The picture in words: its size, how many cells are significant, and the five strongest."""
    known = sorted(grid.known, key=lambda cell: -abs(cell.value or 0.0))[:5]
    strongest = "; ".join(words_of(grid, cell) for cell in known)
    view = grid.view
    rows = counted(len(grid.row_labels), view.row_names)
    columns = counted(len(grid.column_labels), view.column_names)
    return (
        f"{rows} by {columns}; {grid.significant} of {counted(len(grid.known), 'cells')} "
        f"{verb_for(grid.significant, 'are')} significant. Strongest: {strongest}"
    )
