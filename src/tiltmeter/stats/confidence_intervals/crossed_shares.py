"""Intervals of shares over items and raters that are both samples.

What a judge shares with people varies with the items and with the people who were asked. An interval over
items alone is about these people: where people differ, that of a difference between two groups contains the
value of people like them in as few as 22 of 100 samples. So the distances from a share to the ends of its
interval over items and of its interval over raters are joined, as standard deviations of independent parts
are (`joined_interval`). Chance within single ratings counts in both, which makes the interval too wide
rather than too narrow.

docs/explanation/coverage/wordings.md has its coverage, and that of the wider and narrower ones that it was
compared with.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, LEAST, wilson_effective
from tiltmeter.stats.hypothesis_tests.t_tests import freedom_of_spread
from tiltmeter.stats.resampling.bootstrap import cluster_sums, enough

UNSEEN = 0.5
"""The size of a rater whom the sample has missed and who always or never agrees, as a share of an average
one's. Five raters of whom none is odd may well come from a crowd with one odd in ten."""
FEWEST = 5
"""The fewest raters from whom others are concluded on."""


class RatedValues(NamedTuple):
    """A value for each rating of an item by a rater; shape (n,) each."""

    values: Array
    """From 0 to 1."""
    weights: Array
    """How much each counts, above 0."""
    items: Integers
    raters: Integers

    @property
    def mean(self) -> float:
        """The weighted mean of the values, from 0 to 1.

        Raises:
            Undefined: There are no ratings.
        """
        if not len(self.values):
            raise Undefined("no answers to compare with")
        return float(self.values @ self.weights / self.weights.sum())


class ShareReach(NamedTuple):
    """A share, from 0 to 1, and the ends of an interval that allows for one source of chance."""

    value: float
    low: float
    high: float
    sign: int = 1
    """−1 where it is subtracted."""

    @property
    def reach(self) -> tuple[float, float]:
        """How far the interval reaches below and above, with its sign."""
        down, up = self.value - self.low, self.high - self.value
        return (down, up) if self.sign > 0 else (up, down)


def weighted_share(values: Array, weights: Array, clusters: Labels) -> ShareReach:
    """A weighted mean of values from 0 to 1 and its 95 % Wilson interval, by the jackknife over clusters.

    Args:
        values: One value per rating, shape (n,), from 0 to 1.
        weights: How much each counts, shape (n,), above 0.
        clusters: The item of each, shape (n,).

    Raises:
        Undefined: There are no values, or all belong to one cluster.

    >>> values, of = np.array([1.0, 1, 0, 1, 1, 0, 1, 1]), np.arange(8)
    >>> [round(end, 2) for end in weighted_share(values, np.ones(8), of)[:3]]
    [0.75, 0.33, 0.95]
    """
    codes, k = enough(clusters)
    total = float(weights.sum())
    sizes = np.bincount(codes, weights, minlength=k) / total
    value = float(values @ weights) / total
    spread = cluster_sums(weights * (values - value), codes, k) / total / (1 - sizes)
    worth = 1 / float(sizes @ sizes)
    variance = (k - 1) / k * float(spread @ spread)
    if variance <= LEAST:
        low, high = wilson_effective(value, worth, worth - 1)
    else:
        units = value * (1 - value) / variance
        low, high = wilson_effective(value, units, freedom_of_spread(spread, worth))
    return ShareReach(value, min(low, value), max(high, value))


def over_raters(
    values: Array, weights: Array, raters: Labels, *, confidence: float = CONFIDENCE
) -> ShareReach:
    """A weighted mean of values from 0 to 1 and its interval for other raters like these.

    Args:
        values: One value per rating, shape (n,), from 0 to 1.
        weights: How much each counts, shape (n,), above 0.
        raters: The rater of each, shape (n,).
        confidence: The confidence level.

    Raises:
        Undefined: There are fewer than `FEWEST` raters.
    """
    people = len(np.unique(raters))
    if people < FEWEST:
        raise Undefined(f"{people} of the {FEWEST} people who are needed to conclude on others")
    ends = bounded_mean(
        values, raters, (0, 1), unseen=UNSEEN, weights=weights, confidence=confidence
    )
    return ShareReach(float(values @ weights / weights.sum()), *ends)


def joined_interval(
    value: float, parts: Sequence[ShareReach], within: tuple[float, float]
) -> tuple[float, float]:
    """The interval of a value whose sources of chance have an interval each.

    Args:
        value: On the data.
        parts: The interval for each source, about the value itself or about a share that is added to it or
            subtracted from it.
        within: The lowest and highest possible value.

    >>> half = ShareReach(0.5, 0.2, 0.9)
    >>> [round(end, 2) for end in joined_interval(0.5, [half, ShareReach(0.5, 0.1, 0.8)], (0, 1))]
    [0.0, 1.0]
    >>> [round(end, 2) for end in joined_interval(0.5, [half], (0, 1))]
    [0.2, 0.9]
    """
    downs, ups = zip(*(part.reach for part in parts), strict=True)
    low, high = value - float(np.hypot.reduce(downs)), value + float(np.hypot.reduce(ups))
    return max(low, within[0]), min(high, within[1])
