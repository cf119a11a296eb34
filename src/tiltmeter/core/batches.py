"""Which requests share a forward pass."""

from collections.abc import Hashable, Sequence
from typing import Any


def batches_by_length(
    lengths: Sequence[int],
    budget: int,
    keys: Sequence[Hashable] | None = None,
    alike: Sequence[Hashable] | None = None,
) -> list[list[int]]:
    """Indices grouped so that rows × widest row stays within `budget` tokens, longest first.

    A row longer than the budget gets a batch of its own. `keys` break ties between equal lengths, so
    that the plan depends on the set of requests and not on their order. Requests that are `alike`
    share a row: they come into one batch and count once.

    >>> batches_by_length([2, 9, 2], budget=10)
    [[1], [0, 2]]
    >>> batches_by_length([4, 4, 4, 4], budget=8, alike=["b", "a", "b", "c"])
    [[1, 0, 2], [3]]
    """

    def rank(i: int) -> Any:
        return (-lengths[i], alike[i] if alike else 0, keys[i] if keys is not None else 0)

    batches: list[list[int]] = []
    rows, last = 0, None
    for i in sorted(range(len(lengths)), key=rank):
        own = (lengths[i], alike[i]) if alike else i
        rows += own != last
        if not batches or (own != last and rows * lengths[batches[-1][0]] > budget):
            batches.append([])
            rows = 1
        batches[-1].append(i)
        last = own
    return batches
