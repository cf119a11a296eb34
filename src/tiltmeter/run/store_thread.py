"""The store in a thread of its own, so that the model need not wait for the disk."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import ParamSpec, Self, TypeVar

from tiltmeter.core.query import StoredValue
from tiltmeter.run.store import Store

P = ParamSpec("P")
T = TypeVar("T")
AHEAD = 4
"""Batches that may wait to be written; then the model waits."""


class StoreThread:
    """A `Store` that a thread of its own opens, uses and closes; nothing else has its connection.

    `put` returns at once; if writing fails, the next call raises that. Everything happens in the
    order of the calls, and `close` waits for it: what was put before an interruption is stored.
    """

    def __init__(self, path: Path | None, tell: Callable[[str], None] | None = None) -> None:
        self._thread = ThreadPoolExecutor(1, "store")
        self._pending: deque[Future[None]] = deque()
        try:
            self._store = self._do(Store, path, tell)
        except BaseException:
            self._thread.shutdown()
            raise

    @property
    def path(self) -> Path | None:
        """Where the file is; None in memory."""
        return self._store.path

    @property
    def note(self) -> str:
        """The last message about damage."""
        return self._store.note

    def model(self, fingerprint: str, name: str, precision: str = "") -> int:
        """The number under which this model's answers are stored."""
        return self._do(self._store.model, fingerprint, name, precision)

    def get(self, model: int, keys: Sequence[bytes]) -> dict[bytes, StoredValue]:
        """The stored answers, including everything that was put before."""
        return self._do(self._store.get, model, keys)

    def put(
        self, model: int, answers: Mapping[bytes, StoredValue], *, at_once: bool = False
    ) -> None:
        """Have a batch of answers stored; waits while AHEAD batches are waiting already.

        `at_once` has it written as soon as the batches before it are, instead of gathered with others.
        """
        while len(self._pending) >= AHEAD or (self._pending and self._pending[0].done()):
            self._pending.popleft().result()
        self._pending.append(
            self._thread.submit(self._store.put, model, dict(answers), at_once=at_once)
        )

    def close(self) -> None:
        """Write what is waiting, close the file, end the thread."""
        try:
            self._do(self._store.close)
        finally:
            self._thread.shutdown()
        for done in self._pending:
            done.result()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def _do(self, what: Callable[P, T], *args: P.args, **named: P.kwargs) -> T:
        return self._thread.submit(what, *args, **named).result()
