"""Which requests are being made, so that studies that run at the same time make equal ones only once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Condition

from tiltmeter.run.asking.executors import Batch


class RequestsUnderWay:
    """The requests that any study is making, by model and key; may be used by several threads."""

    def __init__(self) -> None:
        self._keys: set[tuple[int, bytes]] = set()
        self._changed = Condition()

    @contextmanager
    def claimed(
        self, model: int, batches: Sequence[Batch]
    ) -> Iterator[tuple[list[Batch], list[Batch]]]:
        """The batches that the caller makes in the block, and those with a request of another study."""
        own: list[Batch] = []
        others: list[Batch] = []
        with self._changed:
            for batch in batches:
                is_shared = any((model, key) in self._keys for key in batch.keys)
                (others if is_shared else own).append(batch)
            claimed = {(model, key) for batch in own for key in batch.keys}
            self._keys |= claimed
        try:
            yield own, others
        finally:
            with self._changed:
                self._keys -= claimed
                self._changed.notify_all()

    def wait(self, model: int, batches: Sequence[Batch]) -> None:
        """Wait until no other study is making a request of these batches."""
        awaited = {(model, key) for batch in batches for key in batch.keys}
        with self._changed:
            while self._keys & awaited:
                self._changed.wait()
