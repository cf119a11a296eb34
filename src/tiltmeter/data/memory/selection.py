"""Some items of a sequence, as a sequence of its own."""

from collections.abc import Sequence
from typing import Generic, TypeVar

from tiltmeter.core.types import Integers
from tiltmeter.data.memory.lazy_sequence import LazySequence

T = TypeVar("T")


class Selection(LazySequence[T], Generic[T]):
    """Some of a sequence, by their places; nothing is copied.

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
        """The item at a place of the selection."""
        return self._whole[int(self._at[place])]
