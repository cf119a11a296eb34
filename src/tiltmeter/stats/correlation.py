"""Rank correlation with its interval and an exact or sampled permutation test."""

from itertools import permutations
from math import factorial

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array

EXACT_UP_TO = 8
"""All orders of so many points are tried; of more, DRAWS random ones and the one that is there."""
DRAWS = 9_999


def ranks(values: Array) -> Array:
    """Ranks from 1; equal values share the mean of their ranks.

    >>> ranks(np.array([10.0, 30.0, 30.0, 20.0])).tolist()
    [1.0, 3.5, 3.5, 2.0]
    """
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[codes.ravel()], dtype=np.float64)


def spearman(x: Array, y: Array) -> float:
    """Spearman's rank correlation: Pearson's of the ranks; from −1 to 1, 0 is none.

    Raises:
        Undefined: Fewer than three points, or all values of one side are equal.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 15.0]))
    0.5
    """
    _check(x, y)
    a, b = _standard(ranks(x)), _standard(ranks(y))
    return round(min(max(float(a @ b), -1.0), 1.0), 12)  # 1 exactly where the orders are equal


def spearman_interval(r: float, n: int, *, confidence: float = 0.95) -> tuple[float, float]:
    """Interval by Fisher's z with Bonett and Wright's variance (2000, doi:10.1007/BF02294183).

    Raises:
        Undefined: Fewer than four points, or the orders agree wholly: then z is infinite.

    >>> [round(end, 3) for end in spearman_interval(0.5, 20)]
    [0.045, 0.783]
    """
    from scipy.special import ndtri

    if n < 4:  # noqa: PLR2004  (the variance has n - 3 below)
        raise Undefined(f"an interval needs at least four points, there are {n}")
    if abs(r) >= 1:
        raise Undefined("the two orders agree wholly, so the interval by Fisher's z has no ends")
    half = float(-ndtri((1 - confidence) / 2)) * np.sqrt((1 + r * r / 2) / (n - 3))
    low, high = np.tanh(np.arctanh(r) + np.array([-half, half]))
    return float(low), float(high)


def spearman_p(x: Array, y: Array, rng: np.random.Generator) -> float:
    """Two-sided p of the permutation test: how often a random order correlates as strongly.

    Exact for up to eight points; else sampled, with the order that is there counted as one draw.

    Raises:
        Undefined: As `spearman`.

    >>> spearman_p(np.arange(4.0), np.arange(4.0), np.random.default_rng(0))  # 2 of 4! orders
    0.08333333333333333
    """
    _check(x, y)
    a, b = _standard(ranks(x)), _standard(ranks(y))
    seen = abs(float(a @ b)) - 1e-9
    n = len(a)
    if n <= EXACT_UP_TO:
        orders = np.array(list(permutations(range(n))))  # (n!, n)
        return float(np.count_nonzero(np.abs(b[orders] @ a) >= seen) / factorial(n))
    extreme = sum(int(abs(float(rng.permutation(b) @ a)) >= seen) for _ in range(DRAWS))
    return (1 + extreme) / (1 + DRAWS)


def _standard(values: Array) -> Array:
    """Centred, of length 1."""
    centred = values - values.mean()
    return np.asarray(centred / np.sqrt(centred @ centred), dtype=np.float64)


def _check(x: Array, y: Array) -> None:
    if len(x) != len(y):
        raise BadInput(f"{len(x)} values of one side and {len(y)} of the other are no points")
    if len(x) < 3:  # noqa: PLR2004
        raise Undefined(f"a correlation needs at least three points, there are {len(x)}")
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        raise Undefined("all values of one side are equal, so there is no order to compare")
