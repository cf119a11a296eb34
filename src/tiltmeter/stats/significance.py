"""Could it be chance? Exact tests where they can be had, and corrections for asking many times."""

from collections.abc import Sequence

import numpy as np
from scipy.stats import binom, binomtest

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.bootstrap import medians_of_counts

FLIPS = 9_999
SHUFFLES = 1_999
_LONGEST = 50_000
"""Sums up to this size have their exact distribution computed."""
_CELLS = 4_000_000


def sign_test(wins: int, losses: int) -> float:
    """Two-sided p of an exact binomial test of wins against losses, each with chance one half.

    Ties are left out before. Source: Dixon and Mood 1946, doi:10.1080/01621459.1946.10501898.

    Raises:
        Undefined: There is neither a win nor a loss.

    >>> sign_test(5, 0)  # 2 of the 32 equally likely outcomes are as extreme
    0.0625
    """
    if wins + losses == 0:
        raise Undefined("there is neither a win nor a loss to test")
    return float(binomtest(int(wins), int(wins + losses)).pvalue)


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Two-sided p of McNemar's exact test: the same items, two yes-or-no outcomes each.

    Only items with different outcomes count: `only_a` where the first says yes and the second no.
    Source: McNemar 1947, doi:10.1007/BF02295996.

    Raises:
        Undefined: The outcomes are the same on every item.

    >>> mcnemar_exact(1, 5)  # 2 · (1 + 6) / 2⁶
    0.21875
    """
    if only_a + only_b == 0:
        raise Undefined("the two agree on every item, so there is nothing to test")
    return sign_test(only_a, only_b)


def sign_flip(sums: Array, rng: np.random.Generator, *, draws: int = FLIPS) -> float:
    """Two-sided p that the total of `sums` is 0, were the sign of each a fair coin's.

    One sum a cluster: flipping whole clusters respects that items within one are not independent.
    Exact for whole numbers and for few clusters, else by `draws` random flips with the data counted
    as one more. With whole numbers ±1 it is the sign test.

    Args:
        sums: Of a quantity that is as likely negative as positive without an effect; (clusters,).
        rng: Where the randomness comes from, where it is needed.
        draws: How many random flips.

    Raises:
        Undefined: Every sum is 0.

    >>> sign_flip(np.array([3.0, 2.0, 1.0]), np.random.default_rng(0))  # 2 of 8 flips reach 6
    0.25
    """
    sizes = np.abs(sums[sums != 0])
    if not len(sizes):
        raise Undefined("every cluster is level, so there is nothing to test")
    reached = abs(float(sums.sum()))
    if (sizes == np.rint(sizes)).all() and (sizes.sum() <= _LONGEST or np.ptp(sizes) == 0):
        return _flip_whole(sizes, reached)
    enough = reached - 1e-9 * float(sizes.sum())  # equal totals differ in the last digits
    k = len(sizes)
    if 2**k <= draws:
        flips = (np.arange(2**k)[:, None] >> np.arange(k)) & 1  # (2^k, k)
        return float(np.mean(np.abs(flips @ (2 * sizes) - sizes.sum()) >= enough))
    at_once, extreme = max(1, _CELLS // k), 0
    for start in range(0, draws, at_once):
        flips = rng.integers(0, 2, size=(min(at_once, draws - start), k), dtype=np.int8)
        extreme += int((np.abs(flips @ (2 * sizes) - sizes.sum()) >= enough).sum())
    return (extreme + 1) / (draws + 1)


def _flip_whole(sizes: Array, reached: float) -> float:
    """Exact: the total of the sums that keep their sign is a sum of scaled binomials."""
    chances = np.ones(1)
    for size, times in zip(*np.unique(sizes.astype(np.int64), return_counts=True), strict=True):
        steps = np.zeros(int(size * times) + 1)
        steps[:: int(size)] = binom.pmf(np.arange(times + 1), times, 0.5)
        chances = np.convolve(chances, steps)
    totals = 2 * np.arange(len(chances)) - (len(chances) - 1)
    return min(1.0, float(chances[np.abs(totals) >= reached].sum()))


def shuffled_median_difference(
    one: Array, other: Array, rng: np.random.Generator, *, draws: int = SHUFFLES
) -> float:
    """Two-sided p of a permutation test: do two samples have the same median?

    Values are dealt out anew to the two samples, whose sizes stay, `draws` times; the data count as
    one more, so that p is never 0.

    Raises:
        Undefined: A sample is empty.
    """
    if not len(one) or not len(other):
        raise Undefined("one of the two samples is empty")
    both = np.concatenate([one, other])
    order = np.argsort(both, kind="stable")
    mine = (order < len(one)).astype(np.int8)
    reached = abs(float(np.median(one) - np.median(other)))
    enough = reached - 1e-9 * float(np.abs(both).max())
    at_once, extreme = max(1, _CELLS // len(both)), 0
    for start in range(0, draws, at_once):
        dealt = np.broadcast_to(mine, (min(at_once, draws - start), len(both)))
        dealt = rng.permuted(dealt, axis=1)
        apart = medians_of_counts(both[order], dealt) - medians_of_counts(both[order], 1 - dealt)
        extreme += int((np.abs(apart) >= enough).sum())
    return (extreme + 1) / (draws + 1)


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Adjusted p for a family of tests: below alpha with at most alpha chance of any false finding.

    None (no test was made) stays None and is not counted.
    Source: Holm 1979, www.jstor.org/stable/4615733.

    >>> holm([0.01, None, 0.04, 0.03])  # ×3, then ×2, then ×1, never falling
    [0.03, None, 0.06, 0.06]
    """
    tested = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    highest = 0.0
    for rank, (p, i) in enumerate(tested):
        highest = max(highest, min(1.0, p * (len(tested) - rank)))
        adjusted[i] = highest
    return adjusted


def benjamini_hochberg(ps: Sequence[float | None]) -> list[float | None]:
    """Adjusted p for a family of tests: of those below q, at most the share q is false on average.

    None (no test was made) stays None and is not counted.
    Source: Benjamini and Hochberg 1995, doi:10.1111/j.2517-6161.1995.tb02031.x.

    >>> benjamini_hochberg([0.01, None, 0.04, 0.03])  # ×3/1, ×3/3, ×3/2, never above a larger p's
    [0.03, None, 0.04, 0.04]
    """
    tested = sorted((p, i) for i, p in enumerate(ps) if p is not None)
    adjusted: list[float | None] = [None] * len(ps)
    lowest = 1.0
    for rank, (p, i) in reversed(list(enumerate(tested, start=1))):
        lowest = min(lowest, p * len(tested) / rank)
        adjusted[i] = lowest
    return adjusted
