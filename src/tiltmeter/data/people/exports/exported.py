"""What all exports of annotation programs come down to: who answered what about which item."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tiltmeter.core.text import counted
from tiltmeter.data.people.answer_codes import label_set

ANSWER = "answer"
"""The name of the question in a file that has only one."""


class ExportedAnswer(NamedTuple):
    """One answer of one annotator."""

    annotator: str
    item: str
    question: str
    value: str
    """A set of labels as `label_set` writes it; "" for no answer."""


@dataclass(slots=True)
class Export:
    """The answers of one export."""

    program: str
    answers: list[ExportedAnswer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    """How much was left out, by what it is: "spans"."""
    is_selected: bool = False
    """Whether these are the questions that the user named, under other names."""
    has_nulls: bool = False
    """Whether no answer is written as null, so that a word such as "None" is an answer."""

    def add(self, annotator: object, item: object, question: object, value: str | None) -> None:
        """Add an answer; None is no answer."""
        self.answers.append(ExportedAnswer(str(annotator), str(item), str(question), value or ""))

    def finished(self) -> "Export":
        """The same, with a note of what it was read as and one of what was left out."""
        self.notes.insert(0, f"Read as an export of {self.program}.")
        if self.left_out:
            parts = (counted(number, what) for what, number in self.left_out.items())
            self.notes.append(f"Left out: {', '.join(parts)}.")
        return self


def plain_value(value: object) -> str | None:
    """An answer as text: a list is a set of labels; None where it is no answer that can be compared.

    >>> plain_value(["b", "a"]), plain_value(4.0), plain_value(True), plain_value({"start": 1})
    ('a, b', '4', 'true', None)
    """
    if value is None or isinstance(value, Mapping):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float | int):
        return f"{value:.10g}"
    if isinstance(value, list | tuple):
        return None if any(isinstance(v, Mapping | list) for v in value) else label_set(value)
    return str(value)


def ranked(value: Any) -> str | None:
    """An order of options, best first, as text; None where it is none.

    >>> ranked([{"value": "b", "rank": 2}, {"value": "a", "rank": 1}])
    'a > b'
    """
    if not (isinstance(value, list) and value):
        return None
    if not all(isinstance(v, Mapping) and {"value", "rank"} <= set(v) for v in value):
        return None
    return " > ".join(str(v["value"]) for v in sorted(value, key=lambda v: v["rank"]))
