"""The store in a thread of its own, so that the model need not wait for the disk.

Ctrl-C reaches the main thread between any two steps of Python code. Within `threading.Condition`, and so
within `Event`, `Semaphore`, `Future` and `Thread.start`, it can leave a lock held for which the other thread
then waits for ever. The two threads therefore share nothing but `SimpleQueue`, which is written in C: `put`
never waits, and an interrupted `get` holds no lock.
"""

import _thread
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Generic, Self, TypeVar

from tiltmeter.core.errors import StorageError
from tiltmeter.core.model.query import StoredValue
from tiltmeter.run.stored_answers.store import Store

T = TypeVar("T")
AHEAD = 4
"""Batches that may wait to be written; then the model waits."""


class _Call(Generic[T]):
    """A call that the store's thread makes, and its outcome."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._returned: list[T] = []
        self._raised: BaseException | None = None
        self._bell: SimpleQueue[None] = SimpleQueue()
        self.done = False

    def make(self) -> None:
        """Make the call; in the store's thread."""
        try:
            self._returned.append(self._function())
        except BaseException as error:  # noqa: BLE001 (raised again where the result is awaited)
            self._raised = error
        self.done = True
        self._bell.put(None)

    def wait(self) -> None:
        """Wait until it is done; after an interruption, this may be called again."""
        while not self.done:
            self._bell.get()

    def result(self) -> T:
        """Wait; then return what the call returned, or raise what it raised."""
        self.wait()
        if self._raised is not None:
            raise self._raised
        return self._returned[0]


class StoreThread:
    """A `Store` that a thread of its own opens, uses and closes; nothing else has its connection.

    `put` returns at once; if writing fails, the next call raises that. Everything happens in the
    order of the calls, and `close` waits for it: what was put before an interruption is stored.
    It is for one thread at a time.
    """

    def __init__(self, path: Path | None, tell: Callable[[str], None] | None = None) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._puts: deque[_Call[None]] = deque()
        self._opened = ExitStack()
        self._closing = _Call(self._opened.close)
        _thread.start_new_thread(self._work, ())
        try:
            self._store = self._call(lambda: self._opened.enter_context(Store(path, tell))).result()
        except BaseException:
            self._end()
            raise

    def model(self, fingerprint: str, name: str, precision: str = "") -> int:
        """The number under which this model's answers are stored."""
        return self._call(partial(self._store.model, fingerprint, name, precision)).result()

    def get(self, model: int, keys: Sequence[bytes]) -> dict[bytes, StoredValue]:
        """The stored answers, including everything that was put before."""
        return self._call(partial(self._store.get, model, keys)).result()

    def put(
        self, model: int, answers: Mapping[bytes, StoredValue], *, at_once: bool = False
    ) -> None:
        """Have a batch of answers stored; waits while AHEAD batches are waiting already.

        `at_once` has it written as soon as the batches before it are, instead of gathered with others.
        """
        while len(self._puts) >= AHEAD or (self._puts and self._puts[0].done):
            self._puts.popleft().result()
        write = partial(self._store.put, model, dict(answers), at_once=at_once)
        self._puts.append(self._call(write))

    def close(self) -> None:
        """Write what is waiting, close the file, end the thread.

        A Ctrl-C meanwhile is raised once that is done; a second one at once.
        """
        try:
            self._end()
        except KeyboardInterrupt:
            self._end()
            raise
        for call in (self._closing, *self._puts):
            call.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _call(self, function: Callable[[], T]) -> _Call[T]:
        if self._closing.done:
            raise StorageError("the store is closed")
        call = _Call(function)
        self._calls.put(call.make)
        return call

    def _end(self) -> None:
        self._calls.put(None)
        self._closing.wait()

    def _work(self) -> None:
        while (make := self._calls.get()) is not None:
            make()
        self._closing.make()
