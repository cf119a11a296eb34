"""Ranges of ranks: properties that hold for all data, and how often equal estimates are set apart."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.stats.ranks.rank_ranges import pair_p_values, rank_ranges
from tiltmeter.stats.resampling.bootstrap import resampled_sums


def ranges_of(values, tied=0.0, neutral=None):
    """Of the means of `values`, shape (units, m); the closest to neutral is first where that is given."""
    draws = resampled_sums(values, np.random.default_rng(0), draws=400) / len(values)
    means = values.mean(axis=0)
    p = pair_p_values(means, draws.T, len(values), tied=tied, neutral=neutral)
    return rank_ranges(means if neutral is None else -np.abs(means - neutral), p)


def test_equal_estimates_are_set_apart_in_five_percent_of_samples():
    rng = np.random.default_rng(1)
    apart = sum(ranges_of(rng.normal(size=(25, 2))) != [(1, 2)] * 2 for _ in range(400))
    assert abs(apart - 20) < 3 * (400 * 0.05 * 0.95) ** 0.5


def test_estimates_that_share_their_noise_are_told_apart_by_their_difference():
    shared = np.random.default_rng(2).normal(scale=50, size=25)
    ranges = ranges_of(np.stack([shared, shared + 1, shared - 1], axis=1))
    assert ranges == [(2, 2), (1, 1), (3, 3)]


def test_a_first_estimate_that_is_not_significantly_higher_is_not_alone_in_the_first_rank():
    """It wins in most draws, as first estimates do, but is no more than a third of an error ahead."""
    rng = np.random.default_rng(3)
    apart = rng.normal(size=100)
    apart += 0.06 - apart.mean()
    values = np.stack([apart, np.zeros(100)], axis=1) + rng.normal(scale=5, size=(100, 1))
    assert ranges_of(values) == [(1, 2), (1, 2)]


def test_ranges_of_many_equal_estimates_hold_all_at_once():
    rng = np.random.default_rng(4)
    missed = sum(ranges_of(rng.normal(size=(30, 6))) != [(1, 6)] * 6 for _ in range(200))
    assert missed / 200 < 0.05 + 2 * (0.05 * 0.95 / 200) ** 0.5


def test_the_closer_one_is_first_only_where_both_lie_on_known_sides():
    rng = np.random.default_rng(5)
    noise = rng.normal(scale=3, size=(200, 1))
    far = noise + np.array([5.0, 8.0]) + rng.normal(scale=0.5, size=(200, 2))
    assert ranges_of(far, neutral=0.0) == [(1, 1), (2, 2)]
    assert ranges_of(far - 13.2, neutral=0.0) == [(2, 2), (1, 1)]
    across = far - np.array([6.5, 6.4])  # one on either side, nearly as far from it
    assert ranges_of(across, neutral=0.0) == [(1, 2), (1, 2)]


def test_a_difference_that_all_units_share_is_as_sure_as_an_exact_test():
    one = np.tile([1.0, 0.0], (5, 1))
    assert ranges_of(one) == [(1, 2), (1, 2)]  # p = 1/16
    assert ranges_of(np.tile([1.0, 0.0], (6, 1))) == [(1, 1), (2, 2)]


def test_what_is_no_farther_apart_than_a_tie_may_have_either_rank():
    values = np.tile([0.0, 0.5, 2.0], (10, 1))
    assert ranges_of(values) == [(3, 3), (2, 2), (1, 1)]
    assert ranges_of(values, tied=0.5) == [(2, 3), (2, 3), (1, 1)]


@given(st.integers(1, 6), st.integers(0, 2**32 - 1))
def test_ranges_hold_the_rank_and_do_not_depend_on_the_order(m, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(12, m))
    values = np.concatenate([values, values[:, :1]], axis=1)  # the last is the same as the first
    ranges = ranges_of(values)
    assert ranges[0] == ranges[-1]
    means = values.mean(axis=0)
    for mean, (best, worst) in zip(means, ranges, strict=True):
        assert 1 <= best <= 1 + (means > mean).sum() <= worst <= m + 1
    assert ranges_of(values[:, ::-1]) == ranges[::-1]
