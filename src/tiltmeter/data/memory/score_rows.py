"""The scores of many items: as many numbers for each, and nothing else in memory."""

from array import array
from collections.abc import Sequence
from typing import overload


class ScoreRows(Sequence[tuple[float, ...]]):
    """A list of tuples of `width` scores each, in eight bytes a score.

    >>> rows = ScoreRows(2)
    >>> rows.append((-1.5, -2.0))
    >>> rows[0], len(rows), rows == [(-1.5, -2.0)]
    ((-1.5, -2.0), 1, True)
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._scores = array("d")

    def append(self, scores: Sequence[float]) -> None:
        """Add those of one item."""
        self._scores.extend(scores)

    def __len__(self) -> int:
        return len(self._scores) // self._width

    @overload
    def __getitem__(self, at: int) -> tuple[float, ...]: ...
    @overload
    def __getitem__(self, at: slice) -> list[tuple[float, ...]]: ...
    def __getitem__(self, at: int | slice) -> tuple[float, ...] | list[tuple[float, ...]]:
        places = range(len(self))[at]
        if isinstance(places, range):
            return [self[place] for place in places]
        return tuple(self._scores[places * self._width : (places + 1) * self._width])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it can change
