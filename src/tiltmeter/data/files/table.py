"""Tables, whatever file they were read from, and readers for tables in JSON and plain text.

JSON is one list of objects, or one object per line. Plain text has cells separated by commas, tabs or
semicolons, as exported by spreadsheets.
"""

import csv
import itertools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.reading.json_stream import JsonStream
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.text import counted
from tiltmeter.data.files.plain_text import lines, pieces

COMMENTS = {"#", "%", "/"}
"""The characters with which comment lines begin in files of other programs."""
LISTED = 12
"""The maximum number of column names in an error message."""


class TableRow(NamedTuple):
    """A row: the physical line on which it begins (in Parquet its number, from 1), and cells by column."""

    line: int
    cells: Mapping[str, Any]
    problem: Problem | None = None
    """Why the cells cannot be trusted, such as too many or too few cells or broken JSON; cells are then
    {}."""


@dataclass(frozen=True, slots=True)
class FileTable:
    """A file read as a table; its rows are read lazily."""

    path: Path
    columns: tuple[str, ...]
    rows: Iterator[TableRow]
    notes: list[str] = field(default_factory=list)
    """Notes on what the reader had to work out by itself, such as a delimiter or an unknown column."""
    typed: bool = True
    """Whether the file distinguishes numbers from texts; in CSV all cells are texts."""

    def usable(self, problems: list[Problem]) -> Iterator[TableRow]:
        """Yields the rows whose cells can be trusted; the problems of the others are added to `problems`."""
        for row in self.rows:
            if row.problem is None:
                yield row
            else:
                problems.append(row.problem)


def listed(columns: Sequence[str]) -> str:
    """Column names for an error message: the first few, each shortened.

    >>> listed(["id", "sent_more"])
    "'id', 'sent_more'"
    """
    shown = [repr(shorten(name, 40, placeholder=" …")) for name in columns[:LISTED]]
    return ", ".join(shown) + (", …" if len(columns) > LISTED else "")


WHOLE = "write one whole object"
PEEK = 100
"""The number of JSON objects that are read ahead to find the fields of a file."""


def json_table(path: Path, encoding: str) -> FileTable:
    """Open a JSON list of objects, or one object per line, whichever the content is.

    Raises:
        BadInput: The file is neither, is empty, or no object can be read.
    """
    stream = JsonStream(pieces(path, encoding))
    start = stream.next()
    line = stream.line
    notes = []
    if start == "[":
        rows = _json_list(path, stream)
    elif start == "{":
        whole = lines(path, encoding)
        rows = (_object(path, n, line) for n, line in enumerate(whole, 1) if line.strip())
        if path.suffix.lower() == ".json":
            notes.append(f"{path.name} contains one object per line (JSONL).")
    elif not start:
        raise BadInput("the file contains no text", "give one object per line", file=path.name)
    else:
        comment = "begins with a comment, which JSON does not have, and "
        neither = "is neither a list of objects nor one object per line"
        reason = f"{comment if start in COMMENTS else ''}{neither}"
        raise BadInput(reason, "write one JSON object per line", file=path.name, line=line)
    peeked = list(itertools.islice(rows, PEEK))
    if not peeked:
        raise BadInput("the list is empty", "put objects into it", file=path.name)
    if all(row.problem for row in peeked) and peeked[0].problem is not None:
        first = peeked[0].problem
        raise BadInput(first.reason, first.way_out, file=path.name, line=first.line)
    columns = tuple(dict.fromkeys(name for row in peeked for name in row.cells))
    return FileTable(path, columns, itertools.chain(peeked, rows), notes)


def _object(path: Path, line: int, text: str) -> TableRow:
    try:
        return _checked(path, line, parsed(text))
    except (ValueError, RecursionError) as why:
        problem = Problem(json_fault(why), WHOLE, file=path.name, line=line)
        return TableRow(line, {}, problem)


def _checked(path: Path, line: int, value: object) -> TableRow:
    if isinstance(value, dict):
        return TableRow(line, value)
    names = {"NoneType": "null", "str": "a text", "list": "a list", "bool": "true or false"}
    reason = f"is {names.get(type(value).__name__, 'a number')}, not an object with fields"
    problem = Problem(reason, 'write {"field": value, …}', file=path.name, line=line)
    return TableRow(line, {}, problem)


def json_fault(why: Exception) -> str:
    """The reason why a text could not be read as JSON, for a message.

    >>> json_fault(RecursionError())
    'broken JSON (it is nested too deeply)'
    """
    if isinstance(why, json.JSONDecodeError):
        return f"broken JSON ({why.msg} at character {why.colno})"
    if isinstance(why, RecursionError):
        return "broken JSON (it is nested too deeply)"
    if "integer string conversion" in str(why):
        return "broken JSON (it contains a number with too many digits)"
    return f"broken JSON ({why})"


def json_value(
    text: str, way_out: str, *, file: str, line: int | None = None, halves: bool = False
) -> Any:
    """The value of a JSON text, by `parsed`; `line` is the line of the text if it is a part of the file.

    Raises:
        BadInput: The JSON is broken.
    """
    try:
        return parsed(text, halves=halves)
    except (ValueError, RecursionError) as why:
        at = line or getattr(why, "lineno", None)
        raise BadInput(json_fault(why), way_out, file=file, line=at) from None


def _json_list(path: Path, stream: JsonStream) -> Iterator[TableRow]:
    """Yields the objects of one list, each with the line on which it begins."""
    before = stream.take()
    while True:
        char, line = stream.next(), stream.line
        if char == "]" and before != ",":
            break
        if before == "{":
            if char != ",":
                reason = "broken JSON (a comma or ] is missing before this)"
                raise BadInput(reason, "write a list of objects", file=path.name, line=line)
            before = stream.take()
            continue
        try:
            value = stream.value()
        except ValueError as why:
            at_line = why.lineno if isinstance(why, json.JSONDecodeError) else line
            raise BadInput(json_fault(why), WHOLE, file=path.name, line=at_line) from None
        before = "{"
        yield _checked(path, line, value)
    stream.take()
    if stream.next():
        reason = "there is text after the list's end"
        raise BadInput(reason, "write one list of objects", file=path.name, line=line)


