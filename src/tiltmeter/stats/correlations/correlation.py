"""Spearman's and Kendall's rank correlations, with intervals and tests."""

from dataclasses import dataclass
from itertools import permutations
from math import factorial

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.text import verb_for
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, enough, resamples
from tiltmeter.stats.resampling.bootstrap_intervals import stretched

EXACT_UP_TO = 8
"""The maximum number of points for which all orders are tried; for more, DRAWS random ones and the
observed."""
DRAWS = 9_999
FEWEST = 3
"""The minimum number of points of a correlation, since two points always lie on a line."""
EXACT_KENDALL = 33
"""The maximum number of points without ties for which scipy's test is exact."""
_CELLS = 4_000_000
"""The number of signs of differences that are held in memory at a time."""


def ranks(values: Array) -> Array:
    """The ranks of the values from 1; equal values share the mean of their ranks.

    >>> ranks(np.array([10.0, 30.0, 30.0, 20.0])).tolist()
    [1.0, 3.5, 3.5, 2.0]
    """
    _, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return np.asarray((last - (counts - 1) / 2)[codes.ravel()], dtype=np.float64)


def spearman(x: Array, y: Array) -> float:
    """Spearman's rank correlation, from −1 to 1 (0 is none): Pearson's correlation of the ranks.

    Raises:
        Undefined: Fewer than three points, or all values of one side are equal.

    >>> spearman(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 15.0]))
    0.5
    """
    _check(x, y)
    a, b = _standard(ranks(x)), _standard(ranks(y))
    return round(min(max(float(a @ b), -1.0), 1.0), 12)  # 1 exactly where the orders are equal


def spearman_p(x: Array, y: Array, rng: np.random.Generator) -> float:
    """The two-sided p of the permutation test: the share of random orders that correlate as strongly.

    It is exact for up to eight points; otherwise sampled, with the observed order counted as one draw.

    Raises:
        Undefined: Fewer than three points, or all values of one side are equal.

    >>> spearman_p(np.arange(4.0), np.arange(4.0), np.random.default_rng(0))  # 2 of 4! orders
    0.08333333333333333
    """
    _check(x, y)
    a, b = _standard(ranks(x)), _standard(ranks(y))
    # Orders with the same correlation may differ in the last digits of the sum.
    seen = abs(float(a @ b)) - 1e-9
    n = len(a)
    if n <= EXACT_UP_TO:
        orders = np.array(list(permutations(range(n))))  # (n!, n)
        return float(np.count_nonzero(np.abs(b[orders] @ a) >= seen) / factorial(n))
    extreme = sum(int(abs(float(rng.permutation(b) @ a)) >= seen) for _ in range(DRAWS))
    return (1 + extreme) / (1 + DRAWS)


def kendall_tau(x: Array, y: Array) -> float:
    """Kendall's rank correlation tau-b, from −1 (opposite orders) to 1 (the same); 0 is no relation.

    It is (C − D) / √(X · Y) with the number of pairs of points that are concordant (C), discordant (D), not
    tied in `x` (X) and not tied in `y` (Y). Kendall 1945, doi:10.1093/biomet/33.3.239.

    Raises:
        Undefined: Fewer than three points, or all values of one side are equal.

    >>> round(kendall_tau(np.array([1.0, 2.0, 3.0]), np.array([10.0, 20.0, 15.0])), 4)  # (2 − 1) / 3
    0.3333
    """
    _check(x, y)
    return float(kendall_rows(x[None], y[None])[0])


