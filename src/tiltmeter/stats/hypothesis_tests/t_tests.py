"""Two independent samples: Student's t-test, standardised differences, variances of averaged differences."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

LEAST = 1e-12
"""A spread below this share of the values is rounding error."""
ALIKE = 1e-6
"""The minimum share of the variance within the samples: below it noncentral t is not computed reliably."""


class Spread(NamedTuple):
    """A component of an estimate's sampling variance, with its degrees of freedom."""

    variance: float
    freedom: int


class TTest(NamedTuple):
    """The result of a t-test."""

    t: float
    freedom: int
    p: float
    """The two-sided p-value under equal means."""


def t_test(first: Array, second: Array) -> TTest:
    """Student's t-test that two independent samples of equal variance have the same mean.

    It uses the pooled variance (Student 1908, doi:10.2307/2331554). t is above 0 if the first sample has the
    higher mean. For paired values use `intervals.student` on their differences.

    Raises:
        Undefined: Either sample has fewer than two values, or neither varies.

    >>> test = t_test(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    >>> round(test.t, 4), test.freedom, round(test.p, 4)
    (-3.6742, 4, 0.0213)
    """
    from scipy.special import stdtr

    if min(len(first), len(second)) < 2:  # noqa: PLR2004
        raise Undefined("a two-sample t-test needs at least two values in each sample")
    freedom = len(first) + len(second) - 2
    squares = float(np.sum((first - first.mean()) ** 2) + np.sum((second - second.mean()) ** 2))
    error = (squares / freedom * (1 / len(first) + 1 / len(second))) ** 0.5
    if error <= LEAST * max(1.0, float(np.abs(np.concatenate([first, second])).max())):
        raise Undefined(
            "all values within each sample are equal, so there is no spread to test against"
        )
    t = float(first.mean() - second.mean()) / error
    return TTest(t, freedom, float(2 * stdtr(freedom, -abs(t))))


def standardised_interval(value: float, n: int, m: int) -> tuple[float, float]:
    """The 95 % interval of a difference of two means in standard deviations of all values, by noncentral t.

    It is exact for normal values with equal variance on both sides. The value determines Student's t, whose
    noncentrality is the true difference in standard deviations within a side (Cumming and Finch 2001,
    doi:10.1177/0013164401614002).

    Args:
        value: The difference of the means over the sample standard deviation of all n + m values.
        n: The number of values on the first side.
        m: The number of values on the second side.

    Returns:
        The bounds in standard deviations of all values of the population. A value near the largest possible
        one may lie outside, since it is in those of the sample, which are slightly larger.

    Raises:
        Undefined: A side has a single value, or the values within the sides hardly vary.

    >>> low, high = standardised_interval(1.0, 8, 8)
    >>> round(low, 2), round(high, 2)
    (0.05, 1.47)
    """
    from scipy.special import nctdtrinc

    if min(n, m) < 2:  # noqa: PLR2004
        raise Undefined("one side has a single value, which says nothing of the spread")
    size = n * m / (n + m)
    within = n + m - 1 - size * value**2
    if within <= ALIKE * (n + m - 1):
        raise Undefined("the values within a side hardly vary")
    t = value * (size * (n + m - 2) / within) ** 0.5
    low, high = (float(nctdtrinc(n + m - 2, q, t)) / size**0.5 for q in (0.975, 0.025))
    rest = n * m / (n + m) ** 2
    return low / (1 + rest * low**2) ** 0.5, high / (1 + rest * high**2) ** 0.5


def spread_of_difference(
    values: Array, first: npt.NDArray[np.bool_], strata: Labels
) -> list[Spread]:
    """The sampling variance, by stratum, of the difference of two groups' means averaged over strata.

    Within a stratum both groups are assumed to have the same variance, as in a permutation test: two values
    by themselves hardly show their spread. In the average of k differences each counts with 1/k² of its
    variance.

    Args:
        values: One value per independent unit, shape (n,).
        first: True for units of the first group, shape (n,).
        strata: The stratum of each unit, shape (n,).

    Raises:
        Undefined: A stratum has fewer than two units of a group.

    >>> first = np.array([True, True, False, False])
    >>> spread_of_difference(np.array([1.0, 3, 2, 4]), first, np.array(["a"] * 4))
    [Spread(variance=2.0, freedom=2)]
    """
    names = np.unique(strata)
    spreads = []
    for name in names:
        groups = [values[(strata == name) & side] for side in (first, ~first)]
        if min(map(len, groups)) < 2:  # noqa: PLR2004
            raise Undefined(
                f"{name} has a single value on a side, which says nothing of the spread"
            )
        freedom = sum(map(len, groups)) - 2
        pooled = sum(float(np.sum((group - group.mean()) ** 2)) for group in groups) / freedom
        spreads.append(
            Spread(pooled * sum(1 / len(group) for group in groups) / len(names) ** 2, freedom)
        )
    return spreads


def spread_of_mean(values: Array) -> Spread:
    """The sampling variance of the mean of two or more independent values, shape (n,).

    >>> spread_of_mean(np.array([1.0, 3.0]))
    Spread(variance=1.0, freedom=1)
    """
    return Spread(float(values.var(ddof=1)) / len(values), len(values) - 1)


def means_by(values: Array, labels: Labels) -> Array:
    """The mean of the values with each label, in the order of the sorted labels.

    >>> means_by(np.array([1.0, 3.0, 5.0]), np.array(["b", "a", "b"]))
    array([3., 3.])
    """
    codes, k = clustered(labels)
    return cluster_sums(values, codes, k) / np.bincount(codes, minlength=k)


def combined(spreads: list[Spread]) -> tuple[float, int]:
    """The standard error and degrees of freedom of a sum of independent values (Satterthwaite 1946).

    Degrees of freedom are rounded down. doi:10.2307/3002019

    >>> combined([Spread(1.0, 4), Spread(3.0, 12)])
    (2.0, 16)
    """
    total = sum(part.variance for part in spreads)
    if total == 0:
        return 0.0, min(part.freedom for part in spreads)
    squares = sum(part.variance**2 / part.freedom for part in spreads)
    return total**0.5, int(total**2 / squares + LEAST)


def freedom_of_spread(deviations: Array, n: float | None = None) -> float:
    """The degrees of freedom of a variance of n units: fewer than n − 1 if a few outliers make it up.

    They are 2 / (2 / (n − 1) + (kurtosis − 3) / n), at least 1: a χ² variable with these degrees of freedom
    varies as much as the sample variance of values with that kurtosis (Satterthwaite 1946,
    doi:10.2307/3002019). A kurtosis below 3 counts as 3.

    Args:
        deviations: The deviation of each unit from the mean, shape (units,).
        n: The effective number of units; by default their actual number.

    >>> freedom_of_spread(np.array([-1.0, 1] * 5))
    9.0
    >>> round(freedom_of_spread(np.array([9.0] + [-1] * 9)), 1)  # kurtosis 8.1
    2.7
    """
    n = len(deviations) if n is None else n
    squares = deviations**2
    mean = float(squares.mean())
    excess = max(0.0, float((squares**2).mean()) / mean**2 - 3) if mean > LEAST else 0.0
    return max(1.0, 1 / (1 / max(n - 1, LEAST) + excess / (2 * n)))
