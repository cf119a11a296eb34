"""What a table is, whatever file it was read from."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import shorten
from typing import Any, NamedTuple

from tiltmeter.core.errors import Problem

LISTED = 12
"""How many column names an error shows."""


class TableRow(NamedTuple):
    """One row: the physical line it begins on (in Parquet the row's number, from 1), and its cells."""

    line: int
    cells: Mapping[str, Any]
    problem: Problem | None = None
    """Why the cells cannot be trusted: too many or too few, or broken JSON. They are {} then."""


@dataclass(frozen=True, slots=True)
class FileTable:
    """A file's rows, read as they are asked for."""

    path: Path
    columns: tuple[str, ...]
    rows: Iterator[TableRow]
    notes: list[str] = field(default_factory=list)
    """What the reader had to make out for itself: a delimiter, a column it does not know."""
    typed: bool = True
    """Whether the file itself tells numbers from texts; in CSV all cells are texts."""

    def usable(self, problems: list[Problem]) -> Iterator[TableRow]:
        """The rows whose cells can be trusted; what is wrong with the others is added to `problems`."""
        for row in self.rows:
            if row.problem is None:
                yield row
            else:
                problems.append(row.problem)


def listed(columns: Sequence[str]) -> str:
    """Column names as an error shows them: the first few, each cut short.

    >>> listed(["id", "sent_more"])
    "'id', 'sent_more'"
    """
    shown = [repr(shorten(name, 40, placeholder=" …")) for name in columns[:LISTED]]
    return ", ".join(shown) + (", …" if len(columns) > LISTED else "")
