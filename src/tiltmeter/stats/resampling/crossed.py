"""Resampling of two crossed factors, such as identities and adjectives.

Sentences of one identity are not independent, and neither are those of one pair of adjectives: drawing
only one of the two, or single sentences, makes intervals too narrow. So both are drawn with replacement,
independently, and a sentence counts as often as its identity was drawn times as often as its adjectives
were. Such intervals tend to be somewhat too wide (Owen 2007,
The pigeonhole bootstrap, doi:10.1214/07-AOAS122).
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
    """The mean of each kind's values on resamples of its rows and of all columns.

    Args:
        values: One an item, shape (n,).
        rows: The item's row factor, shape (n,); drawn within its kind.
        columns: The item's column factor, shape (n,); one draw serves all kinds.
        kinds: The item's kind, shape (n,); the means come in the order of the kinds.
        rng: Where the randomness comes from.
        draws: How many resamples.

    Returns:
        Shape (draws, kinds); NaN where a resample holds no item of a kind.

    Raises:
        Undefined: There is one row of each kind and one column, or no item.

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
