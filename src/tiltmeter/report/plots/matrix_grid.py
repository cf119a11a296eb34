"""Lays out the cells of a matrix for drawing: their order, headings, and which are shown."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

import numpy as np

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import visible
from tiltmeter.derived.matrices.matrix import ScoreLayers, cells_of, opposites
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots.scale import nice_step

MOST_ROWS, MOST_COLUMNS = 100, 40
"""How many rows and columns of a matrix are shown; of more, only the strongest."""
OUTLYING = 1.5
"""If the largest value is more than this many times the 99th percentile, the latter sets the colours."""
Cells = Mapping[tuple[str, str], Estimate]


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring rows of one domain, or columns of one dimension."""

    name: str
    """The domain or dimension; "" where the data name none."""
    members: tuple[str, ...]


@dataclass(frozen=True)
class MatrixGrid:
    """The cells of a matrix by row and column, in the order in which they are shown."""

    view: Matrix
    cells: Cells
    """All cells, including those that are not shown."""
    rows: Sequence[Block]
    """The rows that are shown, by domain."""
    columns: Sequence[Block]
    """The columns that are shown, by dimension."""
    all_rows: int
    """How many rows the matrix has."""
    all_columns: int
    """How many columns the matrix has."""
    sides: tuple[Cells, Cells]
    """The scores of the left and of the right sides; empty where the study reports none."""

    @cached_property
    def row_labels(self) -> list[str]:
        """The rows that are shown, in order."""
        return [label for block in self.rows for label in block.members]

    @cached_property
    def column_labels(self) -> list[str]:
        """The columns that are shown, in order."""
        return [label for block in self.columns for label in block.members]

    @cached_property
    def shown(self) -> list[Estimate]:
        """The cells that are shown, row by row."""
        at = ((row, column) for row in self.row_labels for column in self.column_labels)
        return [self.cells[key] for key in at if key in self.cells]

    @property
    def is_whole(self) -> bool:
        """Whether all rows and columns are shown."""
        shown = len(self.row_labels), len(self.column_labels)
        return shown == (self.all_rows, self.all_columns)

    @cached_property
    def known(self) -> list[Estimate]:
        """All cells that have a value."""
        return [cell for cell in self.cells.values() if cell.value is not None]

    @property
    def unit(self) -> str:
        """The unit of all cells."""
        return next(iter(self.cells.values())).unit

    @property
    def significant(self) -> int:
        """How many of all cells are significant."""
        return count_significant(self.known)

    @cached_property
    def reach(self) -> float:
        """The distance from 0 at which colours are deepest, the same on both sides."""
        end = usual_end([abs(cell.value or 0.0) for cell in self.shown])
        step = nice_step(end, 5)
        # Without the small number, a rounding error could add a step to an end that needs none.
        return float(step * np.ceil(end / step - 1e-9))

    @property
    def is_cut(self) -> bool:
        """Whether some values lie beyond the end of the colours."""
        return any(abs(cell.value or 0.0) > self.reach for cell in self.shown)

    def row(self, cell: Estimate) -> str:
        """The row that a cell is in."""
        return cell.groups[self.view.rows]

    def column(self, cell: Estimate) -> str:
        """The column that a cell is in."""
        return cell.groups[self.view.columns]

    def traits(self, cell: Estimate) -> tuple[str, str]:
        """The left and the right trait of a cell, for readers."""
        return traits_of(self.column(cell))

    def nearer(self, cell: Estimate) -> str:
        """The trait that the cell's row is nearer to; "" at 0."""
        value = cell.value or 0.0
        return "" if value == 0 else self.traits(cell)[value > 0]

    def of_row(self, row: str) -> list[Estimate]:
        """The cells of a row, in the order of the columns that are shown."""
        return [self.cells[row, c] for c in self.column_labels if (row, c) in self.cells]


def traits_of(column: str) -> tuple[str, str]:
    """The left and the right trait of a column, for readers."""
    left, right = opposites(column)
    return visible(left), visible(right)


def count_significant(cells: Iterable[Estimate]) -> int:
    """How many of these cells are significant."""
    return sum(shown_significant(cell) is True for cell in cells)


def usual_end(sizes: Sequence[float]) -> float:
    """The largest size, or the 99th percentile where the largest lies far beyond it; 1 if all are 0.

    >>> usual_end([0.25, 0.5]), usual_end([0.0])
    (0.5, 1.0)
    """
    most = max(sizes, default=0.0)
    usual = float(np.quantile(sizes, 0.99)) if most else 0.0
    end = usual if usual and most > OUTLYING * usual else most
    return end or 1.0


def grid_of(
    estimates: Sequence[Estimate],
    view: Matrix,
    axes: ScoreLayers | None = None,
    *,
    measure: str = "",
) -> MatrixGrid:
    """The cells of a matrix with rows and columns by domain, and only the strongest of too many.

    Domains and orders come from `axes`; with None, rows and columns are in the order of the estimates.
    `measure` names the measure of the cells; "" is the view's own.
    """
    cells = cells_of(estimates, view, measure)
    rows = dict(zip(axes.rows, axes.row_domains, strict=True)) if axes else {}
    columns = dict(zip(axes.columns, axes.column_domains, strict=True)) if axes else {}
    row_domains = {row: rows.get(row, "") for row in _ordered(rows, cells, 0)}
    column_domains = {column: columns.get(column, "") for column in _ordered(columns, cells, 1)}
    left, right = (cells_of(estimates, view, side) if side else {} for side in view.sides.measures)
    return MatrixGrid(
        view,
        cells,
        _blocks(row_domains, _strongest(cells, 0, MOST_ROWS)),
        _blocks(column_domains, _strongest(cells, 1, MOST_COLUMNS)),
        len(row_domains),
        len(column_domains),
        (left, right),
    )


def _ordered(known: Mapping[str, str], cells: Iterable[tuple[str, str]], axis: int) -> list[str]:
    """The labels along one axis that have cells, those in `known` first and in its order."""
    there = dict.fromkeys(key[axis] for key in cells)
    return [*(label for label in known if label in there), *(t for t in there if t not in known)]


def _strongest(cells: Cells, axis: int, most: int) -> set[str]:
    """The labels, at most `most`, whose cells are farthest from 0 on average."""
    sizes: dict[str, list[float]] = {}
    for key, cell in cells.items():
        sizes.setdefault(key[axis], []).append(abs(cell.value or 0.0))
    ranked = sorted(sizes, key=lambda label: -sum(sizes[label]) / len(sizes[label]))
    return set(ranked[:most])


def _blocks(of: Mapping[str, str], kept: set[str]) -> list[Block]:
    """The kept labels grouped by their domain, domains in the order of their first labels, unnamed last."""
    rank = {name: i for i, name in enumerate(dict.fromkeys(of.values()))} | {"": len(of)}
    labels = sorted((label for label in of if label in kept), key=lambda label: rank[of[label]])
    return [Block(name, tuple(some)) for name, some in groupby(labels, key=lambda label: of[label])]
