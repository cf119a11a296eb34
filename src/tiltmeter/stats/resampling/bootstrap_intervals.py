"""Intervals from seeded bootstraps, widened if there are few units.

Bootstraps resample whole clusters, since items made from one template or by one writer are not
independent. With one item per cluster this is the ordinary bootstrap.
"""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Column, Labels
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, tail_of
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, enough, resamples

PERCENT = (0.0, 100.0)
BY_INTERVAL = "the level at which the bootstrap interval first excludes the neutral value"
"""The name of the test whose p is `excluding_level`."""
LEVEL_STEP = 1e-4
"""How exactly the level of an inverted interval is determined."""


def bootstrap(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
    *,
    draws: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """The `stretched` interval of any metric; rows of all columns are drawn together, by cluster.

    It calls the metric once per resample; for means of bounded values, `bounded_means.bounded_mean` needs no
    resamples.

    Raises:
        Undefined: There are fewer than two clusters, or the metric is undefined on a resample. Such resamples
            are never left out silently: that would make the interval look better than it is.
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
    return stretched(np.array(values), metric(*columns), k, why=why, confidence=confidence)


def percentiles(
    values: Array, *, why: str = "", confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The middle of a statistic's values on resamples, shape (draws,): by default 95 % of them.

    Raises:
        Undefined: A value is NaN, since the statistic is undefined on that resample (`why` is added to the
            message), or all values are the same.

    >>> [round(end, 1) for end in percentiles(np.arange(101.0))]
    [2.5, 97.5]
    """
    tail = tail_of(confidence)
    lost = int(np.isnan(values).sum())
    if lost:
        have = verb_for(lost, "have")
        raise Undefined(f"{lost:,} of {counted(len(values), 'resamples')} {have} no value{why}")
    if np.ptp(values) <= max(1e-9 * np.abs(values).max(), 1e-12):  # or rounding noise about 0
        raise Undefined("all resamples give the same value")
    low, high = np.quantile(values, [tail, 1 - tail])
    return float(low), float(high)


def stretched(
    values: Array, value: float, units: float, *, why: str = "", confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of a statistic from its values on resamples, widened for the number of units.

    The distances of the percentiles from the median of the resamples are stretched by √(n / (n − 1)) · t / z
    and applied to the value; n is the number of units, and t and z are the quantiles of Student's t with n −
    1 degrees of freedom and of the normal distribution. Percentiles alone are too narrow by that factor
    (Hesterberg 2015, doi:10.1080/00031305.2015.1089789), and more extreme percentiles cannot reach beyond the
    farthest resample, which is too close with three units. With many units this is the percentile interval
    minus the bootstrap's estimate of the median bias. It may leave the range of possible values; estimates
    clip it to that range (`estimates.Meaning.range`).

    Args:
        values: The statistic on each resample, shape (draws,).
        value: The statistic on the data.
        units: The number of units that a resample draws, items or whole clusters; fewer if a few of them make
            up the variance (`freedom_of_spread` + 1). If two sides are drawn separately, the smaller number.
        why: See `percentiles`.
        confidence: The confidence level.

    Raises:
        Undefined: See `percentiles`; or there is only one unit.

    >>> low, high = stretched(np.linspace(-1, 1, 101), 0.0, 3)
    >>> round(low, 2), round(high, 2)  # .95 · √1.5 · 4.303 / 1.96
    (-2.55, 2.55)
    """
    factor = stretch(units, confidence=confidence)
    low, high = percentiles(values, why=why, confidence=confidence)
    middle = float(np.median(values))
    return value - factor * (middle - low), value + factor * (high - middle)


def excluding_level(values: Array, value: float, units: float, *, neutral: float = 0.0) -> float:
    """The p of the inverted `stretched` interval: the least 1 − confidence at which it excludes `neutral`.

    Interval and p thus always agree. With m draws no p is below 2 / (m + 1). Other arguments, and what
    raises, as in `stretched`.

    Source: Efron and Tibshirani 1993, section 15.4.

    >>> draws = np.linspace(-1, 1, 1001)
    >>> [round(excluding_level(draws, value, 1000), 2) for value in (0.0, 0.95, 9.0)]
    [1.0, 0.05, 0.0]
    """

    def excludes(level: float) -> bool:
        low, high = stretched(values, value, units, confidence=1 - level)
        return low > neutral or high < neutral

    least, most = 2 / (len(values) + 1), 1.0
    if excludes(least):
        return least
    while most - least > LEVEL_STEP:
        middle = (least + most) / 2
        least, most = (least, middle) if excludes(middle) else (middle, most)
    return most


def stretch(units: float, *, confidence: float = CONFIDENCE) -> float:
    """The factor √(n / (n − 1)) · t / z by which percentiles of resamples of n units are too narrow.

    Raises:
        Undefined: There is only one unit.

    >>> round(stretch(3), 2), round(stretch(100), 2)
    (2.69, 1.02)
    """
    from scipy.special import ndtri, stdtrit

    if units < 2:  # noqa: PLR2004 the spread of one is not known
        raise Undefined("there is only one to draw, so there is nothing to resample")
    tail = tail_of(confidence)
    return float((units / (units - 1)) ** 0.5 * stdtrit(units - 1, tail) / ndtri(tail))
