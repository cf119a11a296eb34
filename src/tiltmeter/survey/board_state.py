"""What a leaderboard remembers, as an interface, and kept in memory."""

from collections import defaultdict
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date, datetime
from threading import Lock
from typing import Protocol


@dataclass(frozen=True, slots=True)
class ScoredSubmission:
    """One scored submission. Its values are exact and never leave the board."""

    submitter: str
    digest: str
    at: datetime
    values: Mapping[str, float]
    moved: bool
    """Whether it became what the board shows of this submitter."""


class BoardState(Protocol):
    """Entries of one board; `add` keeps an entry for good before it returns."""

    def turn(self, submitter: str) -> AbstractContextManager[object]:
        """Held while a submission is counted, scored and added, so that each submitter has one."""

    def entries_on(self, submitter: str, day: date) -> int:
        """How many entries this submitter has on that day (UTC)."""

    def shown(self, submitter: str) -> ScoredSubmission | None:
        """The submitter's last entry that moved."""

    def all_shown(self) -> list[ScoredSubmission]:
        """The last entry that moved of every submitter."""

    def add(self, entry: ScoredSubmission) -> None:
        """Keep an entry."""


@dataclass(slots=True)
class InMemoryState:
    """A board that is forgotten with the process."""

    entries: list[ScoredSubmission] = field(default_factory=list)
    _turns: dict[str, Lock] = field(default_factory=lambda: defaultdict(Lock))

    def turn(self, submitter: str) -> Lock:
        """A lock for each submitter."""
        return self._turns[submitter]

    def entries_on(self, submitter: str, day: date) -> int:
        """How many entries this submitter has on that day (UTC)."""
        return sum(e.submitter == submitter and e.at.date() == day for e in self.entries)

    def shown(self, submitter: str) -> ScoredSubmission | None:
        """The submitter's last entry that moved."""
        return next((e for e in self.all_shown() if e.submitter == submitter), None)

    def all_shown(self) -> list[ScoredSubmission]:
        """The last entry that moved of every submitter."""
        return list({e.submitter: e for e in self.entries if e.moved}.values())

    def add(self, entry: ScoredSubmission) -> None:
        """Keep an entry."""
        self.entries.append(entry)
