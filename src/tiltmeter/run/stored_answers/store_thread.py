"""The store in a thread of its own, so that the model does not wait for the disk.

Ctrl-C interrupts the main thread between any two steps of Python code. Within `threading.Condition`, and so
within `Event`, `Semaphore`, `Future` and `Thread.start`, it can leave a lock held for which the other thread
then waits forever. The two threads therefore communicate only through `SimpleQueue`, which is written in C:
`put` never waits, and an interrupted `get` holds no lock.
"""

import _thread
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Lock
from typing import Generic, Self, TypeVar

from tiltmeter.core.errors import StorageError
from tiltmeter.core.model.query import StoredValue
from tiltmeter.run.stored_answers.store import Store

T = TypeVar("T")
AHEAD = 4
"""The number of batches that may be waiting to be written before `put` waits."""


class _Call(Generic[T]):
    """A call that the store's thread carries out, and its outcome."""

    def __init__(self, function: Callable[[], T]) -> None:
        self._function = function
        self._returned: list[T] = []
        self._raised: BaseException | None = None
        self._bell: SimpleQueue[None] = SimpleQueue()
        self.done = False

    def make(self) -> None:
        """Carry out the call; runs in the store's thread."""
        try:
            self._returned.append(self._function())
        except BaseException as error:  # noqa: BLE001 (raised again where the result is awaited)
            self._raised = error
        self.done = True
        self._bell.put(None)

    def wait(self) -> None:
        """Wait until the call is done; may be called again after an interruption."""
        while not self.done:
            self._bell.get()

    def result(self) -> T:
        """Wait until the call is done, then return what it returned or raise what it raised."""
        self.wait()
        if self._raised is not None:
            raise self._raised
        return self._returned[0]


class StoreThread:
    """A `Store` that is opened, used and closed in a thread of its own, which alone has its connection.

    `put` normally returns without waiting; if writing fails, a later `put` or `close` raises the error. Calls
    are carried out in order, and `close` waits for them: what was put before an interruption is stored.
    """

    def __init__(self, path: Path | None, tell: Callable[[str], None] | None = None) -> None:
        self._calls: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._puts: deque[_Call[None]] = deque()
        self._putting = Lock()  # of the threads that put; the store's own never takes it
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
        """The stored answers by key, including everything that was put before."""
        return self._call(partial(self._store.get, model, keys)).result()

    def put(
        self, model: int, answers: Mapping[bytes, StoredValue], *, at_once: bool = False
    ) -> None:
        """Have a batch of answers stored; waits only while AHEAD batches are already waiting.

        With `at_once`, the batch is written as soon as those before it, instead of being gathered with
        others.
        """
        write = partial(self._store.put, model, dict(answers), at_once=at_once)
        with self._putting:
            while len(self._puts) >= AHEAD or (self._puts and self._puts[0].done):
                self._puts.popleft().result()
            self._puts.append(self._call(write))

    def close(self) -> None:
        """Write all waiting answers, close the file and end the thread.

        A Ctrl-C meanwhile is raised once that is done; a second one is raised immediately.
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