def kendall_rows(x: Array, y: Array) -> Array:
    """Kendall's tau-b of each row of `x` with the same row of `y`, both of shape (rows, n); shape (rows,).

    Points with a NaN on either side are left out. The result is NaN if fewer than three are left, or if all
    values of one side are tied.

    >>> kendall_rows(np.array([[1.0, 2, 3, np.nan]]), np.array([[1.0, 2, 3, 0]])).tolist()
    [1.0]
    """
    rows, n = x.shape
    taus = np.full(rows, np.nan)
    size = max(1, _CELLS // max(n * n, 1))
    for start in range(0, rows, size):
        part = slice(start, start + size)
        both = np.isfinite(x[part]) & np.isfinite(y[part])
        a, b = (np.where(both, side[part], np.nan) for side in (x, y))
        x_signs, y_signs = _signs(a), _signs(b)
        together, apart = (x_signs * y_signs).sum(axis=(1, 2)), np.abs(x_signs).sum(axis=(1, 2))
        scale = np.sqrt(apart * np.abs(y_signs).sum(axis=(1, 2)))
        scale[both.sum(axis=1) < FEWEST] = 0
        np.divide(together, scale, out=taus[part], where=scale > 0)
    return np.asarray(np.clip(taus, -1, 1), dtype=np.float64)


def kendall_p(x: Array, y: Array) -> tuple[float, str]:
    """The two-sided p of the test that two orders are unrelated, and how it was computed.

    It is exact for up to 33 points without ties; otherwise it is the normal approximation, corrected for
    ties. Points are assumed to be independent.

    Raises:
        Undefined: Fewer than three points, or all values of one side are equal.

    >>> p, how = kendall_p(np.arange(4.0), np.arange(4.0))  # 2 of 4! orders
    >>> round(p, 4), how
    (0.0833, 'exact')
    """
    from scipy.stats import kendalltau

    _check(x, y)
    tied = len(np.unique(x)) < len(x) or len(np.unique(y)) < len(y)
    exact = not tied and len(x) <= EXACT_KENDALL
    p = float(kendalltau(x, y, method="exact" if exact else "asymptotic").pvalue)
    return p, "exact" if exact else f"normal approximation{', for ties' if tied else ''}"


@dataclass(frozen=True, slots=True)
class Concordance:
    """Counts for any two clusters, shape (k, k), that give Kendall's tau-b of any resample of clusters.

    They are the number of concordant minus discordant pairs of the clusters' points, and the numbers of pairs
    that are not tied in x, and in y. A point and its copy in a resample are tied.
    """

    together: Array
    x_apart: Array
    y_apart: Array

    def taus(self, times: Array) -> Array:
        """Tau-b of r resamples, shape (r,), NaN if undefined; `times`, (r, k), says how often clusters occur.

        >>> whole = concordance(np.arange(3.0), np.arange(3.0), np.array(list("abc")))
        >>> whole.taus(np.array([[1.0, 1, 1], [2, 1, 0], [3, 0, 0]])).tolist()
        [1.0, 1.0, nan]
        """
        sums = [
            ((times @ m) * times).sum(axis=1) for m in (self.together, self.x_apart, self.y_apart)
        ]
        scale = np.sqrt(sums[1] * sums[2])
        taus = np.full(len(times), np.nan)
        np.divide(sums[0], scale, out=taus, where=scale > 0)
        return np.asarray(np.clip(taus, -1, 1), dtype=np.float64)


def concordance(x: Array, y: Array, clusters: Labels) -> Concordance:
    """The counts for any two clusters of points; x and y have shape (n,) and no NaN.

    Raises:
        Undefined: There are fewer than two clusters.
    """
    codes, k = enough(clusters)
    order = np.argsort(codes, kind="stable")
    codes, a, b = codes[order], x[order], y[order]
    starts = np.searchsorted(codes, np.arange(k))
    sums = np.zeros((3, k, k))
    size = max(1, _CELLS // len(codes))
    for start in range(0, len(codes), size):
        some = slice(start, start + size)
        x_signs, y_signs = (
            np.sign(side[some, None] - side[None, :]) for side in (a, b)
        )  # (some, n)
        for total, signs in zip(
            sums, (x_signs * y_signs, np.abs(x_signs), np.abs(y_signs)), strict=True
        ):
            # Points are sorted by cluster, so each cluster's columns lie together.
            np.add.at(total, codes[some], np.add.reduceat(signs, starts, axis=1))
    return Concordance(*sums)


def kendall_interval(
    x: Array, y: Array, clusters: Labels, rng: np.random.Generator, *, draws: int = RESAMPLES
) -> tuple[float, float]:
    """The `stretched` interval of Kendall's tau-b from resampling whole clusters of points.

    Raises:
        Undefined: There are fewer than two clusters, tau is undefined on a resample, or all resamples are
            equal.

    >>> x = np.arange(8.0)
    >>> low, high = kendall_interval(x, x[[1, 0, 3, 2, 5, 4, 7, 6]], x, np.random.default_rng(0))
    >>> low < 1 - 2 * 4 / 28 < high
    True
    """
    counts = concordance(x, y, clusters)
    k = len(counts.together)
    blocks = resamples(k, rng, draws=draws)
    drawn = np.concatenate([counts.taus(block.astype(np.float64)) for block in blocks])
    return stretched(drawn, kendall_tau(x, y), k)


def _signs(values: Array) -> Array:
    """The signs of all differences within each row, 0 if either value is NaN; from (r, n) to (r, n, n)."""
    signs = np.sign(values[:, :, None] - values[:, None, :])  # (r, n, n)
    return np.asarray(np.nan_to_num(signs), dtype=np.float64)


def _standard(values: Array) -> Array:
    """The values centred and scaled to length 1, so that products are correlations."""
    centred = values - values.mean()
    return np.asarray(centred / np.sqrt(centred @ centred), dtype=np.float64)


def _check(x: Array, y: Array) -> None:
    check_points(len(x), len(y))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        raise Undefined("all values on one side are equal, so there is no order to compare")


def check_points(n: int, others: int) -> None:
    """Refuse two sides of different lengths, and fewer than three points."""
    if n != others:
        raise BadInput(f"the two sides have {n} and {others} values, not equally many")
    if n < FEWEST:
        raise Undefined(
            f"a correlation needs at least three points; there {verb_for(n, 'are')} {n}"
        )
