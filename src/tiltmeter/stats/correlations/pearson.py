"""Pearson's correlation, its permutation test, and the smallest significant correlation of n points."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Integers
from tiltmeter.stats.correlations.correlation import DRAWS, EXACT_UP_TO, check_points

COUNTED_UP_TO = 12
"""The maximum number of points for which the distribution of Spearman's ρ is counted exactly."""
_CELLS = 4_000_000
"""The maximum number of places in a block of random orders, which bounds the memory."""
_ROUNDING = 1e-12
"""Values that differ by less than this share of the largest count as equal."""


def pearson(x: Array, y: Array) -> float:
    """Pearson's product-moment correlation: from −1 to 1, 0 is no linear relation.

    Args:
        x: The first value of each point, shape (n,).
        y: The second value of each point, shape (n,).

    Raises:
        Undefined: Fewer than three points, a value is not finite, or all of one side are equal.
        BadInput: The two sides have different lengths.

    >>> pearson(np.array([1.0, 2, 3]), np.array([1.0, 2, 2]))  # 1 / √(2 · 2/3)
    0.866025403784
    """
    a, b = _unit(x, y)
    return round(min(max(float(a @ b), -1.0), 1.0), 12)  # 1 exactly where points are on a line


def pearson_ps(
    values: Array,
    rng: np.random.Generator,
    *,
    draws: int = DRAWS,
    done: Callable[[float], None] = lambda _: None,
) -> Array:
    """The two-sided p of the permutation test that two columns are unrelated, for all pairs of columns.

    p is twice the smaller of two shares: of the orders of one column whose correlation with the other is at
    least the observed one, and of those whose correlation is at most that. With up to eight points all orders
    are tried; with more, `draws` random ones, and the observed one counts as a draw (Phipson and Smyth 2010,
    doi:10.2202/1544-6115.1585), so that p is never 0. On ranks this is the test of Spearman's ρ. All pairs
    use the same random orders: each p is valid by itself, but together they are not independent, which Holm's
    adjustment allows.

    Args:
        values: The columns of finite numbers, shape (n, columns).
        rng: The source of the random orders.
        draws: The number of random orders if there are more than eight points.
        done: Called repeatedly with the share of the work that is done.

    Returns:
        The p-values, shape (columns, columns), symmetric; NaN if the correlation is undefined, and on the
        diagonal.

    >>> points = np.array([[0.0, 0.0], [1.0, 1.0], [2.0, 5.0]])
    >>> pearson_ps(points, np.random.default_rng(0))[0, 1].round(4).item()  # 2 / 3!
    0.3333
    """
    n, columns = values.shape
    units = np.stack([_unit_or_nan(column) for column in values.T], axis=1)
    seen = units.T @ units
    above, below = np.zeros((2, columns, columns), dtype=np.int64)
    exact = n <= EXACT_UP_TO
    every = factorial(n) if exact else draws
    tried = 0
    for orders in [_orders(n)] if exact else _random_orders(n, draws, rng):
        for j in range(1, columns):
            shuffled = units[orders, j] @ units[:, :j]  # (orders, j)
            above[j, :j] += np.count_nonzero(shuffled >= seen[j, :j] - _ROUNDING, axis=0)
            below[j, :j] += np.count_nonzero(shuffled <= seen[j, :j] + _ROUNDING, axis=0)
            done((tried + len(orders) * j / (columns - 1)) / every)
        tried += len(orders)
    observed = 0 if exact else 1  # all orders include the observed one, random ones do not
    ps = np.minimum(1.0, 2 * (np.minimum(above, below) + observed) / (every + observed))
    ps[np.isnan(seen) | (np.arange(columns) >= np.arange(columns)[:, None])] = np.nan
    return np.asarray(np.fmax(ps, ps.T), dtype=np.float64)


def least_p(n: int) -> float:
    """The smallest two-sided p that an exact permutation test of n points can give: 2 / n!.

    Under the null hypothesis all n! orders are equally likely, and the observed one is among those as
    extreme as itself. So no one-sided p is below 1 / n!, and the two-sided one is twice that. Ranks
    without ties reach it if both orders are the same, or opposite.

    Raises:
        Undefined: Fewer than three points.

    >>> [round(least_p(n), 4) for n in (3, 4, 5, 6)]
    [0.3333, 0.0833, 0.0167, 0.0028]
    """
    check_points(n, n)
    return 2 / factorial(n)


