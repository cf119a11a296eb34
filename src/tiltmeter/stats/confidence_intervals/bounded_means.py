"""Intervals for means of bounded values that hold whatever the distribution of the values.

If most clusters agree and one in ten is far from them, a sample of twenty may contain none of those: an
interval computed from the spread of the observed clusters is then far too narrow, whatever its degrees of
freedom or resampling. The interval here allows for such clusters.
"""

from collections.abc import Callable

import numpy as np

from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, tail_of
from tiltmeter.stats.resampling.bootstrap import cluster_sums, enough

STEPS = 100
"""The maximum number of steps of Newton's method; it usually takes about ten."""
PRECISE = 1e-6
"""The precision of an interval's end, as a share of the scale."""
CENTRAL = 1e-4
"""Within this many standard deviations of the centre the tail approximation loses its digits, so a limit is
used."""


def bounded_mean(
    values: Array,
    clusters: Labels,
    within: tuple[float, float],
    *,
    unseen: float = 1.0,
    weights: Array | None = None,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """The interval of a mean of bounded values, such as a few large ones among zeros.

    Clusters get random, exponentially distributed weights (a Bayesian bootstrap), and one cluster is added at
    the lowest possible value for the lower end, and at the highest for the upper one, for clusters that were
    not drawn. It has the size of the cluster of an average item. Each end is a quantile of the weighted mean,
    which is computed rather than simulated.

    Source: Learned-Miller and Thomas 2019, doi:10.48550/arXiv.1905.06208, after Gaffke 2005; they know no
    distribution with a lower coverage.

    Args:
        values: One value per item, shape (n,), within the limits.
        clusters: The cluster of each item, shape (n,).
        within: The lowest and the highest possible value.
        unseen: How many clusters are added at the limit: the shape of the gamma distribution of that
            cluster's weight. With less than 1 the guarantee of the source is lost.
        weights: How much each item counts, shape (n,), above 0; None for all alike.
        confidence: The confidence level.

    Raises:
        Undefined: There are no items, or all belong to one cluster.

    >>> few = np.array([0.0] * 27 + [40.0] * 3)
    >>> low, high = bounded_mean(few, np.arange(30), (0, 100))
    >>> round(low), round(high)
    (1, 16)
    """
    least, most = within
    low, high = (
        upper_end(side, clusters, unseen=unseen, weights=weights, confidence=confidence)
        for side in ((most - values) / (most - least), (values - least) / (most - least))
    )
    return most - low * (most - least), least + high * (most - least)


def upper_end(
    values: Array,
    clusters: Labels,
    *,
    unseen: float = 1.0,
    weights: Array | None = None,
    confidence: float = CONFIDENCE,
) -> float:
    """The upper end of the interval of a mean of values from 0 to 1; see `bounded_mean`.

    Raises:
        Undefined: There are no items, or all belong to one cluster.

    >>> round(upper_end(np.zeros(30), np.arange(30)), 3)  # 1 − .025 ^ (1/30): what 30 clusters may hide
    0.116
    """
    above = _chance_above(values, clusters, unseen, weights)
    low, high = float(np.average(values, weights=weights)), 1.0
    tail = tail_of(confidence)
    while high - low > PRECISE:
        end = (low + high) / 2
        low, high = (end, high) if above(end) > tail else (low, end)
    return high


def bounded_p(
    values: Array, clusters: Labels, within: tuple[float, float], *, null: float
) -> float:
    """The two-sided p that the mean of bounded values is `null`; below .05 if `bounded_mean` excludes it.

    Raises:
        Undefined: There are no items, or all belong to one cluster.

    >>> values = np.array([0.5, 0.75, 0.5, 0.25, 0.5, 0.75, 0.5, 0.25, 0.5, 0.5])
    >>> round(bounded_p(values, np.arange(10), (-1, 1), null=0.0), 3)
    0.037
    """
    least, most = within
    from_least, from_most = (values - least) / (most - least), (most - values) / (most - least)
    place = (null - least) / (most - least)
    beyond = (
        _chance_above(from_least, clusters)(place),
        _chance_above(from_most, clusters)(1 - place),
    )
    return min(1.0, 2 * min(beyond))


def _chance_above(
    values: Array, clusters: Labels, unseen: float = 1.0, weights: Array | None = None
) -> Callable[[float], float]:
    """A function giving the probability that the weighted mean with more clusters at 1 exceeds a value."""
    codes, k = enough(clusters)
    of_items = np.ones(len(values)) if weights is None else weights
    sums, sizes = cluster_sums(values * of_items, codes, k), cluster_sums(of_items, codes, k)
    size = float(sizes @ sizes) / float(sizes.sum())  # the size of the cluster of an average item
    shapes = np.append(np.ones(k), unseen)
    return lambda value: positive_chance(
        np.append(sums - value * sizes, size * (1 - value)), shapes
    )


def positive_chance(weights: Array, shapes: Array | None = None) -> float:
    """The probability that a weighted sum of independent gamma variables is above 0.

    By Lugannani and Rice's saddlepoint approximation (1980, doi:10.2307/1426607), which is within .01 of the
    true value, and within .002 where that is 5 % or less.

    Args:
        weights: The weight of each variable, shape (n,).
        shapes: The shape of its gamma distribution, shape (n,); None is 1 for all, which makes them
            exponential.

    >>> round(positive_chance(np.array([1.0, -3.0])), 2)  # 1 / (1 + 3)
    0.25
    """
    from scipy.special import ndtr

    shapes = np.ones(len(weights)) if shapes is None else shapes
    weights, shapes = weights[weights != 0], shapes[weights != 0]
    if not len(weights) or weights.max() < 0 or weights.min() > 0:
        return float(len(weights) > 0 and weights[0] > 0)
    low, high, at = 1 / float(weights.min()), 1 / float(weights.max()), 0.0
    # The saddlepoint is the zero of the cumulant generating function's derivative. Newton's method finds it;
    # a step that leaves the bracket is replaced by a bisection.
    for _ in range(STEPS):
        moved = weights / (1 - at * weights)
        slope, bend = float(shapes @ moved), float(shapes @ moved**2)
        low, high = (low, at) if slope > 0 else (at, high)
        further = at - slope / bend
        before, at = at, further if low < further < high else (low + high) / 2
        if abs(at - before) <= PRECISE**2 * (high - low):
            break
    moved = weights / (1 - at * weights)
    scale = float(shapes @ moved**2) ** 0.5
    distance = float(np.sign(at) * np.sqrt(2 * max(shapes @ np.log1p(-at * weights), 0.0)))
    if abs(distance) < CENTRAL:
        return float(0.5 - (shapes @ moved**3) / (3 * (2 * np.pi) ** 0.5 * scale**3))
    density = float(np.exp(-(distance**2) / 2) / (2 * np.pi) ** 0.5)
    return float(float(ndtr(-distance)) + density * (1 / (at * scale) - 1 / distance))
