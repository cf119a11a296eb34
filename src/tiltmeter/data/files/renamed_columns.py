"""Maps the columns and values of a user's file to the names that a study reads.

`--map sent_more=stereotype` names the column of a field; `--map direction=label:0=stereo,1=antistereo` also
says what its values mean. Cells with other values are refused, unless `*=MEANING` gives all others a meaning,
or `*=*` keeps them as they are. A value that contains a comma is put in double quotes: `"a, b"=c`.
"""

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.data.files.table import FileTable, TableRow, listed

T = TypeVar("T")
OTHERS = "*"
"""As a value, all values that are not named; as a meaning, the value itself."""
EXAMPLE = "--map stereo_antistereo=label:0=stereo,1=antistereo"


@dataclass(frozen=True, slots=True)
class ColumnMapping:
    """The column of a file that holds a field, and the meanings of its values."""

    field: str
    column: str
    values: Mapping[str, str]
    """The meaning of each value; {} if values are kept as they are."""

    def meaning(self, cell: Any) -> Any:
        """The meaning of a cell; for a list, the meaning of each element.

        Raises:
            KeyError: The value is not named; the argument is the value.
        """
        if not self.values or cell is None:
            return cell
        if isinstance(cell, list):
            return [self.meaning(element) for element in cell]
        value = _value(cell)
        if value in self.values:
            return self.values[value]
        if not value:
            return cell
        if OTHERS not in self.values:
            raise KeyError(value)
        return cell if self.values[OTHERS] == OTHERS else self.values[OTHERS]


def _value(cell: Any) -> str:
    """A cell's value as written in `--map`: 0 and 0.0 are "0", true and True are "true"."""
    if isinstance(cell, bool):
        return str(cell).lower()
    whole = isinstance(cell, float) and cell.is_integer()
    return str(int(cell)) if whole else str(cell).strip()


def bare_column(field: str, given: str) -> str:
    """The column named in a mapping, as far as it can be told before the file is open.

    >>> bare_column("direction", "label:0=stereo,1=antistereo"), bare_column("text", "dc:title")
    ('label', 'dc:title')
    """
    column, sign, values = given.partition(":")
    return (column or field) if sign and "=" in values else given


def mapping_of(field: str, given: str, columns: Sequence[str]) -> ColumnMapping:
    """Parse what follows `--map FIELD=`, for a file with these columns.

    >>> mapping_of("direction", "label:0=stereo,1=antistereo", ["label"]).values
    {'0': 'stereo', '1': 'antistereo'}

    Raises:
        BadInput: A meaning is not of the form VALUE=MEANING, or a value has two.
    """
    colons = [] if given in columns else [at for at, sign in enumerate(given) if sign == ":"]
    for at in reversed(colons):  # the name of a column may have a colon as well
        if (column := given[:at] or field) in columns and "=" in given[at + 1 :]:
            return ColumnMapping(field, column, _meanings(field, given, given[at + 1 :]))
    return ColumnMapping(field, given if given in columns else bare_column(field, given), {})


def _meanings(field: str, given: str, text: str) -> dict[str, str]:
    meanings: dict[str, str] = {}
    for part in next(csv.reader([text], skipinitialspace=True)):
        value, sign, meaning = map(str.strip, part.rpartition("="))
        if not sign or not meaning:
            raise BadInput(
                f"--map {field}={given}: {part!r} is not VALUE=MEANING",
                f"write {EXAMPLE}; a value with a comma in double quotes",
            )
        if value in meanings:
            raise BadInput(f"--map {field}={given} gives {value!r} two meanings", "give it one")
        meanings[value] = meaning
    return meanings


@dataclass(slots=True)
class _Renaming:
    path: Path
    columns: Mapping[str, str]
    """The file's column for each field of the study."""
    used: bool = False


_CURRENT: ContextVar[_Renaming | None] = ContextVar("renaming", default=None)


def column_in_file(field: str) -> str:
    """What the file that is being read calls the column of a field, for messages about its cells."""
    renaming = _CURRENT.get()
    given = renaming.columns.get(field) if renaming else None
    return bare_column(field, given) if given else field


