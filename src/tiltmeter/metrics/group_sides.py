"""Texts of two groups in one table, resampled within their labels, and dealt to the groups anew."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.metrics.preference import FEW
from tiltmeter.stats.bootstrap import clustered

CELLS = 4_000_000
"""Cells of a block of draws, at most: bounds the memory."""


@dataclass(frozen=True, slots=True)
class Sides:
    """Rows of two groups."""

    columns: list[Array]
    side: Array
    clusters: Integers
    k: int
    strata: Integers
    """The label of each cluster: 0, 1, or 2 where it has both."""


def both_sides(
    a: Sequence[Column], clusters_a: Labels, b: Sequence[Column], clusters_b: Labels
) -> Sides:
    """One table of both groups."""
    columns = [
        np.concatenate([np.asarray(x, np.float64), np.asarray(y, np.float64)])
        for x, y in zip(a, b, strict=True)
    ]
    side = np.repeat([0.0, 1.0], [len(clusters_a), len(clusters_b)])
    clusters = np.concatenate([clusters_a, clusters_b])
    order = np.lexsort(
        (side, *columns, clusters)
    )  # so that no draw depends on the order of the rows
    return sides_from([column[order] for column in columns], side[order], clusters[order])


def sides_from(columns: list[Array], side: Array, clusters: Labels) -> Sides:
    """A table of the columns, the labels first, of which side each row is on, and its clusters."""
    codes, k = clustered(clusters)
    positive = np.bincount(codes, weights=columns[0], minlength=k)
    size = np.bincount(codes, minlength=k)
    strata = np.where(positive == 0, 0, np.where(positive == size, 1, 2))
    return Sides(columns, side, codes, k, strata)


def resampled_weights(sides: Sides, rng: np.random.Generator, draws: int) -> Iterator[Array]:
    """How often each text is in each resample of clusters, drawn within their labels.

    In blocks of shape (draws, n).
    """
    at_once = max(1, CELLS // max(len(sides.side), 1))
    strata = [np.flatnonzero(sides.strata == s) for s in range(3)]
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        times = np.zeros((rows, sides.k))
        for members in strata:
            m = len(members)
            if m:
                drawn = rng.integers(m, size=(rows, m)) + np.arange(rows)[:, None] * m
                counts = np.bincount(drawn.ravel(), minlength=rows * m).reshape(rows, m)
                times[:, members] = counts
        yield times[:, sides.clusters]


def dealt_sides(sides: Sides, rng: np.random.Generator, draws: int) -> Iterator[Array]:
    """Sides dealt anew, shape (draws, n) in blocks.

    Within a cluster and label where some cluster has texts of both sides; otherwise whole clusters within
    their labels, which are single texts where texts share nothing.
    """
    n, side = len(sides.side), sides.side.astype(np.int64)
    least, most = np.full(sides.k, n), np.full(sides.k, -1)
    np.minimum.at(least, sides.clusters, side)
    np.maximum.at(most, sides.clusters, side)
    crossed = bool((least != most).any())
    if crossed:
        units, held = np.arange(n), sides.clusters * 2 + sides.columns[0].astype(np.int64)
        of_unit = side
    else:
        units, held = sides.clusters, sides.strata
        of_unit = least
    order = np.lexsort((of_unit, held))
    at_once = max(1, CELLS // max(n, 1))
    for start in range(0, draws, at_once):
        rows = min(at_once, draws - start)
        keys = rng.random((rows, len(held)))
        shuffled = np.argsort(held[None] + keys, axis=1, kind="stable")  # random within each block
        dealt = np.empty((rows, len(held)))
        np.put_along_axis(
            dealt, shuffled, np.broadcast_to(of_unit[order], dealt.shape) * 1.0, axis=1
        )
        yield dealt[:, units]


def units_of(sides: Sides) -> str:
    """What resamples draw."""
    return "texts" if sides.k == len(sides.side) else "whole clusters"


def few_texts(sides: Sides, needs: Sequence[int]) -> str:
    """A caution where a group has few texts of a label that counts."""
    sizes = [int(((sides.side == s) & (sides.columns[0] == label)).sum())
             for s in (0, 1) for label in needs]  # fmt: skip
    return (
        f"a group has only {min(sizes)} texts that count: the interval is rough"
        if min(sizes) < FEW
        else ""
    )
