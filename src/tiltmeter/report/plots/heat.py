"""A heat map of a matrix: the colour of a cell says which of two traits its row is nearer to."""

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.plots import svg
from tiltmeter.report.plots.matrix_grid import Block, MatrixGrid, traits_of
from tiltmeter.report.plots.squares import HeatLayout, head, legend, square
from tiltmeter.report.text import final_p, number, p_text, sides, span, why_undefined

WIDE_SHEET = HeatLayout(width=720, left=172, widest=44, row=18, head=200, size=12, legend=66)
NARROW_SHEET = HeatLayout(
    width=340, left=112, widest=26, row=15, head=170, size=10.5, legend=78, narrow=True
)
HEAD_GAP, BLOCK_GAP, DOMAIN = 10, 6, 20
TITLE = 26
"""Height of the title over all else."""
BOLD = 1.1
"""So much broader bold letters are."""


def heat(
    grid: MatrixGrid,
    *,
    name: str,
    title: str,
    sheet: HeatLayout = WIDE_SHEET,
    reach: float | None = None,
) -> Markup:
    """The cells that are shown, as an inline SVG; significant ones large, others small.

    Args:
        grid: At least one cell.
        name: Makes the ids in the page unique.
        title: What the picture shows and of which model, drawn over it.
        sheet: WIDE_SHEET or NARROW_SHEET.
        reach: The value that has the deepest colour, to share it between pictures.
    """
    reach = reach or grid.reach
    places, step = _columns(grid, sheet)
    bottom = TITLE + sheet.legend + _head_height(grid, sheet)
    shown = svg.fitted(visible(title), sheet.width, BOLD * 13)
    parts = [
        svg.text(shown, 0, 14, "domain", size=13),
        _legend(grid, sheet, reach),
        _heads(grid, places, step, bottom, sheet),
    ]
    y = bottom
    for block in grid.rows:
        if block.name:
            y += DOMAIN
            parts.append(_heading(block, y, sheet))
        for row in block.members:
            parts.append(_row(grid, row, y, places, step, sheet, reach))
            y += sheet.row
        y += BLOCK_GAP
    return svg.figure(name, title, _description(grid), (sheet.width, y + 4), *parts)


def _columns(grid: MatrixGrid, sheet: HeatLayout) -> tuple[dict[str, float], float]:
    """Where each column begins, and how wide it is."""
    gaps = BLOCK_GAP * (len(grid.columns) - 1)
    step = min(sheet.widest, (sheet.width - sheet.left - gaps) / max(len(grid.column_labels), 1))
    places, x = {}, float(sheet.left)
    for block in grid.columns:
        for column in block.members:
            places[column] = x
            x += step
        x += BLOCK_GAP
    return places, step


def _head_height(grid: MatrixGrid, sheet: HeatLayout) -> float:
    heads = (" – ".join(traits_of(column)) for column in grid.column_labels)
    longest = max(svg.breadth(head, sheet.size) for head in heads)
    return min(longest, sheet.head) + HEAD_GAP + (DOMAIN if _named(grid) else 0)


def _named(grid: MatrixGrid) -> bool:
    return any(block.name for block in grid.columns)


def _heads(
    grid: MatrixGrid, places: dict[str, float], step: float, bottom: float, sheet: HeatLayout
) -> Markup:
    """The columns, read upwards, each trait in its colour; what they are sorted into over them."""
    size, top = min(sheet.size, step), TITLE + sheet.legend
    parts = []
    for column, x in places.items():
        left, right = traits_of(column)
        if svg.breadth(f"{left} – {right}", size) > sheet.head:
            half = (sheet.head - svg.breadth(" – ", size)) / 2
            left, right = (svg.fitted(trait, half, size) for trait in (left, right))
        traits = (svg.element("tspan", left, cls="left"), " – ",
                  svg.element("tspan", right, cls="right"))  # fmt: skip
        parts.append(head(traits, x + step / 2, bottom, size))
    for block in grid.columns:
        if block.name:
            start, end = places[block.members[0]], places[block.members[-1]] + step
            cut = svg.fitted(visible(block.name), end - start, BOLD * sheet.size)
            parts += [
                svg.line(start, top + 15, end, top + 15, "axis"),
                svg.text(cut, start, top + 10, "dimension", size=sheet.size),
            ]
    return Markup("").join(parts)


def _heading(block: Block, y: float, sheet: HeatLayout) -> Markup:
    cut = svg.fitted(visible(block.name), sheet.left - 8, BOLD * sheet.size)
    return svg.text(cut, sheet.left - 8, y - 4, "domain", "end", sheet.size)


def _row(
    grid: MatrixGrid,
    row: str,
    y: float,
    places: dict[str, float],
    step: float,
    sheet: HeatLayout,
    reach: float,
) -> Markup:
    cut = svg.fitted(visible(row), sheet.left - 8, sheet.size)
    named = svg.text(cut, sheet.left - 8, y + sheet.row - 5, "label", "end", sheet.size)
    cells = [
        square(
            cell.value, cell_words(grid, cell), (x, y, step, sheet.row),
            significant=cell.significant is True, reach=reach,
        )
        for column, x in places.items()
        if (cell := grid.cells.get((row, column)))
    ]  # fmt: skip
    return svg.element("g", named, *cells, cls="group")


def cell_words(grid: MatrixGrid, cell: Estimate) -> str:
    """A cell in words, for whoever points at it: "elderly, old – new: −0.420, p 0.003; nearer to old"."""
    start = f"{visible(grid.row(cell))}, {' – '.join(grid.traits(cell))}: "
    if cell.value is None:
        return f"{start}undefined: {why_undefined(cell)}"
    p, inside = final_p(cell), span(cell)
    parts = [number(cell.value, cell.unit), f" ({inside})" if inside else ""]
    parts.append("" if p is None else f", p {p_text(p)}")
    if cell.name == grid.view.measure:
        nearer, sure = grid.nearer(cell), cell.significant
        parts.append(f"; nearer to {nearer}" if nearer and sure else "; not significant")
    return start + "".join(parts)


def _legend(grid: MatrixGrid, sheet: HeatLayout, reach: float) -> Markup:
    """Swatches from one end of the colours to the other, and what the marks mean."""
    beyond = any(abs(cell.value or 0.0) > reach for cell in grid.shown)
    ends = (f"≤ −{reach:g}", f"≥ {reach:g}") if beyond else (f"−{reach:g}", f"{reach:g}")
    low, high = sides(next(iter(grid.cells.values()))) or ("lower", "higher")
    x = 0.0 if sheet.narrow else float(sheet.left)
    return legend(x, TITLE + 16.0, (f"← {low}", f"{high} →"), ends, narrow=sheet.narrow)


def _description(grid: MatrixGrid) -> str:
    """What there is to see; each cell says its own when it is pointed at, and the table has all."""
    known = sorted(grid.known, key=lambda cell: -abs(cell.value or 0.0))[:5]
    strongest = "; ".join(cell_words(grid, cell) for cell in known)
    view = grid.view
    size = (
        f"{len(grid.row_labels)} {view.row_names} by {len(grid.column_labels)} {view.column_names}"
    )
    return (
        f"{size}; {grid.significant} of all {len(grid.known)} cells are significant. "
        f"Strongest: {strongest}"
    )
