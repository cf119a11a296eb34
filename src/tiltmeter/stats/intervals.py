"""Intervals: Wilson for shares, seeded bootstraps for everything else, made wider where units are few.

Bootstraps resample whole clusters, since items made from one template or by one writer are not
independent. With one item per cluster this is the usual bootstrap.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.stats.bootstrap import (
    RESAMPLES,
    are_few,
    cluster_sums,
    clustered,
    resampled_kinds,
    resampled_sums,
    resamples,
)
from tiltmeter.stats.two_samples import freedom_of_spread

CONFIDENCE = 0.95
ANY = (-np.inf, np.inf)
PERCENT = (0.0, 100.0)
LEAST = 1e-12
"""A standard error below this share of the value is rounding."""


def wilson(successes: float, n: float, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's score interval for a share, from 0 to 1 (Wilson 1927, doi:10.2307/2276774).

    Unlike the normal approximation it does not collapse: two wins out of two do not give 100 to 100.
    `successes` may include half credits; outcomes then vary less than a coin's, so the interval tends
    to be too wide. The share itself always lies inside.

    Raises:
        Undefined: n is 0.
        BadInput: Successes or confidence are out of range.

    >>> [round(end, 4) for end in wilson(2, 2)]
    [0.3424, 1.0]
    """
    from scipy.special import ndtri

    if n == 0:
        raise Undefined("no items")
    if not 0 <= successes <= n:
        raise BadInput(f"{successes:g} successes out of {n:,} are impossible")
    z = float(-ndtri(_tail(confidence)))
    share, spread = successes / n, z * z / n
    middle = share + spread / 2
    half = (spread * share * (1 - share) + spread * spread / 4) ** 0.5
    low, high = (middle - half) / (1 + spread), (middle + half) / (1 + spread)
    # Rounding must not push the share itself, or a bound of exactly 0 or 1, out of the interval.
    return min(max(low, 0.0), share), max(min(high, 1.0), share)


