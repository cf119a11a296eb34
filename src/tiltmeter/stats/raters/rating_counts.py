"""Counts of ratings by item and value.

All measures of agreement start from these counts; ratings have the shape (items, raters), with NaN for
missing ratings.
"""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array


def value_counts(ratings: Array) -> tuple[Array, Array]:
    """How often each item got each value, shape (items, values), and the values, ascending.

    Raises:
        Undefined: Some rating is infinite.

    >>> counts, values = value_counts(np.array([[1.0, 3.0, 1.0], [np.nan, 3.0, np.nan]]))
    >>> counts.tolist(), values.tolist()
    ([[2.0, 1.0], [0.0, 1.0]], [1.0, 3.0])
    """
    table = np.atleast_2d(np.asarray(ratings, dtype=np.float64))
    values = np.unique(table[~np.isnan(table)])
    if not np.isfinite(values).all():
        raise Undefined("agreement needs finite ratings")
    counts = np.zeros((len(table), len(values)))
    rows, columns = np.nonzero(~np.isnan(table))
    np.add.at(counts, (rows, np.searchsorted(values, table[rows, columns])), 1)
    return counts, values


def rated_twice(counts: Array) -> Array:
    """The counts of those items that have two or more ratings.

    Raises:
        Undefined: There is no such item.
    """
    several: Array = counts[counts.sum(axis=1) >= 2]  # noqa: PLR2004  (two make a pair)
    if not len(several):
        raise Undefined("agreement needs at least one item that two people rated")
    return several


def most_disagreement(counts: Array) -> float:
    """The largest possible value of 1 − κ, 1 − α or 1 − AC: m / (m − 1) for m ratings per item on average.

    >>> most_disagreement(np.array([[1, 1], [2, 0]]))
    2.0
    """
    ratings = float(rated_twice(counts).sum(axis=1).mean())
    return ratings / (ratings - 1)
