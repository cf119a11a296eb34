"""Tables in plain text: cells between commas, tabs or semicolons, as spreadsheets export them."""

import csv
import itertools
from collections.abc import Iterator, Sequence
from pathlib import Path

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.table import FileTable, TableRow, listed

_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons"}


def text_table(path: Path, encoding: str, required: Sequence[str]) -> FileTable:
    """Open a table whose first line that is not blank names the columns.

    Raises:
        BadInput: It has no text, no header or no row, or does not hold together as a table.
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
    """The one that makes most of the required columns of the header, then most columns."""
    usual = "\t" if path.suffix.lower() in {".tsv", ".tab"} else ","

    def rank(delimiter: str) -> tuple[int, int, bool]:
        try:
            cells = [cell.strip() for cell in next(csv.reader([header], delimiter=delimiter), [])]
        except csv.Error:  # a cell that is too long, unless another delimiter divides it
            cells = []
        return len(set(cells) & set(required)), len(cells), delimiter == usual

    return max(_DELIMITERS, key=rank)


def _check_header(path: Path, line: str, columns: Sequence[str], required: Sequence[str]) -> None:
    if set(columns) & set(required) or not required:
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
    """(physical line on which it begins, cells) of every record that is not blank."""
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
        reason = f"a cell from here on is longer than {csv.field_size_limit():,} characters"
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