def wilson_effective(
    share: float, worth: float, freedom: float, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Wilson's interval of a share whose variance is that of so many independent items.

    Student's t makes them fewer, as the variance is estimated itself (Franco et al. 2019,
    https://pmc.ncbi.nlm.nih.gov/articles/PMC6690503).

    Args:
        share: From 0 to 1; values beyond are taken for these.
        worth: How many items, share × (1 − share) / variance.
        freedom: Degrees of freedom of the variance.
        confidence: Of the interval.

    Raises:
        Undefined: It is worth no items.

    >>> [round(end, 2) for end in wilson_effective(0.5, 20, 19)]
    [0.29, 0.71]
    """
    from scipy.special import ndtri, stdtrit

    tail = _tail(confidence)
    worth *= float(ndtri(tail) / stdtrit(freedom, tail)) ** 2
    return wilson(min(max(share, 0.0) * worth, worth), worth, confidence=confidence)


def wilson_clustered(
    outcomes: Array, clusters: Labels, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Wilson's interval for a share of items that come in clusters, from 0 to 1.

    n is replaced by the effective number of items: n over the design effect (how much more the sums
    over clusters vary than those of independent items would; at least 1), made smaller by Student's t.
    The sums' variance is a jackknife's, and t has its degrees of freedom: those of 1 / Σ share² clusters
    of one size, where share is a cluster's part of all items, since a few large clusters pull the share
    towards themselves; and fewer where few clusters are far from the others (`freedom_of_spread`). Does not
    collapse at 0 and at 1: if all items are alike, nothing says how much clusters differ, and it is the
    interval of as many items as there are clusters. Where each item is its own cluster, or all belong to
    one, it is `wilson`; with one cluster it is about that cluster only.

    Franco et al. 2019 (https://pmc.ncbi.nlm.nih.gov/articles/PMC6690503) compare such intervals and
    recommend this one for clusters of similar sizes. Jackknife: Bell and McCaffrey 2002,
    https://www150.statcan.gc.ca/n1/en/catalogue/12-001-X20020029058.

    Args:
        outcomes: 0 or 1 an item, half credits between; shape (n,).
        clusters: Which cluster each belongs to, shape (n,).
        confidence: Of the interval.

    Raises:
        Undefined: There are no items.

    >>> alike, apart = np.array(list("aabbccdd")), np.array(list("abcdefgh"))
    >>> outcomes = np.array([1.0, 1, 0, 0, 1, 1, 0, 0])
    >>> [round(end, 2) for end in wilson_clustered(outcomes, apart)]
    [0.22, 0.78]
    >>> [round(end, 2) for end in wilson_clustered(outcomes, alike)]
    [0.06, 0.94]
    """
    n, hits = len(outcomes), float(outcomes.sum())
    codes, k = clustered(clusters)
    if k in {0, 1, n}:
        return wilson(hits, n, confidence=confidence)
    if np.ptp(outcomes) == 0:
        return wilson(k * hits / n, k, confidence=confidence)
    share, parts = hits / n, np.bincount(codes, minlength=k) / n
    spread = cluster_sums(outcomes - share, codes, k) / (1 - parts)
    effect = (k - 1) / k * float(spread @ spread) / (n * share * (1 - share))
    freedom = freedom_of_spread(spread, 1 / float(parts @ parts))
    return wilson_effective(share, n / max(effect, 1.0), freedom, confidence=confidence)


def student(
    value: float, error: float, freedom: int, *, confidence: float = CONFIDENCE
) -> tuple[float, float, float]:
    """Interval and two-sided p (against 0) by Student's t, for a value with a standard error.

    Raises:
        Undefined: There are no degrees of freedom, or the error is 0.

    >>> [round(one, 3) for one in student(2.0, 1.0, 4)]
    [-0.776, 4.776, 0.116]
    """
    from scipy.special import stdtr, stdtrit

    if freedom < 1:
        raise Undefined("the spread cannot be estimated from a single value")
    if error <= LEAST * max(1.0, abs(value)):
        raise Undefined("all values are equal, so the spread cannot be estimated")
    half = float(-stdtrit(freedom, _tail(confidence))) * error
    return value - half, value + half, float(2 * stdtr(freedom, -abs(value) / error))


def student_half_width(squares: Array, counts: Array, *, confidence: float = CONFIDENCE) -> Array:
    """Half the interval of each of many means by Student's t.

    NaN for fewer than two values and for values that are all equal, which do not show how much they vary.

    Args:
        squares: The sum of squared deviations from each mean.
        counts: The number of values in each mean, of the same shape.
        confidence: How often such intervals contain the true mean.

    >>> student_half_width(np.array([2.0, 0.0]), np.array([3.0, 1.0])).round(3)  # of 1, 2, 3 and of 4
    array([2.484,   nan])
    """
    from scipy.special import stdtrit

    found = np.full(np.shape(squares), np.nan)
    some = (counts > 1) & (squares > LEAST)
    n = counts[some]
    found[some] = -stdtrit(n - 1, _tail(confidence)) * np.sqrt(squares[some] / (n - 1) / n)
    return found


def bootstrap_mean(
    values: Array,
    clusters: Labels,
    rng: np.random.Generator,
    *,
    draws: int = RESAMPLES,
    within: tuple[float, float] = ANY,
) -> tuple[float, float]:
    """`stretched` interval of the mean of `values`, shape (n,): one matrix product.

    A resample's mean is the sum over its clusters divided by the number of items in them.

    Args:
        values: One an item.
        clusters: Which cluster each belongs to, shape (n,).
        rng: Where the randomness comes from.
        draws: How many resamples.
        within: The least and the highest mean that is possible.

    Raises:
        Undefined: There are fewer than two clusters, or all resamples have the same mean.

    >>> values, labels = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.arange(5)
    >>> low, high = bootstrap_mean(values, labels, np.random.default_rng(0))
    >>> round(low, 1), round(high, 1)  # Student's t gives 1.04 to 4.96
    (1.1, 4.9)
    """
    codes, k = enough(clusters)
    kinds, times = np.unique(values if k == len(values) else (), return_counts=True)
    if len(kinds) and are_few(kinds, k):  # each item is its own cluster: little memory is needed
        totals = resampled_kinds(
            np.stack([kinds, np.ones(len(kinds))], axis=1), times, rng, draws=draws
        )
    else:
        both = cluster_sums(np.stack([values, np.ones(len(values))], axis=1), codes, k)
        totals = resampled_sums(both, rng, draws=draws)
    drawn = totals[:, 0] / totals[:, 1]
    return stretched(drawn, float(values.mean()), k, within=within)


def bootstrap(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
    *,
    draws: int = RESAMPLES,
) -> tuple[float, float]:
    """`stretched` interval of any metric: rows of all columns are drawn together, by cluster.

    Calls the metric once per resample; for means `bootstrap_mean` is faster.

    Raises:
        Undefined: There are fewer than two clusters, or a resample has no value. Such resamples are
            never left out silently: that would make the interval look better than it is.
    """
    codes, k = enough(clusters)
    rows = np.arange(len(codes))
    values, why = [], ""
    for counts in resamples(k, rng, draws=draws):
        for times in counts:
            drawn = np.repeat(rows, times[codes])
            try:
                values.append(metric(*(column[drawn] for column in columns)))
            except Undefined as undefined:
                values.append(float("nan"))
                why = f" ({undefined})"
    return stretched(np.array(values), metric(*columns), k, why=why)


def percentiles(
    values: Array, *, confidence: float = CONFIDENCE, why: str = ""
) -> tuple[float, float]:
    """The middle `confidence` of a statistic's values on resamples, shape (draws,).

    Raises:
        Undefined: Some value is NaN (the statistic had none on that resample; `why` is added), or
            all are the same.

    >>> percentiles(np.arange(101.0), confidence=0.5)
    (25.0, 75.0)
    """
    tail = _tail(confidence)
    lost = int(np.isnan(values).sum())
    if lost:
        have = "has" if lost == 1 else "have"
        raise Undefined(f"{lost:,} of {len(values):,} resamples {have} no value{why}")
    if np.ptp(values) <= max(1e-9 * np.abs(values).max(), 1e-12):  # or rounding noise about 0
        raise Undefined("all resamples give the same value")
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def stretched(
    values: Array,
    value: float,
    units: int,
    *,
    within: tuple[float, float] = ANY,
    confidence: float = CONFIDENCE,
    why: str = "",
) -> tuple[float, float]:
    """The interval of a statistic from its values on resamples of few or many units.

    The distances of the percentiles from the median of the resamples are stretched by
    √(n / (n − 1)) · t / z, where n is the number of units and t and z are the quantiles of Student's t with
    n − 1 degrees of freedom and of the normal distribution, and laid about the value. Percentiles alone
    are too narrow by that factor (Hesterberg 2015, doi:10.1080/00031305.2015.1089789), and more extreme
    ones cannot reach beyond the farthest resample, which is too close with three units. With many units
    this is the percentile interval, less the bootstrap's estimate of the median bias.

    Args:
        values: On resamples, shape (draws,).
        value: On the data.
        units: How many units a resample draws: items, or whole clusters. Of two sides that are drawn
            separately, the fewer.
        within: The least and the highest value that is possible.
        confidence: Of the interval.
        why: As in `percentiles`.

    Raises:
        Undefined: As `percentiles`, or there is only one unit.

    >>> low, high = stretched(np.linspace(-1, 1, 101), 0.0, 3)
    >>> round(low, 2), round(high, 2)  # .95 · √1.5 · 4.303 / 1.96
    (-2.55, 2.55)
    """
    factor = stretch(units, confidence)
    low, high = percentiles(values, confidence=confidence, why=why)
    middle = float(np.median(values))
    least, most = within
    return max(least, value - factor * (middle - low)), min(most, value + factor * (high - middle))


def stretch(units: int, confidence: float = CONFIDENCE) -> float:
    """By how much resamples of so many units are too close together: √(n / (n − 1)) · t / z.

    Raises:
        Undefined: There is only one unit.

    >>> round(stretch(3), 2), round(stretch(100), 2)
    (2.69, 1.02)
    """
    from scipy.special import ndtri, stdtrit

    if units < 2:  # noqa: PLR2004 the spread of one is not known
        raise Undefined("there is only one to draw, so there is nothing to resample")
    tail = _tail(confidence)
    return float((units / (units - 1)) ** 0.5 * stdtrit(units - 1, tail) / ndtri(tail))


def enough(clusters: Labels) -> tuple[Integers, int]:
    """As `clustered`, or Undefined where there is nothing to resample."""
    codes, k = clustered(clusters)
    if k == 1:
        only = "there is only one item" if len(codes) == 1 else "all items belong to one cluster"
        raise Undefined(f"{only}, so there is nothing to resample")
    if k == 0:
        raise Undefined("no items")
    return codes, k


def _tail(confidence: float) -> float:
    if not 0 < confidence < 1:
        raise BadInput(f"confidence {confidence:g} is not between 0 and 1", "write 0.95")
    return (1 - confidence) / 2
