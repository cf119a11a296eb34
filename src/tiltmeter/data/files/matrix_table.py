"""Reads matrices of numbers from wide or long tables."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.text import decimal_number
from tiltmeter.core.types import Array
from tiltmeter.data.files.rows import text_of
from tiltmeter.data.files.table import FileTable, TableRow
from tiltmeter.data.files.tables import read_table

ROWS, COLUMNS, VALUE = "group", "pair", "value"
"""The columns of a long table; with other names, row, column and "value" must be the first three, in this
order."""


LARGEST = 1e100
"""The maximum absolute value: its square must be finite, too."""


class MatrixTable(NamedTuple):
    """A matrix of numbers with the names of its rows and columns."""

    row_axis: str
    column_axis: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: Array
    """The numbers, shape (rows, columns); NaN where there is none."""
    notes: tuple[str, ...] = ()
    """Notes by the reader, for example on values that were read as missing."""


class _Entry(NamedTuple):
    row: object
    column: object
    value: object


def read_matrix_table(path: Path, *, encoding: str = "") -> MatrixTable:
    """Read a long table (group, pair, value) or a wide one (group, then one column per pair).

    Raises:
        BadInput: The table is neither; or a cell is not a number, or is given twice.
    """
    # The names of rows and columns are words: a group may be called "None".
    table = read_table(path, encoding=encoding, texts=_name_columns)
    axes = _axes(table.columns)
    problems: list[Problem] = []
    rows = table.usable(problems)
    entries = [entry for row in rows for entry in _entries(row, table, axes)]
    if problems:
        raise BadItems(problems, way_out="Correct these rows.")
    if not entries:
        reason = "it has no rows, or only one column"
        raise BadInput(reason, "give one row per group", file=path.name)
    filled = _filled(path.name, axes or (ROWS, COLUMNS), entries)
    return filled._replace(notes=tuple(table.notes))


def _name_columns(columns: Sequence[str]) -> tuple[str, ...]:
    return _axes(columns) or tuple(columns[:1])


def _axes(columns: Sequence[str]) -> tuple[str, str] | None:
    """The columns of a long table that name a cell's row and column; None for a wide table."""
    if {ROWS, COLUMNS, VALUE} <= set(columns):
        return ROWS, COLUMNS
    return (columns[0], columns[1]) if tuple(columns[2:3]) == (VALUE,) else None


def _entries(row: TableRow, table: FileTable, axes: tuple[str, str] | None) -> list[_Entry]:
    if axes:
        return [_Entry(row.cells.get(axes[0]), row.cells.get(axes[1]), row.cells[VALUE])]
    first, *rest = table.columns
    return [_Entry(row.cells[first], name, row.cells.get(name)) for name in rest if name]


def _filled(file: str, axes: tuple[str, str], entries: Sequence[_Entry]) -> MatrixTable:
    if not all(text_of(entry.row) and text_of(entry.column) for entry in entries):
        raise BadInput("a row has no group, or no pair of traits", "write its name", file=file)
    rows = tuple(dict.fromkeys(text_of(entry.row) for entry in entries))
    columns = tuple(dict.fromkeys(text_of(entry.column) for entry in entries))
    values = np.full((len(rows), len(columns)), np.nan)
    seen: set[tuple[int, int]] = set()
    for entry in entries:
        at = rows.index(text_of(entry.row)), columns.index(text_of(entry.column))
        cell = f"{rows[at[0]]}, {columns[at[1]]}"
        if at in seen:
            raise BadInput(f"{cell} is given twice", "leave one out", file=file)
        seen.add(at)
        values[at] = _number(entry.value, cell, file)
    return MatrixTable(*axes, rows, columns, values)


def _number(value: object, cell: str, file: str) -> float:
    """The finite number in a cell, or NaN if the cell is empty or says NaN."""
    text = text_of(value)
    if text.lower() in {"", "nan"}:
        return np.nan
    number = decimal_number(text)
    if number is None or abs(number) > LARGEST:
        is_finite = number is not None and np.isfinite(number)
        wrong = f"beyond ±{LARGEST:g}" if is_finite else "which is not a number"
        way_out = "give a table of numbers, with empty cells where there are none"
        raise BadInput(f"the cell {cell} is {text!r}, {wrong}", way_out, file=file)
    return number
