"""What a leaderboard remembers, as an interface, and kept in memory."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from datetime import date, datetime
from threading import Lock
from typing import Protocol

from tiltmeter.survey.boards.receipts import Receipt


@dataclass(frozen=True, slots=True)
class ScoredSubmission:
    """One scored submission. Its values are exact and never leave the board."""

    submitter: str
    digest: str
    at: datetime
    values: Mapping[str, float]
    moved: bool
    """Whether it became what the board shows of this submitter."""


class Turn(Protocol):
    """One submission while it is counted and scored."""

    def add(self, entry: ScoredSubmission, receipt: Receipt) -> None:
        """Keep the entry for good before it returns."""


class BoardState(Protocol):
    """The entries of one board."""

    def turn(self, submitter: str, digest: str) -> AbstractContextManager[Turn]:
        """Held while a submission is counted, scored and added, so that each submitter has one.

        Leaving it with an error, or not at all because the process died, adds no entry.

        Raises:
            BadInput: The board is closed, or another submission of this submitter is being scored.
        """

    def entries_on(self, submitter: str, day: date) -> int:
        """How many entries this submitter has on that day (UTC)."""

    def shown(self, submitter: str) -> ScoredSubmission | None:
        """The submitter's last entry that moved."""

    def all_shown(self) -> list[ScoredSubmission]:
        """The last entry that moved of every submitter."""


@dataclass(slots=True)
class InMemoryState:
    """A board that is forgotten with the process."""

    entries: list[ScoredSubmission] = field(default_factory=list)
    _turns: dict[str, Lock] = field(default_factory=lambda: defaultdict(Lock))

    @contextmanager
    def turn(self, submitter: str, digest: str) -> Iterator["InMemoryState"]:  # noqa: ARG002 kept with the entry
        """Hold the turn of a submitter; a second submission of theirs waits for the first."""
        with self._turns[submitter]:
            yield self

    def add(self, entry: ScoredSubmission, receipt: Receipt) -> None:  # noqa: ARG002 the submitter has it
        """Append the entry to those in memory."""
        self.entries.append(entry)

    def entries_on(self, submitter: str, day: date) -> int:
        """How many scored submissions of this submitter are of that day (UTC)."""
        return sum(e.submitter == submitter and e.at.date() == day for e in self.entries)

    def shown(self, submitter: str) -> ScoredSubmission | None:
        """The scores that the board shows of this submitter; None before any."""
        return next((e for e in self.all_shown() if e.submitter == submitter), None)

    def all_shown(self) -> list[ScoredSubmission]:
        """The scores that the board shows, one entry for each submitter."""
        return list({e.submitter: e for e in self.entries if e.moved}.values())
