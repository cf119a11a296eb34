"""A list that moves to disk as it grows, so that memory does not grow with it.

Portions are written as compressed JSON into one unnamed temporary file in the cache folder, which disappears
with the process, however that ends. Short lists are never written to disk.
"""

import json
import tempfile
import weakref
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import IO, Any, Generic, TypeVar

from tiltmeter.core.errors import StorageError, reason_of
from tiltmeter.data.downloads import places
from tiltmeter.data.memory.lazy_sequence import LazySequence

T = TypeVar("T")
PORTION = 1024
"""The number of items that are written and read together."""
KEPT = 8 * PORTION
"""How many of the newest items are kept in memory: enough for any published set, which thus needs no file."""

FASTEST = 1
"""The compression level: it writes a fifth of the bytes, in a hundredth of the time it takes to score a
pair."""


class Spool(LazySequence[T], Generic[T]):
    """A list of items of one dataclass, whose fields are texts, numbers, or mappings and tuples of them.

    It reads like a list; items on disk are returned as equal but new objects each time. Iterating
    in order is fast; random access reads a whole portion at each jump.

    >>> from tiltmeter.core.data.items import Pair
    >>> pairs = Spool(Pair, [Pair("1", "He ran.", "She ran.")])
    >>> pairs.append(Pair("2", "He sang.", "She sang."))
    >>> len(pairs), pairs[-1].more
    (2, 'He sang.')
    """

    def __init__(self, kind: type[T], items: Iterable[T] = (), *, kept: int = KEPT) -> None:
        self._kind = kind
        self._taken = attrgetter(*(f.name for f in fields(kind)))  # type: ignore[arg-type]
        self._kept = max(kept, PORTION)
        self._newest: list[T] = []
        self._file: IO[bytes] | None = None
        self._places: list[tuple[int, int]] = []
        """The offset in the file and the length of each portion."""
        self._tuples: set[int] = set()
        """The indices of fields that hold tuples, which JSON does not distinguish from lists."""
        self._last: tuple[int, list[T]] = (-1, [])
        """The number and the items of the portion that was read last."""
        self.extend(items)

    def append(self, item: T) -> None:
        """Add an item at the end; raises StorageError if the disk is full."""
        self._newest.append(item)
        if len(self._newest) >= self._kept + PORTION:
            self._spill()

    def extend(self, items: Iterable[T]) -> None:
        """Add items at the end, in order; raises StorageError if the disk is full."""
        for item in items:
            self.append(item)

    def pop(self) -> T:
        """Remove and return the newest item, which must be in memory, as the last few thousand are."""
        return self._newest.pop()

    def __len__(self) -> int:
        return PORTION * len(self._places) + len(self._newest)

    def __iter__(self) -> Iterator[T]:
        for number in range(len(self._places)):
            yield from self._portion(number)
        yield from self._newest

    def item(self, place: int) -> T:
        """The item at an index, from memory or from disk."""
        number, offset = divmod(place, PORTION)
        if number >= len(self._places):
            return self._newest[place - PORTION * len(self._places)]
        if self._last[0] != number:
            self._last = (number, self._portion(number))
        return self._last[1][offset]

    def __deepcopy__(self, _: object) -> "Spool[T]":
        return Spool(self._kind, self, kept=self._kept)

    def __repr__(self) -> str:
        return f"<Spool of {len(self):,} {self._kind.__name__}>"

    def _spill(self) -> None:
        rows = [self._taken(item) for item in self._newest[:PORTION]]
        self._tuples |= {i for row in rows for i, value in enumerate(row) if type(value) is tuple}
        text = json.dumps(rows, default=_plain, check_circular=False)
        portion = zlib.compress(text.encode(), FASTEST)
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(dir=places.cache())  # noqa: SIM115 (closed below)
                weakref.finalize(self, self._file.close)  # with the list, or the process
            start = self._file.seek(0, 2)
            self._file.write(portion)
            self._file.flush()
        except OSError as error:
            raise StorageError(_no_room(error)) from error
        self._places.append((start, len(portion)))
        del self._newest[:PORTION]

    def _portion(self, number: int) -> list[T]:
        start, length = self._places[number]
        assert self._file is not None  # noqa: S101 (a portion was written to it)
        try:
            self._file.seek(start)
            rows = json.loads(zlib.decompress(self._file.read(length)))
        except (OSError, ValueError, zlib.error) as error:
            raise StorageError(_no_room(error)) from error
        for row in rows if self._tuples else ():
            for field in self._tuples:
                row[field] = _tuple(row[field])
        return [self._kind(*row) for row in rows]


def _tuple(value: Any) -> Any:
    return tuple(map(_tuple, value)) if isinstance(value, list) else value


def _plain(value: Any) -> Any:
    """Convert what the JSON encoder does not know: mappings other than dict, numbers of other libraries."""
    return dict(value) if isinstance(value, Mapping) else float(value)


def _no_room(error: Exception) -> str:
    return (
        f"{places.cache()}: items could not be kept there for the time of the run: {reason_of(error)}. "
        f"Make room, or name a folder on another disk: {places.CACHE}=FOLDER"
    )
