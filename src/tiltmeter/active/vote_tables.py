"""Reading pools of votes from tables: one row per vote, or one row per item with counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.core.errors import BadInput
from tiltmeter.core.typed_values import OTHERS
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows, read_rows
from tiltmeter.data.files.table import listed

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
    rows = read_rows(_VoteRow, path, encoding=encoding)
    reading = _Reading(rows)
    seen: set[tuple[str, str]] = set()
    for line, row in rows:
        person = row.annotator
        if not reading.takes(line, row.item, row.text):
            continue
        if person and (row.item, person) in seen:
            reason = f"{person} votes on {row.item} a second time"
            rows.complain(line, reason, "keep one of the rows")
            continue
        seen.add((row.item, person))
        reading.votes.append(NamedVote(row.item, person or None, row.label))
        reading.describe(person, row.about)
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
    rows = read_rows(_CountRow, path, encoding=encoding, more=counts)
    reading = _Reading(rows)
    for line, row in rows:
        if not reading.takes(line, row.item, row.text):
            continue
        for column in counts:
            given = row.counts.get(column, "") or "0"
            number = given.removesuffix(".0")
            if not (number.isascii() and number.isdigit() and len(number) <= len(str(MOST_VOTES))):
                reason = f"{column} is not a number of votes ({given!r})"
                rows.complain(line, reason, f"write a whole number from 0 to {MOST_VOTES:,}")
                break
            reading.votes += [NamedVote(row.item, None, column)] * int(number)
    return reading.pool(path.stem, counts, ordered=ordered)


@dataclass(frozen=True, slots=True)
class _VoteRow:
    item: FilledCell
    text: FilledCell
    label: FilledCell
    annotator: Cell = ""
    about: Annotated[Mapping[str, Cell], OTHERS] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _CountRow:
    item: FilledCell
    text: FilledCell
    counts: Annotated[Mapping[str, Cell], OTHERS] = field(default_factory=dict)


class _Reading:
    """The votes of one file, and what is wrong with them."""

    def __init__(self, rows: UserRows[Any]) -> None:
        self.rows = rows
        self.texts: dict[str, str] = {}
        self.votes: list[NamedVote] = []
        self.about: dict[str, dict[str, str]] = {}
        self.varying: set[str] = set()

    def takes(self, line: int, item: str, text: str) -> bool:
        """Whether an item has the text that it had before."""
        same = self.texts.setdefault(item, text) == text
        if not same:
            self.rows.complain(
                line, f"{item} has another text in an earlier row", "use another name"
            )
        return same

    def describe(self, person: str, values: Mapping[str, str]) -> None:
        """Note what the further columns say of an annotator."""
        for column, value in values.items() if person else ():
            if value and self.about.setdefault(column, {}).setdefault(person, value) != value:
                self.varying.add(column)

    def pool(self, name: str, labels: Sequence[str], *, ordered: bool) -> VotePool:
        self.rows.finish()
        with_annotator = sum(vote.annotator is not None for vote in self.votes)
        if 0 < with_annotator < len(self.votes):
            reason = f"{len(self.votes) - with_annotator} votes name no annotator, and {with_annotator} do"
            raise BadInput(reason, "name all, or remove the column", file=self.rows.file)
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
