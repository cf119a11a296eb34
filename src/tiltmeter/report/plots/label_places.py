"""Places labels so that they do not cover each other."""

from collections.abc import Iterable, Sequence
from statistics import fmean

Box = tuple[float, float, float, float]
"""A rectangle: (left, top, right, bottom)."""
OVERHANG = 40.0
"""The cost of each unit by which a label reaches over the edge, in units of covered area."""


def spread_out(wanted: Sequence[float], apart: float, low: float, high: float) -> list[float]:
    """The places, moved as little as possible until they are `apart` and between `low` and `high`.

    Their order is kept. The sum of the squared moves is minimal before the limits are applied.

    >>> spread_out([20, 10, 12], 5, 0, 100), spread_out([1, 80], 5, 2.5, 100)
    ([20.0, 8.5, 13.5], [2.5, 80.0])
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    # With the distances subtracted, this is isotonic regression: blocks that would overlap are pooled.
    blocks: list[list[float]] = []
    for rank, i in enumerate(order):
        blocks.append([wanted[i] - rank * apart])
        while len(blocks) > 1 and fmean(blocks[-2]) > fmean(blocks[-1]):
            last = blocks.pop()
            blocks[-1] += last
    free = [fmean(block) for block in blocks for _ in block]
    most = high - (len(order) - 1) * apart
    places = [0.0] * len(wanted)
    for rank, i in enumerate(order):
        places[i] = max(min(free[rank], most), low) + rank * apart
    return places


def least_covering(boxes: Sequence[Box], taken: Iterable[Box], edge: Box | None = None) -> int:
    """The index of the box that covers least of `taken` and hangs least over the edge; the first of ties."""
    others = list(taken)

    def cost(box: Box) -> float:
        left, top, right, bottom = box
        covered = sum(
            max(0.0, min(right, r) - max(left, x)) * max(0.0, min(bottom, b) - max(top, y))
            for x, y, r, b in others
        )
        over = 0.0 if edge is None else sum(
            max(0.0, beyond)
            for beyond in (edge[0] - left, edge[1] - top, right - edge[2], bottom - edge[3])
        )  # fmt: skip
        return covered + OVERHANG * over

    return min(range(len(boxes)), key=lambda i: cost(boxes[i]))
