"""What the rows of a table of answers say of annotators and of items: in all rows the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from tiltmeter.core.errors import Problem
from tiltmeter.core.text import decimal_number, shortened
from tiltmeter.core.types import Array

ANNOTATOR, ITEM = "annotator", "item"
"""Whom a fact is about; also the usual names of their columns."""
LONGEST = 1e9
"""The longest time in seconds that is read as one."""
SHOWN = 40
"""How much of a cell an error shows."""


@dataclass(slots=True)
class RowFacts:
    """The cells of columns about annotators and items, row by row."""

    file: str
    by_name: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """By kind (`ANNOTATOR` or `ITEM`), name and column."""
    problems: list[Problem] = field(default_factory=list)
    """The first row of each name that contradicts an earlier one."""
    contradicted: set[tuple[str, str, str]] = field(default_factory=set)

    def add(self, kind: str, name: str, column: str, value: str, line: int) -> None:
        """Add the cell of a row; an empty one says nothing."""
        earlier = self.by_name.setdefault((kind, name, column), value)
        if not earlier:
            self.by_name[kind, name, column] = value
        elif value and value != earlier and (kind, name, column) not in self.contradicted:
            self.contradicted.add((kind, name, column))
            before, now = shortened(earlier, SHOWN), shortened(value, SHOWN)
            reason = f"{column} of the {kind} {name} is {now}, and {before} in an earlier row"
            way_out = f"a column about {kind}s has one value for each"
            self.problems.append(Problem(reason, way_out, file=self.file, line=line))

    def values(self, kind: str, names: Sequence[str], column: str) -> tuple[str, ...]:
        """The value of a column for each name; "" where no row has one."""
        return tuple(self.by_name.get((kind, name, column), "") for name in names)


def answer_times(
    given: Iterable[tuple[str, str, str, str]], items: Sequence[str], people: Sequence[str]
) -> dict[str, Array]:
    """The seconds of each answer by question, shape (items, people), NaN where there are none.

    `given` are question, item, annotator and the cell with the seconds. {} where no answer has any.

    >>> answer_times([("tone", "i1", "ann", "2.5"), ("tone", "i1", "bo", "")], ["i1"], ["ann", "bo"])
    {'tone': array([[2.5, nan]])}
    """
    rows, columns = ({name: i for i, name in enumerate(names)} for names in (items, people))
    times: dict[str, Array] = {}
    for question, item, annotator, cell in given:
        seconds = decimal_number(cell) if cell else None
        if seconds is not None and 0 < seconds < LONGEST:
            table = times.setdefault(question, np.full((len(items), len(people)), np.nan))
            table[rows[item], columns[annotator]] = seconds
    return times
