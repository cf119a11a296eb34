"""Tables and pictures of single cells of a matrix, shared by runs and comparisons."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from tiltmeter.core.results import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.columns import (
    TableRows,
    interval_columns,
    p_column,
    significant,
    value_column,
)
from tiltmeter.report.document import FILES_ONLY, PAGE, Column, Picture, Table
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.few_items import few_note
from tiltmeter.report.plots.heat import NARROW_SHEET, WIDE_SHEET, heat
from tiltmeter.report.plots.matrix_grid import MatrixGrid, count_significant, traits_of
from tiltmeter.report.plots.squares import HeatLayout
from tiltmeter.report.text import axis_title, number, value_text

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

    def draw(name: str, sheet: HeatLayout) -> Markup:
        return heat(grid, name=name, title=title, sheet=sheet, reach=reach)

    table = wide_table(grid, title, name)
    return in_two_layouts(name, draw, (WIDE_SHEET, NARROW_SHEET), caption, table)


def wide_table(grid: MatrixGrid, title: str, name: str) -> Table:
    """A row a row and a column a column, as the heat map stands."""
    rows, view = TableRows(grid.row_labels), grid.view
    columns = [rows.words(axis_title(view.rows).capitalize(), str, name=view.rows)]
    for column in grid.column_labels:
        cells = [grid.cells.get((row, column)) for row in grid.row_labels]
        head = " – ".join(traits_of(column))
        columns.append(
            TableRows(cells).shown(head, lambda e: e.value if e else None, marked, name=column)
        )
    return Table(
        title, columns, notes=["* significant", *few_note(grid.cells.values())], on=PAGE, name=name
    )


def marked(cell: Estimate | None) -> str:
    """The value, with a star where it is significant; "" for None."""
    return value_text(cell) + ("*" if cell.significant else "") if cell else ""


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
        most: TableRows that the terminal shows.
        first: Of a difference: what is nearer to the trait ("first model nearer to").
    """
    of, view = TableRows(cells), grid.view
    return Table(
        title,
        [
            of.words(axis_title(view.rows), grid.row, name=view.rows),
            of.words(axis_title(view.columns), grid.column, name=view.columns, on=FILES_ONLY),
            of.words(first or "nearer to", lambda c: _ends(grid, c)[0], name="nearer_to"),
            of.words("than to", lambda c: _ends(grid, c)[1], drop=3, in_files=False),
            value_column(cells),
            *interval_columns(cells, drop=2),
            p_column(cells, drop=1),
            *of.hidden({"significant": lambda c: c.significant}),
        ],
        strong=significant(cells),
        most=most,
        name=name,
    )


def _ends(grid: MatrixGrid, cell: Estimate) -> tuple[str, str]:
    """The trait that the value points to, and the opposite one."""
    left, right = grid.traits(cell)
    return (left, right) if (cell.value or 0.0) < 0 else (right, left)


def side_columns(grid: MatrixGrid, cells: Sequence[Estimate]) -> list[Column]:
    """The score of each side by itself; [] where the study does not report them."""
    if not any(grid.sides):
        return []
    return [
        TableRows([side.get((grid.row(cell), grid.column(cell))) for cell in cells]).numbers(
            f"{name} score",
            lambda e: e.value if e else None,
            lambda value: number(value, grid.unit),
            name=name,
        )
        for name, side in zip(("left", "right"), grid.sides, strict=True)
    ]


def row_table(grid: MatrixGrid, strengths: Mapping[str, Estimate]) -> Table:
    """The strongest rows first: their strength, how many columns are significant, and the ends.

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
    view, rows = grid.view, TableRows(sorted(cells, key=lambda row: -(sizes[row] or 0.0)))
    return Table(
        f"By {axis_title(view.rows)}, {visible(grid.unit)}",
        [
            rows.words("", str, name=view.rows),
            rows.numbers("rms" if strengths else "mean", lambda row: sizes[row], drop=3),
            rows.counts("significant", lambda row: count_significant(cells[row])),
            rows.words("strongest left", lambda row: _end(grid, cells[row], -1), drop=1),
            rows.words("strongest right", lambda row: _end(grid, cells[row], 1), drop=2),
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
    mark = "" if found.significant else UNSURE
    return f"{grid.nearer(found)} {number(found.value or 0.0)}{mark}"