@lru_cache(maxsize=1024)
def least_significant(n: int, *, alpha: float = 0.05) -> float:
    """The smallest rank correlation of n points that is significant at the level `alpha`.

    Up to twelve points it is exact: the smallest value r of Spearman's ρ, without ties, for which 2 · P(ρ ≥
    r) ≤ alpha over all n! orders. For more points the distribution of ρ is approximated by that of t / √(n −
    2 + t²) with Student's t of n − 2 degrees of freedom, whose first moments agree (Pitman 1937,
    doi:10.2307/2983647); the error is below .01. There is no such number for Pearson's permutation test,
    which depends on the values; if both sides are jointly normal the same formula is exact.

    Raises:
        Undefined: There are so few points that no order gives p ≤ alpha.
        BadInput: alpha is not between 0 and 1.

    >>> [round(least_significant(n), 3) for n in (5, 6, 7, 8, 9, 10, 20)]
    [1.0, 0.886, 0.786, 0.738, 0.7, 0.648, 0.444]
    """
    from scipy.special import stdtrit

    if not 0 < alpha < 1:
        raise BadInput(f"alpha {alpha:g} is not between 0 and 1", "write 0.05")
    check_points(n, n)
    if least_p(n) > alpha:
        raise Undefined(
            f"with {n} points the smallest possible p is {least_p(n):.3g}, so no "
            f"correlation, however strong, can be significant at {alpha:g}"
        )
    if n > COUNTED_UP_TO:
        t = float(-stdtrit(n - 2, alpha / 2))
        return t / float(np.sqrt(n - 2 + t * t))
    counts = _orders_by_sum(n)
    above = counts[::-1].cumsum()[::-1] / factorial(n)  # P(sum ≥ s)
    least = int(np.flatnonzero((2 * above <= alpha) & (counts > 0)).min())
    middle, spread = n * (n - 1) ** 2 / 4, n * (n * n - 1) / 12
    return (least - middle) / spread


@lru_cache(maxsize=COUNTED_UP_TO)
def _orders_by_sum(n: int) -> Integers:
    """The number of orders π of 0 … n − 1 with Σ i · π(i) = s, for each s.

    They are counted place by place over the sets of numbers already used: 2ⁿ sets instead of n! orders.
    """
    size = sum(i * i for i in range(n)) + 1
    ways = np.zeros((2**n, size), dtype=np.int64)
    ways[0, 0] = 1
    for used in range(2**n - 1):
        place = used.bit_count()
        for number in range(n):
            if not used >> number & 1:
                step = place * number
                ways[used | 1 << number, step:] += ways[used, : size - step]
    return np.asarray(ways[-1])


@lru_cache(maxsize=EXACT_UP_TO)
def _orders(n: int) -> Integers:
    """All orders of n places, shape (n!, n)."""
    return np.array(list(permutations(range(n))), dtype=np.int64)


def _random_orders(n: int, draws: int, rng: np.random.Generator) -> Iterator[Integers]:
    """Yields random orders of n places in blocks of shape (rows, n), `draws` in all."""
    size = max(1, _CELLS // n)
    for start in range(0, draws, size):
        rows = min(size, draws - start)
        yield rng.permuted(np.tile(np.arange(n), (rows, 1)), axis=1)


def _unit(x: Array, y: Array) -> tuple[Array, Array]:
    """Both sides, centred and scaled to length 1, so that their product is the correlation."""
    check_points(len(x), len(y))
    bad = int(np.count_nonzero(~np.isfinite(np.stack([x, y]))))
    if bad:
        raise Undefined(f"{bad} of {2 * len(x)} values are not finite numbers")
    return _scaled(x), _scaled(y)


def _unit_or_nan(values: Array) -> Array:
    try:
        return _unit(values, values)[0]
    except Undefined:
        return np.full(len(values), np.nan)


def _scaled(values: Array) -> Array:
    largest = float(np.abs(values).max())
    if largest == 0 or np.ptp(values / largest) <= _ROUNDING:
        raise Undefined("all values on one side are equal, so there is nothing to correlate")
    apart = values / largest  # so that squares neither overflow nor vanish
    apart = apart - apart.mean()
    apart = apart / np.abs(apart).max()
    return np.asarray(apart / np.sqrt(apart @ apart), dtype=np.float64)
