"""Which row of the store holds which answer: an index of sorted portions, which are written whole and merged.

Requests are digests, in no order. A B-tree over them changes a page of its own for nearly every answer. Here
answers are appended, and so is the index: the newest rows are sorted in the memory of each process; from
`NEWEST` rows on they become a sorted portion in the file, and `MERGED` portions of about one size become one.
An entry of 64 bits is a checksum of model and request, then the row's number. The row decides whether it
is the right one, so that a damaged entry can hide an answer and never give a wrong one.
"""

import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from tiltmeter.run.database import Damaged, seed_of

Numbers = NDArray[np.uint64]

NEWEST = 32_768
"""Rows from which on a portion is written."""
MERGED = 16
"""Portions of one level that become one of the next."""
LEVELS = 2
"""Levels whose portions are merged: larger ones, from 8 million entries on, would take too long at once."""
BLOCK = 500
"""Entries in a row of the table `blocks`, which then fills a page."""
AT_ONCE = 128
"""Blocks that are read and searched at a time: they fit into the processor's cache."""
SLICE = 131_072
"""Entries that are merged at a time."""
UNREADABLE = (TypeError, ValueError, OverflowError, AttributeError)
"""What values of other kinds than those written lead to."""
ROW = np.uint64(0xFFFFFFFF)
"""The bits of an entry that are the row's number."""


