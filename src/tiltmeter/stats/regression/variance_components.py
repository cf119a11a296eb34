"""Components of variance of crossed and nested random effects, in closed form.

y = μ + Σ u_factor + e, with a random shift for each label of each factor: an item, a wording, an item in a
wording. Henderson's method 1 (1953, doi:10.2307/3001853) sets the sums of squares of each factor equal to
their expected values, which are linear in the variances. If all cells are equally full this is the analysis
of variance; otherwise the estimates are unbiased as well, which those of one-way tables are not.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.confidence_intervals.intervals import tail_of
from tiltmeter.stats.resampling.bootstrap import clustered

CONFOUNDED = 1e-9
"""The reciprocal condition number of the equations below which two factors cannot be told apart."""


@dataclass(frozen=True, slots=True)
class Components:
    """The variance that each factor adds to a value, and what is left."""

    by_factor: Mapping[str, float]
    """By factor; an estimate may be negative where the variance is near 0."""
    rest: float
    """What differs between values with the same labels of all factors."""

    @property
    def total(self) -> float:
        """The variance of a value, negative estimates included: without them it would be too large."""
        return sum(self.by_factor.values()) + self.rest


def variance_components(values: Array, factors: Mapping[str, Labels]) -> Components:
    """The variance that the labels of each factor add to values.

    Args:
        values: One value a row, shape (n,), finite.
        factors: By name the label of each row, shape (n,). A label of a nested factor or of an interaction
            occurs under one label of each of the others only.

    Raises:
        Undefined: All values are equal, or factors cannot be told apart: two have the same labels, or each
            row has a label of its own.

    >>> table = np.array([[1.0, 3.0], [2.0, 4.0], [6.0, 8.0]])  # rows differ by 1 and 4, columns by 2
    >>> rows, columns = np.indices(table.shape)
    >>> found = variance_components(table.ravel(), {"row": rows.ravel(), "column": columns.ravel()})
    >>> {name: round(variance, 6) for name, variance in found.by_factor.items()}, abs(round(found.rest, 6))
    ({'row': 7.0, 'column': 2.0}, 0.0)
    """
    n = len(values)
    centred = values - values.mean()
    if not n or np.ptp(values) == 0:
        raise Undefined("all values are equal")
    codes = [clustered(labels) for labels in factors.values()]
    whole = (np.zeros(n, dtype=np.int64), 1)
    alone = (np.arange(n), n)
    sums, expected = [], []
    for of in (whole, *codes, alone):
        at, size = of
        sums.append(
            float((np.bincount(at, centred, size) ** 2 / np.bincount(at, minlength=size)).sum())
        )
        expected.append([_expected(of, other) for other in (*codes, alone)])
    squares = np.array(sums[1:]) - sums[0]
    equations = np.array(expected[1:]) - np.array(expected[0])
    scaled = equations / np.abs(equations).max(axis=1, keepdims=True)
    if not np.isfinite(scaled).all() or 1 / np.linalg.cond(scaled) < CONFOUNDED:
        raise Undefined("what differs cannot be told apart: each row has labels of its own")
    *variances, rest = np.linalg.solve(equations, squares)
    found = Components(dict(zip(factors, map(float, variances), strict=True)), float(rest))
    if found.total <= 0:
        raise Undefined("the estimate of the whole variance is not above 0")
    return found


def _expected(of: tuple[Integers, int], other: tuple[Integers, int]) -> float:
    """How often the variance of a factor is in the sum of squares of another: Σ Σ n_ab² / n_a."""
    (a, rows), (b, columns) = of, other
    sizes = np.bincount(a, minlength=rows)
    if columns == len(b):  # each row has a label of its own
        return float(rows)
    joint, counts = np.unique(a * columns + b, return_counts=True)
    return float((counts**2 / sizes[joint // columns]).sum())


def column_share_interval(cells: Array, total: float) -> tuple[float, float]:
    """The 95 % interval of the share of the variance that lies between columns, from 0 to 1, by Fisher's F.

    The rest of the variance is held at its estimate.

    Args:
        cells: The mean of each cluster of items (rows) in each column, shape (k, w).
        total: The whole variance of a value, columns included, in the square of the unit of `cells`.

    Raises:
        Undefined: There are fewer than two rows or columns, or the table has no interaction to hold the
            columns against.

    >>> cells = np.array([[0.0, 2], [2, 0], [1, 3]])  # of columns: 2 · 3 / 9; of the rest: 16/9 per cell
    >>> [round(end, 2) for end in column_share_interval(cells, 2.0)]
    [0.0, 0.99]
    """
    from scipy.special import fdtri

    k, w = cells.shape
    if k < 2 or w < 2:  # noqa: PLR2004
        raise Undefined(f"there are {k} clusters and {w} columns")
    of_columns = cells.mean(axis=0)
    rest_of_cells = cells - cells.mean(axis=1, keepdims=True) - of_columns + cells.mean()
    noise = float((rest_of_cells**2).sum()) / ((k - 1) * (w - 1)) / k
    between = float(of_columns.var(ddof=1))
    if noise <= np.finfo(float).eps * max(between, total):
        raise Undefined("every cluster differs between columns in the same way")
    freedom = w - 1, (k - 1) * (w - 1)
    ends = [
        max(0.0, between / noise / float(fdtri(*freedom, p)) - 1) * noise
        for p in (1 - tail_of(), tail_of())
    ]
    rest = max(total - (between - noise), np.finfo(float).eps)
    return ends[0] / (ends[0] + rest), ends[1] / (ends[1] + rest)
