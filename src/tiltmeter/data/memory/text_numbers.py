"""Numbers for very many texts, kept by hashes of the texts, and finding keys that occur more than once."""

from array import array
from collections.abc import Iterable
from hashlib import blake2b

import numpy as np

FULL = 2 / 3
"""The maximum share of the table's places that are filled; beyond it the table is rebuilt at twice the
size."""


class TextNumbers:
    """A mapping from texts to whole numbers from 0 that takes 20 to 40 bytes per text, whatever its length.

    Texts passed to the constructor are numbered by position; of equal texts the last counts. Texts are
    identified by 64-bit hashes, which two different texts are very unlikely to share.

    >>> lines = TextNumbers()
    >>> lines["the first id"] = 2
    >>> lines.get("the first id"), lines.get("another"), len(lines)
    (2, None, 1)
    """

    def __init__(self, texts: Iterable[str] = ()) -> None:
        self._count = 0
        self._hashes, self._numbers = _empty(64)
        for place, text in enumerate(texts):
            self[text] = place

    def __len__(self) -> int:
        return self._count

    def __contains__(self, text: str) -> bool:
        return self.get(text) is not None

    def get(self, text: str) -> int | None:
        """The number of this text; None if it has none."""
        at = _place(self._hashes, hash(text) or 1)  # 0 is an empty place
        return self._numbers[at] if self._hashes[at] else None

    def __setitem__(self, text: str, number: int) -> None:
        mark = hash(text) or 1  # hashes differ between processes, so tables must never be stored
        at = _place(self._hashes, mark)
        if not self._hashes[at]:
            if self._count > FULL * len(self._hashes):
                self._grow()
                at = _place(self._hashes, mark)
            self._hashes[at] = mark
            self._count += 1
        self._numbers[at] = number

    def _grow(self) -> None:
        hashes, numbers = _empty(2 * len(self._hashes))
        for mark, number in zip(self._hashes, self._numbers, strict=True):
            if mark:
                at = _place(hashes, mark)
                hashes[at], numbers[at] = mark, number
        self._hashes, self._numbers = hashes, numbers


def _empty(places: int) -> "tuple[array[int], array[int]]":
    """Empty columns of hashes and numbers; the number of places is a power of two."""
    return array("q", bytes(8 * places)), array("I", bytes(4 * places))


def _place(hashes: "array[int]", mark: int) -> int:
    """The index of a hash in the table, or of the empty place where it belongs."""
    last = len(hashes) - 1
    at = mark & last
    while hashes[at] and hashes[at] != mark:
        at = (at + 1) & last
    return at


def repeated(keys: Iterable[tuple[str, ...]]) -> list[list[int]]:
    """The positions of each key that occurs more than once, in the order of first occurrences.

    Keys are held as digests of sixteen bytes, which two different keys will practically never share.

    >>> repeated([("a", "b"), ("c",), ("a", "b"), ("ab", "")])
    [[0, 2]]
    """
    digests = np.fromiter(map(_digest, keys), dtype="S16").view(np.int64).reshape(-1, 2)
    halves = np.sort(digests[:, 0])
    twice = np.unique(halves[1:][halves[1:] == halves[:-1]])
    if not len(twice):
        return []
    groups: dict[bytes, list[int]] = {}
    for at in np.flatnonzero(np.isin(digests[:, 0], twice)).tolist():
        groups.setdefault(digests[at].tobytes(), []).append(at)
    return [places for places in groups.values() if len(places) > 1]


def _digest(key: tuple[str, ...]) -> bytes:
    joined = "\0".join(f"{len(part)} {part}" for part in key)
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=16).digest()
