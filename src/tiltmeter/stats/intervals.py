"""Intervals: Wilson for shares, seeded bootstraps for everything else.

Bootstraps resample whole clusters, so that items made from one template, or by one writer, do not
count as if they were independent. With one item a cluster this is the usual bootstrap.
"""

from collections.abc import Callable, Sequence
from math import sqrt

import numpy as np
from scipy.stats import norm

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Column, Integers, Labels

CONFIDENCE = 0.95
DRAWS = 2000
"""Resamples; the ends of a 95 % interval then rest on 50 draws on either side."""


def wilson(successes: float, n: int, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval for a share, from 0 to 1 (Wilson 1927, doi:10.2307/2276774).

    Stays honest where others collapse: two wins of two are not 100 to 100. `successes` may hold
    half credits.

    Raises:
        Undefined: n is 0.

    >>> [round(end, 4) for end in wilson(2, 2)]
    [0.3424, 1.0]
    """
    if n == 0:
        raise Undefined("no items")
    z = float(norm.ppf((1 + confidence) / 2))
    share = successes / n
    middle = (share + z**2 / (2 * n)) / (1 + z**2 / n)
    half = z / (1 + z**2 / n) * sqrt(share * (1 - share) / n + z**2 / (4 * n**2))
    return max(0.0, middle - half), min(1.0, middle + half)


def members(clusters: Labels) -> list[Integers]:
    """The rows of each cluster, clusters in the order of their labels.

    >>> [rows.tolist() for rows in members(np.array(["b", "a", "b"]))]
    [[1], [0, 2]]
    """
    _, codes = np.unique(clusters, return_inverse=True)
    order = np.argsort(codes, kind="stable")
    ends = np.cumsum(np.bincount(codes))[:-1]
    return [rows.astype(np.int64) for rows in np.split(order, ends)]


def weights(clusters: int, rng: np.random.Generator, *, draws: int = DRAWS) -> Array:
    """How often each cluster is drawn, shape (draws, clusters); each row sums to `clusters`."""
    equal = np.full(clusters, 1 / clusters)
    return rng.multinomial(clusters, equal, size=draws).astype(np.float64)


def bootstrap_mean(
    values: Array, clusters: Labels, rng: np.random.Generator, *, draws: int = DRAWS
) -> tuple[float, float]:
    """Percentile interval of the mean of `values`, shape (n,): one matrix product.

    A draw's mean is the sum over its clusters divided by the number of items in them.

    Raises:
        Undefined: There are fewer than two clusters, so nothing to resample.

    >>> bootstrap_mean(np.ones(4), np.array(list("abcd")), np.random.default_rng(0))
    (1.0, 1.0)
    """
    rows = _enough(clusters)
    sums = np.array([values[r].sum() for r in rows])
    sizes = np.array([float(len(r)) for r in rows])
    drawn = weights(len(rows), rng, draws=draws)  # (draws, clusters)
    return percentiles((drawn @ sums) / (drawn @ sizes))


def bootstrap(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
    *,
    draws: int = DRAWS,
) -> tuple[float, float]:
    """Percentile interval of any metric: rows of all columns are drawn together, by cluster.

    Raises:
        Undefined: There are fewer than two clusters, or a resample has no value. Such resamples are
            never left out in silence: that would make the interval look better than it is.
    """
    rows = _enough(clusters)
    values, lost, why = [], 0, ""
    for counts in weights(len(rows), rng, draws=draws).astype(np.int64):
        pick = np.concatenate([np.tile(r, k) for r, k in zip(rows, counts, strict=True) if k])
        try:
            values.append(metric(*(column[pick] for column in columns)))
        except Undefined as undefined:
            lost, why = lost + 1, str(undefined)
    if lost:
        raise Undefined(f"{lost:,} of {draws:,} resamples have no value ({why})")
    return percentiles(np.array(values))


def percentiles(values: Array, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The middle `confidence` of values, shape (draws,)."""
    low, high = np.quantile(values, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def _enough(clusters: Labels) -> list[Integers]:
    rows = members(clusters)
    if len(rows) < 2:  # noqa: PLR2004
        raise Undefined("all items belong to one cluster, so there is nothing to resample")
    return rows
