"""Ratings counted by item and value, and score intervals of agreement from leaving out items.

All measures of agreement start from these counts; ratings have the shape (items, raters), NaN where a
rater said nothing.
"""

from collections.abc import Callable

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.confidence_intervals.intervals import LEAST, wilson_effective
from tiltmeter.stats.resampling.bootstrap import enough

PARTS = 500
"""More items or clusters than this are dealt to so many parts, of which one at a time is left out."""


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


def agreement_interval(
    statistic: Callable[[Array], float],
    counts: Array,
    clusters: Labels | None = None,
    *,
    most: float = 1.0,
) -> Inference:
    """Wilson's 95 % interval of an agreement, of as many items as its jackknife variance amounts to.

    Disagreement, 1 − value, is taken as a share of the most there can be. The jackknife leaves out one item
    at a time and gives the variance; Wilson's interval is that of the number of independent items whose
    share varies as much, made smaller by Student's t. Unlike percentiles of a bootstrap it is not too
    narrow where nearly all ratings agree, and it does not collapse where all do.

    Jackknife: Tukey 1958; Gwet 2008 (doi:10.1348/000711006X126600) gives the same variance for AC1.

    Args:
        statistic: From counts to the agreement; 1 is full agreement.
        counts: Of items and values.
        clusters: Which cluster each item belongs to; then whole clusters are left out.
        most: The largest disagreement that is possible.
    """
    value = statistic(counts)
    try:
        codes, k = enough(np.arange(len(counts)) if clusters is None else clusters)
    except Undefined as none:
        return Inference(None, None, why=f"no interval: {none}")
    try:
        without = _without(statistic, counts, codes, k)
    except Undefined as none:
        return Inference(None, None, why=f"no interval: without one of the items, {none}")
    share = min(max((1 - value) / most, 0.0), 1.0)
    spread = np.mean(without) - without
    variance = (len(spread) - 1) / len(spread) * float(spread @ spread) / most**2
    units = float(k)
    if variance > LEAST and 0 < share < 1:
        units = share * (1 - share) / variance
    low, high = wilson_effective(share, units, len(spread) - 1)
    over = "items" if clusters is None else "clusters of items"
    return Inference(
        min(1 - most * high, value),
        max(1 - most * low, value),
        interval=f"score interval, jackknife over {over}",
    )


def most_disagreement(counts: Array) -> float:
    """The largest 1 − κ, α or AC of so many ratings of an item, m / (m − 1) for m ratings.

    >>> most_disagreement(np.array([[1, 1], [2, 0]]))
    2.0
    """
    ratings = float(rated_twice(counts).sum(axis=1).mean())
    return ratings / (ratings - 1)


def _without(statistic: Callable[[Array], float], counts: Array, codes: Integers, k: int) -> Array:
    """The statistic without each cluster, or without each of `PARTS` parts."""
    # Dealt by chance: in the order of the file, a part could hold only questions of one kind.
    part = np.random.default_rng(0).permutation(k)[codes] % PARTS
    return np.array([statistic(counts[part != left_out]) for left_out in range(min(k, PARTS))])
