"""Ranges of ranks: properties that hold for all data, and how often equal estimates are set apart."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.stats.bootstrap import resampled_sums
from tiltmeter.stats.rank_ranges import rank_ranges


def ranges_of(values, tied=0.0):
    """Of the means of `values`, shape (units, m)."""
    draws = resampled_sums(values, np.random.default_rng(0), draws=400) / len(values)
    return rank_ranges(
        values.mean(axis=0), draws.T, len(values), tied=tied, within=(-np.inf, np.inf)
    )


def test_equal_estimates_are_set_apart_in_five_percent_of_samples():
    rng = np.random.default_rng(1)
    apart = sum(ranges_of(rng.normal(size=(25, 2))) != [(1, 2)] * 2 for _ in range(400))
    assert abs(apart - 20) < 3 * (400 * 0.05 * 0.95) ** 0.5


def test_estimates_that_share_their_noise_are_told_apart_by_their_difference():
    shared = np.random.default_rng(2).normal(scale=50, size=25)
    ranges = ranges_of(np.stack([shared, shared + 1, shared - 1], axis=1))
    assert ranges == [(2, 2), (1, 1), (3, 3)]


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