class AnswerIndex:
    """The index of one open store. Every method is called within a transaction, and first in it."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.last = 0
        """The highest row number ever given, as of the last `refresh`."""
        self.absent: set[tuple[int, bytes]] = set()
        """Models and requests without a row; requests that get one are removed by `refresh`."""
        self._newest: Numbers = np.empty(0, np.uint64)
        self._firsts: dict[int, Numbers] = {}
        """For each portion the checksums with which its blocks begin."""

    @property
    def is_full(self) -> bool:
        """Whether it is time to write a portion."""
        return len(self._newest) >= NEWEST

    def refresh(self) -> dict[int, int]:
        """Take in what this and other processes have written.

        Returns:
            The portions' numbers, each with the highest row number in it.
        """
        try:
            portions = dict(self._db.execute("SELECT id, last FROM portions"))
            indexed = max(portions.values(), default=0)
            if indexed >= ROW or max(portions, default=0) >> 31:
                raise ValueError("the index is about rows or blocks that cannot be")
            for gone in self._firsts.keys() - portions.keys():
                del self._firsts[gone]
            for new in portions.keys() - self._firsts.keys():
                query = "SELECT firsts FROM portions WHERE id = ?"
                (firsts,) = self._db.execute(query, (new,)).fetchone()
                if not firsts:
                    raise ValueError("a portion is empty")
                self._firsts[new] = np.frombuffer(firsts, "<u4").astype(np.uint64)
            if indexed > self.last:  # other processes' rows, which need not be read one by one
                self.absent.clear()
            query = "SELECT id, model, request FROM answers WHERE id > ? ORDER BY id"
            rows = self._db.execute(query, (max(self.last, indexed),))
            entries = np.fromiter(self._entries_of(rows), np.uint64)
        except UNREADABLE as error:
            raise Damaged(str(error)) from error
        kept = self._newest[(self._newest & ROW) > indexed]
        if len(entries) or len(kept) < len(self._newest):
            self._newest = np.sort(np.concatenate([kept, entries]))
        self.last = max(self.last, indexed, *(entries[-1:] & ROW).tolist())
        return portions

    def rows(self, model: int, requests: Collection[bytes]) -> list[int]:
        """The numbers, ascending, of all rows that may hold the answers to these requests."""
        self.refresh()
        seed = seed_of(model)
        checksums = (crc32(request, seed) for request in requests)
        wanted = np.unique(np.fromiter(checksums, np.uint64, len(requests)))
        rows = [_matching(self._newest, wanted)]
        for portion, firsts in self._firsts.items():
            # the block before may end with the checksum that begins a block
            starts = np.maximum(firsts.searchsorted(wanted) - 1, 0)
            blocks = np.unique(_ranges(starts, firsts.searchsorted(wanted, "right"))).tolist()
            for start in range(0, len(blocks), AT_ONCE):
                entries = self._blocks(portion, blocks[start : start + AT_ONCE])
                rows.append(_matching(entries, wanted))
        return [*np.unique(np.concatenate(rows)).tolist()]

    def write_portion(self, *, only_if_full: bool = False) -> None:
        """Move the newest entries into a portion."""
        self.refresh()
        if self.is_full or (len(self._newest) and not only_if_full):
            self._write([self._newest], self.last)

    def merge(self) -> bool:
        """Merge the portions of one level; false if no level has enough."""
        lasts = self.refresh()
        levels: list[list[int]] = [[] for _ in range(LEVELS + 1)]
        for portion, firsts in self._firsts.items():
            entries = len(firsts) * BLOCK
            levels[sum(entries >= NEWEST * MERGED**n for n in range(1, LEVELS + 1))].append(portion)
        full = next((level for level in levels[:LEVELS] if len(level) >= MERGED), [])
        if full:
            self._write(self._merged(full), max(lasts[portion] for portion in full))
        self._remove(full)
        return bool(full)

    def write_again(self) -> None:
        """Write new portions in place of all, without the entries of deleted rows."""
        old = self.refresh()
        rows = self._db.execute("SELECT id, model, request FROM answers ORDER BY id")
        every = self._entries_of(rows)
        while len(entries := np.fromiter(islice(every, NEWEST * MERGED), np.uint64)):
            self._write([np.sort(entries)], self.last)
        self._remove(old)

    def _entries_of(self, rows: Iterable[tuple[int, int, bytes]]) -> Iterator[int]:
        for row, model, request in rows:
            self.absent.discard((model, request))
            if row >> 32:
                raise ValueError("a row has a number beyond those that an entry can hold")
            yield crc32(request, seed_of(model)) << 32 | row

    def _write(self, slices: Iterable[Numbers], last: int) -> None:
        """Write sorted entries, in slices, as a new portion. Numbers of portions are never used again."""
        (newest,) = self._db.execute("SELECT COALESCE(MAX(id), 0) FROM portions").fetchone()
        portion = newest + 1
        firsts: list[int] = []
        for entries in slices:
            for start in range(0, len(entries), BLOCK):
                block = entries[start : start + BLOCK]
                content = block.astype("<u8").tobytes()
                place = portion << 32 | len(firsts)
                # where the table of portions was damaged, blocks of an unknown one may be there
                self._db.execute("INSERT OR REPLACE INTO blocks VALUES (?, ?)", (place, content))
                firsts.append(int(block[0]) >> 32)
        portion_row = (portion, last, np.array(firsts, "<u4").tobytes())
        self._db.execute("INSERT INTO portions VALUES (?, ?, ?)", portion_row)

    def _remove(self, portions: Iterable[int]) -> None:
        for portion in portions:
            self._db.execute("DELETE FROM portions WHERE id = ?", (portion,))
            ends = (portion << 32, (portion + 1) << 32)
            self._db.execute("DELETE FROM blocks WHERE id >= ? AND id < ?", ends)

    def _merged(self, portions: Sequence[int]) -> Iterator[Numbers]:
        """All entries of some portions, sorted, in slices."""
        slices = -(-sum(len(self._firsts[portion]) for portion in portions) * BLOCK // SLICE)
        ends = np.array([2**32 * n // slices for n in range(slices + 1)], np.uint64)
        for low, high in pairwise(ends):
            pieces = []
            for portion in portions:
                start, end = self._firsts[portion].searchsorted([low, high])
                entries = self._blocks(portion, range(max(start - 1, 0), end))
                pieces.append(entries[slice(*(entries >> 32).searchsorted([low, high]))])
            yield np.sort(np.concatenate(pieces))

    def _blocks(self, portion: int, blocks: Sequence[int]) -> Numbers:
        """The entries of some blocks of a portion, which are given in order."""
        marks = ",".join("?" * len(blocks))
        query = f"SELECT entries FROM blocks WHERE id IN ({marks}) ORDER BY id"  # noqa: S608 only question marks are put in
        try:
            rows = self._db.execute(query, [portion << 32 | block for block in blocks])
            contents = [content for (content,) in rows]
            if len(contents) < len(blocks):
                raise Damaged("a part of the index is missing")
            return np.frombuffer(b"".join(contents), "<u8").astype(np.uint64, copy=False)
        except UNREADABLE as error:
            raise Damaged(str(error)) from error


def _matching(entries: Numbers, checksums: Numbers) -> Numbers:
    """The row numbers in sorted entries with one of the sorted checksums."""
    if not len(entries):
        return entries
    first, last = checksums.searchsorted(entries[[0, -1]] >> 32)
    checksums = checksums[first : last + 1]
    starts = entries.searchsorted(checksums << 32)
    present = entries[np.minimum(starts, len(entries) - 1)] >> 32 == checksums
    ends = entries.searchsorted(checksums[present] << 32 | ROW, "right")
    return entries[_ranges(starts[present], ends)] & ROW


def _ranges(starts: NDArray[np.intp], ends: NDArray[np.intp]) -> NDArray[np.intp]:
    """All numbers of all the ranges, one range after the other.

    >>> _ranges(np.array([5, 2, 7]), np.array([8, 2, 9])).tolist()
    [5, 6, 7, 7, 8]
    """
    lengths = ends - starts
    before = np.cumsum(lengths) - lengths
    return np.repeat(starts - before, lengths) + np.arange(lengths.sum())
