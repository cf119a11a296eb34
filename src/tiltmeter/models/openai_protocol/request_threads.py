"""Sends several requests to a server at once, in threads, and passes on each answer as it arrives."""

import _thread
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from queue import Empty, SimpleQueue
from threading import Event, Lock
from typing import Generic, TypeVar

B = TypeVar("B")
A = TypeVar("A")
GRACE = 10.0
"""How long requests under way may still be answered after Ctrl-C, in seconds."""
AWAKE = 0.2
"""How long one wait lasts, in seconds; Python may notice a Ctrl-C only after the wait that has just begun."""


class Stopped(Exception):
    """Raised when the run ends, so that nothing is tried again or waited for."""


class _Crew(Generic[B, A]):
    """Threads that share a list of work.

    The queue `arrived` receives (number, answer), an error, and None when a thread ends.
    """

    def __init__(self, ask: Callable[[B], A], work: Sequence[B], stop: Event) -> None:
        self.arrived: SimpleQueue[tuple[int, A] | BaseException | None] = SimpleQueue()
        self._ask = ask
        self._left: Iterator[tuple[int, B]] = iter(enumerate(work))
        self._lock = Lock()
        self._stop = stop

    def start(self, threads: int) -> None:
        # These do not keep a process alive whose user has had enough of a slow server, and starting one
        # waits for no lock, as `threading.Thread` does, which Ctrl-C may leave in disorder.
        for _ in range(threads):
            _thread.start_new_thread(self._work, ())

    def _work(self) -> None:
        try:
            while (numbered := self._next()) is not None:
                number, work = numbered
                self.arrived.put((number, self._ask(work)))
        except Stopped:
            pass
        except BaseException as error:  # noqa: BLE001 (raised again where the answers are awaited)
            self._stop.set()
            self.arrived.put(error)
        finally:
            self.arrived.put(None)

    def _next(self) -> tuple[int, B] | None:
        with self._lock:
            return None if self._stop.is_set() else next(self._left, None)


def answered_in_threads(
    ask: Callable[[B], A], work: Sequence[B], *, threads: int, stop: Event
) -> Generator[tuple[int, A], None, None]:
    """Yields (number, answer) for each piece of work, in the order in which the answers arrive.

    After an error or Ctrl-C nothing new is asked. Requests under way are awaited and their answers passed on,
    and then the error is raised. Closing the generator abandons requests under way.

    Args:
        ask: Called in several threads at once. It raises `Stopped` instead of waiting once `stop` is set.
        work: The arguments with which `ask` is called.
        threads: The most threads.
        stop: Set when the work ends, for whatever reason.
    """
    crew: _Crew[B, A] = _Crew(ask, work, stop)
    alive = min(threads, len(work))
    crew.start(alive)
    failed: BaseException | None = None
    deadline: float | None = None
    try:
        while alive:
            try:
                arrival = crew.arrived.get(timeout=AWAKE)
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
            if arrival is None:
                alive -= 1
            elif isinstance(arrival, BaseException):
                failed = failed or arrival
            else:
                yield arrival
    finally:
        stop.set()
    if failed is not None:
        raise failed
