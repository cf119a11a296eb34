"""Exports of Potato: a folder for each user, with JSON lines, tables or the state of the program."""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.table import json_value
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.answer_codes import label_set
from tiltmeter.data.people.exports.exported import Export, plain_value

PROGRAM = "Potato"
STATE = "instance_id_to_label_to_value"
_STEM = "annotated_instances"
_LINES = (f"{_STEM}.jsonl", f"{_STEM}.json")
_TABLES = (f"{_STEM}.tsv", f"{_STEM}.csv")
_STATES = ("user_state.json",)
OUTPUT = "annotation_output"
JOINT = ":::"
"""Between question and label in a column's name."""
_TEXTS = ("text_box", "text", "textarea")
_NUMBERS = ("slider", "number", "number_box")
WRITTEN = "written answers"
WAY_OUT = "give the files that Potato wrote"


def files_of(folder: Path) -> list[Path]:
    """The file of each user in an output folder, or in a project's; one kind of file for each user."""
    root = folder / OUTPUT if (folder / OUTPUT).is_dir() else folder
    places = [root, *sorted(path for path in root.iterdir() if path.is_dir())]
    found = []
    for place in places:
        names = (place / name for name in (*_LINES, *_TABLES, *_STATES))
        found += [path for path in names if path.is_file()][:1]
    return found


def is_line(first: Mapping[str, Any]) -> bool:
    """Whether an object is a line of `annotated_instances.jsonl`, or the state of a user."""
    return isinstance(first.get("label_annotations"), Mapping) or STATE in first


def is_table(columns: Iterable[str]) -> bool:
    """Whether a table has a column for each label of each question.

    >>> is_table(["user", "instance_id", "tone:::low", "tone:::high"]), is_table(["instance_id", "tone"])
    (True, False)
    """
    names = set(columns)
    return "instance_id" in names and any(JOINT in name for name in names)


def read_files(paths: Iterable[Path], encoding: str = "") -> Export:
    """The answers in the files of users.

    Raises:
        BadInput: A file cannot be read, or does not say whose answers it has.
    """
    export = Export(PROGRAM)
    for path in paths:
        # In an output folder each user's file lies in a folder of that name.
        usual = path.parent.name if path.name in {*_LINES, *_TABLES, *_STATES} else ""
        for who, item, questions, again in _records(path, encoding):
            if again:
                export.left_out["repeated answers"] += 1
                continue
            if not (who or usual):
                raise BadInput("does not say who answered", "add user_id", file=path.name)
            for question, labels in questions.items():
                value, is_text = _value(labels)
                if is_text:
                    export.left_out[WRITTEN] += 1
                else:
                    export.add(who or usual, item, question, value)
    return export.finished()


Record: TypeAlias = tuple[str, str, Mapping[str, Any], bool]
"""User ("" where it is not said), item, labels with their values by question, whether asked again."""


def _records(path: Path, encoding: str) -> Iterator[Record]:
    if path.suffix.lower() in {".tsv", ".csv"}:
        return _of_table(path, encoding)
    text = "".join(lines(path, encoding))
    if text.lstrip()[:1] == "{" and STATE in text:
        return _of_user(json_value(text, WAY_OUT, file=path.name))
    return _of_lines(path, text)


def _of_table(path: Path, encoding: str) -> Iterator[Record]:
    problems: list[Problem] = []
    for row in read_table(path, encoding=encoding, texts=None).usable(problems):
        by_question: dict[str, dict[str, Any]] = {}
        for name, cell in row.cells.items():
            question, joint, label = name.partition(JOINT)
            if joint:
                by_question.setdefault(question, {})[label] = cell
        user = row.cells.get("user") or row.cells.get("user_id") or ""
        yield str(user), str(row.cells["instance_id"]), by_question, False
    if problems:
        raise BadItems(problems, way_out="Correct these rows, or remove them.")


def _of_user(state: Mapping[str, Any]) -> Iterator[Record]:
    user = str(state.get("user_id") or "")
    for item, given in (state.get(STATE) or {}).items():
        yield user, str(item), _of_state(given), False


def _of_lines(path: Path, text: str) -> Iterator[Record]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            row = json_value(line, WAY_OUT, file=path.name, line=number)
            labels = row.get("label_annotations") if isinstance(row, Mapping) else None
            if not isinstance(labels, Mapping):
                raise BadInput("has no label_annotations", WAY_OUT, file=path.name, line=number)
            more = row.get("behavioral_data")
            again = isinstance(more, Mapping) and more.get("round", 1) not in {0, 1}
            user = str(row.get("user_id", row.get("user", "")) or "")
            yield user, str(row.get("instance_id", row.get("id"))), labels, again


def _of_state(given: Any) -> Mapping[str, Mapping[str, Any]]:
    """The labels by question: {question: {label: value}}, or a list of [{schema, name}, value]."""
    if isinstance(given, Mapping):
        return {q: v if isinstance(v, Mapping) else {str(v): True} for q, v in given.items()}
    by_question: dict[str, dict[str, Any]] = {}
    for label, value in given:
        by_question.setdefault(str(label["schema"]), {})[str(label["name"])] = value
    return by_question


def _value(labels: Any) -> tuple[str | None, bool]:
    """The chosen labels, or the number beside a scale's name; and whether it is a written text."""
    if not isinstance(labels, Mapping):
        return plain_value(labels), False
    chosen = {
        name: value
        for name, value in labels.items()
        if value is not None and str(value).strip().lower() not in {"", "false", "nan"}
    }
    if len(chosen) == 1:
        ((name, value),) = chosen.items()
        if name in _TEXTS:
            return str(value), True
        if name in _NUMBERS or name == f"scale_{value}":
            return plain_value(value), False
    return label_set(chosen) or None, False