@contextmanager
def renamed_columns(path: Path, columns: Mapping[str, str]) -> Iterator[None]:
    """Within the block, tables opened from `path` have these fields in place of their own columns.

    Raises:
        BadInput: A column is given for two fields, or the file was not opened as a table.
    """
    times = Counter(bare_column(field, given) for field, given in columns.items())
    if twice := [name for name, n in times.items() if n > 1]:
        raise BadInput(f"--map uses the column {twice[0]!r} for two fields", "name it once")
    renaming = _Renaming(path, columns)
    token = _CURRENT.set(renaming)
    try:
        yield
    finally:
        _CURRENT.reset(token)
    if columns and not renaming.used:
        reason = "--map is for tables, and this file is not one"
        raise BadInput(reason, "leave out --map", file=path.name)


def renamed_file(
    source: object, columns: Mapping[str, str], option: str = "--data", naming: str = "--map"
) -> AbstractContextManager[None]:
    """Like `renamed_columns`, for a source that may not be a file.

    `option` and `naming` are the options that name the file and its columns, for messages.

    Raises:
        BadInput: There are columns to rename, but the source is not a file.
    """
    path = Path(source) if isinstance(source, str | Path) else None
    is_absent = path is not None and path.suffix != "" and not path.exists()
    if not columns or is_absent:  # the reader of the file reports that it is not there
        return nullcontext()
    if path is None or not path.is_file():
        way_out = f"name it with {option}, or leave out {naming}"
        raise BadInput(f"{naming} is for a file of yours", way_out)
    return renamed_columns(path, columns)


def with_columns(items: Dataset[T], columns: Mapping[str, str]) -> Dataset[T]:
    """The items with the renamed columns recorded among their facts."""
    if not columns:
        return items
    shown = ", ".join(f"{field}={column}" for field, column in columns.items())
    return replace(items, about={**items.about, "columns": shown})


def columns_for(path: Path) -> Mapping[str, str]:
    """The column of each field that is renamed in this file; {} for any other file."""
    renaming = _CURRENT.get()
    if renaming is None or renaming.path != path:
        return {}
    renaming.used = True
    return renaming.columns


def renamed(table: FileTable, columns: Mapping[str, str], read: Sequence[str]) -> FileTable:
    """The table with fields' names for its columns; an unmapped column that has such a name is left out.

    `read` lists the fields that the study reads; empty if it takes any.

    Raises:
        BadInput: The file lacks a column, or the study does not read a field.
    """
    mappings = [mapping_of(field, given, table.columns) for field, given in columns.items()]
    for mapping in mappings:
        field, column = mapping.field, mapping.column
        if column not in table.columns:
            reason = f"no column named {column!r} for {field} (found: {listed(table.columns)})"
            raise BadInput(reason, "name one of these", file=table.path.name, line=1)
        if read and field not in read and not field.startswith("group_"):
            reason = f"--map {field}={column}: no field named {field!r} is read"
            way_out = f"the fields are {', '.join(read)}, and group_NAME for further groups"
            raise BadInput(reason, way_out)
    fields = {mapping.column: mapping.field for mapping in mappings}
    dropped = {*fields.values()} - {*fields}
    names = tuple(fields.get(name, name) for name in table.columns if name not in dropped)
    valued = {mapping.field: mapping for mapping in mappings if mapping.values}
    rows = (
        row._replace(cells={fields.get(n, n): v for n, v in row.cells.items() if n not in dropped})
        for row in table.rows
    )
    meant = (_with_meanings(row, valued, table.path.name) for row in rows) if valued else rows
    return replace(table, columns=names, rows=meant)


def _with_meanings(row: TableRow, valued: Mapping[str, ColumnMapping], file: str) -> TableRow:
    """The row with the meanings of its values; it has a problem if a value is not named."""
    cells = dict(row.cells)
    for field, mapping in valued.items():
        if field not in cells:
            continue
        try:
            cells[field] = mapping.meaning(cells[field])
        except KeyError as value:
            known = ", ".join(map(repr, mapping.values))
            reason = f"{mapping.column} is {value}, and --map {field} names only {known}"
            way_out = "add its meaning, or *=* if other values stay as they are"
            return TableRow(row.line, {}, Problem(reason, way_out, file=file, line=row.line))
    return row._replace(cells=cells)
