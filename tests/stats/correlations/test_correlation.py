"""Spearman's and Kendall's correlation: ties, intervals, p; and weights for a ranking sum."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.correlations.correlation import (
    concordance,
    kendall_interval,
    kendall_p,
    kendall_rows,
    kendall_tau,
    ranks,
    spearman,
    spearman_p,
)
from tiltmeter.stats.ranks.ranking import fitted_weights

few = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=3, max_size=6)


def slow_ranks(values):
    return [1 + sum(w < v for w in values) + (sum(w == v for w in values) - 1) / 2 for v in values]


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=12))
def test_ranks(values):
    assert ranks(np.array(values, dtype=float)).tolist() == slow_ranks(values)


@settings(deadline=None, max_examples=40)
@given(few)
def test_spearman_is_pearson_of_the_ranks(points):
    x, y = (np.array(side, dtype=float) for side in zip(*points, strict=True))
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        with pytest.raises(Undefined, match="all values on one side are equal"):
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


def test_what_is_no_correlation():
    with pytest.raises(Undefined, match="at least three"):
        spearman(np.array([1.0, 2]), np.array([1.0, 2]))
    with pytest.raises(BadInput, match="not equally many"):
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


# ── Kendall ──────────────────────────────────────────────────────────────────────────────────────


def slow_tau(x, y):
    """Tau-b pair by pair; None where one side is all ties."""
    together = x_apart = y_apart = 0
    for i in range(len(x)):
        for j in range(i):
            a, b = np.sign(x[i] - x[j]), np.sign(y[i] - y[j])
            together, x_apart, y_apart = together + a * b, x_apart + a * a, y_apart + b * b
    return together / np.sqrt(x_apart * y_apart) if x_apart and y_apart else None


@given(few)
def test_kendall_is_counted_pair_by_pair(points):
    x, y = (np.array(side, dtype=float) for side in zip(*points, strict=True))
    expected = slow_tau(x, y)
    rows = kendall_rows(np.stack([x, x]), np.stack([y, -y]))
    if expected is None:
        assert np.isnan(rows).all()
        with pytest.raises(Undefined, match="all values on one side are equal"):
            kendall_tau(x, y)
        return
    assert kendall_tau(x, y) == pytest.approx(expected)
    assert rows.tolist() == pytest.approx([expected, -expected])
    assert kendall_tau(y, x) == pytest.approx(expected)


def test_kendall_by_hand():
    """x ascends; y = 1 2 2 0: of six pairs two stand alike, three opposite, one is tied in y."""
    x, y = np.arange(4.0), np.array([1.0, 2, 2, 0])
    assert kendall_tau(x, y) == pytest.approx((2 - 3) / np.sqrt(6 * 5))


def test_points_without_a_number_are_left_out_of_rows():
    x = np.array([[1.0, 2, np.nan, 3], [1.0, np.nan, np.nan, 3]])
    y = np.array([[1.0, 2, 9, 3], [1.0, 2, 3, 4]])
    found = kendall_rows(x, y)
    assert found[0] == 1
    assert np.isnan(found[1])  # two points are left


def test_kendall_p_is_exact_without_ties():
    x, y = np.arange(5.0), np.array([1.0, 0, 2, 3, 4])
    seen = abs(slow_tau(x, y))
    orders = [abs(slow_tau(x, np.array(order))) for order in permutations(y)]
    p, how = kendall_p(x, y)
    assert how == "exact"
    assert p == pytest.approx(np.mean(np.array(orders) >= seen - 1e-12))


def test_which_p_it_is_is_said():
    tied = np.array([0.0, 0, 1, 2])
    assert kendall_p(np.arange(4.0), tied)[1] == "normal approximation, for ties"
    assert kendall_p(np.arange(40.0), np.arange(40.0) % 7 + np.arange(40) / 100)[1] == (
        "normal approximation"
    )


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.sampled_from("abc")),
        min_size=4, max_size=9,
    ),
    st.lists(st.integers(0, 3), min_size=3, max_size=3),
)  # fmt: skip
def test_a_resample_of_clusters_is_the_repeated_points(points, times):
    x, y, labels = (np.array(side) for side in zip(*points, strict=True))
    names = np.unique(labels)
    if len(names) < 2:
        with pytest.raises(Undefined, match="one cluster"):
            concordance(x.astype(float), y.astype(float), labels)
        return
    weights = np.array(times[: len(names)], dtype=float)
    rows = np.repeat(np.arange(len(x)), weights[np.searchsorted(names, labels)].astype(int))
    (found,) = concordance(x.astype(float), y.astype(float), labels).taus(weights[None])
    expected = slow_tau(x[rows], y[rows])
    assert np.isnan(found) if expected is None else found == pytest.approx(expected)


def test_kendall_interval_holds_the_value_and_can_be_repeated():
    rng = np.random.default_rng(3)
    x = rng.normal(size=40)
    y, clusters = x + rng.normal(size=40), np.repeat(np.arange(10), 4)
    low, high = kendall_interval(x, y, clusters, np.random.default_rng(0))
    assert -1 <= low < kendall_tau(x, y) < high <= 1
    assert (low, high) == kendall_interval(x, y, clusters, np.random.default_rng(0))
