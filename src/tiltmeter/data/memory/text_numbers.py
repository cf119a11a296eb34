"""A number for each of very many texts: the line of an id, the place of a sentence."""

from array import array

FULL = 2 / 3
"""Of the places: with more texts, the table is made anew with twice as many."""


class TextNumbers:
    """Whole numbers from 0 by text, at some twenty to forty bytes a text, however long that is.

    Texts are known by hashes of 64 bits, which two different texts will not share.

    >>> lines = TextNumbers()
    >>> lines["the first id"] = 2
    >>> lines.get("the first id"), lines.get("another"), len(lines)
    (2, None, 1)
    """

    def __init__(self) -> None:
        self._count = 0
        self._hashes, self._numbers = _empty(64)

    def __len__(self) -> int:
        return self._count

    def __contains__(self, text: str) -> bool:
        return self.get(text) is not None

    def get(self, text: str) -> int | None:
        """The number of this text; None if it has none."""
        at = _place(self._hashes, hash(text) or 1)  # 0 is an empty place
        return self._numbers[at] if self._hashes[at] else None

    def __setitem__(self, text: str, number: int) -> None:
        mark = hash(text) or 1
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
    """Hashes and numbers of so many places, a power of two."""
    return array("q", bytes(8 * places)), array("I", bytes(4 * places))


def _place(hashes: "array[int]", mark: int) -> int:
    """Where a hash is, or the empty place where it belongs."""
    last = len(hashes) - 1
    at = mark & last
    while hashes[at] and hashes[at] != mark:
        at = (at + 1) & last
    return at
