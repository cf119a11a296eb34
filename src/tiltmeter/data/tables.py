"""Tables in CSV, TSV, JSON, JSONL and Parquet as numbered rows.

What is wrong with a whole file (no header, wrong encoding, …) raises at once; what is wrong with one
row comes with that row as its `problem`, so that the caller can collect all of them.
"""

import csv
import difflib
import itertools
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.data.plain_text import first_bytes, lines

PEEK = 100
"""How many JSON objects are looked at to learn which fields a file has."""
LISTED = 12
"""How many column names an error shows."""
_DELIMITERS = {",": "commas", "\t": "tabs", ";": "semicolons"}


class Row(NamedTuple):
    """One row: the physical line it begins on (in Parquet the row's number, from 1), and its cells."""

    line: int
    cells: Mapping[str, Any]
    problem: Problem | None = None
    """Why the cells cannot be trusted: too many or too few, or broken JSON. They are {} then."""


@dataclass(frozen=True, slots=True)
class Table:
    """A file's rows, read as they are asked for."""

    path: Path
    columns: tuple[str, ...]
    rows: Iterator[Row]
    notes: list[str] = field(default_factory=list)
    """What the reader had to make out for itself: a delimiter, a column it does not know."""


def read_table(
    path: str | Path, *, encoding: str = "", required: Sequence[str] = (), known: Sequence[str] = ()
) -> Table:
    """Open a table by its content and its name's ending.

    Args:
        path: Parquet, JSON (one list of objects), JSONL, or text with commas, tabs or semicolons.
        encoding: Of text files; by default their byte order mark's, else UTF-8.
        required: Columns that must be there.
        known: Further columns the caller reads: a near miss of one of them is noted.

    Raises:
        BadInput: The file is missing, empty, of another kind, not decodable, has no header or lacks
            a required column. Rows raise it too while they are read, where nothing can be read on.
    """
    path = Path(path)
    start = first_bytes(path)
    suffix = path.suffix.lower()
    if start.startswith(b"PAR1") or suffix in {".parquet", ".pq"}:
        table = _parquet(path)
    elif suffix in {".json", ".jsonl", ".ndjson"}:
        table = _json(path, encoding)
    else:
        table = _delimited(path, encoding, required)
    _check_columns(table, required, known)
    return table


def _check_columns(table: Table, required: Sequence[str], known: Sequence[str]) -> None:
    named = [name for name in table.columns if name]
    twice = [name for name, count in Counter(named).items() if count > 1]
    if twice:
        reason = f"the column {twice[0]!r} is there {table.columns.count(twice[0])} times"
        raise BadInput(reason, "rename or remove one", file=table.path.name, line=1)
    missing = [name for name in required if name not in named]
    if missing:
        raise _missing(table, missing)
    for name in named:
        near = [] if name in {*required, *known} else _close(name, set(known) - set(named))
        if near:
            table.notes.append(f"The column {name!r} is not read; did you mean {near[0]!r}?")


def _missing(table: Table, missing: Sequence[str]) -> BadInput:
    plural = "columns" if len(missing) > 1 else "column"
    reason = f"no {plural} named {', '.join(missing)} (found: {_listed(table.columns)})"
    hints = []
    for name in missing:
        near = _close(name, set(table.columns) - {""})
        if near:
            hints.append(f"found {near[0]!r}; did you mean {name!r}?")
    way_out = " ".join(hints) or f"add {'them' if len(missing) > 1 else 'it'}, or rename one"
    return BadInput(reason, way_out, file=table.path.name, line=1)


def _listed(columns: Sequence[str]) -> str:
    shown = [repr(shorten(name, 40, placeholder=" …")) for name in columns[:LISTED]]
    return ", ".join(shown) + (", …" if len(columns) > LISTED else "")


def _close(name: str, others: set[str]) -> list[str]:
    """The nearest of `others`: case, spaces, dashes and underscores count for nothing."""

    def plain(text: str) -> str:
        return "".join(c for c in text.lower() if c.isalnum())

    by_plain = {plain(other): other for other in sorted(others)}
    return [by_plain[p] for p in difflib.get_close_matches(plain(name), by_plain, n=2, cutoff=0.75)]


# ── Text with a delimiter ────────────────────────────────────────────────────────────────────────


def _delimited(path: Path, encoding: str, required: Sequence[str]) -> Table:
    physical = lines(path, encoding)
    blank = 0
    header_line = ""
    for header_line in physical:
        if header_line.strip():
            break
        blank += 1
    if not header_line.strip():
        reason = "the file holds no text"
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
    return Table(path, columns, itertools.chain([first], rows), notes)


def _delimiter(path: Path, header: str, required: Sequence[str]) -> str:
    """The one that makes most of the required columns of the header, then most columns."""
    usual = "\t" if path.suffix.lower() in {".tsv", ".tab"} else ","

    def rank(delimiter: str) -> tuple[int, int, bool]:
        cells = [cell.strip() for cell in next(csv.reader([header], delimiter=delimiter), [])]
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
        reason = (
            f"the first line looks like data, not like column names (found: {_listed(columns)})"
        )
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
) -> Iterator[Row]:
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
            yield Row(line, {}, problem)
        else:
            # The first of several unnamed columns is the one that may hold the row's index.
            yield Row(line, dict(reversed(list(zip(columns, cells, strict=False)))))


