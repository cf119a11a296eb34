"""Bootstraps over two crossed factors, such as identities and adjectives.

Sentences with the same identity are not independent, and neither are those with the same pair of adjectives:
resampling only one of the two factors, or single sentences, makes intervals too narrow. So both factors are
drawn with replacement, independently, and the weight of a sentence is the number of times that its identity
was drawn, times the number for its adjectives. Such intervals tend to be somewhat too wide (Owen 2007, The
pigeonhole bootstrap, doi:10.1214/07-AOAS122).
"""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, clustered, resamples


def crossed_means(
    values: Array,
    rows: Labels,
    columns: Labels,
    kinds: Labels,
    rng: np.random.Generator,
    *,
    draws: int = RESAMPLES,
) -> Array:
    """The mean of each kind's values on resamples of the kind's rows and of all columns.

    Args:
        values: One value per item, shape (n,).
        rows: The label of each item's row, shape (n,); rows are drawn within their kind.
        columns: The label of each item's column, shape (n,); all kinds share the same draw.
        kinds: The label of each item's kind, shape (n,); the means are in the order of the sorted labels.
        rng: The source of randomness.
        draws: The number of resamples.

    Returns:
        The means, shape (draws, kinds); NaN if a resample has no item of a kind.

    Raises:
        Undefined: Each kind has only one row and there is only one column, or there are no items.

    >>> values, ones = np.array([0.0, 1, 0, 1]), np.array(["a", "a", "a", "a"])
    >>> rows, columns = np.array(["i", "i", "j", "j"]), np.array(["x", "y", "x", "y"])
    >>> means = crossed_means(values, rows, columns, ones, np.random.default_rng(0))
    >>> sorted(set(means.ravel().tolist()))  # both rows are equal: only how often y was drawn counts
    [0.0, 0.5, 1.0]
    """
    if not len(values):
        raise Undefined("no items")
    of_column, width = clustered(columns)
    of_kind, count = clustered(kinds)
    drawn = np.concatenate(list(resamples(width, rng, draws=draws)))  # (draws, columns)
    means, fixed = np.full((draws, count), np.nan), width == 1
    for kind in range(count):
        inside = of_kind == kind
        of_row, height = clustered(rows[inside])
        fixed = fixed and height == 1
        places = of_row * width + of_column[inside]
        sums, sizes = (
            np.bincount(places, weights=weights, minlength=height * width).reshape(height, width)
            for weights in (values[inside], np.ones(int(inside.sum())))
        )
        times = np.concatenate(list(resamples(height, rng, draws=draws)))  # (draws, rows)
        top, bottom = (((times @ cells) * drawn).sum(axis=1) for cells in (sums, sizes))
        np.divide(top, bottom, out=means[:, kind], where=bottom > 0)
    if fixed:
        raise Undefined("there is nothing to resample")
    return means
