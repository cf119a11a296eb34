"""Changes of slopes beside least squares with one row left out at a time."""

import numpy as np
import pytest

from tiltmeter.stats.regression.errors_in_variables import GridWeights
from tiltmeter.stats.regression.slope_changes import slope_changes


def test_without_random_intercepts_they_are_least_squares():
    rng = np.random.default_rng(0)
    x, added, y = rng.normal(size=(2, 5, 4)), rng.normal(size=(5, 4)), rng.normal(size=(5, 4))
    added += x[0]
    even = GridWeights(5, 4)
    found = slope_changes(x, added, y, without=even, among=even)

    def change(kept):
        few = np.column_stack([np.ones(4 * len(kept)), *x[:, kept].reshape(2, -1)])
        more = np.column_stack([few, added[kept].ravel()])
        slopes = [np.linalg.lstsq(d, y[kept].ravel(), rcond=None)[0][1:3] for d in (few, more)]
        return slopes[0], slopes[0] - slopes[1]

    without, difference = change(list(range(5)))
    assert found.without == pytest.approx(without)
    assert found.differences == pytest.approx(difference)
    left_out = np.array([change([r for r in range(5) if r != row])[1] for row in range(5)])
    errors = np.sqrt(0.8 * ((left_out - difference) ** 2).sum(axis=0))
    assert found.high - found.differences == pytest.approx(2.776445 * errors, rel=1e-6)
    assert found.differences - found.low == pytest.approx(2.776445 * errors, rel=1e-6)
