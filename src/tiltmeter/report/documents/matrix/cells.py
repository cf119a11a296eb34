"""Tables and heat maps of the cells of a matrix, for the documents of runs and of comparisons."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import counted, visible
from tiltmeter.derived.matrices.matrix import ScoreLayers, axes_of
from tiltmeter.report.columns import (
    TableRows,
    interval_columns,
    p_column,
    significant,
    value_column,
)
from tiltmeter.report.document import FILES_ONLY, PAGE, Column, Picture, Table
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.few_items import few_mark, few_note, shown_significant
from tiltmeter.report.plots.heat import NARROW, WIDE, heat
from tiltmeter.report.plots.matrix_grid import MatrixGrid, count_significant, grid_of, traits_of
from tiltmeter.report.text import axis_title, bare_value, name_of, number
from tiltmeter.report.value_marks import mark_notes

CELL_ROWS = 10
"""How many cells are listed, both of those with the strongest evidence and of those with the weakest."""
IN_TERMINAL = 8
MOST_ROWS_LISTED = 60
"""How many rows of a matrix the terminal lists, the strongest first."""
UNSURE = "?"
"""Marks a value that is not significant."""


@dataclass(frozen=True, slots=True)
class MatrixShown:
    """A result's matrix, laid out for its document."""

    result: Result
    view: Matrix
    grid: MatrixGrid
    axes: ScoreLayers | None
    """The domains of rows and columns, with scores by layer where the records have them; None for none."""
    key: str = "m"
    """The beginning of anchors and of names of pictures, such as "m1"."""

    @property
    def model(self) -> str:
        """The name of the model."""
        return name_of(self.result)

    @property
    def layers(self) -> ScoreLayers | None:
        """Scores by layer; None where the matrix has no layers."""
        return self.axes if self.axes and self.axes.layers else None

    def strengths(self, axis: str) -> Mapping[str, Estimate]:
        """The study's strengths (how far cells are from 0) by the values of one axis."""
        return {
            e.groups[axis]: e
            for e in self.result.estimates
            if e.name == self.view.strength and tuple(e.groups) == (axis,)
        }


def matrix_shown(result: Result, view: Matrix, key: str = "m") -> MatrixShown:
    """The matrix of a result, with rows and columns in the order of its records."""
    axes = axes_of(result)
    return MatrixShown(result, view, grid_of(result.estimates, view, axes), axes, key)


def surest(grid: MatrixGrid) -> list[Estimate]:
    """The tested cells, smallest p first; cells with the same p are ordered by size, largest first."""
    tested = [cell for cell in grid.known if cell.p is not None]
    return sorted(tested, key=lambda cell: (cell.p, -abs(cell.value or 0.0)))


def heat_map(
    grid: MatrixGrid, *, name: str, title: str, caption: str, reach: float | None = None
) -> Picture:
    """The heat map, with a table of all its values under it.

    `reach` is the value with the deepest colour; None lets the cells decide.
    """
    draw = partial(heat, grid, title=title, reach=reach)
    return in_two_layouts(name, draw, (WIDE, NARROW), caption, wide_table(grid, title, name))


def wide_table(grid: MatrixGrid, title: str, name: str) -> Table:
    """The matrix of the heat map as a table, with the same rows and columns."""
    rows, view = TableRows(grid.row_labels), grid.view
    columns = [rows.words(axis_title(view.rows).capitalize(), str, name=view.rows)]
    for column in grid.column_labels:
        cells = [grid.cells.get((row, column)) for row in grid.row_labels]
        head = " – ".join(traits_of(column))
        columns.append(TableRows(cells).shown(head, lambda e: e.value, marked, name=column))
    shown = grid.cells.values()
    stars = ["* significant"] if any(map(shown_significant, shown)) else []
    return Table(title, columns, notes=[*stars, *few_note(shown)], on=PAGE, name=name)


def marked(cell: Estimate) -> str:
    """The value of a cell, with a star where it is significant."""
    return bare_value(cell) + few_mark(cell) + ("*" if shown_significant(cell) else "")


