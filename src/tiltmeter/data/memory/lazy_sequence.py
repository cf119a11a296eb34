"""Sequences whose items are created or read only when they are accessed."""

from abc import abstractmethod
from array import array
from collections.abc import Sequence
from typing import Generic, TypeVar, overload

from tiltmeter.core.types import Integers

T = TypeVar("T")


class LazySequence(Sequence[T], Generic[T]):
    """A sequence that reads like a list and equals any sequence of equal items.

    >>> class Squares(LazySequence[int]):
    ...     def __len__(self): return 4
    ...     def item(self, place): return place**2
    >>> Squares()[-1], Squares()[1:3], Squares() == [0, 1, 4, 9]
    (9, [1, 4], True)
    """

    @abstractmethod
    def item(self, place: int) -> T:
        """The item at an index from 0 to the length minus 1."""

    @overload
    def __getitem__(self, at: int) -> T: ...
    @overload
    def __getitem__(self, at: slice) -> list[T]: ...
    def __getitem__(self, at: int | slice) -> T | list[T]:
        places = range(len(self))[at]
        return [*map(self.item, places)] if isinstance(places, range) else self.item(places)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as of a list


class Selection(LazySequence[T], Generic[T]):
    """Some items of a sequence, selected by index without copying.

    >>> import numpy as np
    >>> some = Selection("abcd", np.array([0, 2]))
    >>> some[1], some[:], some == ["a", "c"]
    ('c', ['a', 'c'], True)
    """

    def __init__(self, whole: Sequence[T], at: Integers) -> None:
        self._whole = whole
        self._at = at

    def __len__(self) -> int:
        return len(self._at)

    def item(self, place: int) -> T:
        """The item at an index of the selection."""
        return self._whole[int(self._at[place])]


class ScoreRows(LazySequence[tuple[float, ...]]):
    """A list of tuples of `width` scores each, which takes eight bytes per score.

    >>> rows = ScoreRows(2)
    >>> rows.append((-1.5, -2.0))
    >>> rows[0], len(rows), rows == [(-1.5, -2.0)]
    ((-1.5, -2.0), 1, True)
    """

    def __init__(self, width: int) -> None:
        self._width = width
        self._scores = array("d")

    def append(self, scores: Sequence[float]) -> None:
        """Add the scores of one item."""
        self._scores.extend(scores)

    def __len__(self) -> int:
        return len(self._scores) // self._width

    def item(self, place: int) -> tuple[float, ...]:
        """The scores of one item."""
        return tuple(self._scores[place * self._width : (place + 1) * self._width])
