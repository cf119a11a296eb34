"""Exports of Label Studio: JSON, and JSON-MIN, CSV and TSV, which have a row for each annotation."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.data.people.answer_codes import label_set
from tiltmeter.data.people.exports.exported import Export, plain_value

PROGRAM = "Label Studio"
FLAT = ("annotation_id", "annotator", "id")
"""Columns of JSON-MIN and CSV: the annotation, who made it, and the task."""
ABOUT = {*FLAT, "created_at", "updated_at", "lead_time", "agreement", "history"}
"""Columns that Label Studio adds to those of the task's data and of the answers."""
DATA, TRANSCRIPT = "_data_", "_transcript"
"""How columns of data begin whose names are also those of questions; how those end that repeat a chat."""
PERSON = "person"
SKIPPED, AGAIN, EMPTY = ("skipped annotations", "repeated answers", "empty annotations")
WRITTEN, REGIONS = ("written answers", "region labels")
UNLABELLED = "unannotated tasks"
_KEYS = ("choices", "rating", "number", "taxonomy", "selected", "ranker", "text")
"""Of the value of a result, by which its answer is found."""
_OF_REGIONS = {"start", "x", "points", "rle", "sequence", "ranges", "vertices"}
"""Of the value of a result that is about a part of the text, picture or recording."""


class _Reading(NamedTuple):
    """What was read of the value of one result."""

    labels: set[str]
    left_out: Counter[str]
    is_answer: bool
    """Whether it has the form of an answer: {"choices": […]}; a plain text may be the task's data."""


def is_tasks(first: Mapping[str, Any]) -> bool:
    """Whether an object is a task of the JSON export.

    >>> is_tasks({"id": 1, "data": {"text": "A"}, "annotations": []}), is_tasks({"id": 1, "tone": "low"})
    (True, False)
    """
    return "data" in first and isinstance(first.get("annotations", first.get("completions")), list)


def read_tasks(tasks: Iterable[Mapping[str, Any]], file: str) -> Export:
    """The answers of the JSON export: choices, ratings, numbers, taxonomies, rankings and preferences.

    Raises:
        BadInput: An annotation does not say who made it, or is built otherwise.
    """
    export = Export(PROGRAM)
    golden = 0
    for task in tasks:
        export.left_out["predictions"] += len(task.get("predictions") or ())
        export.left_out["drafts"] += len(task.get("drafts") or ())
        annotations = task.get("annotations", task.get("completions")) or ()
        export.left_out[UNLABELLED] += not annotations
        for annotation in annotations:
            if annotation.get("was_cancelled") or annotation.get("skipped"):
                export.rows_left_out[SKIPPED] += 1
            elif _of_survey(annotation).get("round", 1) not in {0, 1}:
                export.rows_left_out[AGAIN] += 1
            else:
                golden += annotation.get("ground_truth") is True
                _add(export, annotation, task, file)
    if golden:
        plural = "annotations are" if golden > 1 else "annotation is"
        export.notes.append(
            f"{golden:,} {plural} marked as ground truth, and counted like any other."
        )
    return export.finished()


def _add(export: Export, annotation: Mapping[str, Any], task: Mapping[str, Any], file: str) -> None:
    who = annotation.get("completed_by", annotation.get("completed_by_id"))
    who = _of_survey(annotation).get(PERSON, who)
    who = (who.get("email") or who.get("id")) if isinstance(who, Mapping) else who
    if who is None:
        reason = f"task {task.get('id')}: an annotation does not say who made it (completed_by)"
        raise BadInput(reason, "export with the annotators' ids", file=file)
    by_question: dict[str, set[str]] = defaultdict(set)
    for result in annotation.get("result") or ():
        kind, name = str(result.get("type") or "unknown"), result.get("from_name")
        if kind == "relation" or name is None:
            export.left_out["relations" if kind == "relation" else "unnamed results"] += 1
            continue
        reading = _reading(result.get("value"), kind)
        by_question[str(name)] |= reading.labels
        export.left_out += reading.left_out
    given = {question: label_set(labels) for question, labels in by_question.items() if labels}
    export.add_row(who, task.get("id"), given, empty=EMPTY)


def _of_survey(annotation: Mapping[str, Any]) -> Mapping[str, Any]:
    """Who answered and in which round, in the results of a survey that was exported to Label Studio."""
    metas = (result.get("meta") for result in annotation.get("result") or ())
    return next((meta for meta in metas if isinstance(meta, Mapping) and PERSON in meta), {})


