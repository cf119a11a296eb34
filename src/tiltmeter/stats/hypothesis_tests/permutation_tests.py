"""Permutation tests of the difference between two groups' means, exact or by Monte Carlo."""

from collections.abc import Iterator
from math import ceil, comb, log2
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Labels

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
"""The alternative hypothesis: a difference of either sign, above 0, or below 0."""
EXACT_UP_TO = 100_000
"""The maximum number of partitions that are all tried, for an exact test."""
DRAWS = 99_999
"""The number of random partitions if there are more: 100,000 with the observed one."""
_ROWS, _CELLS = 8192, 2_000_000
"""The maximum numbers of partitions and of cells in a block of draws, which bound the memory."""
_ROUNDING = 1e-12
"""Differences closer than this, relative to the values, count as equal."""


class Permuted(NamedTuple):
    """The result of a permutation test: the p-value and the partitions that it was counted over."""

    p: float
    exact: bool
    """Whether all partitions were tried."""
    partitions: int
    """The number of partitions tried, including the observed one."""


def partition_test(
    values: Array,
    first: npt.NDArray[np.bool_],
    rng: np.random.Generator,
    *,
    alternative: Alternative = "two-sided",
    draws: int = DRAWS,
) -> Permuted:
    """Permutation test of the difference of two groups' means.

    p is the share of partitions into groups of the same sizes whose means differ as much as in the observed
    one, or more. The test is exact with at most 100,000 partitions; otherwise it is Monte Carlo, with the
    observed partition counted as a draw (Phipson and Smyth 2010, doi:10.2202/1544-6115.1585). Either way p is
    never 0. Values do not depend on the partition, so the sums of drawn partitions are the product of a
    matrix of zeros and ones, shape (partitions, n), and the values.

    With groups of equal size this is also the test of the difference of sums (WEAT) and of the first
    group's sum, since the other statistics are linear in that sum.

    Args:
        values: One value per item, shape (n,).
        first: True for items of the first group, shape (n,).
        rng: The source of randomness; an exact test uses none.
        alternative: With "greater", whether the first group's mean is higher than expected by chance.
        draws: The number of random partitions if there are too many to try all.

    Raises:
        Undefined: A group is empty, a value is not finite, or all values are equal.
        BadInput: `first` does not have one entry per item.

    Of the six ways to choose two of 4, 3, 2, 1, only the observed one has the sum 7:

    >>> which = np.array([True, True, False, False])
    >>> partition_test(np.array([4.0, 3, 2, 1]), which, np.random.default_rng(0), alternative="greater")
    Permuted(p=0.16..., exact=True, partitions=6)
    """
    n, size = len(values), int(np.count_nonzero(first))
    _check(values, first, size)
    centred = values - values.mean()  # sums of both groups are then opposite, and 0 on average
    seen = float(centred[first].sum())
    near = _ROUNDING * float(np.abs(values).sum())
    centred = np.sort(centred)  # so that the result does not depend on the order of the items
    fewer = min(size, n - size)  # the smaller group's sum determines the larger one's
    sign = 1 if fewer == size else -1
    partitions = comb(n, size)
    exact = partitions <= EXACT_UP_TO
    blocks = [_all_sums(centred, fewer)] if exact else _drawn_sums(centred, fewer, rng, draws)
    extreme = sum(_extreme(sign * sums, seen, near, alternative) for sums in blocks)
    if exact:
        return Permuted(extreme / partitions, exact, partitions)
    return Permuted((1 + extreme) / (1 + draws), exact, 1 + draws)


