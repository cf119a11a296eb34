"""Tables and pictures of single cells of a matrix, shared by runs and comparisons."""

from collections.abc import Mapping, Sequence

from tiltmeter.core.results import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.document import FILES_ONLY, PAGE, Column, Picture, Table
from tiltmeter.report.plots.heat import NARROW_SHEET, WIDE_SHEET, heat
from tiltmeter.report.plots.matrix_grid import Cells, MatrixGrid, count_significant
from tiltmeter.report.text import (
    adjustment,
    axis_title,
    final_p,
    is_significant,
    number,
    p_text,
    span,
)

CELL_ROWS = 10
"""How many of the cells with the strongest and with the weakest evidence are listed."""
IN_TERMINAL = 8
MOST_ROWS_LISTED = 60
"""The terminal has a line each for so many rows, the strongest."""
UNSURE = "?"
"""Marks a value that is not significant."""


def surest(grid: MatrixGrid) -> list[Estimate]:
    """Cells by p, the smallest first, and by size where p is the same; those without p are left out."""
    tested = [cell for cell in grid.known if cell.p is not None]
    return sorted(tested, key=lambda cell: (cell.p, -abs(cell.value or 0.0)))


def heat_map(
    grid: MatrixGrid, *, name: str, title: str, caption: str, reach: float | None = None
) -> Picture:
    """The heat map, with every value in a table under it."""
    return Picture(
        name,
        heat(grid, name=name, title=title, sheet=WIDE_SHEET, reach=reach),
        heat(grid, name=f"{name}-narrow", title=title, sheet=NARROW_SHEET, reach=reach),
        caption,
        wide_table(grid, title, name),
    )


def wide_table(grid: MatrixGrid, title: str, name: str) -> Table:
    """A row a row and a column a column, as the heat map stands."""
    columns = [Column(axis_title(grid.view.rows).capitalize(), grid.row_labels, number=False,
                      name=grid.view.rows)]  # fmt: skip
    for column in grid.column_labels:
        cells = [grid.cells.get((row, column)) for row in grid.row_labels]
        head = " – ".join(_traits(grid, column))
        values = [None if cell is None else cell.value for cell in cells]
        columns.append(Column(head, values, name=column, shown=[_marked(c) for c in cells]))
    return Table(title, columns, notes=["* significant"], on=PAGE, name=name)


def _traits(grid: MatrixGrid, column: str) -> tuple[str, str]:
    return next(grid.traits(cell) for key, cell in grid.cells.items() if key[1] == column)


def _marked(cell: Estimate | None) -> str:
    if cell is None:
        return ""
    return value_text(cell) + ("*" if is_significant(cell) else "")


def value_text(cell: Estimate) -> str:
    """The value without its unit."""
    return "undefined" if cell.value is None else number(cell.value, cell.unit)


def cell_table(
    grid: MatrixGrid,
    cells: Sequence[Estimate],
    title: str,
    *,
    name: str,
    most: int = IN_TERMINAL,
    first: str = "",
) -> Table:
    """A row a cell: the row, the trait that it is nearer to and the opposite one, value and p.

    Args:
        grid: That the cells are of.
        cells: In the order in which they are listed.
        title: Of the table.
        name: Of its file.
        most: Rows that the terminal shows.
        first: Of a difference: what is nearer to the trait ("first model nearer to").
    """
    how = adjustment(cells)
    ends = [_ends(grid, cell) for cell in cells]
    ps = [final_p(cell) for cell in cells]
    return Table(
        title,
        [
            Column(axis_title(grid.view.rows), [grid.row(c) for c in cells], number=False,
                   name=grid.view.rows),
            Column(axis_title(grid.view.columns), [grid.column(c) for c in cells], number=False,
                   name=grid.view.columns, on=FILES_ONLY),
            Column(first or "nearer to", [near for near, _ in ends], number=False, name="nearer_to"),
            Column("than to", [far for _, far in ends], number=False, drop=3, in_files=False),
            Column("value", [c.value for c in cells], shown=[value_text(c) for c in cells]),
            *interval_columns(cells),
            Column(f"p ({how})" if how else "p", ps,
                   shown=["" if p is None else p_text(p) for p in ps], drop=1, name="p"),
            Column("", [is_significant(c) for c in cells], on=FILES_ONLY, name="significant"),
        ],
        strong=[is_significant(cell) is True for cell in cells],
        most=most,
        name=name,
    )  # fmt: skip


