"""The largest difference between the shares of several groups, and an interval that covers the true one.

Sampling noise alone makes observed shares differ, so their largest difference is biased upward, and a
bootstrap adds the noise once more. The interval is therefore made of simultaneous intervals for the
differences of all pairs of groups: whichever pair truly differs most, its difference lies within its own
interval.

Sources: Newcombe 1998, method 10, doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I (the
difference of two shares from their score intervals); Agresti, Bini, Bertaccini and Ryu 2008,
doi:10.1111/j.1541-0420.2008.00990.x (score intervals of all differences by the studentized range).
"""

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import numpy as np

from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import (
    CONFIDENCE,
    difference_interval,
    wilson_clustered,
)


def spread_interval(
    outcomes: Sequence[Array], clusters: Sequence[Labels], *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of the largest difference between the shares of two or more groups, from 0 to 1.

    The groups are treated as independent: if they share clusters whose items are alike, the interval is wider
    than necessary.

    Args:
        outcomes: For each group, the outcome of each item, 0 or 1; no group is empty.
        clusters: For each group, the cluster of each item.
        confidence: The approximate lower bound of the coverage.

    >>> few, many = np.repeat([0.0, 1.0], [15, 5]), np.repeat([0.0, 1.0], [5, 15])
    >>> low, high = spread_interval([few, many], [np.arange(20), np.arange(20)])
    >>> round(low, 2), round(high, 2)
    (0.19, 0.7)
    """
    single = _of_each(len(outcomes), confidence)
    bounds = [
        wilson_clustered(group, of, confidence=single)
        for group, of in zip(outcomes, clusters, strict=True)
    ]
    low, high = np.array(bounds).T
    share = np.array([group.mean() for group in outcomes])
    below, above = share - low, high - share
    apart = share[:, None] - share[None]  # (groups, groups)
    least = apart - np.hypot(below[:, None], above[None])
    most = apart + np.hypot(above[:, None], below[None])
    others = ~np.eye(len(share), dtype=np.bool_)
    return max(0.0, float(least[others].max())), min(1.0, float(most[others].max()))


@cache
def _of_each(groups: int, confidence: float) -> float:
    """The confidence level of each share's score interval that makes all pairs simultaneous."""
    from scipy.optimize import brentq
    from scipy.special import ndtr

    def excess(quantile: float) -> float:
        return range_probability(quantile, groups) - confidence

    return 2 * float(ndtr(brentq(excess, 0, 20) / 2**0.5)) - 1


def range_probability(quantile: float, groups: int) -> float:
    """The probability that the range of `groups` standard normal numbers is at most `quantile`.

    This is the distribution of the studentized range with infinite degrees of freedom.

    >>> round(range_probability(2.772, 2), 3)
    0.95
    """
    from scipy.special import ndtr

    # Beyond 8 standard deviations the density is below 10⁻¹⁴.
    largest = np.linspace(-8, 8 + quantile, 2001)
    density = np.exp(-(largest**2) / 2) / (2 * np.pi) ** 0.5
    others = (ndtr(largest) - ndtr(largest - quantile)) ** (groups - 1)
    return float(groups * np.trapezoid(density * others, largest))


def paired_spread_interval(
    outcomes: Array, clusters: Labels, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of the largest difference between the shares of the same items in two or more versions.

    As `spread_interval`, but each difference is that of the same items, so what makes an item hard in all
    versions does not count. The intervals of all differences hold together by Bonferroni's correction.

    Args:
        outcomes: The outcome of each item in each version, from 0 to 1, shape (items, versions).
        clusters: The cluster of each item, shape (items,).
        confidence: The approximate lower bound of the coverage.

    Raises:
        Undefined: There are fewer than two clusters.

    >>> same, other = np.repeat([0.0, 1.0], 20), np.repeat([0.0, 1.0], [10, 30])
    >>> low, high = paired_spread_interval(np.stack([same, other], axis=1), np.arange(40))
    >>> round(low, 2), round(high, 2)  # 10 of 40 items differ, all in one direction
    (0.11, 0.41)
    """
    pairs = list(combinations(range(outcomes.shape[1]), 2))
    single = 1 - (1 - confidence) / len(pairs)
    bounds = [
        difference_interval(outcomes[:, i] - outcomes[:, j], clusters, 1, confidence=single)
        for i, j in pairs
    ]
    low, high = np.array(bounds).T
    return max(0.0, float(np.maximum(low, -high).max())), float(np.maximum(high, -low).max())
