"""Some items of a sequence, as a sequence of its own."""

from collections.abc import Sequence
from typing import Generic, TypeVar, overload

from tiltmeter.core.types import Integers

T = TypeVar("T")


class Selection(Sequence[T], Generic[T]):
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

    @overload
    def __getitem__(self, i: int) -> T: ...
    @overload
    def __getitem__(self, i: slice) -> list[T]: ...
    def __getitem__(self, i: int | slice) -> T | list[T]:
        if isinstance(i, slice):
            return [self._whole[at] for at in self._at[i].tolist()]
        return self._whole[int(self._at[i])]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, str):
            return NotImplemented
        return len(self) == len(other) and all(a == b for a, b in zip(self, other, strict=True))

    __hash__ = None  # type: ignore[assignment]  # as of a list
