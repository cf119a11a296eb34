"""Where pools of votes come from: registered ones by name, and tables of users."""

from dataclasses import dataclass
from pathlib import Path

from tiltmeter.active.pools.registered_pools import POOLS
from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.files.rows import Cell, FilledCell, FilledText, UserRows


def open_pool(source: str, *, labels: tuple[str, ...] = (), ordered: bool = False) -> VotePool:
    """A pool by its name in `POOLS`, or a user's table of votes (`read_votes`) by its path.

    Raises:
        UnknownName: Neither a pool nor a file has this name.
        BadInput: The file cannot be used.
        Unavailable: The data set is not on this machine.
    """
    if source in POOLS:
        return POOLS[source].read()
    if not Path(source).is_file():
        raise UnknownName("pool of votes or file", source, POOLS, or_file=True)
    return read_votes(Path(source), labels=labels, ordered=ordered)


@dataclass(frozen=True, slots=True)
class _VoteRow:
    item: FilledText
    text: FilledText
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
    return vote_pool(path.stem, texts, votes, labels=labels, ordered=ordered, notes=rows.notes)