_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons"}


def text_table(path: Path, encoding: str, required: Sequence[str]) -> FileTable:
    """Open a text table whose first non-blank line names the columns.

    Raises:
        BadInput: The file has no text, no header or no rows, or cannot be read as a table.
    """
    physical = lines(path, encoding)
    blank = 0
    header_line = ""
    for header_line in physical:
        if header_line.strip():
            break
        blank += 1
    if not header_line.strip():
        reason = "the file contains no text"
        raise BadInput(reason, "give one with a header line", file=path.name)
    delimiter = _delimiter(path, header_line, required)
    records = _records(path, itertools.chain([header_line], physical), delimiter, blank)
    _, header = next(records)
    columns = tuple(name.strip() for name in header)
    _check_header(path, header_line, columns, required)
    rows = _body(path, columns, records)
    try:
        first = next(rows)
    except StopIteration:
        reason = "there is only a header, and no row under it"
        raise BadInput(reason, "add the rows", file=path.name, line=blank + 1) from None
    notes = []
    if delimiter != "\t" and path.suffix.lower() == ".tsv":
        notes.append(f"{path.name} is separated by {_DELIMITERS[delimiter]}, not tabs.")
    if delimiter != "," and path.suffix.lower() == ".csv":
        notes.append(f"{path.name} is separated by {_DELIMITERS[delimiter]}, not commas.")
    return FileTable(path, columns, itertools.chain([first], rows), notes, typed=False)


def _delimiter(path: Path, header: str, required: Sequence[str]) -> str:
    """The delimiter that gives the most required columns in the header, or else the most columns."""
    usual = "\t" if path.suffix.lower() in {".tsv", ".tab"} else ","

    def rank(delimiter: str) -> tuple[int, int, bool]:
        try:
            cells = [cell.strip() for cell in next(csv.reader([header], delimiter=delimiter), [])]
        except csv.Error:  # a cell that is too long, unless another delimiter divides it
            cells = []
        return len(set(cells) & set(required)), len(cells), delimiter == usual

    return max(_DELIMITERS, key=rank)


def _check_header(path: Path, line: str, columns: Sequence[str], required: Sequence[str]) -> None:
    if set(columns) & set(required):
        return
    if line.lstrip()[:1] in COMMENTS and (required or len(columns) == 1):
        reason = f"the first line is a comment, not the column names ({shorten(line, 60)!r})"
        raise BadInput(reason, "remove it: the header line comes first", file=path.name, line=1)
    if not required:
        return
    if line.lstrip()[:1] in {"{", "["}:
        reason, way_out = "looks like JSON", "name it .jsonl (or .json)"
        raise BadInput(reason, way_out, file=path.name, line=1)
    sentences = [name for name in columns if len(name.split()) >= 3]  # noqa: PLR2004
    if sentences or all(name.replace(".", "").isdigit() for name in columns):
        reason = f"the first line looks like data, not like column names (found: {listed(columns)})"
        way_out = f"put a header line before it: {','.join(required)}"
        raise BadInput(reason, way_out, file=path.name, line=1)


def _records(
    path: Path, physical: Iterator[str], delimiter: str, before: int
) -> Iterator[tuple[int, list[str]]]:
    """Yields (physical line on which it begins, cells) for every record that is not blank."""
    reader = csv.reader(physical, delimiter=delimiter, strict=True)
    while True:
        begins = before + reader.line_num + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as why:
            raise _unreadable(path, begins, str(why)) from None
        if len(cells) > 1 or any(cell.strip() for cell in cells):
            yield begins, cells


def _unreadable(path: Path, line: int, why: str) -> BadInput:
    if "unexpected end of data" in why:
        reason = "a quotation mark opens here and is never closed"
        way_out = 'close it, or write "" for a quotation mark inside a cell'
    elif "field limit" in why:
        reason = (
            f"a cell from here on is longer than {counted(csv.field_size_limit(), 'characters')}"
        )
        way_out = "a quotation mark that is never closed does that; close it or shorten the cell"
    elif "expected after" in why:
        reason = "text follows a closing quotation mark, or one that opens here is never closed"
        way_out = 'write "" for a quotation mark inside a cell, and put the whole cell in quotes'
    else:
        reason, way_out = f"cannot be read as a table ({why})", "save it anew as CSV (UTF-8)"
    return BadInput(reason, way_out, file=path.name, line=line)


def _body(
    path: Path, columns: Sequence[str], records: Iterator[tuple[int, list[str]]]
) -> Iterator[TableRow]:
    wanted = len(columns)
    for line, cells in records:
        spare = cells[wanted:]
        if len(cells) < wanted or any(cell.strip() for cell in spare):
            few = "few" if len(cells) < wanted else "many"
            problem = Problem(
                f"too {few} cells: {len(cells)} where the header has {wanted}",
                "put cells that hold the delimiter in quotation marks",
                file=path.name,
                line=line,
            )
            yield TableRow(line, {}, problem)
        elif wanted > 1 and [cell.strip() for cell in cells] == list(columns):
            reason = "the header is repeated, as where files were joined"
            yield TableRow(line, {}, Problem(reason, "remove it", file=path.name, line=line))
        else:
            # The first of several unnamed columns is the one that may hold the row's index.
            yield TableRow(line, dict(reversed(list(zip(columns, cells, strict=False)))))
