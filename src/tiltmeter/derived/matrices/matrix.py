"""Matrices: one number for each row and column, as a study's Matrix view declares them."""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import spreadsheet_text
from tiltmeter.core.types import Array
from tiltmeter.data.files.matrix_table import COLUMNS, ROWS, VALUE, read_matrix_table
from tiltmeter.run.files import folder

TABLE = Matrix(VALUE, rows=ROWS, columns=COLUMNS, called=("groups", "pairs of traits"))
"""The view of a matrix that comes from a table and not from a run."""
NEEDS_MATRIX = "give a run of a study with a matrix, such as groups by traits, or a table"


def matrix_view(card: Card) -> Matrix | None:
    """The Matrix view that a study declared for this result; None where it has none."""
    return next((view for view in card.views if isinstance(view, Matrix)), None)


def required_view(card: Card) -> Matrix:
    """The Matrix view of a result that must have one; see `matrix_view`.

    Raises:
        BadInput: The result has none.
    """
    view = matrix_view(card)
    if view is None:
        raise BadInput(f"this run of {card.study} has no matrix", NEEDS_MATRIX)
    return view


@dataclass(frozen=True, slots=True)
class ScoreMatrix:
    """One number for each row (a group) and column (a pair of traits)."""

    name: str
    """The model or the people whose matrix it is."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    """Each "left - right": below neutral the row is nearer to the left trait."""
    values: Array
    """Shape (rows, columns); NaN where there is none."""
    low: Array
    high: Array
    p: Array
    """The p of each cell after adjustment over all cells, in the shape of `values`; NaN where there is
    none."""
    why: tuple[str, ...] = ()
    """Which cells have no value, and for what reason."""
    n: Array | None = None
    """How many scores each value was computed from; None where that is not known."""
    view: Matrix = TABLE
    notes: tuple[str, ...] = ()
    """For a table: what the reader took as missing."""


@dataclass(frozen=True, slots=True)
class ScoreLayers:
    """A matrix for each layer (a template), of scores before any averaging."""

    name: str
    layers: tuple[str, ...]
    families: tuple[str, ...]
    """The family of each layer; "" for none."""
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    left: Array
    """Scores of the left side, shape (layers, rows, columns); NaN where there is none."""
    right: Array
    row_domains: tuple[str, ...] = ()
    """The domain of each row; "" where the data do not say."""
    column_domains: tuple[str, ...] = ()
    components: tuple[tuple[str, str], ...] = ()
    """The two components of each row, in this order; ("", "") for a single group."""
    view: Matrix = TABLE

    @property
    def values(self) -> Array:
        """Right − left, shape (layers, rows, columns)."""
        return np.asarray(self.right - self.left, dtype=np.float64)

    def averaged(self) -> ScoreMatrix:
        """The mean over all layers; NaN where one has none."""
        values = self.values.mean(axis=0)
        none = np.full(values.shape, np.nan)
        return ScoreMatrix(self.name, self.rows, self.columns, values, none, none, none,
                           view=self.view)  # fmt: skip


def is_matrix(result: Result) -> bool:
    """Whether a result has a number for each row and column of a matrix."""
    view = matrix_view(result.card)
    return view is not None and bool(cells_of(result.estimates, view))


def cells_of(
    estimates: Sequence[Estimate], view: Matrix, measure: str = ""
) -> dict[tuple[str, str], Estimate]:
    """The estimates of single cells by (row, column).

    Args:
        estimates: Among others those of cells.
        view: Says which measure and axes they have.
        measure: In place of the view's own.
    """
    name, axes = measure or view.measure, {view.rows, view.columns}
    return {
        (e.groups[view.rows], e.groups[view.columns]): e
        for e in estimates
        if e.name == name and set(e.groups) == axes
    }


def matrix_of(result: Result) -> ScoreMatrix:
    """The estimates of each cell; rows and columns in the order in which the records have them.

    Raises:
        BadInput: The result has no such estimates.
    """
    view = required_view(result.card)
    cells = cells_of(result.estimates, view)
    if not cells:
        raise BadInput(f"this run of {result.card.study} has no matrix", NEEDS_MATRIX)
    axes = _labels(result, view)
    rows, columns = (
        tuple(axis.codes) or tuple(dict.fromkeys(key[i] for key in cells))
        for i, axis in enumerate(axes)
    )
    values, low, high, p = (np.full((len(rows), len(columns)), np.nan) for _ in range(4))
    n = np.zeros((len(rows), len(columns)))
    why = []
    for i, row in enumerate(rows):
        for j, column in enumerate(columns):
            e = cells.get((row, column))
            n[i, j] = e.n if e else 0
            if e is None or e.value is None:
                why.append(f"{row}, {column}: {e.why if e else 'not asked'}")
                continue
            adjusted = e.p if e.p_adjusted is None else e.p_adjusted
            for table, number in ((values, e.value), (low, e.low), (high, e.high), (p, adjusted)):
                table[i, j] = np.nan if number is None else number
    name = result.card.model_name
    return ScoreMatrix(name, rows, columns, values, low, high, p, tuple(why), n, view)


def has_layers(result: Result) -> bool:
    """Whether its records are of layers (templates) whose scores make the cells."""
    view = matrix_view(result.card)
    if view is None or not view.layers or not all(view.sides.scores):
        return False
    return any(view.layers in record.groups for record in result.records[:1])


def layers_of(result: Result) -> ScoreLayers:
    """The scores of each cell, layer by layer.

    Raises:
        BadInput: The records have no rows, columns and layers.
    """
    view = required_view(result.card)
    axes = [
        _Axis(view.layers, view.domains.layers),
        _Axis(view.rows, view.domains.rows),
        _Axis(view.columns, view.domains.columns),
    ]
    components: dict[str, tuple[str, str]] = {}
    codes, scores = array("l"), array("d")
    for record in result.records:  # once, as there may be a million
        groups = record.groups
        if not all(axis.name in groups for axis in axes):
            continue
        codes.extend(axis.code(groups) for axis in axes)
        first, second = (groups.get(axis, "") for axis in view.crossed.components)
        components.setdefault(groups[view.rows], (first, second))
        scores.extend(record.scores.get(side, np.nan) for side in view.sides.scores)
    if not codes:
        raise BadInput(f"the records of {result.card.study} do not form a matrix", NEEDS_MATRIX)
    left, right = (np.full([len(axis.codes) for axis in axes], np.nan) for _ in range(2))
    at = tuple(np.frombuffer(codes, dtype=np.dtype("l")).reshape(-1, len(axes)).T)
    left[at], right[at] = np.frombuffer(scores, dtype=np.float64).reshape(-1, 2).T
    layers, rows, columns = axes
    return ScoreLayers(
        result.card.model_name,
        tuple(layers.codes),
        tuple(layers.sorts.values()),
        tuple(rows.codes),
        tuple(columns.codes),
        left,
        right,
        tuple(rows.sorts.values()),
        tuple(columns.sorts.values()),
        tuple(components.values()),
        view,
    )


@dataclass(slots=True)
class _Axis:
    """The labels of an axis in the order of the records, and what each label is sorted into."""

    name: str
    sort: str
    codes: dict[str, int] = field(default_factory=dict)
    sorts: dict[str, str] = field(default_factory=dict)

    def code(self, groups: Mapping[str, str]) -> int:
        """The number of a record's label, by first appearance."""
        label = groups[self.name]
        self.sorts.setdefault(label, groups.get(self.sort, ""))
        return self.codes.setdefault(label, len(self.codes))


