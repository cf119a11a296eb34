"""Tables in JSON: one list of objects, or one object a line."""

import itertools
import json
from collections.abc import Iterator
from pathlib import Path

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.json_text import check_whole, fields_once, parsed
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.table import FileTable, TableRow

WHOLE = "write one whole object"
PEEK = 100
"""How many JSON objects are looked at to learn which fields a file has."""


def json_table(path: Path, encoding: str) -> FileTable:
    """Open a list of objects, or one object a line, whatever the file's name says.

    Raises:
        BadInput: It is neither, it is empty, or no object can be read.
    """
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
        rows = (_object(path, n, line) for n, line in enumerate(whole, 1) if line.strip())
        if path.suffix.lower() == ".json":
            notes.append(f"{path.name} contains one object per line (JSONL).")
    elif not start:
        raise BadInput("the file contains no text", "give one object per line", file=path.name)
    else:
        reason = "is neither a list of objects nor one object per line"
        raise BadInput(reason, "write one JSON object per line", file=path.name, line=len(head))
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
    """Why a text could not be read as JSON.

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


def _json_list(path: Path, text: str) -> Iterator[TableRow]:
    """The objects of one list, each with the line it begins on."""
    decoder = json.JSONDecoder(object_pairs_hook=fields_once)
    at, line, counted = text.index("[") + 1, 1, 0
    before = "["
    halves = "\\ud" in text.lower()
    while True:
        while text[at : at + 1].isspace():
            at += 1
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
            if halves:
                check_whole(value)
        except (ValueError, RecursionError) as why:
            at_line = why.lineno if isinstance(why, json.JSONDecodeError) else line
            raise BadInput(json_fault(why), WHOLE, file=path.name, line=at_line) from None
        before = "{"
        yield _checked(path, line, value)
    if text[at + 1 :].strip():
        reason = "there is text after the list's end"
        raise BadInput(reason, "write one list of objects", file=path.name, line=line)
