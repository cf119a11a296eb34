"""Two matrices and the same people."""

import numpy as np
import pytest

from tiltmeter.analyses.compare_people.alignment_numbers import differences
from tiltmeter.stats.correlations.correlation import kendall_tau


def test_differences_are_on_the_same_cells():
    rng = np.random.default_rng(2)
    said = rng.uniform(0, 100, size=(12, 8))
    near, far = said + rng.normal(scale=10, size=said.shape), rng.normal(size=said.shape)
    near[0, 0] = np.nan
    found = {e.name: e for e in differences(near, far, said, k=3, seed=0)}
    both = np.isfinite(near)
    expected = kendall_tau(near[both], said[both]) - kendall_tau(far[both], said[both])
    tau = found["kendall_tau_difference"]
    assert tau.value == pytest.approx(expected)
    assert tau.n == 95
    assert 0 < tau.low < expected < tau.high
    assert found["mean_kendall_tau_difference"].p < 0.01
    same = {e.name: e for e in differences(near, near, said, k=3, seed=0)}
    assert same["kendall_tau_difference"].value == 0
    assert same["kendall_tau_difference"].low is None  # and says why
    assert "all resamples give the same" in same["kendall_tau_difference"].why
