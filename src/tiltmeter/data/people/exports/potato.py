"""Exports of Potato: a folder for each user, with JSON lines, tables or the state of the program; its tables.

A question's labels stand beside their values. Where a label has one value wherever it has any, its value says
only that it was chosen; where its values differ, they are answers: of the question, if it has no other label,
or else of a question for each label, as in a table of ratings.
"""

import os
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.table import json_value
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.people.answer_codes import label_set
from tiltmeter.data.people.exports.exported import Export, columns_note, plain_value

PROGRAM = "Potato"
STATE = "instance_id_to_label_to_value"
_STEM = "annotated_instances"
_LINES = (f"{_STEM}.jsonl", f"{_STEM}.json")
_TABLES = (f"{_STEM}.tsv", f"{_STEM}.csv")
_STATES = ("user_state.json",)
_OF_USERS = (*_LINES, *_TABLES, *_STATES)
OUTPUT = "annotation_output"
DEEPEST = 4
"""Folders within each other that are looked through."""
JOINT, DOT = ":::", "."
"""Between question and label in a column's name: in the files of users, and in tables of `potato export`."""
ITEM, USER, LABELS = "instance_id", "user_id", "labels"
_TEXTS = ("text_box", "text", "textarea", "free_response")
RANKED = "rank_order"
"""The label whose value lists the options, best first."""
_VALUED = (
    "slider", "number", "number_box", "select-one", "selection", "scale", "scale_value", "confidence_level",
)  # fmt: skip
"""Labels that name nothing: their value is the answer."""
WRITTEN, AGAIN, OTHERS = "written answers", "repeated answers", "structured answers"
EMPTY = "unanswered items"
WAY_OUT = "give the files that Potato wrote"
_SPANS = {
    "span_annotations": "marked spans", "spans": "marked spans", "links": "links",
    "instance_id_to_span_to_value": "marked spans", "instance_id_to_link_to_value": "links",
    "instance_id_to_event_to_value": "events", "phase_to_page_to_label_to_value": "survey pages",
}  # fmt: skip
"""What is not read of a line, or of a user's state, by its field."""


class UserRecord(NamedTuple):
    """What one user said about one item."""

    user: str
    """"" where the file does not say it."""
    item: str
    labels: Mapping[str, Any]
    """The values of labels, by question."""
    is_again: bool = False
    """Whether the item was asked a second time."""
    left_out: Mapping[str, int] = {}


def files_of(folder: Path) -> list[Path]:
    """The file of each user in an output folder, or in a project's; one kind of file for each user.

    Links are not followed. A table of all users beside their folders is passed over.
    """
    root = folder / OUTPUT if (folder / OUTPUT).is_dir() else folder
    found = []
    for place in _folders(root):
        paths = (place / name for name in _OF_USERS)
        found += [path for path in paths if path.is_file() and not path.is_symlink()][:1]
    of_users = [path for path in found if path.parent != root]
    deepest = max((len(path.parts) for path in of_users), default=0)
    return [path for path in of_users if len(path.parts) == deepest] or found


def _folders(root: Path) -> Iterator[Path]:
    for place, folders, _ in os.walk(root, followlinks=False):
        folders[:] = sorted(name for name in folders if not (Path(place) / name).is_symlink())
        if len(Path(place).relative_to(root).parts) >= DEEPEST:
            folders.clear()
        yield Path(place)


def is_line(first: Mapping[str, Any]) -> bool:
    """Whether an object is a line of a user's file or of `potato export`, or the state of a user."""
    is_exported = {ITEM, USER} <= set(first) and isinstance(first.get(LABELS), Mapping)
    return isinstance(first.get("label_annotations"), Mapping) or is_exported or STATE in first


def is_table(columns: Iterable[str]) -> bool:
    """Whether a table has a column for each label of each question.

    >>> is_table(["user", "instance_id", "tone:::low", "tone:::high"]), is_table(["instance_id", "tone"])
    (True, False)
    >>> is_table(["instance_id", "user_id", "tone.low"])
    True
    """
    names = set(columns)
    return ITEM in names and any(JOINT in name or (DOT in name and USER in names) for name in names)


def read_files(paths: Iterable[Path], encoding: str = "") -> Export:
    """The answers in the files of users.

    Raises:
        BadInput: A file cannot be read, or does not say whose answers it has.
    """
    export = Export(PROGRAM)
    records: list[UserRecord] = []
    others: Counter[str] = Counter()
    for path in paths:
        # In an output folder each user's file lies in a folder of that name.
        usual = path.parent.name if path.name in _OF_USERS else ""
        for record in _records(path, encoding, export):
            if not (record.user or usual):
                raise BadInput("does not say who answered", "add user_id", file=path.name)
            export.left_out.update(record.left_out)
            if record.is_again:
                export.rows_left_out[AGAIN] += 1
            else:
                records.append(record._replace(user=record.user or usual))
        if usual:
            files = (each.name for each in path.parent.iterdir() if each.is_file())
            others.update(name for name in files if name != path.name)
    valued = _valued(records)
    for record in records:
        given: dict[str, str | None] = {}
        for question, labels in record.labels.items():
            given |= _answers(question, labels, valued[question], export.left_out)
        export.add_row(record.user, record.item, given, empty=EMPTY)
    if others:
        export.notes.append(
            columns_note(sorted(others)).replace("Columns", "Files in users’ folders")
        )
    return export.finished()


