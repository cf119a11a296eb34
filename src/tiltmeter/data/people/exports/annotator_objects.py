"""A JSON object with an object for each annotator: {annotator: {item: label}}."""

from collections.abc import Mapping
from typing import Any

from tiltmeter.data.people.exports.exported import ANSWER, Export, plain_value

PROGRAM = "annotators with their items"


def is_object(value: Any) -> bool:
    """Whether a JSON value has annotators, and by each the labels of items, which are no objects themselves.

    >>> is_object({"ann": {"item 1": "hate", "item 2": 3}}), is_object({"ann": {"item": {"a": 1}}})
    (True, False)
    """
    if not isinstance(value, Mapping) or not value:
        return False
    of_items = all(isinstance(items, Mapping) for items in value.values())
    return of_items and not any(
        isinstance(label, Mapping) for items in value.values() for label in items.values()
    )


def read_object(value: Mapping[str, Mapping[str, Any]]) -> Export:
    """The answers to the one question of such an object."""
    export = Export(PROGRAM, has_nulls=True)
    for annotator, items in value.items():
        for item, label in items.items():
            answer = plain_value(label)
            if answer is None and label:
                export.rows_left_out["structured answers"] += 1
            else:
                export.add_row(annotator, item, {ANSWER: answer}, empty="unanswered items")
    export.finished()
    export.notes[0] = "Read as a JSON object of annotators, with the label of each item."
    return export
