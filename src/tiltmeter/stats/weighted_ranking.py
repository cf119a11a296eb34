"""The area under the ROC curve for many weightings of the same texts at once: resamples and permutations."""

import numpy as np
import numpy.typing as npt

from tiltmeter.core.types import Array


def weighted_areas(positive: npt.NDArray[np.bool_], scores: Array, weights: Array) -> Array:
    """Areas, shape (draws,), NaN where a draw has no positive or no negative weight.

    Args:
        positive: Shape (n,).
        scores: Higher is more positive; equal ones count half. Shape (n,).
        weights: How often each text is drawn, shape (draws, n).

    >>> twice = np.array([[1.0, 1, 1], [1, 0, 2]])
    >>> weighted_areas(np.array([True, True, False]), np.array([3.0, 1.0, 2.0]), twice)
    array([0.5, 1. ])
    """
    order = np.argsort(scores, kind="stable")
    ordered = scores[order]
    starts = np.flatnonzero(np.append(True, np.diff(ordered) != 0))
    for_sums = weights[:, order]
    of_positive = np.add.reduceat(np.where(positive[order], for_sums, 0.0), starts, axis=1)
    of_negative = np.add.reduceat(np.where(positive[order], 0.0, for_sums), starts, axis=1)
    below = np.cumsum(of_negative, axis=1) - of_negative / 2
    whole = of_positive.sum(axis=1) * of_negative.sum(axis=1)
    won = (of_positive * below).sum(axis=1)
    found = np.divide(won, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return np.asarray(found, dtype=np.float64)
