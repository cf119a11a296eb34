"""The index of the store, which finds the row that holds an answer: append-only on disk, sorted in memory.

Requests are keyed by digests, which have no order: an SQLite index would change a different page for nearly
every answer, which came to 10 kB written for an answer of 133 bytes. Instead, every transaction appends its
additions to the index as one row, and each process sorts the entries of the models that it asks in memory, at
8 bytes per answer.

An entry has 64 bits: a 32-bit checksum of the request, then the number of the answer's row. The row itself
holds the full key of the request, so that a damaged index can hide an answer but never return a wrong one.
"""

import sqlite3
from collections.abc import Collection, Mapping
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tiltmeter.run.stored_answers.database import CHECK, Damaged

Numbers = NDArray[np.uint64]

NEWEST = 32_768
"""How many of the newest entries are sorted separately, so that each batch does not sort all entries
again."""
ROW = np.uint64(0xFFFFFFFF)
"""The mask of the bits of an entry that hold the row number."""
LAST_ROW = (
    "SELECT MAX(last) FROM (SELECT MAX(id) AS last FROM answers UNION SELECT MAX(id) FROM entries)"
)


class ModelEntries:
    """The index entries of one model that have been read so far."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the last index row that was read."""
        self._sorted: Numbers = np.empty(0, np.uint64)
        self._newest: Numbers = np.empty(0, np.uint64)

    def add(self, entries: Numbers) -> None:
        """Add entries, in any order."""
        self._newest = np.sort(np.concatenate([self._newest, entries]))
        if len(self._newest) > NEWEST:
            every = np.concatenate([self._sorted, self._newest])
            self._sorted, self._newest = np.sort(every, kind="stable"), self._newest[:0]

    def rows(self, requests: Collection[bytes]) -> list[int]:
        """The row numbers, ascending, of all answers whose requests may be among these."""
        checksums = np.unique(np.fromiter(map(crc32, requests), np.uint64, len(requests)))
        matching = [_matching(entries, checksums) for entries in (self._sorted, self._newest)]
        return [*np.unique(np.concatenate(matching)).tolist()]


class AnswerIndex:
    """The index of one open store; every method must be called within a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._models: dict[int, ModelEntries] = {}

    def rows(self, model: int, requests: Collection[bytes]) -> list[int]:
        """The row numbers, ascending, of all answers of the model whose requests may be among these."""
        known = self._models.setdefault(model, ModelEntries())
        query = "SELECT id, entries FROM entries WHERE model = ? AND id > ? ORDER BY id"
        added = self._db.execute(query, (model, known.last)).fetchall()
        if added:
            known.add(np.concatenate([_read(content) for _, content in added]))
            known.last = added[-1][0]
        return known.rows(requests)

    def last_row(self) -> int:
        """The highest row number that an answer has or ever had; 0 in a new store.

        Raises:
            Damaged: The number is too large for an index entry.
        """
        (last,) = self._db.execute(LAST_ROW).fetchone()
        if (last or 0) >= ROW:
            raise Damaged("a row has a number beyond those that the index can hold")
        return last or 0

    def append(self, model: int, rows: Mapping[bytes, int]) -> None:
        """Add a model's new answers, given as row numbers by the key of the request."""
        entries = [crc32(request) << 32 | row for request, row in rows.items()]
        content = np.array(entries, "<u8").tobytes()
        content += crc32(content).to_bytes(CHECK)
        entered = (max(rows.values()), model, content)
        self._db.execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", entered)

    def forget(self, models: str, last: int) -> None:
        """Remove the index rows of deleted models that precede row `last`, which was once the last of all.

        The index row with that number itself stays: it keeps the number from being used again, and other
        processes rely on row numbers only growing.
        """
        self._db.execute(f"DELETE FROM entries WHERE model IN ({models}) AND id < {last}")  # noqa: S608 only numbers


def _read(content: object) -> Numbers:
    """Decode the entries that one transaction appended.

    Raises:
        Damaged: The content does not match its checksum.
    """
    if not isinstance(content, bytes) or content[-CHECK:] != crc32(content[:-CHECK]).to_bytes(
        CHECK
    ):
        raise Damaged("a part of the index is not as it was written")
    return np.frombuffer(content[:-CHECK], "<u8").astype(np.uint64, copy=False)


def _matching(entries: Numbers, checksums: Numbers) -> Numbers:
    """The row numbers of those sorted entries that have one of the sorted checksums."""
    starts = entries.searchsorted(checksums << np.uint64(32))
    ends = entries.searchsorted(checksums << np.uint64(32) | ROW, "right")
    lengths = ends - starts
    # Several requests may share a checksum: the ranges from starts to ends, one after the other.
    before = np.cumsum(lengths) - lengths
    at: NDArray[np.intp] = np.repeat(starts - before, lengths) + np.arange(lengths.sum())
    return np.asarray(entries[at] & ROW, np.uint64)
