"""Where pools of votes come from: published data sets (`pools/`), and tables of users."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows
from tiltmeter.data.files.tables import read_table

POOLS = "active.pools"


@dataclass(slots=True)
class VoteCollection:
    """Votes of a published data set; of several votes of one annotator on an item, the first counts."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)
    votes: dict[tuple[str, str], NamedVote] = field(default_factory=dict)
    repeated: int = 0

    def add(self, item: str, text: str, annotator: str, label: str) -> None:
        """Add a vote, unless the annotator has voted on the item before."""
        self.texts.setdefault(item, text)
        vote = NamedVote(item, annotator, label)
        self.repeated += self.votes.setdefault((item, annotator), vote) is not vote

    def pool(self, labels: Iterable[str], *, ordered: bool = False) -> VotePool:
        """All of it; votes that were left out are noted."""
        note = f"{self.repeated} further votes of an annotator on the same item are left out."
        return vote_pool(
            self.name, self.texts, self.votes.values(), labels=tuple(labels), ordered=ordered,
            notes=[note] if self.repeated else (),
        )  # fmt: skip


def rows_of(path: Path, *columns: str) -> Iterable[dict[str, str]]:
    """The rows of a verified table as text, with these columns among others."""
    for row in read_table(path, required=columns, known=None).rows:
        yield {name: "" if v is None else str(v).strip() for name, v in row.cells.items()}


def lewidi_pool(
    name: str, labels: str, *, ordered: bool = False, text_of: Callable[[Any], str] = str
) -> VotePool:
    """A registered set in the JSON of the shared tasks Learning With Disagreements (LeWiDi).

    Items are named after the file's part and key, as keys begin anew in each part. Labels are single
    characters; `text_of` makes the text of an item from what the file has as its text.
    """
    collection = VoteCollection(name)
    for path, file in locate(name).files.items():
        part = PurePosixPath(path).stem.rpartition("_")[2]
        if part not in {"train", "dev", "test"}:
            continue
        for key, entry in json.loads(file.read_text("utf-8")).items():
            given = entry["annotations"]
            if isinstance(given, str):
                people = entry["annotators"].split(",")
                # Reversed, so that of somebody who is there twice the first label is kept.
                given = dict(zip(reversed(people), reversed(given.split(",")), strict=True))
            for person, label in given.items():
                collection.add(f"{part}-{key}", text_of(entry["text"]), person, label)
    return collection.pool(labels, ordered=ordered)


def open_pool(source: str, *, labels: tuple[str, ...] = (), ordered: bool = False) -> VotePool:
    """A published pool by its name in `pools/`, or a user's table of votes (`read_votes`) by its path.

    Raises:
        UnknownName: Neither a pool nor a file has this name.
        BadInput: The file cannot be used.
        Unavailable: The data set is not on this machine.
    """
    if source in known(POOLS):
        pool: VotePool = find(POOLS, source, "read")()
        return pool
    if not Path(source).is_file():
        raise UnknownName("pool of votes or file", source, known(POOLS))
    return read_votes(Path(source), labels=labels, ordered=ordered)


@dataclass(frozen=True, slots=True)
class _VoteRow:
    item: FilledCell
    text: FilledCell
    label: FilledCell
    annotator: Cell = ""


def read_votes(path: Path, *, labels: tuple[str, ...] = (), ordered: bool = False) -> VotePool:
    """Read a table with one row per vote: item, text, annotator (may be missing), label.

    The labels, from low to high if they are ordered, are by default those that occur.

    Raises:
        BadInput: The file cannot be read or lacks a column, or the pool is too small.
        BadItems: Rows that are incomplete or contradict an earlier row; all of them.
    """
    rows = UserRows(_VoteRow, path)
    texts: dict[str, str] = {}
    votes: list[NamedVote] = []
    seen: set[tuple[str, str]] = set()
    for line, row in rows:
        if texts.setdefault(row.item, row.text) != row.text:
            reason = f"{row.item} has another text in an earlier row"
            rows.complain(line, reason, "use another name")
        elif row.annotator and (row.item, row.annotator) in seen:
            reason = f"{row.annotator} votes on {row.item} a second time"
            rows.complain(line, reason, "keep one of the rows")
        else:
            seen.add((row.item, row.annotator))
            votes.append(NamedVote(row.item, row.annotator or None, row.label))
    rows.finish()
    with_annotator = sum(vote.annotator is not None for vote in votes)
    if 0 < with_annotator < len(votes):
        reason = f"{len(votes) - with_annotator} votes name no annotator, and {with_annotator} do"
        raise BadInput(reason, "name all, or remove the column", file=rows.file)
    return vote_pool(path.stem, texts, votes, labels=labels, ordered=ordered)
