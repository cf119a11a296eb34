"""Intervals of agreement from leaving out items: Wilson's, of as many items as the jackknife amounts to."""

from collections.abc import Callable

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.confidence_intervals.intervals import LEAST, wilson_effective
from tiltmeter.stats.resampling.bootstrap import enough

PARTS = 500
"""The maximum number of parts that are left out in turn; more items or clusters are grouped into so many
parts."""


def agreement_interval(
    statistic: Callable[[Array], float],
    counts: Array,
    clusters: Labels | None = None,
    *,
    most: float = 1.0,
) -> Inference:
    """The 95 % Wilson interval of an agreement, with an effective number of items from the jackknife.

    The disagreement, 1 − value, is taken as a share of the largest possible one. The jackknife leaves out one
    item at a time and gives the variance; the effective number is that of independent items whose share
    varies as much, reduced by Student's t. Unlike percentiles of a bootstrap, the interval is not too narrow
    if nearly all ratings agree, and it does not collapse if all do.

    Jackknife: Tukey 1958; Gwet 2008 (doi:10.1348/000711006X126600) gives the same variance for AC1.

    Args:
        statistic: Computes the agreement from counts; 1 is full agreement.
        counts: How often each item got each value, shape (items, values).
        clusters: The cluster of each item, shape (items,); whole clusters are then left out.
        most: The largest possible disagreement.

    >>> agree = np.array([[1.0]] * 8 + [[0.0]] * 2)  # whether two raters agree, by item: 8 of 10
    >>> made = agreement_interval(lambda some: float(some.mean()), agree)
    >>> round(made.low or 0, 2), round(made.high or 0, 2)
    (0.43, 0.96)
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


def _without(statistic: Callable[[Array], float], counts: Array, codes: Integers, k: int) -> Array:
    """The statistic without each cluster, or without each of `PARTS` groups of clusters."""
    # Grouped at random: in the order of the file, a part could hold only questions of one kind.
    part = np.random.default_rng(0).permutation(k)[codes] % PARTS
    return np.array([statistic(counts[part != left_out]) for left_out in range(min(k, PARTS))])
