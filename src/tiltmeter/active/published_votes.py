"""Collecting the votes of a published data set into a pool."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tiltmeter.active.vote_tables import read_votes
from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.finder import find, known
from tiltmeter.data.files.tables import read_table

POOLS = "active.pools"


@dataclass(slots=True)
class VoteCollection:
    """Votes as they are read; of several votes of one annotator on an item, the first counts."""

    name: str
    texts: dict[str, str] = field(default_factory=dict)
    votes: dict[tuple[str, str], NamedVote] = field(default_factory=dict)
    about: dict[str, dict[str, str]] = field(default_factory=dict)
    repeated: int = 0

    def add(
        self,
        item: str,
        text: str,
        annotator: str,
        label: str,
        about: Mapping[str, str] | None = None,
    ) -> None:
        """Add a vote; of several of one annotator on an item the first counts."""
        self.texts.setdefault(item, text)
        if (item, annotator) in self.votes:
            self.repeated += 1
            return
        self.votes[item, annotator] = NamedVote(item, annotator, label)
        for column, value in (about or {}).items():
            self.about.setdefault(column, {}).setdefault(annotator, value)

    def pool(self, labels: Iterable[str] = (), *, ordered: bool = False) -> VotePool:
        """All of it; votes that were left out are noted."""
        notes = []
        if self.repeated:
            notes = [
                f"{self.repeated} further votes of an annotator on the same item are left out."
            ]
        return vote_pool(
            self.name, self.texts, self.votes.values(), labels=tuple(labels), ordered=ordered,
            about=self.about, notes=notes,
        )  # fmt: skip


def rows_of(path: Path, *columns: str) -> Iterable[dict[str, str]]:
    """The rows of a verified table as text, with these columns among others."""
    for row in read_table(path, required=columns, known=None).rows:
        yield {name: "" if v is None else str(v).strip() for name, v in row.cells.items()}


def open_pool(source: str, *, labels: tuple[str, ...] = (), ordered: bool = False) -> VotePool:
    """A published pool by its name, or a long table of votes by its path.

    Args:
        source: A name in `pools/`, or a file.
        labels: Of a file: all labels, from low to high if they are ordered.
        ordered: Of a file: whether the labels are ordered.

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