def cell_table(
    grid: MatrixGrid,
    cells: Sequence[Estimate],
    title: str,
    *,
    name: str,
    most: int = IN_TERMINAL,
    first: str = "",
) -> Table:
    """A list of cells, each with its row, the trait that it is nearer to, the opposite trait, value and p.

    For differences, `first` replaces the heading "nearer to", as in "first model nearer to".
    """
    of, view = TableRows(cells), grid.view
    columns = [
        of.words(axis_title(view.rows), grid.row, name=view.rows),
        of.words(axis_title(view.columns), grid.column, name=view.columns, on=FILES_ONLY),
        of.words(first or "nearer to", lambda c: _ends(grid, c)[0], name="nearer_to"),
        of.words("than to", lambda c: _ends(grid, c)[1], drop=3, in_files=False),
        value_column(cells),
        *interval_columns(cells, drop=2),
        p_column(cells, drop=1),
        of.counts("n", lambda cell: cell.n, drop=4),
        *of.hidden({"significant": lambda c: c.significant}),
    ]
    few = mark_notes(cells)
    return Table(title, columns, strong=significant(cells), notes=few, most=most, name=name)


def _ends(grid: MatrixGrid, cell: Estimate) -> tuple[str, str]:
    """The trait that the cell leans to, and the opposite one."""
    left, right = grid.traits(cell)
    return (left, right) if (cell.value or 0.0) < 0 else (right, left)


def side_columns(grid: MatrixGrid, cells: Sequence[Estimate]) -> list[Column]:
    """Columns with the scores of the left and right sides; [] where the study does not report them."""
    if not any(grid.sides):
        return []
    return [
        TableRows([side.get((grid.row(cell), grid.column(cell))) for cell in cells]).numbers(
            f"{name} score", lambda e: e.value, lambda value: number(value, grid.unit), name=name
        )
        for name, side in zip(("left", "right"), grid.sides, strict=True)
    ]


def row_table(grid: MatrixGrid, strengths: Mapping[str, Estimate]) -> Table:
    """The rows of a matrix, strongest first, each with its strength and its number of significant cells.

    The table also names the traits of each row's extreme cells. `strengths` are the root mean squares by row,
    where the study reports them; otherwise the mean size of a row's cells is shown.
    """
    cells: dict[str, list[Estimate]] = {}
    for cell in grid.cells.values():
        cells.setdefault(grid.row(cell), []).append(cell)
    sizes = {
        row: e.value if (e := strengths.get(row)) else _mean(row_cells)
        for row, row_cells in cells.items()
    }
    ranked = sorted(cells, key=lambda row: -(sizes[row] or 0.0))
    view, rows = grid.view, TableRows(ranked)
    columns = [
        rows.words("", str, name=view.rows),
        rows.numbers("rms" if strengths else "mean", lambda row: sizes[row], drop=3),
        rows.counts("significant", lambda row: count_significant(cells[row])),
        rows.words("strongest left", lambda row: _end(grid, cells[row], -1), drop=1),
        rows.words("strongest right", lambda row: _end(grid, cells[row], 1), drop=2),
    ]
    note = f"significant: of {counted(grid.all_columns, view.column_names)}. {UNSURE}: not significant."
    title, name = f"By {axis_title(view.rows)}, {visible(grid.unit)}", f"by_{view.rows}"
    return Table(title, columns, notes=[note], most=MOST_ROWS_LISTED, name=name)


def _mean(cells: Sequence[Estimate]) -> float | None:
    """The mean absolute value of a row's cells; None where no cell has a value."""
    known = [abs(cell.value) for cell in cells if cell.value is not None]
    return sum(known) / len(known) if known else None


def _end(grid: MatrixGrid, cells: Sequence[Estimate], side: int) -> str:
    """The trait that a row is nearest to on one side (−1 left, 1 right) with its value; "" for none."""
    farthest = max(cells, key=lambda c: side * (c.value or 0.0), default=None)
    if farthest is None or side * (farthest.value or 0.0) <= 0:
        return ""
    mark = "" if shown_significant(farthest) else UNSURE
    return f"{grid.nearer(farthest)} {number(farthest.value or 0.0)}{mark}"
