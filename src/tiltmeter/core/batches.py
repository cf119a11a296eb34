"""Which requests share a forward pass."""

from collections.abc import Hashable, Sequence
from typing import Any

FILLED = 8
"""A batch holds at least the budget divided by this before it ends for the sake of padding."""
NEAR = 0.9
"""Rows shorter than this share of the widest count as much shorter."""
STEP = 16
"""Many rows are a multiple of this: kernels are made for each shape, and kept, so few shapes are better."""


def batches_by_length(
    lengths: Sequence[int],
    budget: int,
    keys: Sequence[Hashable] | None = None,
    alike: Sequence[Hashable] | None = None,
) -> list[list[int]]:
    """Indices grouped so that rows × widest row stays within `budget` tokens, longest first.

    A batch that is filled to an eighth also ends where rows become much shorter than its widest, so
    that little of it is padding; a full one of more than 16 rows has a multiple of 16. A row longer
    than the budget gets a batch of its own. `keys` break ties between equal lengths, so that the plan
    depends on the set of requests and not on their order. Requests that are `alike` share a row: they
    come into one batch and count once.

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
        own = (lengths[i], alike[i]) if alike else i
        if not batches or (own != last and _is_full(rows, width, lengths[i], budget)):
            batches.append([])
            rows, width = 0, lengths[i]
        rows += own != last or not rows
        batches[-1].append(i)
        last = own
    return batches


def _is_full(rows: int, width: int, length: int, budget: int) -> bool:
    """Whether a batch of so many rows should not take in another of `length` tokens."""
    ragged = length < NEAR * width and rows * width * FILLED >= budget
    return ragged or rows >= _most(width, budget)


def _most(width: int, budget: int) -> int:
    """Rows of `width` tokens in a full batch."""
    most = budget // width
    return most - most % STEP if most > STEP else most


def filled(rows: int) -> int:
    """How many rows a batch of `rows` has when it is filled up to a shape of which there are few.

    >>> [filled(rows) for rows in (0, 1, 3, 5, 9, 17, 100)]
    [0, 1, 4, 8, 16, 32, 112]
    """
    if rows < 1:
        return 0
    return -(-rows // STEP) * STEP if rows > STEP else 1 << (rows - 1).bit_length()
