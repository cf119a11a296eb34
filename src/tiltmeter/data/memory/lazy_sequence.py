"""Sequences whose items are made, or read, when they are looked at."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class LazySequence(Sequence[T], Generic[T]):
    """Reads like a list, and is equal to any sequence of equal items.

    >>> class Squares(LazySequence[int]):
    ...     def __len__(self): return 4
    ...     def item(self, place): return place**2
    >>> Squares()[-1], Squares()[1:3], Squares() == [0, 1, 4, 9]
    (9, [1, 4], True)
    """

    @abstractmethod
    def item(self, place: int) -> T:
        """The item at a place from 0 to the length less one."""

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
