"""What all exports of annotation programs come down to: who answered what about which item."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tiltmeter.core.text import counted
from tiltmeter.data.people.answer_codes import label_set

ANSWER = "answer"
"""The name of the question in a file that has only one."""
NAMED = 8
"""The maximum number of columns that a note names."""


class ExportedAnswer(NamedTuple):
    """One answer of one annotator."""

    annotator: str
    item: str
    question: str
    value: str
    """A set of labels as `label_set` writes it; "" for no answer."""


@dataclass(slots=True)
class Export:
    """The answers of one export, and what of it was not read.

    A row is what one annotator said about one item, or all that one person said, as the program stores it.
    Every row is either read or left out for a reason.
    """

    program: str
    answers: list[ExportedAnswer] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    rows_read: int = 0
    rows_left_out: Counter[str] = field(default_factory=Counter)
    """The number of rows that were left out, by what they are: "skipped annotations"."""
    left_out: Counter[str] = field(default_factory=Counter)
    """How much of the rows was left out, by what it is: "spans"."""
    columns_left_out: list[str] = field(default_factory=list)
    about: dict[str, dict[str, str]] = field(default_factory=dict)
    """By annotator: what the other columns of a row for each person say; "" for nothing."""
    is_selected: bool = False
    """Whether these are the questions that the user named, under other names."""
    has_nulls: bool = False
    """Whether no answer is written as null, so that a word such as "None" is an answer."""

    @property
    def rows(self) -> int:
        """The number of rows in the export."""
        return self.rows_read + self.rows_left_out.total()

    def add(self, annotator: object, item: object, question: object, value: str | None) -> None:
        """Add an answer; None is no answer."""
        self.answers.append(ExportedAnswer(str(annotator), str(item), str(question), value or ""))

    def add_row(
        self, annotator: object, item: object, given: Mapping[str, str | None], *, empty: str
    ) -> None:
        """Add a row with the answers to several questions; `empty` is what rows without any are called."""
        for question, value in given.items():
            self.add(annotator, item, question, value)
        if any(given.values()):
            self.rows_read += 1
        else:
            self.rows_left_out[empty] += 1

    def finished(self) -> "Export":
        """The same, with a note of what it was read as and one of what was left out."""
        self.notes.insert(0, f"Read as an export of {self.program}.")
        self.left_out = +self.left_out
        parts = (counted(n, what) for what, n in (self.rows_left_out + self.left_out).items())
        if listed := ", ".join(parts):
            self.notes.append(f"Left out: {listed}.")
        if self.columns_left_out:
            self.notes.append(columns_note(self.columns_left_out))
        return self


def columns_note(columns: Iterable[str]) -> str:
    """A note on the columns of a table that were not read.

    >>> columns_note(["age", "city"])
    'Columns not read: age, city.'
    """
    names = [*columns]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"Columns not read: {', '.join(names[:NAMED])}{more}."


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
