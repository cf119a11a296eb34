"""Exports of Label Studio: JSON, and JSON-MIN and CSV, which have a row for each annotation."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.data.people.answer_codes import label_set
from tiltmeter.data.people.exports.exported import Export, plain_value

PROGRAM = "Label Studio"
FLAT = ("annotation_id", "annotator", "id")
"""Columns of JSON-MIN and CSV: the annotation, who made it, and the task."""
ABOUT = {*FLAT, "created_at", "updated_at", "lead_time"}
WRITTEN, REGIONS, AGAIN = ("written answers", "region labels", "repeated answers")
_KEYS = ("choices", "rating", "number", "taxonomy", "selected", "ranker", "text")
"""Of the value of a result, by which its answer is found."""


def is_tasks(first: Mapping[str, Any]) -> bool:
    """Whether an object is a task of the JSON export.

    >>> is_tasks({"id": 1, "data": {"text": "A"}, "annotations": []}), is_tasks({"id": 1, "tone": "low"})
    (True, False)
    """
    return "data" in first and isinstance(first.get("annotations", first.get("completions")), list)


def read_tasks(tasks: Iterable[Mapping[str, Any]], file: str) -> Export:
    """The answers of the JSON export: choices, ratings, numbers and taxonomies.

    Raises:
        BadInput: An annotation does not say who made it, or is built otherwise.
    """
    export = Export(PROGRAM)
    for task in tasks:
        export.left_out["predictions"] += len(task.get("predictions") or ())
        for annotation in task.get("annotations", task.get("completions")) or ():
            if annotation.get("was_cancelled"):
                export.left_out["skipped annotations"] += 1
            elif (annotation.get("meta") or {}).get("round", 1) not in {0, 1}:
                export.left_out[AGAIN] += 1
            else:
                _add(export, annotation, task, file)
    export.left_out = +export.left_out
    return export.finished()


def _add(export: Export, annotation: Mapping[str, Any], task: Mapping[str, Any], file: str) -> None:
    who = annotation.get("completed_by", annotation.get("completed_by_id"))
    who = (who.get("email") or who.get("id")) if isinstance(who, Mapping) else who
    if who is None:
        reason = f"task {task.get('id')}: an annotation does not say who made it (completed_by)"
        raise BadInput(reason, "export with the annotators' ids", file=file)
    by_question: dict[str, set[str]] = defaultdict(set)
    for result in annotation.get("result") or ():
        value = result.get("value")
        name = result.get("from_name")
        if not isinstance(value, Mapping) or name is None:
            continue
        key = next((key for key in _KEYS if key in value), "")
        if not key or {"start", "x"} & set(value):
            export.left_out[REGIONS] += 1
        elif key == "text":
            export.left_out[WRITTEN] += 1
        else:
            by_question[str(name)] |= _labels(key, value[key])
    for question, labels in by_question.items():
        export.add(who, task.get("id"), question, label_set(labels))


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
    """The answers of JSON-MIN or CSV. Data of tasks and answers look alike there.

    Columns in which no two annotators of a task differ are taken for the task's data, unless they are asked
    for or written as answers are. `asked` are the questions that the user names.

    Raises:
        BadInput: No column is a question.
    """
    export = Export(PROGRAM)
    questions: list[str] = []
    data: list[str] = []
    for column in columns:
        if column in ABOUT or not column:
            continue
        cells = [(str(row.get("id")), _answer(row.get(column))) for row in rows]
        by_task: dict[str, set[str | None]] = defaultdict(set)
        for task, (value, _) in cells:
            by_task[task].add(value)
        has_form = any(is_answer for _, (_, is_answer) in cells)
        varies = any(len(values - {None}) > 1 for values in by_task.values())
        (questions if column in asked or has_form or varies else data).append(column)
    if not questions:
        reason = "in no column do two annotators of a task differ, so answers and data look alike"
        raise BadInput(reason, f"name the questions with --question: {', '.join(data)}", file=file)
    for row in rows:
        for question in questions:
            value, _ = _answer(row.get(question))
            if value is None and row.get(question) not in {None, ""}:
                export.left_out[REGIONS] += 1
            else:
                export.add(row.get("annotator"), row.get("id"), question, value)
    if data and not asked:
        export.notes.append(
            f"Columns in which annotators of a task never differ are taken for its data: {', '.join(data)}. "
            "If one is a question, name all questions with --question."
        )
    return export.finished()


def _answer(cell: Any) -> tuple[str | None, bool]:
    """A cell's answer, and whether it has the form of one: {"choices": […]}; None for labels of parts."""
    value = cell
    if isinstance(cell, str) and cell[:1] in {"{", "["}:
        try:
            value = parsed(cell)
        except ValueError:
            return cell, False
    if isinstance(value, Mapping):
        key = next((key for key in _KEYS if key in value), "")
        return (label_set(_labels(key, value[key])), True) if key else (None, True)
    if isinstance(value, list) and any(isinstance(part, Mapping) for part in value):
        numbers = [part[key] for part in value if isinstance(part, Mapping)
                   for key in ("rating", "number") if key in part]  # fmt: skip
        return (label_set(map(plain_value, numbers)), True) if numbers else (None, True)
    return (plain_value(value) or None), False
