"""Student's t-test of two independent samples."""

from typing import NamedTuple

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array

LEAST = 1e-12
"""A spread below this share of the values is rounding."""


class TTest(NamedTuple):
    """The result of a t-test."""

    t: float
    freedom: int
    p: float
    """Two-sided."""


def t_test(one: Array, other: Array) -> TTest:
    """Do two independent samples of equal variance have the same mean?

    Student's test with the pooled variance (Student 1908, doi:10.2307/2331554). t is above 0 where the first
    has the higher mean. For paired values use `intervals.student` on their differences.

    Raises:
        Undefined: Either sample has fewer than two values, or neither varies.

    >>> found = t_test(np.array([1.0, 2.0, 3.0]), np.array([4.0, 5.0, 6.0]))
    >>> round(found.t, 4), found.freedom, round(found.p, 4)
    (-3.6742, 4, 0.0213)
    """
    from scipy.special import stdtr

    if min(len(one), len(other)) < 2:  # noqa: PLR2004
        raise Undefined("a two-sample t-test needs at least two values in each sample")
    freedom = len(one) + len(other) - 2
    squares = float(np.sum((one - one.mean()) ** 2) + np.sum((other - other.mean()) ** 2))
    error = (squares / freedom * (1 / len(one) + 1 / len(other))) ** 0.5
    if error <= LEAST * max(1.0, float(np.abs(np.concatenate([one, other])).max())):
        raise Undefined(
            "all values within each sample are equal, so there is no spread to test against"
        )
    t = float(one.mean() - other.mean()) / error
    return TTest(t, freedom, float(2 * stdtr(freedom, -abs(t))))
