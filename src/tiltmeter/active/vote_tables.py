"""Reading pools of votes from tables: one row per vote, or one row per item with counts."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.files.table import TableRow, listed
from tiltmeter.data.files.tables import read_table

ITEM, TEXT, ANNOTATOR, LABEL = "item", "text", "annotator", "label"
"""Columns of a long table; all others describe the annotator."""
MOST_VOTES = 99_999
"""Votes with one label on one item, at most."""


def read_votes(
    path: Path, *, labels: Sequence[str] = (), ordered: bool = False, encoding: str = ""
) -> VotePool:
    """Read a table with one row per vote: item, text, annotator (may be missing), label.

    Further columns describe the annotator. One whose values differ within an annotator is not used, and
    a note says so.

    Args:
        path: A table in any of the formats of `read_table`.
        labels: All labels, from low to high if they are ordered; by default those that occur.
        ordered: Whether the labels are ordered.
        encoding: Of text files; by default UTF-8.

    Raises:
        BadInput: The file cannot be read or lacks a column, or the pool is too small.
        BadItems: Rows that are incomplete or contradict an earlier row; all of them.
    """
    table = read_table(path, encoding=encoding, required=(ITEM, TEXT, LABEL), known=None)
    reading = _Reading(path.name)
    columns = [c for c in table.columns if c and c not in {ITEM, TEXT, ANNOTATOR, LABEL}]
    for row in table.rows:
        reading.add_vote(row, columns)
    return reading.pool(path.stem, labels, ordered=ordered)


def read_vote_counts(
    path: Path, *, counts: Sequence[str], ordered: bool = False, encoding: str = ""
) -> VotePool:
    """Read a table with one row per item: item, text, and a column with the number of votes per label.

    Args:
        path: A table in any of the formats of `read_table`.
        counts: The columns with counts. Their names are the labels, from low to high if ordered.
        ordered: Whether the labels are ordered.
        encoding: Of text files; by default UTF-8.

    Raises:
        BadInput: The file cannot be read or lacks a column, or the pool is too small.
        BadItems: Rows without item or text, or whose counts are no whole numbers; all of them.
    """
    table = read_table(path, encoding=encoding, required=(ITEM, TEXT, *counts), known=None)
    reading = _Reading(path.name)
    for row in table.rows:
        reading.add_counts(row, counts)
    return reading.pool(path.stem, counts, ordered=ordered)


class _Reading:
    """The votes of one file, and what is wrong with them."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.texts: dict[str, str] = {}
        self.votes: list[NamedVote] = []
        self.seen: set[tuple[str, str]] = set()
        self.about: dict[str, dict[str, str]] = {}
        self.varying: set[str] = set()
        self.problems: list[Problem] = []

    def add_vote(self, row: TableRow, columns: Sequence[str]) -> None:
        item = self._item(row)
        if not item:
            return
        person, label = cell(row.cells, ANNOTATOR), cell(row.cells, LABEL)
        if not label:
            self._complain(row, "label is empty", "fill it in, or remove the row")
        elif person and (item, person) in self.seen:
            self._complain(row, f"{person} votes on {item} a second time", "keep one of the rows")
        else:
            self.seen.add((item, person))
            self.votes.append(NamedVote(item, person or None, label))
            self._describe(person, {c: cell(row.cells, c) for c in columns})

    def add_counts(self, row: TableRow, counts: Sequence[str]) -> None:
        item = self._item(row)
        if not item:
            return
        for column in counts:
            given = cell(row.cells, column) or "0"
            number = given.removesuffix(".0")
            if not (number.isascii() and number.isdigit() and len(number) <= len(str(MOST_VOTES))):
                self._complain(
                    row,
                    f"{column} is not a number of votes ({given!r})",
                    f"write a whole number from 0 to {MOST_VOTES:,}",
                )
                return
            self.votes += [NamedVote(item, None, column)] * int(number)

    def pool(self, name: str, labels: Sequence[str], *, ordered: bool) -> VotePool:
        if self.problems:
            raise BadItems(self.problems, way_out="Correct these rows, or remove them.")
        with_annotator = sum(vote.annotator is not None for vote in self.votes)
        if 0 < with_annotator < len(self.votes):
            reason = f"{len(self.votes) - with_annotator} votes name no annotator, and {with_annotator} do"
            raise BadInput(reason, "name all, or remove the column", file=self.file)
        notes = [f"Left out, because they vary within annotators: {listed(sorted(self.varying))}."]
        about = {c: values for c, values in self.about.items() if c not in self.varying}
        return vote_pool(
            name,
            self.texts,
            self.votes,
            labels=labels,
            ordered=ordered,
            about=about,
            notes=notes if self.varying else (),
        )

    def _item(self, row: TableRow) -> str:
        if row.problem is not None:
            self.problems.append(row.problem)
            return ""
        item, text = cell(row.cells, ITEM), cell(row.cells, TEXT)
        if not item or not text:
            self._complain(row, f"{TEXT if item else ITEM} is empty", "fill it in")
            return ""
        if self.texts.setdefault(item, text) != text:
            self._complain(row, f"{item} has another text in an earlier row", "use another name")
            return ""
        return item

    def _describe(self, person: str, values: Mapping[str, str]) -> None:
        for column, value in values.items() if person else ():
            if value and self.about.setdefault(column, {}).setdefault(person, value) != value:
                self.varying.add(column)

    def _complain(self, row: TableRow, reason: str, way_out: str) -> None:
        self.problems.append(Problem(reason, way_out, file=self.file, line=row.line))


def cell(cells: Mapping[str, object], column: str) -> str:
    """The cell as text without surrounding spaces; "" where there is none.

    >>> cell({"label": 1}, "label"), cell({}, "label")
    ('1', '')
    """
    value = cells.get(column)
    return "" if value is None else str(value).strip()
