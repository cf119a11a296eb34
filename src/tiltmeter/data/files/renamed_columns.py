"""A user's file whose columns have other names than a study reads: `--map sent_more=stereotype`."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from tiltmeter.core.errors import BadInput
from tiltmeter.core.items import Dataset
from tiltmeter.data.files.table import FileTable, listed

T = TypeVar("T")


@dataclass(slots=True)
class _Renaming:
    path: Path
    columns: Mapping[str, str]
    """The file's column for each field of the study."""
    used: bool = False


_CURRENT: ContextVar[_Renaming | None] = ContextVar("renaming", default=None)


@contextmanager
def renamed_columns(path: Path, columns: Mapping[str, str]) -> Iterator[None]:
    """While the block runs, tables opened from `path` have these fields in place of their own columns.

    Raises:
        BadInput: One column stands for two fields, or nothing was opened as a table.
    """
    twice = [name for name in columns.values() if list(columns.values()).count(name) > 1]
    if twice:
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
    """As `renamed_columns`, for a source that may be something else than a file.

    Messages call the option that names the file `option`, and that which names its columns `naming`.

    Raises:
        BadInput: There are columns to rename, and the source is no file.
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
    """The items with a record of the columns that were renamed."""
    if not columns:
        return items
    shown = ", ".join(f"{field}={column}" for field, column in columns.items())
    return replace(items, about={**items.about, "columns": shown})


def columns_for(path: Path) -> Mapping[str, str]:
    """The column for each field that is renamed in this file; none in any other."""
    renaming = _CURRENT.get()
    if renaming is None or renaming.path != path:
        return {}
    renaming.used = True
    return renaming.columns


def renamed(table: FileTable, columns: Mapping[str, str], read: Sequence[str]) -> FileTable:
    """The table with the fields' names; a column that already had such a name is left out.

    `read` are the fields that the study reads; none where it takes any.

    Raises:
        BadInput: The file lacks a column, or no such field is read.
    """
    for field, column in columns.items():
        if column not in table.columns:
            reason = f"no column named {column!r} for {field} (found: {listed(table.columns)})"
            raise BadInput(reason, "name one of these", file=table.path.name, line=1)
        if read and field not in read and not field.startswith("group_"):
            reason = f"--map {field}={column}: no field named {field!r} is read"
            way_out = f"the fields are {', '.join(read)}, and group_NAME for further groups"
            raise BadInput(reason, way_out)
    fields = {column: field for field, column in columns.items()}
    dropped = set(columns) - set(fields)
    names = tuple(fields.get(name, name) for name in table.columns if name not in dropped)
    rows = (
        row._replace(cells={fields.get(n, n): v for n, v in row.cells.items() if n not in dropped})
        for row in table.rows
    )
    return replace(table, columns=names, rows=rows)
