"""Reads rows of users' tables as dataclasses and collects the problems of all rows that cannot be used."""

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Generic, TypeAlias, TypeVar, get_args

from tiltmeter.core.errors import BadItems, Problem
from tiltmeter.core.reading.typed_values import OTHERS, Fault, Faults, Raw, fields_of, made
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.missing_words import MissingCell
from tiltmeter.data.files.renamed_columns import column_in_file
from tiltmeter.data.files.tables import read_table

T = TypeVar("T")


def text_of(cell: Any) -> str:
    """A cell as stripped text; "" if it is empty.

    A cell that had a word for a missing value stays a `MissingCell`, which is an empty text.

    >>> text_of(" old "), text_of(1), text_of(None)
    ('old', '1', '')
    """
    if isinstance(cell, MissingCell):
        return cell
    return "" if cell is None else str(cell).strip()


def label_of(cell: Any) -> str:
    """A cell as a label: stripped text, with whole numbers without ".0"; "" if it is empty.

    >>> label_of(" age "), label_of(3.0), label_of(None), label_of(float("nan"))
    ('age', '3', '', '')
    """
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return ""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell).strip()


def absence(cell: Any) -> Fault:
    """The fault of a cell without a value: it is empty, or has a word for a missing value."""
    if isinstance(cell, MissingCell):
        return Fault(
            f"is {cell.word!r}, a word for a missing value",
            "fill it in or remove the row, or list such words with --missing",
        )
    return Fault("is empty", "fill it in, or remove the row")


def _filled(text: str) -> str:
    if not text:
        raise absence(text)
    return text


def number_of(cell: Any) -> float:
    """The finite number in a cell; raises a Fault if there is none."""
    text = _filled(text_of(cell))
    number = None if isinstance(cell, bool) else decimal_number(text)
    if number is None or math.isinf(number):
        has_comma = text.count(",") == 1 and text.replace(",", "").lstrip("+-").isdecimal()
        wanted = "a number with a decimal point" if has_comma else "a number, or remove the row"
        raise Fault(f"is {text[:40]!r}, not a number", f"write {wanted}")
    return number


Cell: TypeAlias = Annotated[str, Raw(text_of)]
"""A cell as text; "" if it is empty."""
FilledCell: TypeAlias = Annotated[str, Raw(text_of), _filled]
VERBATIM = "no word stands for a missing value"
TextCell: TypeAlias = Annotated[str, Raw(text_of), VERBATIM]
"""A cell with a text, a word or an id, in which "None" and "null" are ordinary words; "" if it is empty."""
FilledText: TypeAlias = Annotated[str, Raw(text_of), _filled, VERBATIM]


class UserRows(Generic[T]):
    """The rows of a table (CSV, TSV, JSON, JSONL, Parquet), as pairs of a line number and a dataclass.

    The fields of `kind` are columns, which are required if the field has no default; a field marked OTHERS
    takes all other columns. Rows are read lazily.

    Args:
        kind: The dataclass.
        path: The file.
        encoding: The encoding of text files; by default that of their byte order mark, else UTF-8.
        columns: The column of each field that has a different name.
        more: Further required columns.
        named: Columns that the user named; see `read_table`.
        texts: Columns of texts in addition to those that `kind` marks; see `read_table`.
        way_out: Advice for when a column is missing; see `read_table`.

    Raises:
        BadInput: The file cannot be read as a table, or lacks a column.
    """

    def __init__(
        self, kind: type[T], path: Path, *, encoding: str = "",
        columns: Mapping[str, str] | None = None, more: Sequence[str] = (),
        named: Collection[str] = (),
        texts: Collection[str] | None = (), way_out: str = "",
    ) -> None:  # fmt: skip
        described: Any = kind  # its fields are kept, for which mypy takes a type to be no key
        fields = fields_of(described)
        self._kind = kind
        self._column = {key: (columns or {}).get(key, key) for key in fields if key != OTHERS}
        self._takes_others = OTHERS in fields
        needed = [name for key, name in self._column.items() if fields[key].is_needed]
        optional = [name for name in self._column.values() if name not in needed]
        verbatim = [
            name for key, name in self._column.items() if VERBATIM in get_args(fields[key].hint)
        ]
        self._table = read_table(
            path, encoding=encoding, required=[*needed, *more], named=named, known=optional,
            texts=None if texts is None else [*verbatim, *texts], way_out=way_out,
        )  # fmt: skip
        self.file, self.columns, self.notes = path.name, self._table.columns, self._table.notes
        self.problems: list[Problem] = []

    def __iter__(self) -> Iterator[tuple[int, T]]:
        """Yields the rows that can be used; the problems of the others are collected."""
        for row in self._table.usable(self.problems):
            try:
                read = made(self._kind, self._given(row.cells))
            except Faults as wrong:
                for fault in wrong.faults:
                    column = column_in_file(self._column.get(fault.at, fault.at))
                    self.complain(row.line, f"{column} {fault.reason}".strip(), fault.way_out)
            else:
                yield row.line, read

    def _given(self, cells: Mapping[str, Any]) -> dict[str, Any]:
        given = {key: cells.get(name) for key, name in self._column.items() if name in self.columns}
        if self._takes_others:
            read = {*self._column.values(), ""}
            given |= {name: cell for name, cell in cells.items() if name not in read}
        return given

    def complain(self, line: int, reason: str, way_out: str = "") -> None:
        """Add a problem with the row on this line, or with no single row if the line is 0."""
        self.problems.append(Problem(reason, way_out, file=self.file, line=line or None))

    def finish(self, way_out: str = "Correct these rows, or remove them.") -> None:
        """Raise BadItems with all problems if there are any."""
        if self.problems:
            raise BadItems(self.problems, way_out=way_out)