def _valued(records: Iterable[UserRecord]) -> dict[str, set[str]]:
    """By question: the labels whose values differ, so that these are answers."""
    values: dict[tuple[str, str], set[str]] = defaultdict(set)
    for record in records:
        for question, labels in record.labels.items():
            if isinstance(labels, Mapping):
                for name, value in _chosen(labels).items():
                    values[question, name].add(str(plain_value(value)).lower())
    valued: dict[str, set[str]] = defaultdict(set)
    for (question, name), several in values.items():
        if len(several) > 1:
            valued[question].add(name)
    return valued


def _chosen(labels: Mapping[str, Any]) -> dict[str, Any]:
    """The labels that have a value; Potato may write the others with an empty one."""
    unchosen = {"", "false", "nan"}
    return {
        name: value
        for name, value in labels.items()
        if value is not None and str(value).strip().lower() not in unchosen
    }


def _answers(
    question: str, labels: Any, valued: set[str], left_out: Counter[str]
) -> dict[str, str | None]:
    """The answers that labels are, by question: most often one."""
    if not isinstance(labels, Mapping):
        return {question: plain_value(labels)}
    chosen = _chosen(labels)
    texts = [name for name in chosen if name in _TEXTS]
    for name in texts:
        del chosen[name]
    left_out[WRITTEN] += len(texts)
    if texts and not chosen:
        return {}
    # How a question is called whose answer is a structure of its own, as JSON.
    if question in chosen and str(chosen[question])[:1] in {"{", "["}:
        left_out[OTHERS] += 1
        return {}
    if len(chosen) == 1 and (value := _value(question, *next(iter(chosen.items())))):
        return {question: value}
    if valued:
        alone = len(labels) == 1 and len(valued) == 1
        return {
            question if alone else f"{question}: {name}": plain_value(value)
            for name, value in chosen.items()
        }
    return {question: label_set(chosen) or None}


def _value(question: str, name: str, value: Any) -> str | None:
    """The answer beside the label of a question that has no others; None where the label is the answer."""
    if name == RANKED:  # with its commas it would be a set
        return " > ".join(each.strip() for each in str(value).split(","))
    return plain_value(value) if name in {*_VALUED, question, f"scale_{value}"} else None


def _records(path: Path, encoding: str, export: Export) -> Iterator[UserRecord]:
    if path.suffix.lower() in {".tsv", ".csv"}:
        return _of_table(path, encoding, export)
    text = "".join(lines(path, encoding))
    if text.lstrip()[:1] == "{" and STATE in text:
        return _of_user(json_value(text, WAY_OUT, file=path.name))
    return _of_lines(path, text)


def _of_table(path: Path, encoding: str, export: Export) -> Iterator[UserRecord]:
    problems: list[Problem] = []
    table = read_table(path, encoding=encoding, texts=None)
    joint = JOINT if any(JOINT in name for name in table.columns) else DOT
    # Columns of `potato export` about a whole question: "tone._spans", "tone._room".
    is_label = {
        name: joint in name and not name.partition(joint)[2].startswith("_")
        for name in table.columns
    }
    export.columns_left_out += [
        name for name, read in is_label.items() if not (read or name in {ITEM, USER, "user"})
    ]
    for row in table.usable(problems):
        by_question: dict[str, dict[str, Any]] = {}
        for name in filter(is_label.__getitem__, row.cells):
            question, _, label = name.partition(joint)
            by_question.setdefault(question, {})[label] = row.cells[name]
        user = row.cells.get("user") or row.cells.get(USER) or ""
        yield UserRecord(str(user), str(row.cells[ITEM]), by_question)
    if problems:
        raise BadItems(problems, way_out="Correct these rows, or remove them.")


def _of_user(state: Mapping[str, Any]) -> Iterator[UserRecord]:
    user = str(state.get(USER) or "")
    left_out = {
        what: sum(map(len, state[name].values()))
        for name, what in _SPANS.items()
        if isinstance(state.get(name), Mapping) and state[name]
    }
    for number, (item, given) in enumerate((state.get(STATE) or {}).items()):
        yield UserRecord(user, str(item), _of_state(given), left_out={} if number else left_out)


def _of_lines(path: Path, text: str) -> Iterator[UserRecord]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            row = json_value(line, WAY_OUT, file=path.name, line=number)
            is_row = isinstance(row, Mapping)
            labels = row.get("label_annotations", row.get(LABELS)) if is_row else None
            if not isinstance(labels, Mapping):
                raise BadInput("has no label_annotations", WAY_OUT, file=path.name, line=number)
            more = row.get("behavioral_data")
            again = isinstance(more, Mapping) and more.get("round", 1) not in {0, 1}
            user = str(row.get(USER, row.get("user", "")) or "")
            left_out = {
                what: sum(len(of) if isinstance(of, list) else 1 for of in row[name].values())
                for name, what in _SPANS.items()
                if isinstance(row.get(name), Mapping)
            }
            yield UserRecord(user, str(row.get(ITEM, row.get("id"))), labels, again, left_out)


def _of_state(given: Any) -> Mapping[str, Mapping[str, Any]]:
    """The labels by question: {question: {label: value}}, or a list of [{schema, name}, value]."""
    if isinstance(given, Mapping):
        return {q: v if isinstance(v, Mapping) else {str(v): True} for q, v in given.items()}
    by_question: dict[str, dict[str, Any]] = {}
    for label, value in given:
        by_question.setdefault(str(label["schema"]), {})[str(label["name"])] = value
    return by_question