def stratified_test(
    values: Array, first: npt.NDArray[np.bool_], strata: Labels, rng: np.random.Generator
) -> Permuted:
    """Two-sided permutation test of the difference between two groups' means, averaged over strata.

    Values are permuted within each stratum between groups of the same sizes, and all strata have equal
    weight. With one stratum this is `partition_test`; with several, partitions are drawn at random and the
    observed one counts as a draw.

    Args:
        values: One value per item, shape (n,).
        first: True for items of the first group, shape (n,); every stratum must have items of both groups.
        strata: The stratum of each item, shape (n,).
        rng: The source of randomness.

    Raises:
        Undefined: See `partition_test`; or a stratum lacks a group, or all values within every stratum are
            equal.

    >>> which, strata = np.array([True, False] * 2), np.array(["a", "a", "b", "b"])
    >>> stratified_test(np.array([1.0, 0, 1, 0]), which, strata, np.random.default_rng(0)).p  # of 4 ways 2
    0.5...
    """
    names, codes = np.unique(strata, return_inverse=True)
    codes = codes.ravel()
    if len(names) == 1:
        return partition_test(values, first, rng)
    seen, dealt, level = 0.0, np.zeros(DRAWS), True
    for stratum in range(len(names)):
        mine, inside = values[codes == stratum], first[codes == stratum]
        size = int(np.count_nonzero(inside))
        if size in {0, len(mine)}:
            raise Undefined(f"{names[stratum]} has items of one group only")
        level = level and np.ptp(mine) == 0
        centred = mine - mine.mean()  # means of the two groups then differ by the sum times this:
        scale = 1 / size + 1 / (len(mine) - size)
        seen += scale * float(centred[inside].sum())
        sums = _drawn_sums(np.sort(centred), size, rng, DRAWS)
        dealt += scale * np.concatenate(list(sums))
    if level:
        raise Undefined("all values are equal, so there is no difference to test")
    near = _ROUNDING * float(np.abs(values).sum())
    extreme = _extreme(dealt, seen, near, "two-sided")
    return Permuted((1 + extreme) / (1 + DRAWS), exact=False, partitions=1 + DRAWS)


def _extreme(sums: Array, seen: float, near: float, alternative: Alternative) -> int:
    """The number of sums that are as extreme as the observed one, or more."""
    if alternative == "greater":
        return int(np.count_nonzero(sums >= seen - near))
    if alternative == "less":
        return int(np.count_nonzero(sums <= seen + near))
    return int(np.count_nonzero(np.abs(sums) >= abs(seen) - near))


def _all_sums(values: Array, size: int) -> Array:
    """The sums of all subsets of `size` values, built up value by value as in Pascal's triangle."""
    if size == 1:
        return values
    by_size: list[Array] = [np.zeros(1), *(np.zeros(0) for _ in range(size))]
    for value in values:
        by_size[1:] = [
            np.concatenate([without, fewer + value])
            for without, fewer in zip(by_size[1:], by_size[:-1], strict=True)
        ]
    return by_size[size]


def _drawn_sums(values: Array, size: int, rng: np.random.Generator, draws: int) -> Iterator[Array]:
    """Yields sums of `size` values drawn without replacement, in blocks of shape (draws,).

    A coin toss for each value, with a chance of at most size / n, decides whether it is in; then random
    values are added to draws with too few and removed from those with too many, until all have that size.
    Since neither step favours any value, all sets of that size are equally likely.
    """
    n = len(values)
    coins = max(1, ceil(log2(n / size)))  # all of so many must come up heads
    at_once = max(1, min(_ROWS, _CELLS // n))
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        inside = _heads(rows, n, rng)  # (draws, n)
        for _ in range(coins - 1):
            inside &= _heads(rows, n, rng)
        _even_out(inside, size, rng)
        yield inside.astype(np.float64) @ values


def _heads(rows: int, n: int, rng: np.random.Generator) -> npt.NDArray[np.uint8]:
    """Fair coin tosses, 0 or 1, shape (rows, n)."""
    thrown = rng.integers(256, size=(rows, -(-n // 8)), dtype=np.uint8)
    return np.unpackbits(thrown, axis=1, count=n)


def _even_out(inside: npt.NDArray[np.uint8], size: int, rng: np.random.Generator) -> None:
    """Add or remove random values, in place, until every row contains `size` of them."""
    lacks = size - inside.sum(axis=1, dtype=np.int32)  # (draws,)
    rows = np.flatnonzero(lacks)
    starts, goal = rows * inside.shape[1], (lacks[rows] > 0).astype(np.uint8)
    missing = np.abs(lacks[rows])
    cells = inside.reshape(-1)
    while len(starts):
        taken = starts + rng.integers(inside.shape[1], size=len(starts))
        moves = cells[taken] != goal
        cells[taken] = goal
        missing -= moves
        left = missing > 0
        starts, goal, missing = starts[left], goal[left], missing[left]


def _check(values: Array, first: npt.NDArray[np.bool_], size: int) -> None:
    if first.shape != values.shape or values.ndim != 1:
        raise BadInput(f"`first` has {first.size} entries for {values.size} values")
    if size in {0, len(values)}:
        raise Undefined("one of the two groups is empty, so there is no difference to test")
    bad = int(np.count_nonzero(~np.isfinite(values)))
    if bad:
        raise Undefined(
            f"{bad} of {counted(len(values), 'values')} {verb_for(bad, 'are')} not finite"
        )
    if np.ptp(values) == 0:
        raise Undefined("all values are equal, so there is no difference to test")
