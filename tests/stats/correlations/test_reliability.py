"""Reliability and attenuation by hand, and on made-up measures whose noise is known."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.correlations.pearson import pearson
from tiltmeter.stats.correlations.reliability import disattenuated, spearman_brown, split_half


def test_spearman_brown_by_hand():
    assert spearman_brown(0.0) == 0 and spearman_brown(1.0) == 1
    assert spearman_brown(1 / 3) == pytest.approx(0.5)
    assert spearman_brown(-0.5) == -2  # no share of a variance: said to be none by what uses it
    with pytest.raises(Undefined, match="exact opposites"):
        spearman_brown(-1.0)


@given(st.floats(-1, 1), st.floats(0.01, 1), st.floats(0.01, 1))
def test_attenuation_goes_back_and_forth(r, x, y):
    assert disattenuated(r * (x * y) ** 0.5, x, y) == pytest.approx(r)


def test_correction_may_exceed_one_and_is_not_cut():
    assert disattenuated(0.9, 0.5, 0.5) == pytest.approx(1.8)


@pytest.mark.parametrize("reliability", [0.0, -0.2])
def test_no_correction_without_reliability(reliability):
    with pytest.raises(Undefined, match="may be nothing but noise"):
        disattenuated(0.5, 0.9, reliability)


@pytest.mark.parametrize("reliability", [1.2, float("nan")])
def test_what_is_no_reliability(reliability):
    with pytest.raises(BadInput, match="is not a reliability"):
        disattenuated(0.5, reliability, 0.9)


def test_mean_over_splits_then_the_whole():
    """Splits with r = 1 and r = −.5: their mean is .25, and 2 · .25 / 1.25 = .4."""
    first = np.array([[1.0, 2, 3], [1.0, 2, 3]])
    second = np.array([[2.0, 4, 6], [2.0, 3, 1]])
    assert pearson(first[1], second[1]) == -0.5
    assert split_half(first, second) == pytest.approx(0.4)
    with pytest.raises(BadInput, match="have shapes"):
        split_half(first, second[:1])
    with pytest.raises(Undefined, match="equal"):
        split_half(first, np.ones((2, 3)))


def test_known_noise_is_found_and_taken_out():
    """True values of variance 1; a half has noise of variance 1, a whole 1/2: reliability 2/3."""
    rng = np.random.default_rng(3)
    true, points, splits = rng.normal(size=4000), 4000, 3
    halves = [true + rng.normal(size=(splits, points)) for _ in range(2)]
    whole = (halves[0][0] + halves[1][0]) / 2
    reliability = split_half(*halves)
    assert reliability == pytest.approx(2 / 3, abs=0.03)
    other = 0.6 * true + 0.8 * rng.normal(size=points)  # correlates with the true values by .6
    observed = pearson(whole, other)
    assert observed == pytest.approx(0.6 * (2 / 3) ** 0.5, abs=0.03)
    assert disattenuated(observed, reliability, 1.0) == pytest.approx(0.6, abs=0.04)
