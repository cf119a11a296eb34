"""The scores of many items: as many numbers for each, and nothing else in memory."""

from array import array
from collections.abc import Sequence

from tiltmeter.data.memory.lazy_sequence import LazySequence


class ScoreRows(LazySequence[tuple[float, ...]]):
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

    def item(self, place: int) -> tuple[float, ...]:
        """The scores of one item."""
        return tuple(self._scores[place * self._width : (place + 1) * self._width])
