"""Sign tests and other permutation tests, and corrections for multiple testing."""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered, medians_of_counts

EXACT_UP_TO = 15
"""The maximum number of clusters whose signs are flipped in all 2^n ways; more are flipped at random."""
LONGEST_EXACT = 50_000
"""The maximum sum of the sizes of whole numbers for which the test is exact."""
ROUNDING = 1e-12
"""Sums of values that are smaller than this share of their total size differ from 0 by rounding only."""
DRAWS = 9_999
SHUFFLES = 1_999
MANY = 20_000
"""With more values than this, counts are drawn instead of single values: that gives the same distribution at
a cost that hardly grows with the number of values, but not the same draws."""


def sign_test(wins: int, losses: int) -> float:
    """The exact two-sided p of the sign test that wins and losses are equally likely; ties are not counted.

    Raises:
        Undefined: There is neither a win nor a loss.

    >>> sign_test(5, 0)  # 2 / 2^5
    0.0625
    """
    from scipy.special import betainc

    if wins + losses == 0:
        raise Undefined("every item is a tie, so there is nothing to test")
    fewer, n = min(wins, losses), wins + losses
    at_most = 1.0 if 2 * fewer == n else float(betainc(n - fewer, fewer + 1, 0.5))  # P(X ≤ fewer)
    return min(1.0, 2 * at_most)


def mcnemar_exact(only_a: int, only_b: int) -> float:
    """Exact McNemar test of two models on the same items (McNemar 1947, doi:10.1007/BF02295996).

    Args:
        only_a: The number of items on which A counts and B does not.
        only_b: The number of items on which B counts and A does not.

    Raises:
        Undefined: The models agree on every item.

    >>> mcnemar_exact(1, 3)  # 2 · (1 + 4) / 16
    0.625
    """
    if only_a + only_b == 0:
        raise Undefined("both models agree on every item, so there is no difference to test")
    return sign_test(only_a, only_b)


def sign_flip(values: Array, clusters: Labels, rng: np.random.Generator) -> float:
    """The two-sided p that `values`, shape (n,), are symmetric about 0, by flipping signs of whole clusters.

    The test is exact if the sums over clusters all have the same size, if they are whole numbers (wins less
    losses), and for few clusters. Otherwise it is Monte Carlo with the observed signs counted as one draw
    (Phipson and Smyth 2010, doi:10.2202/1544-6115.1585), so that p is never 0. With values of ±1 and one item
    per cluster it is the sign test.

    Raises:
        Undefined: Every cluster sums to 0.

    >>> sign_flip(np.ones(3), np.array(list("abc")), np.random.default_rng(0))
    0.25
    """
    sums = cluster_sums(values, *clustered(clusters))
    # What rounding leaves of a sum is neither a win nor a loss.
    sums[np.abs(sums) <= ROUNDING * np.abs(values).sum()] = 0
    sizes = np.abs(sums[sums != 0])
    if not len(sizes):
        raise Undefined("every cluster sums to 0, so there is nothing to test")
    if np.ptp(sizes) == 0:
        return sign_test(int((sums > 0).sum()), int((sums < 0).sum()))
    if (sizes == np.rint(sizes)).all() and sizes.sum() <= LONGEST_EXACT:
        return _flipped_whole(sizes, abs(float(sums.sum())))
    seen = abs(float(sums.sum())) - 1e-9 * float(sizes.sum())  # equal totals differ in last digits
    k = len(sizes)
    if k <= EXACT_UP_TO:
        bits = np.arange(2**k)[:, None] >> np.arange(k) & 1  # (flips, clusters)
        return float(np.mean(np.abs((2 * bits - 1) @ sizes) >= seen))
    kinds, times = np.unique(sizes, return_counts=True)
    if k > MANY >= 100 * len(kinds):  # how many of each size keep their sign is binomial
        kept = rng.binomial(times, 0.5, size=(DRAWS, len(kinds)))
        extreme = int(np.sum(np.abs((2 * kept - times) @ kinds) >= seen))
        return (1 + extreme) / (1 + DRAWS)
    extreme = 0
    for rows in _blocks(DRAWS, k):
        flips = rng.integers(0, 2, size=(rows, k), dtype=np.int8) * 2.0 - 1
        extreme += int(np.sum(np.abs(flips @ sizes) >= seen))
    return (1 + extreme) / (1 + DRAWS)


def _flipped_whole(sizes: Array, seen: float) -> float:
    """The exact p for whole numbers: the sum of those that keep their sign adds scaled binomial counts."""
    chances = np.ones(1)
    for size, times in zip(*np.unique(sizes.astype(np.int64), return_counts=True), strict=True):
        steps = np.zeros(int(size * times) + 1)
        steps[:: int(size)] = _fair(int(times))
        chances = np.convolve(chances, steps)
    totals = 2 * np.arange(len(chances)) - (len(chances) - 1)
    return min(1.0, float(chances[np.abs(totals) >= seen].sum()))


def _fair(n: int) -> Array:
    """The probabilities of 0 to n heads in n tosses of a fair coin, shape (n + 1,)."""
    from scipy.special import gammaln

    heads = np.arange(n + 1)
    logs = gammaln(n + 1) - gammaln(heads + 1) - gammaln(n - heads + 1) - n * np.log(2)
    return np.asarray(np.exp(logs), dtype=np.float64)


