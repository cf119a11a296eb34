"""Permutation tests of the difference of two groups' means: exact, or by Monte Carlo."""

from collections.abc import Iterator
from math import ceil, comb, log2
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Labels

Alternative: TypeAlias = Literal["two-sided", "greater", "less"]
"""The alternative hypothesis: a difference of either sign, above 0, or below 0."""
EXACT_UP_TO = 100_000
"""Up to this many partitions, all are tried."""
DRAWS = 99_999
"""Otherwise this many are drawn: with the observed one, 100,000."""
_ROWS, _CELLS = 8192, 2_000_000
"""Partitions and cells of a block of draws, at most: bounds the memory."""
_ROUNDING = 1e-12
"""Differences closer than this, relative to the values, count as equal."""


class Permuted(NamedTuple):
    """A p-value, and what it was counted over."""

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

    p is the share of partitions into groups of the same sizes that differ as much as the observed
    one, or more. Exact where there are at most 100,000 partitions; else Monte-Carlo with the
    observed one counted as a draw (Phipson and Smyth 2010, doi:10.2202/1544-6115.1585). Either way p is
    never 0. What a value is never depends on the partition, so drawn ones are a matrix of zeros and ones,
    (partitions, n), times the values.

    With groups of equal size this is also the test of the difference of sums (WEAT), and of the first
    group's sum, as the others are linear in it.

    Args:
        values: One an item, shape (n,).
        first: True for items of the first group, shape (n,).
        rng: Where the randomness comes from; an exact test draws none.
        alternative: "greater" asks whether the first group's mean is higher than chance has it.
        draws: The number of partitions drawn where there are too many.

    Raises:
        Undefined: A group is empty, a value is not finite, or all values are equal.
        BadInput: `first` is not one entry an item.

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
    centred = np.sort(centred)  # so that the order of the items changes nothing
    fewer = min(size, n - size)  # the smaller group's sums say it all
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
    """Two-sided permutation test of the plain mean, over strata, of the difference of two groups' means.

    Values are dealt to the two groups anew within each stratum, into groups of the same sizes. With one
    stratum it is `partition_test`; with several, partitions are drawn at random and the observed one counts
    as a draw.

    Args:
        values: One an item, shape (n,).
        first: True for items of the first group, shape (n,); both groups are in every stratum.
        strata: Shape (n,).
        rng: Where the randomness comes from.

    Raises:
        Undefined: As `partition_test`; a stratum lacks a group, or within every stratum all values are equal.

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
    """How many of the first group's sums are as extreme as the one that was seen, or more."""
    if alternative == "greater":
        return int(np.count_nonzero(sums >= seen - near))
    if alternative == "less":
        return int(np.count_nonzero(sums <= seen + near))
    return int(np.count_nonzero(np.abs(sums) >= abs(seen) - near))


def _all_sums(values: Array, size: int) -> Array:
    """Sums of `size` of the values, in all ways; as Pascal's triangle adds up, value by value."""
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
    """Sums of `size` of the values drawn without replacement, in blocks of shape (draws,).

    A coin for each value, with a chance of at most size / n, says which are in; then values are taken at
    random, into a draw that has too few or out of one that has too many, until all are of that
    size. As the coins favour no value, every set of that size is equally likely.
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
    """0 or 1 with equal chances, shape (rows, n)."""
    thrown = rng.integers(256, size=(rows, -(-n // 8)), dtype=np.uint8)
    return np.unpackbits(thrown, axis=1, count=n)


def _even_out(inside: npt.NDArray[np.uint8], size: int, rng: np.random.Generator) -> None:
    """Take values in or out at random until every row has `size` of them in."""
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
        raise Undefined(f"{bad} of {len(values)} values are not finite numbers")
    if np.ptp(values) == 0:
        raise Undefined("all values are equal, so there is no difference to test")
