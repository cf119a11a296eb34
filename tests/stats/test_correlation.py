"""Spearman's correlation: ties, intervals, permutation p; and weights for a ranking sum."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.correlation import ranks, spearman, spearman_interval, spearman_p
from tiltmeter.stats.ranking import fitted_weights

few = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=6)


def slow_ranks(values):
    return [1 + sum(w < v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12))
def test_ranks(values):
    assert ranks(np.array(values, dtype=float)).tolist() == slow_ranks(values)


@settings(deadline=None)
@given(few)
def test_spearman_is_pearson_of_the_ranks(points):
    x, y = (np.array(side, dtype=float) for side in zip(*points, strict=True))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        with pytest.raises(Undefined, match="all values of one side are equal"):
            spearman(x, y)
        return
    assert spearman(x, y) == pytest.approx(np.corrcoef(slow_ranks(x), slow_ranks(y))[0, 1])
    orders = list(permutations(y))
    seen = abs(spearman(x, y)) - 1e-9
    extreme = sum(abs(spearman(x, np.array(order))) >= seen for order in orders)
    assert spearman_p(x, y, np.random.default_rng(0)) == pytest.approx(extreme / len(orders))


def test_known_value():
    """1 − 6 Σ d² / (n (n² − 1)) without ties: d = 1, 1, 0, 1, 1, so 1 − 24 / 120."""
    assert spearman(np.arange(5.0), np.array([1.0, 0, 2, 4, 3])) == pytest.approx(0.8)


def test_sampled_p_is_near_the_exact_one():
    rng = np.random.default_rng(5)
    x = np.arange(12.0)
    y = x + rng.normal(scale=6, size=12)
    draws = [abs(spearman(x, rng.permutation(y))) for _ in range(4000)]
    expected = np.mean(np.array(draws) >= abs(spearman(x, y)) - 1e-9)
    assert spearman_p(x, y, np.random.default_rng(0)) == pytest.approx(expected, abs=0.02)


def test_interval():
    low, high = spearman_interval(0.0, 28)
    assert high == pytest.approx(np.tanh(1.959964 / 5)) and low == -high
    with pytest.raises(Undefined, match="at least four"):
        spearman_interval(0.5, 3)
    with pytest.raises(Undefined, match="agree wholly"):
        spearman_interval(1.0, 9)


def test_what_is_no_correlation():
    with pytest.raises(Undefined, match="at least three"):
        spearman(np.array([1.0, 2]), np.array([1.0, 2]))
    with pytest.raises(BadInput, match="no points"):
        spearman(np.arange(3.0), np.arange(4.0))


def test_weights_find_the_model_that_knows():
    rng = np.random.default_rng(0)
    good = rng.normal(1.0, 1.0, size=400)
    margins = np.stack([good, rng.normal(size=400)], axis=1)
    weights = fitted_weights(margins)
    assert weights[0] > 0.9 and weights.sum() == pytest.approx(1)
    assert (margins @ weights > 0).mean() >= (margins[:, 1] > 0).mean()


def test_weights_do_not_depend_on_units():
    rng = np.random.default_rng(1)
    margins = rng.normal(0.5, 1, size=(300, 2))
    plain = margins * fitted_weights(margins)
    scaled = (margins * [1, 100]) * fitted_weights(margins * [1, 100])
    assert (plain.sum(axis=1) > 0).tolist() == (scaled.sum(axis=1) > 0).tolist()


@pytest.mark.parametrize("margins", [np.zeros((0, 2)), np.zeros((3, 2)), -np.ones((3, 2))])
def test_no_weights(margins):
    with pytest.raises(Undefined):
        fitted_weights(margins)
