"""Pearson's correlation: permutation test, and the smallest significant value for n points."""

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import permutations
from math import factorial

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array, Integers
from tiltmeter.stats.correlations.correlation import DRAWS, EXACT_UP_TO, check_points

COUNTED_UP_TO = 12
"""Up to this many points the distribution of Spearman's ρ is counted exactly."""
_CELLS = 4_000_000
"""Places of a block of random orders, at most: bounds the memory."""
_ROUNDING = 1e-12
"""Values that differ by less than this share of the largest are equal."""


def pearson(x: Array, y: Array) -> float:
    """Pearson's product-moment correlation: from −1 to 1, 0 is no linear relation.

    Args:
        x: Shape (n,).
        y: The same points' other values, shape (n,).

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
    """Two-sided p of the permutation test that two columns are unrelated, of each two on the same orders.

    Twice the smaller of two shares: of the orders of one column that correlate with the other at least as
    highly as the observed one, and of those that correlate at most as highly. All orders of up to eight
    points are tried; of more, `draws` random ones, and the observed one counts as a draw (Phipson and Smyth
    2010, doi:10.2202/1544-6115.1585), so that p is never 0. On ranks it is the test of Spearman's ρ. Each p
    is what it would be alone. Together they are not independent, which Holm's adjustment allows.

    Args:
        values: Finite numbers, shape (n, columns).
        rng: For the random orders.
        draws: How many, if there are more than eight points.
        done: Called with the share of the work that is done, now and then.

    Returns:
        Shape (columns, columns), symmetric; nan where the correlation is undefined, and on the diagonal.

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
    observed = 0 if exact else 1  # which is among all orders, and not among the random ones
    ps = np.minimum(1.0, 2 * (np.minimum(above, below) + observed) / (every + observed))
    ps[np.isnan(seen) | (np.arange(columns) >= np.arange(columns)[:, None])] = np.nan
    return np.asarray(np.fmax(ps, ps.T), dtype=np.float64)


def least_p(n: int) -> float:
    """The smallest two-sided p that an exact permutation test of n points can give: 2 / n!.

    Under the null hypothesis all n! orders are equally likely, and the observed one is among those as
    extreme as itself. So no one-sided p is below 1 / n!, and the two-sided one is twice that. Ranks
    without ties reach it where both orders are the same, or opposite.

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

    Up to twelve points it is exact: the smallest value r of Spearman's ρ, without ties, for which
    2 · P(ρ ≥ r) ≤ alpha over all n! orders. For more points ρ is taken to be distributed as
    t / √(n − 2 + t²) with Student's t of n − 2 degrees of freedom, whose first moments agree (Pitman 1937,
    doi:10.2307/2983647); that is within .01. Pearson's permutation test has no such number, since it
    depends on the values; where both sides are jointly normal the same formula is exact.

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
    """How many orders π of 0 … n − 1 have Σ i · π(i) = s, for each s.

    Place after place, over the sets of numbers that are used up: 2ⁿ sets and not n! orders.
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
    """So many random orders of n places in blocks, (≤ rows, n)."""
    size = max(1, _CELLS // n)
    for start in range(0, draws, size):
        rows = min(size, draws - start)
        yield rng.permuted(np.tile(np.arange(n), (rows, 1)), axis=1)


def _unit(x: Array, y: Array) -> tuple[Array, Array]:
    """Both sides centred, of length 1."""
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