# ── JSON ─────────────────────────────────────────────────────────────────────────────────────────


def _json(path: Path, encoding: str) -> Table:
    text = lines(path, encoding)
    head: list[str] = []
    for line in text:
        head.append(line)
        if line.strip():
            break
    start = head[-1].lstrip()[:1] if head else ""
    whole = itertools.chain(head, text)
    notes = []
    if start == "[":
        rows = _json_list(path, "".join(whole))
    elif start == "{":
        rows = _json_lines(path, whole)
        if path.suffix.lower() == ".json":
            notes.append(f"{path.name} holds one object a line (JSONL).")
    elif not start:
        raise BadInput("the file holds no text", "give one object a line", file=path.name)
    else:
        reason = "is neither a list of objects nor one object a line"
        raise BadInput(reason, "write one JSON object a line", file=path.name, line=len(head))
    peeked = list(itertools.islice(rows, PEEK))
    if not peeked:
        raise BadInput("the list is empty", "put objects into it", file=path.name)
    if all(row.problem for row in peeked) and peeked[0].problem is not None:
        first = peeked[0].problem
        raise BadInput(first.reason, first.way_out, file=path.name, line=first.line)
    columns = tuple(dict.fromkeys(name for row in peeked for name in row.cells))
    return Table(path, columns, itertools.chain(peeked, rows), notes)


def _json_lines(path: Path, text: Iterator[str]) -> Iterator[Row]:
    for number, line in enumerate(text, start=1):
        if line.strip():
            yield _object(path, number, line)


def _object(path: Path, line: int, text: str) -> Row:
    try:
        value = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError) as why:
        return Row(line, {}, _broken(path, line, why))
    return _checked(path, line, value)


def _checked(path: Path, line: int, value: object) -> Row:
    if isinstance(value, dict):
        return Row(line, value)
    reason = f"is {_kind(value)}, not an object with fields"
    return Row(line, {}, Problem(reason, 'write {"field": value, …}', file=path.name, line=line))


def _broken(path: Path, line: int, why: Exception) -> Problem:
    if isinstance(why, json.JSONDecodeError):
        reason = f"broken JSON ({why.msg} at character {why.colno})"
    elif isinstance(why, RecursionError):
        reason = "broken JSON (nested too deeply)"
    else:
        reason = f"broken JSON ({why})"
    return Problem(reason, "write one whole object", file=path.name, line=line)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for name, n in Counter(name for name, _ in pairs).items() if n > 1)
        msg = f"the field {twice!r} is there twice"
        raise ValueError(msg)
    return found


def _kind(value: object) -> str:
    names = {"NoneType": "null", "str": "a text", "list": "a list", "bool": "true or false"}
    return names.get(type(value).__name__, "a number")


def _json_list(path: Path, text: str) -> Iterator[Row]:
    """The objects of one list, each with the line it begins on."""
    decoder = json.JSONDecoder(object_pairs_hook=_once)
    at, line, counted = text.index("[") + 1, 1, 0
    before = "["
    while True:
        at = _past_blanks(text, at)
        line, counted = line + text.count("\n", counted, at), at
        if text[at : at + 1] == "]" and before != ",":
            break
        if before == "{":
            if text[at : at + 1] != ",":
                reason = "broken JSON (a comma or ] is missing before this)"
                raise BadInput(reason, "write a list of objects", file=path.name, line=line)
            at, before = at + 1, ","
            continue
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError) as why:
            found = why.lineno if isinstance(why, json.JSONDecodeError) else line
            problem = _broken(path, found, why)
            raise BadInput(problem.reason, problem.way_out, file=path.name, line=found) from None
        before = "{"
        yield _checked(path, line, value)
    if text[at + 1 :].strip():
        reason = "there is text after the list's end"
        raise BadInput(reason, "write one list of objects", file=path.name, line=line)


def _past_blanks(text: str, at: int) -> int:
    blanks = re.compile(r"\s*").match(text, at)
    return blanks.end() if blanks else at


# ── Parquet ──────────────────────────────────────────────────────────────────────────────────────


def _parquet(path: Path) -> Table:
    import pyarrow as pa  # noqa: PLC0415  (slow to import, and needed for this one format)
    from pyarrow import parquet  # noqa: PLC0415

    try:
        file = parquet.ParquetFile(path)
    except (pa.ArrowException, OSError) as why:
        reason = f"is no Parquet file ({str(why).splitlines()[0]})"
        raise BadInput(reason, "save it anew, or as CSV or JSONL", file=path.name) from None
    if not file.metadata.num_rows:
        raise BadInput("there are columns, but no row", "add the rows", file=path.name)
    return Table(path, tuple(file.schema_arrow.names), _parquet_rows(path, file))


def _parquet_rows(path: Path, file: Any) -> Iterator[Row]:
    import pyarrow as pa  # noqa: PLC0415

    number = 0
    try:
        for batch in file.iter_batches(batch_size=8192):
            for cells in batch.to_pylist():
                number += 1
                yield Row(number, cells)
    except (pa.ArrowException, OSError, UnicodeDecodeError) as why:
        reason = f"cannot be read on ({str(why).splitlines()[0]})"
        raise BadInput(reason, "save it anew as UTF-8", file=path.name, line=number + 1) from None
