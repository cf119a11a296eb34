"""Areas under curves for many weightings of the same texts at once, as resamples and permutations need."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from tiltmeter.core.types import Array, Integers

CELLS = 500_000
"""Weights for which areas are computed at a time: several arrays of their size are needed at once."""


def weighted_areas(
    positive: npt.NDArray[np.bool_],
    scores: Array,
    weights: npt.NDArray[np.generic],
    unit: Integers | None = None,
) -> Array:
    """The areas under the ROC curve, shape (draws,); NaN if a draw has no positive or no negative texts.

    Args:
        positive: Whether each text is positive, shape (n,).
        scores: The score of each text, shape (n,); higher is more positive, and equal scores count half.
        weights: How often each unit is drawn, shape (draws, units).
        unit: The number of each text's unit, such as its cluster, shape (n,); None if each text is a unit.

    >>> twice = np.array([[1.0, 1, 1], [1, 0, 2]])
    >>> weighted_areas(np.array([True, True, False]), np.array([3.0, 1.0, 2.0]), twice)
    array([0.5, 1. ])
    """
    unit = np.arange(len(scores)) if unit is None else unit
    order = np.argsort(scores, kind="stable")
    return _in_parts(lambda part: _areas(positive, scores, part, unit, order), weights, unit)


def _areas(
    positive: npt.NDArray[np.bool_], scores: Array, weights: npt.NDArray[np.generic], unit: Integers,
    order: Integers,
) -> Array:  # fmt: skip
    above, beneath = order[positive[order]], order[~positive[order]]
    of_positive = weights[:, unit[above]].astype(np.float64)
    reached = np.zeros((len(weights), len(beneath) + 1))  # weight of the i lowest negative texts
    np.cumsum(weights[:, unit[beneath]], axis=1, out=reached[:, 1:])
    lower = np.searchsorted(scores[beneath], scores[above], "left")
    most = np.searchsorted(scores[beneath], scores[above], "right")
    won = np.einsum("ij,ij->i", of_positive, reached[:, lower])
    if (lower == most).all():  # no positive text scores as a negative one does
        won *= 2
    else:
        won += np.einsum("ij,ij->i", of_positive, reached[:, most])
    whole = of_positive.sum(axis=1) * reached[:, -1]
    areas = np.divide(won / 2, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return np.asarray(areas, dtype=np.float64)


def weighted_precisions(
    positive: npt.NDArray[np.bool_], scores: Array, weights: npt.NDArray[np.generic], unit: Integers
) -> Array:
    """The average precisions, shape (draws,); NaN if a draw has no positive texts.

    The arguments are those of `weighted_areas`.

    >>> twice = np.array([[1.0, 1, 1], [1, 0, 2]])
    >>> positive, scores = np.array([True, True, False]), np.array([3.0, 1.0, 2.0])
    >>> weighted_precisions(positive, scores, twice, np.arange(3)).round(3)
    array([0.833, 1.   ])
    """
    order = np.argsort(-scores, kind="stable")
    return _in_parts(lambda part: _precisions(positive, scores, part, unit, order), weights, unit)


def _precisions(
    positive: npt.NDArray[np.bool_], scores: Array, weights: npt.NDArray[np.generic], unit: Integers,
    order: Integers,
) -> Array:  # fmt: skip
    # Texts with equal scores are retrieved together: their precision is that after the last of them.
    last = np.flatnonzero(np.append(np.diff(scores[order]) != 0, True))
    drawn = weights[:, unit[order]].astype(np.float64)
    total_weight = np.cumsum(drawn, axis=1)[:, last]
    drawn[:, ~positive[order]] = 0
    true_weight = np.cumsum(drawn, axis=1)[:, last]
    gained = np.diff(true_weight, prepend=0.0, axis=1)
    precision = np.divide(
        true_weight, total_weight, out=np.zeros_like(true_weight), where=total_weight > 0
    )
    whole = true_weight[:, -1]
    total = np.einsum("ij,ij->i", precision, gained)
    shares = np.divide(total, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return np.asarray(shares, dtype=np.float64)


def _in_parts(
    function: Callable[[npt.NDArray[np.generic]], Array],
    weights: npt.NDArray[np.generic],
    unit: Integers,
) -> Array:
    """What a function gives for each draw, shape (draws,), computed for some draws at a time."""
    rows = max(1, CELLS // max(1, len(unit)))
    parts = [function(weights[at : at + rows]) for at in range(0, len(weights), rows)]
    return np.concatenate(parts) if parts else np.zeros(0)
