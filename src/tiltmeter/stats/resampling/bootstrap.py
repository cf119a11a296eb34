"""Resampling with replacement, of items or of whole clusters of items.

Items made from the same template or by the same person are not independent, so whole clusters are drawn. If
every item is its own cluster, this is the ordinary bootstrap.

Sources: Efron 1979, doi:10.1214/aos/1176344552; Davison and Hinkley 1997, section 3.8.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Integers, Labels

RESAMPLES = 2000
_ALONE, _TILE = 2**17, 64
"""Multiplications up to which a product is in one thread; a part has a multiple of so many rows."""
_CELLS = 4_000_000
"""The maximum number of cells in a block of resamples, which bounds the memory."""
_DENSE = 4
"""Labels that are whole numbers below this many times the number of rows are renumbered without sorting."""


def clustered(labels: Labels) -> tuple[Integers, int]:
    """Each row's cluster as a number from 0, in the order of the labels, and the number of clusters.

    >>> codes, k = clustered(np.array(["b", "a", "b"]))
    >>> codes.tolist(), k
    ([1, 0, 1], 2)
    """
    if (
        labels.dtype.kind == "i"
        and len(labels)
        and 0 <= labels.min() <= labels.max() < _DENSE * len(labels)
    ):
        there = np.zeros(int(labels.max()) + 1, dtype=np.bool_)  # no sorting, little memory
        there[labels] = True
        if there.all():
            return labels.astype(np.int64, copy=False), len(there)
        return (np.cumsum(there) - 1)[labels], int(there.sum())
    names, codes = np.unique(labels, return_inverse=True)
    return codes.astype(np.int64, copy=False).ravel(), len(names)


def count_of_clusters(labels: Labels) -> int:
    """The number of distinct clusters."""
    return clustered(labels)[1]


def enough(clusters: Labels) -> tuple[Integers, int]:
    """The number of each row's cluster, shape (n,), and the number of clusters, which must be two or more.

    Raises:
        Undefined: There are no items, or all belong to one cluster.
    """
    codes, k = clustered(clusters)
    if k == 1:
        only = "there is only one item" if len(codes) == 1 else "all items belong to one cluster"
        raise Undefined(f"{only}, so there is nothing to resample")
    if k == 0:
        raise Undefined("no items")
    return codes, k


def cluster_sums(values: Array, codes: Integers, k: int) -> Array:
    """The sums of `values`, shape (n,) or (n, m), over each cluster, shape (k,) or (k, m).

    >>> cluster_sums(np.array([1.0, 2.0, 4.0]), np.array([1, 0, 1]), 2)
    array([2., 5.])
    """
    if values.ndim == 1:
        sums = np.bincount(codes, weights=values, minlength=k)
        return sums.astype(np.float64)
    return np.stack([cluster_sums(column, codes, k) for column in values.T], axis=1)


def resamples(
    k: int, rng: np.random.Generator, *, draws: int = RESAMPLES, cells: int = 0
) -> Iterator[Integers]:
    """Yields how often each of k clusters is drawn in each resample of k draws, in blocks (resamples, k).

    Blocks are smaller if `cells`, the numbers that the caller computes per resample, exceeds k.

    >>> blocks = list(resamples(3, np.random.default_rng(0), draws=5))
    >>> [b.sum(axis=1).tolist() for b in blocks]
    [[3, 3, 3, 3, 3]]
    """
    at_once = max(1, _CELLS // max(k, cells))
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        # Each row gets its own range of k numbers, so that a single bincount counts all rows.
        drawn = rng.integers(k, size=(rows, k)) + np.arange(rows)[:, None] * k
        yield np.bincount(drawn.ravel(), minlength=rows * k).reshape(rows, k)


def label_strata(labels: Array, codes: Integers, k: int) -> Integers:
    """The label of each of k clusters, −1 for clusters with several; labels are numbers from 0, shape (n,).

    >>> label_strata(np.array([0.0, 1, 1, 0]), np.array([0, 1, 2, 2]), 3)
    array([ 0,  1, -1])
    """
    least, most = np.full(k, np.inf), np.full(k, -np.inf)
    np.minimum.at(least, codes, labels)
    np.maximum.at(most, codes, labels)
    return np.where(least == most, most, -1).astype(np.int64)


def resamples_within(
    strata: Integers, rng: np.random.Generator, *, draws: int = RESAMPLES, cells: int = 0
) -> Iterator[Integers]:
    """Like `resamples`, but each cluster is drawn from those in its own stratum; blocks (draws, clusters).

    Args:
        strata: The number of each cluster's stratum, shape (clusters,).
        rng: The source of randomness.
        draws: The number of resamples.
        cells: See `resamples`.

    >>> blocks = list(resamples_within(np.array([0, 1, 1]), np.random.default_rng(0), draws=2))
    >>> [b[:, 0].tolist() for b in blocks]
    [[1, 1]]
    """
    members = [np.flatnonzero(strata == stratum) for stratum in np.unique(strata)]
    at_once = max(1, _CELLS // max(len(strata), cells))
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        times = np.zeros((rows, len(strata)), dtype=np.int64)
        for mine in members:
            times[:, mine] = np.concatenate(list(resamples(len(mine), rng, draws=rows)))
        yield times


def resampled_sums(sums: Array, rng: np.random.Generator, *, draws: int = RESAMPLES) -> Array:
    """The sums over resamples, computed from the sums over clusters; they suffice for means and rates.

    Clusters with equal sums are drawn together, so outcomes with few distinct values cost little,
    however many items there are.

    Args:
        sums: The sums over each cluster, shape (clusters, m).
        rng: The source of randomness.
        draws: The number of resamples.

    Returns:
        The sums over each resample, shape (draws, m).

    >>> one_win_in_two = np.array([[1.0, 1.0], [0.0, 1.0]])  # (wins, items) of two clusters
    >>> sorted(set(resampled_sums(one_win_in_two, np.random.default_rng(0))[:, 0].tolist()))
    [0.0, 1.0, 2.0]
    """
    kinds, times = np.unique(sums, axis=0, return_counts=True)
    k = len(sums)
    if are_few(kinds, k):  # a multinomial draw per kind beats a uniform draw per cluster
        return resampled_kinds(kinds, times, rng, draws=draws)
    return np.concatenate([_product(counts, sums) for counts in resamples(k, rng, draws=draws)])


def _product(counts: Integers, sums: Array) -> Array:
    """`counts @ sums`, of narrow sums by parts that are small enough to be computed in one thread.

    Threads of a small product wait for each other longer than they compute.
    """
    rows = _ALONE // max(sums.size, 1) // _TILE * _TILE
    if not rows:
        return counts @ sums
    parts = range(0, len(counts), rows)
    return np.concatenate([counts[start : start + rows] @ sums for start in parts])


def are_few(kinds: Array, clusters: int) -> bool:
    """Whether there are few enough distinct sums among the clusters for `resampled_kinds` to be faster."""
    return 4 * len(kinds) <= clusters


def resampled_kinds(
    kinds: Array, times: Integers, rng: np.random.Generator, *, draws: int = RESAMPLES
) -> Array:
    """Like `resampled_sums`, where `times[i]` clusters have the sums `kinds[i]`.

    >>> resampled_kinds(np.array([[1.0, 2.0]]), np.array([5]), np.random.default_rng(0), draws=1)
    array([[ 5., 10.]])
    """
    k = int(times.sum())
    return np.asarray(rng.multinomial(k, times / k, size=draws) @ kinds, dtype=np.float64)


def medians_of_counts(ordered: Array, counts: npt.NDArray[np.integer[Any]]) -> Array:
    """The medians of multisets in which `ordered[i]` occurs `counts[r, i]` times, shape (rows of counts,).

    `ordered` must be ascending. The median of an empty row is NaN.

    >>> medians_of_counts(np.array([1.0, 2.0, 5.0]), np.array([[2, 0, 1], [0, 1, 1], [0, 0, 0]]))
    array([1. , 3.5, nan])
    """
    if not len(ordered):
        return np.full(len(counts), np.nan)
    reached = np.cumsum(counts, axis=1, dtype=np.int32)  # (rows, n)
    total = reached[:, -1]
    lower = (reached <= ((total - 1) // 2)[:, None]).sum(axis=1)
    upper = (reached <= (total // 2)[:, None]).sum(axis=1)
    last = len(ordered) - 1  # only an empty row points beyond it
    middle = (ordered[np.minimum(lower, last)] + ordered[np.minimum(upper, last)]) / 2
    return np.where(total > 0, middle, np.nan).astype(np.float64)
