"""How slopes change when a predictor is added, with intervals by a jackknife over rows."""

from dataclasses import dataclass, replace

import numpy as np

from tiltmeter.core.types import Array
from tiltmeter.stats.regression.errors_in_variables import GridWeights, corrected_slopes


@dataclass(frozen=True, slots=True)
class SlopeChanges:
    """How slopes change when a predictor is added; each array has one entry per other predictor."""

    without: Array
    """The slopes without the added predictor."""
    differences: Array
    """The slopes without the added predictor minus those with it."""
    low: Array
    high: Array
    """The lower and upper bounds of the 95 % intervals of the differences."""


def slope_changes(
    x: Array, added: Array, y: Array, *, without: GridWeights, among: GridWeights
) -> SlopeChanges:
    """The slopes of a grid without and with an added predictor, by generalised least squares.

    Each row is left out in turn from both models, so the interval accounts for the correlation of their
    slopes. It is by Student's t with one degree of freedom fewer than rows; the weights are treated as known.

    Args:
        x: The predictors, shape (k, rows, columns).
        added: The added predictor, shape (rows, columns).
        y: The outcome, of the same shape.
        without: The weights of the model without the added predictor.
        among: The weights of the model with it.

    Returns:
        The changes, with one entry per predictor in `x`.

    >>> x, added = np.array([[[0.0, 1], [2, 1], [1, 3]]]), np.array([[1.0, 0], [0, 1], [2, 2]])
    >>> even = GridWeights(3, 2)
    >>> changes = slope_changes(x, added, 2 * x[0] + added, without=even, among=even)
    >>> bool(np.isclose(changes.without - changes.differences, 2)[0])
    True
    """
    from scipy.special import stdtrit

    rows = len(y)

    def at(kept: Array) -> tuple[Array, Array]:
        few, all_of = (replace(weights, rows=int(kept.sum())) for weights in (without, among))
        part = x[:, kept]
        return (
            _slopes(np.stack([*part, y[kept]]), few),
            _slopes(np.stack([*part, added[kept], y[kept]]), all_of)[: len(x)],
        )

    whole, beside = at(np.ones(rows, dtype=bool))
    left_out = (at(np.arange(rows) != row) for row in range(rows))
    moved = np.array([slopes - slopes_beside for slopes, slopes_beside in left_out])
    difference = whole - beside
    errors = np.sqrt((rows - 1) / rows * ((moved - difference) ** 2).sum(axis=0))
    half = stdtrit(rows - 1, 0.975) * errors
    return SlopeChanges(whole, difference, difference - half, difference + half)


def _slopes(grids: Array, weights: GridWeights) -> Array:
    return corrected_slopes(weights.products(grids), np.zeros(len(grids) - 1))
