"""Turns, in which several studies ask one model at the same time, each in a thread of its own.

One study computes at a time: a study that awaits answers lets another one compute. So studies need no locks,
and their computing does not keep the threads that talk to a server from the processor.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock


@dataclass(eq=False, slots=True)
class StudyTurn:
    """The turn of one study among those that ask a model at the same time."""

    number: int = 0
    """Requests of a lower number are made first."""
    computing: Lock = field(default_factory=Lock)
    """Held by the study that computes; all turns of a model share it."""
    has_asked: bool = False
    """Whether the study has begun to ask."""
    unanswered: int = 0
    """How many of the study's requests are wanted now and not answered yet."""
    is_halted: bool = False
    """Whether the study is to end: requests under way are awaited, and then KeyboardInterrupt is raised."""
    _waits: int = 0
    """How many blocks of `awaiting` the study is in."""

    @contextmanager
    def awaiting(self) -> Iterator[None]:
        """A block in which other studies may compute, within one in which this study does."""
        if not self._waits:
            self.computing.release()
        self._waits += 1
        try:
            yield
        finally:
            self._waits -= 1
            if not self._waits:
                self.computing.acquire()

    def asks(self, count: int) -> None:
        """Note that so many requests are wanted."""
        self.has_asked, self.unanswered = True, count


@dataclass(eq=False, slots=True)
class StudyTurns:
    """The turns of the studies that ask one model, in the order in which they begin."""

    places: int
    """How many requests the model answers at once."""
    ahead: int
    """How many requests for each place should be waiting while the next study is prepared."""
    running: list[StudyTurn] = field(default_factory=list)
    _begun: int = 0
    _computing: Lock = field(default_factory=Lock)

    def next(self) -> StudyTurn:
        """The turn of the study that begins now."""
        turn = StudyTurn(self._begun, self._computing)
        self._begun += 1
        self.running.append(turn)
        return turn

    @property
    def has_room(self) -> bool:
        """Whether the next study should begin: those that run will not keep the model busy for long."""
        wanted = sum(turn.unanswered for turn in self.running)
        return wanted < (1 + self.ahead) * self.places and all(t.has_asked for t in self.running)

    def halt(self) -> None:
        """Have all studies end; see `StudyTurn.is_halted`."""
        for turn in self.running:
            turn.is_halted = True