def _reading(value: Any, kind: str = "") -> _Reading:
    """The labels in the value of a result, or in a cell; `kind` is the type of the result."""
    if isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        labels: set[str] = set()
        left_out: Counter[str] = Counter()
        for part in map(_reading, value):
            labels |= part.labels
            left_out += part.left_out
        return _Reading(labels, left_out, is_answer=True)
    if not isinstance(value, Mapping):
        plain = plain_value(value)
        return _Reading({plain} if plain else set(), Counter(), is_answer=False)
    key = next((key for key in _KEYS if key in value), "")
    if _OF_REGIONS & set(value):
        return _Reading(set(), Counter([REGIONS]), is_answer=True)
    if key in {"", "text"}:
        what = WRITTEN if key else f"{kind or 'other'} results"
        return _Reading(set(), Counter([what]), is_answer=True)
    return _Reading(_labels(key, value[key]), Counter(), is_answer=True)


def _labels(key: str, value: Any) -> set[str]:
    if key == "taxonomy":  # each label is the path to it
        return {" / ".join(map(str, path)) for path in value}
    if key == "ranker" and isinstance(value, Mapping):
        value = [f"{bucket}: {' > '.join(map(str, items))}" for bucket, items in value.items()]
    values = value if isinstance(value, list) else [value]
    return {text for each in values if (text := plain_value(each))}


def is_flat(columns: Iterable[str]) -> bool:
    """Whether a table has the columns of JSON-MIN or of the CSV export."""
    return set(FLAT) <= set(columns)


def read_flat(
    rows: Sequence[Mapping[str, Any]], columns: Sequence[str], asked: Sequence[str], file: str
) -> Export:
    """The answers of JSON-MIN, CSV or TSV. Data of tasks and answers look alike there.

    Columns in which no two annotators of a task differ are taken for the task's data, unless they are asked
    for or written as answers are. `asked` are the questions that the user names. Rows of tasks that nobody
    annotated are left out.

    Raises:
        BadInput: No column is a question.
    """
    export = Export(PROGRAM)
    annotated = [row for row in rows if row.get("annotation_id") not in {None, ""}]
    if len(annotated) < len(rows):
        export.rows_left_out[UNLABELLED] += len(rows) - len(annotated)
    columns_read = _column_kinds(annotated, columns, asked)
    questions, data = columns_read["questions"], columns_read["data"]
    if not questions:
        reason = (
            "in no column do two annotators of a task differ, so answers and data cannot be "
            "distinguished"
        )
        raise BadInput(reason, f"name the questions with --question: {', '.join(data)}", file=file)
    for number, row in enumerate(annotated, start=1):
        who = row.get("annotator")
        if who in {None, ""}:
            reason = f"row {number} does not say who annotated (annotator)"
            raise BadInput(reason, "export with the annotators' ids", file=file)
        cells = {name: _cell(row.get(name)) for name in (*questions, *columns_read["others"])}
        for cell in cells.values():
            export.left_out += cell.left_out
        given = {question: label_set(cells[question].labels) for question in questions}
        export.add_row(_plain(who), _plain(row.get("id")), given, empty=EMPTY)
    if data and not asked:
        export.notes.append(
            f"Columns in which annotators of a task never differ are taken for its data: {', '.join(data)}. "
            "If one is a question, name all questions with --question."
        )
    elif data:
        export.columns_left_out = data
    return export.finished()


def _column_kinds(
    annotated: Sequence[Mapping[str, Any]], columns: Sequence[str], asked: Sequence[str]
) -> Mapping[str, list[str]]:
    """The columns of questions, of tasks' data, and of results that are no answers, such as regions."""
    kinds: dict[str, list[str]] = {"questions": [], "data": [], "others": []}
    for column in columns:
        if column in ABOUT or not column:
            continue
        by_task: dict[str, set[str]] = defaultdict(set)
        has_form = False
        for row in annotated:
            cell = _cell(row.get(column))
            has_form |= cell.is_answer
            by_task[str(row.get("id"))] |= {label_set(cell.labels)} - {""}
        varies = any(len(values) > 1 for values in by_task.values())
        is_data = column.startswith(DATA) or column.endswith(TRANSCRIPT) or not (has_form or varies)
        if column in asked or (not is_data and any(by_task.values())):
            kinds["questions"].append(column)
        else:
            kinds["data" if is_data else "others"].append(column)
    return kinds


def _plain(cell: Any) -> str:
    return plain_value(cell) or ""


def _cell(cell: Any) -> _Reading:
    """A cell of JSON-MIN, or the JSON in one of a CSV file."""
    value = cell
    if isinstance(cell, str) and cell[:1] in {"{", "["}:
        try:
            value = parsed(cell)
        except ValueError:
            value = cell
    return _reading(value)
