"""Which requests share a forward pass."""

from collections.abc import Hashable, Sequence
from typing import Any


def batches_by_length(
    lengths: Sequence[int], budget: int, keys: Sequence[Hashable] | None = None
) -> list[list[int]]:
    """Indices grouped so that rows × widest row stays within `budget` tokens, longest first.

    A row longer than the budget gets a batch of its own. `keys` break ties between equal lengths, so
    that the plan depends on the set of requests and not on their order.

    >>> batches_by_length([2, 9, 2], budget=10)
    [[1], [0, 2]]
    """

    def rank(i: int) -> Any:
        return (-lengths[i], keys[i]) if keys is not None else -lengths[i]

    batches: list[list[int]] = []
    for i in sorted(range(len(lengths)), key=rank):
        if not batches or (len(batches[-1]) + 1) * lengths[batches[-1][0]] > budget:
            batches.append([])
        batches[-1].append(i)
    return batches
