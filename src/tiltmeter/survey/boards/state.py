"""What a leaderboard remembers."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import date, datetime
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