def axes_of(result: Result) -> ScoreLayers | None:
    """The scores of each cell by layer; without layers only the axes, and None without either."""
    view = matrix_view(result.card)
    if view is None:
        return None
    if has_layers(result):
        return layers_of(result)
    rows, columns = _labels(result, view)
    if not rows.codes or not columns.codes:
        return None
    none = np.empty((0, len(rows.codes), len(columns.codes)))
    return ScoreLayers(
        result.card.model_name, (), (), tuple(rows.codes), tuple(columns.codes), none, none,
        row_domains=tuple(rows.sorts.values()), column_domains=tuple(columns.sorts.values()),
        view=view,
    )  # fmt: skip


def _labels(result: Result, view: Matrix) -> tuple[_Axis, _Axis]:
    """The rows and the columns in the order in which records have them."""
    rows, columns = _Axis(view.rows, view.domains.rows), _Axis(view.columns, view.domains.columns)
    for record in result.records:
        if rows.name in record.groups and columns.name in record.groups:
            rows.code(record.groups)
            columns.code(record.groups)
    return rows, columns


def read_matrix(path: Path, *, encoding: str = "") -> ScoreMatrix:
    """The matrix of a run folder or of a table, which is wide, or long with a row for each cell.

    Raises:
        BadInput: It is neither; or a cell is no number, or is given twice.
    """
    if path.is_dir():
        return matrix_of(folder.read(path))
    table = read_matrix_table(path, encoding=encoding)
    view = Matrix(VALUE, table.row_axis, table.column_axis, called=TABLE.called)
    none = np.full(table.values.shape, np.nan)
    return ScoreMatrix(
        path.stem, table.rows, table.columns, table.values, none, none, none, view=view,
        notes=table.notes,
    )  # fmt: skip


def opposites(column: str) -> tuple[str, str]:
    """The left and the right trait of a column's name.

    >>> opposites("low status - high status"), opposites("mood")
    (('low status', 'high status'), ('low mood', 'high mood'))
    """
    left, sign, right = column.partition(" - ")
    return (left, right) if sign else (f"low {column}", f"high {column}")


def as_csv(matrix: ScoreMatrix) -> str:
    """A CSV with a line for each cell: row, column, value, low, high, p, n; empty where there is no number.

    >>> one = np.array([[0.5]])
    >>> print(as_csv(ScoreMatrix("m", ("women",), ("cold - warm",), one, one, one, one)))
    group,pair,value,low,high,p,n
    women,cold - warm,0.5,0.5,0.5,0.5,
    <BLANKLINE>
    """
    import polars as pl  # noqa: PLC0415  (slow to import)

    rows, columns = matrix.values.shape
    row_names = list(map(spreadsheet_text, matrix.rows))
    column_names = list(map(spreadsheet_text, matrix.columns))
    numbers = {VALUE: matrix.values, "low": matrix.low, "high": matrix.high, "p": matrix.p}
    n = np.full(matrix.values.shape, np.nan) if matrix.n is None else matrix.n
    table = pl.DataFrame({
        spreadsheet_text(matrix.view.rows): [row for row in row_names for _ in range(columns)],
        spreadsheet_text(matrix.view.columns): [name for _ in range(rows) for name in column_names],
        **{name: pl.Series(table.ravel()).fill_nan(None) for name, table in numbers.items()},
        "n": pl.Series(n.ravel()).fill_nan(None).cast(pl.Int64),
    })  # fmt: skip
    return table.write_csv()
