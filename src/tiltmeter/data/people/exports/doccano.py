"""Exports of doccano: JSON lines with lists of labels, one file an annotator or with their names."""

from collections.abc import Iterable, Mapping
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.answer_codes import label_set
from tiltmeter.data.people.exports.exported import Export

PROGRAM = "doccano"
LABELS = ("label", "labels", "cats", "category")
WHO = ("annotator", "user", "username", "approver")
SPANS, UNLABELLED = "span labels", "unlabelled examples"
COMMENTS, CSV_MARK = "Comments", "#"
"""The column of comments; between the labels of one text in a CSV file."""
ELSE = ("entities", "relations", COMMENTS)
"""Fields that are not read."""


def is_line(first: Mapping[str, Any]) -> bool:
    """Whether an object is an example with a list of labels.

    >>> is_line({"id": 1, "text": "A", "label": ["kind"]}), is_line({"text": "A", "label": "kind"})
    (True, False)
    """
    has_text = {"text", "data", "id"} & set(first)
    return bool(has_text) and any(isinstance(first.get(name), list) for name in LABELS)


def is_table(columns: Iterable[str]) -> bool:
    """Whether a table has the columns of doccano's CSV export.

    >>> is_table(["id", "text", "label", "Comments"]), is_table(["id", "text", "label"])
    (True, False)
    """
    names = set(columns)
    return {"id", COMMENTS} <= names and bool({*LABELS} & names)


def read_lines(files: Iterable[tuple[str, Iterable[Mapping[str, Any]]]]) -> Export:
    """The labels in files, each with its name, which is the annotator's where no line says who.

    Raises:
        BadInput: There is one file, and nothing in it says who annotated; or all labels are of spans.
    """
    export, several = Export(PROGRAM), list(files)
    for name, examples in several:
        for number, example in enumerate(examples, start=1):
            column = next((key for key in LABELS if isinstance(example.get(key), list | str)), "")
            who = next((example[key] for key in WHO if example.get(key) not in {None, ""}), None)
            if who is None and len(several) == 1:
                way_out = "export a file for each annotator and give their folder, or add annotator"
                raise BadInput("nothing says who annotated", way_out, file=name)
            for kind in ELSE:
                export.left_out[kind.lower()] += bool(example.get(kind))
            labels = example.get(column) or []
            labels = labels.split(CSV_MARK) if isinstance(labels, str) else labels
            spans = [label for label in labels if isinstance(label, list | Mapping)]
            export.left_out[SPANS] += len(spans)
            item = example.get("id", example.get("text", example.get("data", number)))
            given = {column: label_set(label for label in labels if label not in spans)}
            export.add_row(name if who is None else who, item, given, empty=UNLABELLED)
    if export.left_out[SPANS] and not export.rows_read:
        reason = "its labels are those of spans, whose agreement is not measured"
        raise BadInput(reason, "give an export of labels of whole texts", file=several[0][0])
    return export.finished()
