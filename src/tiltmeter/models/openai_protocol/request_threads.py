"""Sends several requests to a server at once, in threads, and passes on each answer as it arrives.

Studies that run at the same time share the threads, so that no more requests are under way than for one.
"""

import _thread
import time
from collections.abc import Callable, Generator, Sequence
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import Any, Generic, TypeVar

from tiltmeter.core.model.study_turns import StudyTurn

B = TypeVar("B")
A = TypeVar("A")
GRACE = 10.0
"""How long requests under way may still be answered after Ctrl-C, in seconds."""
AWAKE = 0.2
"""How long one wait lasts, in seconds; Python may notice a Ctrl-C only after the wait that has just begun."""


class Stopped(Exception):
    """Raised when the run ends, so that nothing is tried again or waited for."""


class _Wanted(Generic[B, A]):
    """What one study wants answered.

    For each piece of work that was begun, the queue `arrived` receives (number, answer), an error, or None
    where the work was stopped.
    """

    def __init__(
        self, ask: Callable[[B], A], work: Sequence[B], stop: Event, turn: StudyTurn
    ) -> None:
        self.arrived: SimpleQueue[tuple[int, A] | BaseException | None] = SimpleQueue()
        self.turn = turn
        self._ask = ask
        self._work = work
        self._stop = stop
        self._begun = 0

    @property
    def awaited(self) -> int:
        """How many pieces are begun until the end."""
        return self._begun if self._stop.is_set() else len(self._work)

    def take(self) -> Callable[[], None] | None:
        """The next piece of work, begun by calling it; None if there is nothing left to do."""
        if self._stop.is_set() or self._begun == len(self._work):
            return None
        self._begun += 1
        return partial(self._answer, self._begun - 1)

    def _answer(self, number: int) -> None:
        arrival: tuple[int, A] | BaseException | None = None
        try:
            arrival = number, self._ask(self._work[number])
        except Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 (raised again where the answers are awaited)
            self._stop.set()
            arrival = error
        self.arrived.put(arrival)


class RequestQueue:
    """Threads that make the requests of one study or of several; those of an earlier turn come first."""

    def __init__(self, threads: int) -> None:
        self._threads = threads
        self._alive = 0
        self._lock = Lock()
        self._wanted: list[_Wanted[Any, Any]] = []

    def answered(
        self,
        ask: Callable[[B], A],
        work: Sequence[B],
        *,
        stop: Event,
        turn: StudyTurn | None = None,
    ) -> Generator[tuple[int, A], None, None]:
        """Yields (number, answer) for each piece of work, in the order in which the answers arrive.

        After an error or Ctrl-C nothing new is asked. Requests under way are awaited and their answers
        passed on, and then the error is raised. Closing the generator abandons requests under way.

        Args:
            ask: Called in several threads at once. It raises `Stopped` instead of waiting once `stop` is set.
            work: The arguments with which `ask` is called.
            stop: Set when the work ends, for whatever reason.
            turn: The turn of the study that asks, where several do.
        """
        turn = turn or StudyTurn()
        wanted = _Wanted(ask, work, stop, turn)
        turn.asks(len(work))
        self._begin(wanted, len(work))
        received = 0
        failed: BaseException | None = None
        deadline: float | None = None
        try:
            while received < self._awaited(wanted):
                if turn.is_halted and deadline is None:
                    stop.set()
                    failed, deadline = KeyboardInterrupt(), time.monotonic() + GRACE
                try:
                    arrival = wanted.arrived.get(timeout=AWAKE)
                except Empty:
                    if deadline is not None and time.monotonic() > deadline:
                        break
                    continue
                except KeyboardInterrupt as error:
                    if deadline is not None:
                        raise
                    stop.set()
                    failed, deadline = error, time.monotonic() + GRACE
                    continue
                received += 1
                turn.unanswered = len(work) - received
                if isinstance(arrival, BaseException):
                    failed = failed or arrival
                elif arrival is not None:
                    yield arrival
        finally:
            stop.set()
            turn.unanswered = 0
            with self._lock:
                self._wanted.remove(wanted)
        if failed is not None:
            raise failed

    def _begin(self, wanted: _Wanted[Any, Any], most: int) -> None:
        with self._lock:
            self._wanted.append(wanted)
            self._wanted.sort(key=lambda each: each.turn.number)
            threads = min(self._threads - self._alive, most)
            self._alive += threads
        # These do not keep a process alive whose user has had enough of a slow server, and starting one
        # waits for no lock, as `threading.Thread` does, which Ctrl-C may leave in disorder.
        for _ in range(threads):
            _thread.start_new_thread(self._work, ())

    def _work(self) -> None:
        while (piece := self._next()) is not None:
            piece()

    def _next(self) -> Callable[[], None] | None:
        with self._lock:
            for wanted in self._wanted:
                if (piece := wanted.take()) is not None:
                    return piece
            self._alive -= 1
            return None

    def _awaited(self, wanted: _Wanted[Any, Any]) -> int:
        with self._lock:  # a thread may have begun a piece just before the work was stopped
            return wanted.awaited
