"""One-sided tests: of means above 0, and of more hits than by chance."""

import numpy as np

from tiltmeter.core.types import Array


def means_above(differences: Array) -> Array:
    """The p-value of Student's one-sided t test that the mean difference is above 0, for each column.

    Args:
        differences: The paired differences, shape (n, …): n for each column.

    Returns:
        The p-values, shape (…); NaN if n is 1, a difference is missing, or all differences are equal.

    >>> means_above(np.array([[1.0, 2.0], [2.0, 2.0], [3.0, 2.0]])).round(4).tolist()  # t = 2 √3
    [0.0371, nan]
    """
    from scipy.special import stdtr

    n = len(differences)
    t = np.full(differences.shape[1:], np.nan)
    if n > 1:
        mean, error = differences.mean(axis=0), differences.std(axis=0, ddof=1) / np.sqrt(n)
        np.divide(mean, error, out=t, where=error > 1e-12 * np.maximum(1.0, np.abs(mean)))
    return np.asarray(stdtr(n - 1, -t), dtype=np.float64) if n > 1 else t


def hits_at_least(hits: int, cells: int, true: int, picked: int) -> float:
    """The probability of `hits` or more true cells if `picked` of `cells` were picked at random.

    `true` of the cells are true. By the hypergeometric distribution; this is Fisher's exact test, one-sided.

    >>> hits_at_least(2, 4, 2, 2)  # 1 of the 6 ways to pick two
    0.16666666666666666
    """
    from scipy.stats import hypergeom

    return float(min(1.0, hypergeom.sf(hits - 1, cells, true, picked)))
