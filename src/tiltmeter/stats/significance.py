"""Exact tests, and corrections for asking several questions at once."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import binomtest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.intervals import members

EXACT_UP_TO = 15
"""So many clusters are flipped in all 2^n ways; more are flipped at random."""
DRAWS = 9_999


def sign_test(wins: int, losses: int) -> float:
    """Exact two-sided p of these counts, were a win as likely as a loss. Ties are not counted.

    Raises:
        Undefined: There is neither a win nor a loss.

    >>> sign_test(5, 0)  # 2 / 2^5
    0.0625
    """
    if wins + losses == 0:
        raise Undefined("every item is a tie, so there is nothing to test")
    return float(binomtest(wins, wins + losses, 0.5).pvalue)


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Exact McNemar test of two models on the same items (McNemar 1947, doi:10.1007/BF02295996).

    Args:
        only_a: Items on which A counts and B does not.
        only_b: The other way round. Items on which they agree say nothing about a difference.

    Raises:
        Undefined: They agree on every item.

    >>> mcnemar_exact(1, 3)  # 2 · (1 + 4) / 16
    0.625
    """
    if only_a + only_b == 0:
        raise Undefined("the two agree on every item, so there is no difference to test")
    return sign_test(only_a, only_b)


def sign_flip(values: Array, clusters: Labels, rng: np.random.Generator) -> float:
    """Two-sided p that `values`, shape (n,), are symmetric about 0, flipping whole clusters.

    Exact (all 2^clusters flips) for few clusters, else Monte-Carlo with the observed order counted
    as one draw (Phipson and Smyth 2010, doi:10.2202/1544-6115.1585), so that p is never 0.

    Raises:
        Undefined: All values are 0.

    >>> sign_flip(np.ones(3), np.array(list("abc")), np.random.default_rng(0))
    0.25
    """
    sums = np.array([values[rows].sum() for rows in members(clusters)])
    sums = sums[sums != 0]
    if not len(sums):
        raise Undefined("every item is a tie, so there is nothing to test")
    seen = abs(sums.sum()) - 1e-9
    if len(sums) <= EXACT_UP_TO:
        bits = np.arange(2 ** len(sums))[:, None] >> np.arange(len(sums)) & 1  # (flips, clusters)
        return float(np.mean(np.abs((2 * bits - 1) @ sums) >= seen))
    extreme = 0
    for size in _blocks(DRAWS, len(sums)):
        flips = rng.integers(0, 2, size=(size, len(sums)), dtype=np.int8) * 2.0 - 1
        extreme += int(np.sum(np.abs(flips @ sums) >= seen))
    return (1 + extreme) / (1 + DRAWS)


def _blocks(draws: int, width: int) -> list[int]:
    """Draws in portions of at most about 10 million numbers, so that memory stays bounded."""
    size = max(1, min(draws, 10_000_000 // width))
    return [size] * (draws // size) + ([draws % size] if draws % size else [])


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjusted p-values: they control the chance of one false finding or more.

    What has no p (None) keeps none and does not count as a test (Holm 1979, jstor.org/stable/4615733).

    >>> holm([0.01, None, 0.04, 0.03])
    [0.03, None, 0.06, 0.06]
    """
    ordered = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, i) in enumerate(ordered):
        highest = max(highest, min(1.0, (len(ordered) - rank) * p))
        adjusted[i] = highest
    return adjusted


def benjamini_hochberg(ps: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Hochberg's adjusted p-values: they control the share of false findings.

    Source: Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x.

    >>> benjamini_hochberg([0.01, 0.02, None, 0.5])
    [0.03, 0.03, None, 0.5]
    """
    ordered = sorted(((p, i) for i, p in enumerate(ps) if p is not None), reverse=True)
    adjusted: list[float | None] = [None] * len(ps)
    lowest = 1.0
    for above, (p, i) in enumerate(ordered):
        lowest = min(lowest, p * len(ordered) / (len(ordered) - above))
        adjusted[i] = lowest
    return adjusted
