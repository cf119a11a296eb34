"""Which annotation program an export is of, by what it contains; and its answers."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.files.plain_text import first_bytes, lines
from tiltmeter.data.files.table import json_value
from tiltmeter.data.files.tables import FileTable, read_table
from tiltmeter.data.people.exports import (
    annotator_objects,
    argilla,
    doccano,
    label_studio,
    limesurvey,
    potato,
    qualtrics,
)
from tiltmeter.data.people.exports.exported import Export

PEEK = 20
"""Objects that are looked at to recognise a layout."""
OWN = ("answers.csv", "tasks.json", "annotated_instances.jsonl")
"""Files with the answers in an export of a survey, the first that is there."""
BOM = b"\xef\xbb\xbf \t\r\n"
"""What may stand before a JSON value."""
JSON = {".json", ".jsonl", ".ndjson"}


def answer_file(path: Path) -> Path:
    """The file with the answers in a folder of `survey export`; any other path as it is."""
    if not path.is_dir() or not (path / "form.toml").is_file():
        return path
    return next((path / name for name in OWN if (path / name).is_file()), path)


def read_export(path: Path, asked: Sequence[str] = (), *, encoding: str = "") -> Export | None:
    """The answers in an export of a known program; None of anything else.

    Args:
        path: A file, or a folder with a file for each annotator.
        asked: The questions that the user names.
        encoding: Of text files.

    Raises:
        BadInput: A file cannot be read, or a folder holds no export that is known.
        BadItems: Rows cannot be read.
    """
    if path.is_dir():
        return _of_folder(path, encoding)
    first_bytes(path)
    suffixes = [suffix.lower() for suffix in path.suffixes]
    if JSON & set(suffixes):
        return _of_json(path, asked, encoding)
    return _of_columns(read_table(path, encoding=encoding, texts=None), path, asked, encoding)


def _of_columns(table: FileTable, path: Path, asked: Sequence[str], encoding: str) -> Export | None:
    columns, file = table.columns, path.name
    of_rows = (
        (label_studio.is_flat, label_studio.read_flat),
        (qualtrics.is_table, qualtrics.read_rows),
        (limesurvey.is_table, limesurvey.read_rows),
    )
    for recognises, read in of_rows:
        if recognises(columns):
            return read(_rows(table), columns, asked, file)
    if potato.is_table(columns):
        return potato.read_files([path], encoding)
    if doccano.is_table(columns):
        return doccano.read_lines([(path.stem, _rows(table))])
    if any(name.endswith(argilla.ENDING) for name in columns) and table.typed:
        return argilla.read_records(_rows(table))
    return None


def _of_folder(folder: Path, encoding: str) -> Export:
    if files := potato.files_of(folder):
        return potato.read_files(files, encoding)
    examples = sorted(path for path in folder.iterdir() if _is_example(path))
    tables = [read_table(path, encoding=encoding, texts=None) for path in examples]
    of_files = [(path.stem, _rows(table)) for path, table in zip(examples, tables, strict=True)]
    are_read = [
        doccano.is_table(table.columns) or any(map(doccano.is_line, rows))
        for table, (_, rows) in zip(tables, of_files, strict=True)
    ]
    if of_files and all(are_read):
        return doccano.read_lines(of_files)
    raise BadInput(
        "is a folder without an export that is known",
        "give a file, the folder of survey export or of Potato, or one with doccano’s file of each annotator",
        file=str(folder),
    )


def _is_example(path: Path) -> bool:
    """Whether a file in a folder may be doccano's; links may lead out of the folder."""
    return path.suffix.lower() in {*JSON, ".csv"} and path.is_file() and not path.is_symlink()


def _of_json(path: Path, asked: Sequence[str], encoding: str) -> Export | None:
    if export := _of_annotators(path, encoding):
        return export
    try:
        table = read_table(path, encoding=encoding, texts=None)
    except BadInput:
        return None if path.suffix.lower() != ".json" else _of_object(path, encoding)
    rows = table.rows
    peeked = list(islice(rows, PEEK))
    first = [row.cells for row in peeked if row.problem is None]
    known: Sequence[tuple[Callable[[Mapping[str, Any]], bool], Callable[..., Export]]] = (
        (label_studio.is_tasks, lambda rows: label_studio.read_tasks(rows, path.name)),
        (potato.is_line, lambda _: potato.read_files([path], encoding)),
        (argilla.is_record, argilla.read_records),
        (doccano.is_line, lambda rows: doccano.read_lines([(path.stem, rows)])),
        (
            label_studio.is_flat,
            lambda rows: label_studio.read_flat(rows, table.columns, asked, path.name),
        ),
    )
    for recognises, read in known:
        if any(map(recognises, first)):
            return _built(partial(read, _rows(table, peeked)), path)
    return None


def _of_object(path: Path, encoding: str) -> Export | None:
    """A whole JSON object: the state of a user of Potato."""
    if path.name != "user_state.json":
        return None
    return _built(partial(potato.read_files, [path], encoding), path)


def _of_annotators(path: Path, encoding: str) -> Export | None:
    """A whole JSON object of annotators with their items; on one line it would be a table of one row."""
    if path.suffix.lower() != ".json" or not first_bytes(path).lstrip(BOM).startswith(b"{"):
        return None
    try:
        value = json_value("".join(lines(path, encoding)), "", file=path.name)
    except BadInput:
        return None  # whoever reads it as a table says what is wrong with it
    is_state = isinstance(value, Mapping) and potato.STATE in value
    is_object = annotator_objects.is_object(value) and not is_state
    return annotator_objects.read_object(value) if is_object else None


def _built(read: Callable[[], Export], path: Path) -> Export:
    """What `read` gives; a file that is built otherwise than the program's is refused."""
    try:
        return read()
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, BadInput):
            raise
        reason = f"is not built as this program's exports ({type(error).__name__}: {error})"
        raise BadInput(reason, "export it anew", file=path.name) from None


def _rows(table: FileTable, before: Sequence[Any] = ()) -> list[Mapping[str, Any]]:
    problems: list[Problem] = [row.problem for row in before if row.problem is not None]
    rows = [row.cells for row in before if row.problem is None]
    rows += [row.cells for row in table.usable(problems)]
    if problems:
        raise BadItems(problems, way_out="Correct these rows, or remove them.")
    return rows
