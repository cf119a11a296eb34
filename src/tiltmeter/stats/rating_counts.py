"""Ratings counted by item and value, and intervals from resampling items.

All measures of agreement start from these counts; ratings have the shape (items, raters), NaN where a
rater said nothing.
"""

from collections.abc import Callable, Iterator

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.bootstrap import resamples
from tiltmeter.stats.intervals import enough


def value_counts(ratings: Array) -> tuple[Array, Array]:
    """How often each item got each value (items, values), and the values, ascending.

    Raises:
        Undefined: Some rating is infinite.

    >>> counts, values = value_counts(np.array([[1.0, 3.0, 1.0], [np.nan, 3.0, np.nan]]))
    >>> counts.tolist(), values.tolist()
    ([[2.0, 1.0], [0.0, 1.0]], [1.0, 3.0])
    """
    table = np.atleast_2d(np.asarray(ratings, dtype=np.float64))
    values = np.unique(table[~np.isnan(table)])
    if not np.isfinite(values).all():
        raise Undefined("agreement needs finite ratings")
    counts = np.zeros((len(table), len(values)))
    rows, columns = np.nonzero(~np.isnan(table))
    np.add.at(counts, (rows, np.searchsorted(values, table[rows, columns])), 1)
    return counts, values


def rated_twice(counts: Array) -> Array:
    """The rows of items with two ratings or more.

    Raises:
        Undefined: There is no such item.
    """
    several: Array = counts[counts.sum(axis=1) >= 2]  # noqa: PLR2004  (two make a pair)
    if not len(several):
        raise Undefined("agreement needs at least one item that two people rated")
    return several


def resampled_interval(
    statistic: Callable[[Array], float],
    counts: Array,
    clusters: Labels | None,
    rng: np.random.Generator,
    *,
    draws: int,
    confidence: float,
) -> Inference:
    """Percentile interval of a statistic on resampled rows of `counts`, or the reason for none."""
    try:
        drawn = _drawn(len(counts), clusters, rng, draws)
        found = [statistic(counts[rows]) for rows in drawn]
    except Undefined as none:
        return Inference(None, None, why=f"no interval: on a resample of the items, {none}")
    tail = (1 - confidence) / 2
    low, high = np.quantile(found, [tail, 1 - tail])
    over = "items" if clusters is None else "clusters of items"
    name = f"percentile bootstrap over {over}, {draws} resamples, {100 * confidence:g} %"
    return Inference(float(low), float(high), interval=name)


def _drawn(
    n: int, clusters: Labels | None, rng: np.random.Generator, draws: int
) -> Iterator[Integers]:
    """Row numbers of each resample."""
    if clusters is None:
        for _ in range(draws):
            yield rng.integers(0, n, n)
        return
    codes, k = enough(clusters)
    rows = np.arange(n)
    for block in resamples(k, rng, draws=draws):
        for times in block:
            yield np.repeat(rows, times[codes])
