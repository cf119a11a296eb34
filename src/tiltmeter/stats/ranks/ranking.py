"""Weights for a sum of several models' scores, fitted so that it ranks pairs as well as possible."""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array

SHRINKAGE = 1e-3
"""The penalty on squared weights, which keeps them finite if one model alone ranks every pair correctly."""


def fitted_weights(margins: Array) -> Array:
    """Non-negative weights w, summing to 1, that make Σ w · margin positive as often as possible.

    They are fitted by logistic regression without an intercept on pairs that should be ranked: margins, shape
    (pairs, models), are each model's score of the better candidate minus that of the worse one. Each model's
    margins are scaled to unit size for the fit, so that the result does not depend on their units.

    Raises:
        Undefined: There are no pairs, or no model ranks them better than chance.

    >>> weights = fitted_weights(np.array([[2.0, -1.0], [1.0, 1.0], [3.0, 0.0], [1.0, -2.0]]))
    >>> weights.round(2).tolist()  # the second model helps nowhere
    [1.0, 0.0]
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    if not len(margins):
        raise Undefined("there are no pairs to fit weights on")
    size = np.sqrt((margins**2).mean(axis=0))
    scaled = margins / np.where(size > 0, size, 1)

    def loss(w: Array) -> tuple[float, Array]:
        summed = scaled @ w
        value = np.logaddexp(0, -summed).mean() + SHRINKAGE * (w @ w)
        slope = -(expit(-summed) @ scaled) / len(scaled) + 2 * SHRINKAGE * w
        return float(value), np.asarray(slope)

    start = np.full(margins.shape[1], 1.0)
    optimum = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(start))
    weights = np.where(size > 0, optimum.x / np.where(size > 0, size, 1), 0.0)
    if weights.sum() <= 0:
        raise Undefined("no model ranks meaningful candidates before unrelated ones on these terms")
    return np.asarray(weights / weights.sum(), dtype=np.float64)