def interval_columns(estimates: Sequence[Estimate]) -> list[Column]:
    """The interval in words for readers, and its two ends for files."""
    return [
        Column("interval", [span(e) or None for e in estimates],
               shown=[span(e, "–") for e in estimates], drop=2, in_files=False),
        Column("low", [e.low for e in estimates], on=FILES_ONLY),
        Column("high", [e.high for e in estimates], on=FILES_ONLY),
    ]  # fmt: skip


def _ends(grid: MatrixGrid, cell: Estimate) -> tuple[str, str]:
    """The trait that the value points to, and the opposite one."""
    left, right = grid.traits(cell)
    return (left, right) if (cell.value or 0.0) < 0 else (right, left)


def side_columns(grid: MatrixGrid, cells: Sequence[Estimate]) -> list[Column]:
    """The score of each side by itself; [] where the study does not report them."""
    if not any(grid.sides):
        return []
    return [
        _side_column(name, side, grid, cells)
        for name, side in zip(("left", "right"), grid.sides, strict=True)
    ]


def _side_column(name: str, side: Cells, grid: MatrixGrid, cells: Sequence[Estimate]) -> Column:
    found = [side.get((grid.row(cell), grid.column(cell))) for cell in cells]
    values = [None if e is None else e.value for e in found]
    unit = grid.unit
    return Column(f"s({name})", values, name=name,
                  shown=["" if v is None else number(v, unit) for v in values])  # fmt: skip


def row_table(grid: MatrixGrid, strengths: Mapping[str, Estimate]) -> Table:
    """The strongest rows first: mean size, how many columns are significant, and the ends.

    Args:
        grid: The cells.
        strengths: By row, where the study reports how far its cells lie from 0.
    """
    cells: dict[str, list[Estimate]] = {}
    for cell in grid.cells.values():
        cells.setdefault(grid.row(cell), []).append(cell)
    sizes = {
        row: e.value if (e := strengths.get(row)) else _mean(own) for row, own in cells.items()
    }
    rows = sorted(cells, key=lambda row: -(sizes[row] or 0.0))
    view = grid.view
    return Table(
        f"By {axis_title(view.rows)}, {visible(grid.unit)}",
        [
            Column("", rows, number=False, name=view.rows),
            Column("mean", [sizes[row] for row in rows],
                   shown=["" if (m := sizes[row]) is None else number(m) for row in rows], drop=3),
            Column("significant", [count_significant(cells[row]) for row in rows]),
            Column("strongest left", [_end(grid, cells[row], -1) for row in rows], number=False, drop=1),
            Column("strongest right", [_end(grid, cells[row], 1) for row in rows], number=False, drop=2),
        ],
        notes=[f"significant: of {grid.all_columns:,} {view.column_names}. {UNSURE}: not significant."],
        most=MOST_ROWS_LISTED,
        name=f"by_{view.rows}",
    )  # fmt: skip


def _mean(cells: Sequence[Estimate]) -> float | None:
    """How far a row's cells lie from 0 on average, either way."""
    known = [abs(cell.value) for cell in cells if cell.value is not None]
    return sum(known) / len(known) if known else None


def _end(grid: MatrixGrid, cells: Sequence[Estimate], side: int) -> str:
    """The trait on one side that the row is nearest to; "" where it leans to none there."""
    found = max(cells, key=lambda c: side * (c.value or 0.0), default=None)
    if found is None or side * (found.value or 0.0) <= 0:
        return ""
    mark = "" if is_significant(found) else UNSURE
    return f"{grid.nearer(found)} {number(found.value or 0.0)}{mark}"
