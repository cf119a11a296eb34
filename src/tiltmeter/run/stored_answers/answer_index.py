"""Which row of the store holds which answer: a list that is only appended to, and sorted in memory.

Requests are digests, in no order: an index in SQLite changes a page of its own for nearly every answer, which
came to 10 kB written for an answer of 133 bytes. So every transaction appends what it adds to the index as
one row, and each process sorts those rows, of the models that it asks, in memory: 8 bytes an answer.

An entry has 64 bits: a checksum of the request, then the number of the answer's row. The row decides whether
it is the right one, so that a damaged index could hide an answer and never give a wrong one.
"""

import sqlite3
from collections.abc import Collection, Mapping
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tiltmeter.run.stored_answers.database import CHECK, Damaged

Numbers = NDArray[np.uint64]

NEWEST = 32_768
"""Entries that are sorted apart from those before them, so that not all are sorted again for each batch."""
ROW = np.uint64(0xFFFFFFFF)
"""The bits of an entry that are the row's number."""
LAST_ROW = (
    "SELECT MAX(last) FROM (SELECT MAX(id) AS last FROM answers UNION SELECT MAX(id) FROM entries)"
)


class ModelEntries:
    """The entries of one model, as far as they have been read."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the last row of the index that was read."""
        self._sorted: Numbers = np.empty(0, np.uint64)
        self._newest: Numbers = np.empty(0, np.uint64)

    def add(self, entries: Numbers) -> None:
        """Take in further entries, in any order."""
        self._newest = np.sort(np.concatenate([self._newest, entries]))
        if len(self._newest) > NEWEST:
            every = np.concatenate([self._sorted, self._newest])
            self._sorted, self._newest = np.sort(every, kind="stable"), self._newest[:0]

    def rows(self, requests: Collection[bytes]) -> list[int]:
        """The numbers, ascending, of all rows that may hold the answers to these requests."""
        checksums = np.unique(np.fromiter(map(crc32, requests), np.uint64, len(requests)))
        matching = [_matching(entries, checksums) for entries in (self._sorted, self._newest)]
        return [*np.unique(np.concatenate(matching)).tolist()]


class AnswerIndex:
    """The index of one open store. Every method is called within a transaction."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self._models: dict[int, ModelEntries] = {}

    def rows(self, model: int, requests: Collection[bytes]) -> list[int]:
        """The numbers, ascending, of all rows that may hold the model's answers to these requests."""
        known = self._models.setdefault(model, ModelEntries())
        query = "SELECT id, entries FROM entries WHERE model = ? AND id > ? ORDER BY id"
        added = self._db.execute(query, (model, known.last)).fetchall()
        if added:
            known.add(np.concatenate([_read(content) for _, content in added]))
            known.last = added[-1][0]
        return known.rows(requests)

    def last_row(self) -> int:
        """The highest number that a row of answers has or ever had.

        Raises:
            Damaged: It is beyond those that an entry can hold.
        """
        (last,) = self._db.execute(LAST_ROW).fetchone()
        if (last or 0) >= ROW:
            raise Damaged("a row has a number beyond those that the index can hold")
        return last or 0

    def append(self, model: int, rows: Mapping[bytes, int]) -> None:
        """Enter a model's new rows, given by request."""
        entries = [crc32(request) << 32 | row for request, row in rows.items()]
        content = np.array(entries, "<u8").tobytes()
        content += crc32(content).to_bytes(CHECK)
        entered = (max(rows.values()), model, content)
        self._db.execute("INSERT OR REPLACE INTO entries VALUES (?, ?, ?)", entered)

    def forget(self, models: str, last: int) -> None:
        """Remove what was entered of deleted models, up to a row that was once the last of all.

        That row's own entry stays: it keeps the number from being given again, which other processes rely on.
        """
        self._db.execute(f"DELETE FROM entries WHERE model IN ({models}) AND id < {last}")  # noqa: S608 only numbers


def _read(content: object) -> Numbers:
    """The entries that one transaction appended.

    Raises:
        Damaged: They are not as they were written.
    """
    if not isinstance(content, bytes) or content[-CHECK:] != crc32(content[:-CHECK]).to_bytes(
        CHECK
    ):
        raise Damaged("a part of the index is not as it was written")
    return np.frombuffer(content[:-CHECK], "<u8").astype(np.uint64, copy=False)


def _matching(entries: Numbers, checksums: Numbers) -> Numbers:
    """The row numbers in sorted entries with one of the sorted checksums."""
    starts = entries.searchsorted(checksums << np.uint64(32))
    ends = entries.searchsorted(checksums << np.uint64(32) | ROW, "right")
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    at: NDArray[np.intp] = np.repeat(starts - before, lengths) + np.arange(lengths.sum())
    return np.asarray(entries[at] & ROW, np.uint64)