def shuffled_medians(
    first: Array, second: Array, rng: np.random.Generator, *, draws: int = SHUFFLES
) -> float:
    """The two-sided p of a permutation test of the difference between two samples' medians.

    All values are redistributed at random to samples of the same sizes; the observed samples count as one
    draw, so that p is never 0.

    Raises:
        Undefined: A sample is empty.

    >>> shuffled_medians(np.zeros(3), np.zeros(2), np.random.default_rng(0))
    1.0
    """
    if not len(first) or not len(second):
        raise Undefined("one of the two samples is empty, so there is no difference to test")
    both = np.concatenate([first, second])
    order = np.argsort(both, kind="stable")
    both, mine = both[order], (order < len(first)).astype(np.int8)
    # Dealings with the same difference may differ in the last digits.
    seen = abs(float(np.median(first) - np.median(second))) - 1e-9 * float(np.abs(both).max())
    extreme = 0
    if len(both) > MANY:
        mine_at, others_at = _dealt_middles(len(first), len(second), rng, draws=draws)
        apart = both[mine_at].mean(axis=1) - both[others_at].mean(axis=1)
        return (1 + int(np.sum(np.abs(apart) >= seen))) / (1 + draws)
    for rows in _blocks(draws, len(both)):
        dealt = rng.permuted(np.tile(mine, (rows, 1)), axis=1)
        apart = medians_of_counts(both, dealt) - medians_of_counts(both, 1 - dealt)
        extreme += int(np.sum(np.abs(apart) >= seen))
    return (1 + extreme) / (1 + draws)


def _dealt_middles(
    first_size: int, second_size: int, rng: np.random.Generator, *, draws: int
) -> tuple[Integers, Integers]:
    """The places of the two middle values of both samples if all places are dealt at random, (draws, 2) each.

    The places are halved repeatedly. The number of places in a half that go to the first sample is
    hypergeometric, so only the path to the middle values has to be drawn, and the cost hardly grows with the
    number of places.
    """
    ranks = np.array(
        [(first_size - 1) // 2, first_size // 2, (second_size - 1) // 2, second_size // 2]
    )
    ranks = np.tile(ranks, (draws, 1))  # of each middle within the places that are left; (draws, 4)
    begin, size = np.zeros_like(ranks), np.full_like(ranks, first_size + second_size)
    mine = np.full_like(
        ranks, first_size
    )  # how many of the places that are left are dealt to the first
    while (size > 1).any():
        half = size // 2
        left = np.empty_like(mine)
        for i in range(4):
            left[:, i] = rng.hypergeometric(mine[:, i], (size - mine)[:, i], half[:, i])
            for j in range(i):  # two searches that are still at the same places share one draw
                left[:, i] = np.where(begin[:, i] == begin[:, j], left[:, j], left[:, i])
        before = np.where([True, True, False, False], left, half - left)  # the middle's own sample
        right = ranks >= before
        ranks -= np.where(right, before, 0)
        begin += np.where(right, half, 0)
        mine = np.where(right, mine - left, left)
        size = np.where(right, size - half, half)
    return begin[:, :2], begin[:, 2:]


def _blocks(draws: int, width: int) -> list[int]:
    """The numbers of draws in blocks of at most about 4 million numbers, which bound the memory."""
    size = max(1, min(draws, 4_000_000 // width))
    return [size] * (draws // size) + ([draws % size] if draws % size else [])


def holm(ps: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjusted p-values, which control the probability of any false finding.

    None stands for no test: it stays None and does not count (Holm 1979, jstor.org/stable/4615733).

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
    """Benjamini and Hochberg's adjusted p-values, which control the expected share of false findings.

    None stands for no test, as in `holm`. Benjamini and Hochberg 1995,
    doi:10.1111/j.2517-6161.1995.tb02031.x.

    >>> benjamini_hochberg([0.01, 0.02, None, 0.5])
    [0.03, 0.03, None, 0.5]
    """
    ordered = sorted(((p, i) for i, p in enumerate(ps) if p is not None), reverse=True)
    adjusted: list[float | None] = [None] * len(ps)
    lowest = 1.0
    for above, (p, i) in enumerate(ordered):
        lowest = min(lowest, p * (len(ordered) / (len(ordered) - above)))
        adjusted[i] = lowest
    return adjusted


def benjamini_yekutieli(ps: Sequence[float | None]) -> list[float | None]:
    """Benjamini and Yekutieli's adjusted p-values: as `benjamini_hochberg`, whatever the tests share.

    They are Benjamini and Hochberg's times 1 + 1/2 + … + 1/m for m tests, and at most 1. None stands for no
    test, as in `holm`. Benjamini and Yekutieli 2001, doi:10.1214/aos/1013699998.

    >>> benjamini_yekutieli([0.01, 0.02, None])
    [0.03, 0.03, None]
    """
    tests = sum(p is not None for p in ps)
    times = sum(1 / rank for rank in range(1, tests + 1))
    return [None if p is None else min(1.0, p * times) for p in benjamini_hochberg(ps)]
