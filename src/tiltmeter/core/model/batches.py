"""Sorts requests into batches for forward passes."""

from collections.abc import Hashable, Sequence
from typing import Any

FILLED = 8
"""A batch may be closed early, to save padding, once it holds the budget divided by this."""
NEAR = 0.9
"""A row shorter than this share of the widest row is much shorter: padding it would be a waste."""
STEP = 16
"""Larger batches have a multiple of this many rows: kernels are compiled for each shape and kept, so
the fewer shapes the better."""


def batches_by_length(
    lengths: Sequence[int],
    budget: int,
    keys: Sequence[Hashable] | None = None,
    alike: Sequence[Hashable] | None = None,
) -> list[list[int]]:
    """Group indices into batches of at most `budget` tokens (rows × widest row), longest first.

    A batch that is an eighth full is also closed where rows become much shorter than its widest, so
    that little of it is padding. Full batches of more than 16 rows have a multiple of 16. A row longer
    than the budget gets a batch of its own.

    Args:
        lengths: Length of each request in tokens.
        budget: Tokens of a batch, padding included.
        keys: Break ties between equal lengths, so that batches depend on the set of requests and not
            on their order.
        alike: Requests that are equal in this share a row: they go into one batch and count once.

    >>> batches_by_length([2, 9, 2], budget=10)
    [[1], [0, 2]]
    >>> batches_by_length([4, 4, 4, 4], budget=8, alike=["b", "a", "b", "c"])
    [[1, 0, 2], [3]]
    """

    def rank(i: int) -> Any:
        return (-lengths[i], alike[i] if alike else 0, keys[i] if keys is not None else 0)

    batches: list[list[int]] = []
    rows, width, last = 0, 0, None
    for i in sorted(range(len(lengths)), key=rank):
        rows_alone = (lengths[i], alike[i]) if alike else i
        if not batches or (rows_alone != last and _is_full(rows, width, lengths[i], budget)):
            batches.append([])
            rows, width = 0, lengths[i]
        rows += rows_alone != last or not rows
        batches[-1].append(i)
        last = rows_alone
    return batches


def _is_full(rows: int, width: int, length: int, budget: int) -> bool:
    """Whether a batch is closed before a row of `length` tokens is added to it."""
    ragged = length < NEAR * width and rows * width * FILLED >= budget
    return ragged or rows >= _most(width, budget)


def _most(width: int, budget: int) -> int:
    """How many rows of `width` tokens fill a batch."""
    most = budget // width
    return most - most % STEP if most > STEP else most


def filled(rows: int) -> int:
    """The number of rows to which a batch is padded, so that few different shapes occur.

    >>> [filled(rows) for rows in (0, 1, 3, 5, 9, 17, 100)]
    [0, 1, 4, 8, 16, 32, 112]
    """
    if rows < 1:
        return 0
    # Negated twice, so that the division rounds up.
    return -(-rows // STEP) * STEP if rows > STEP else 1 << (rows - 1).bit_length()
