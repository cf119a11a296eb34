"""Intervals of means of bounded values: against draws, closed forms, and truths with a rare tail."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.confidence_intervals.bounded_means import (
    bounded_mean,
    bounded_p,
    positive_chance,
    upper_end,
)
from tiltmeter.stats.confidence_intervals.intervals import mean_interval


def rng(seed=0):
    return np.random.default_rng(seed)


def test_clusters_that_agree_may_hide_as_many_as_a_share_of_none():
    low, high = bounded_mean(np.zeros(50), np.arange(50), (0, 100))
    assert low == 0
    assert high == pytest.approx(100 * (1 - 0.025 ** (1 / 50)), rel=0.01)


def test_of_many_values_it_is_the_interval_of_the_normal_distribution():
    values = rng(1).uniform(20, 60, size=20_000)
    low, high = bounded_mean(values, np.arange(20_000), (0, 100))
    half = 1.96 * values.std() / 20_000**0.5
    assert (low, high) == pytest.approx((values.mean() - half, values.mean() + half), abs=half / 5)


def test_copies_of_every_item_in_its_cluster_change_nothing():
    values, labels = rng(1).uniform(size=100), np.arange(100)
    once = bounded_mean(values, labels, (0, 1))
    assert bounded_mean(np.repeat(values, 3), np.repeat(labels, 3), (0, 1)) == pytest.approx(once)


@pytest.mark.parametrize("size", [2, 5, 30])
def test_the_end_is_the_quantile_of_drawn_weighted_means(size):
    values, sizes = rng(2).uniform(size=size), rng(3).integers(1, 5, size=size)
    labels = np.repeat(np.arange(size), sizes)
    weights = rng(4).standard_exponential((200_000, size + 1))
    sums, unseen = sizes * values, (sizes @ sizes) / sizes.sum()
    means = (weights[:, :-1] @ sums + unseen * weights[:, -1]) / (
        weights[:, :-1] @ sizes + unseen * weights[:, -1]
    )
    assert upper_end(np.repeat(values, sizes), labels) == pytest.approx(
        np.quantile(means, 0.975), abs=0.004
    )


def test_half_a_cluster_at_the_limit_has_a_weight_of_half_the_shape():
    values = rng(2).uniform(size=6)
    weights = rng(4).gamma([1.0] * 6 + [0.5], size=(200_000, 7))
    means = (weights[:, :-1] @ values + weights[:, -1]) / weights.sum(axis=1)
    assert upper_end(values, np.arange(6), unseen=0.5) == pytest.approx(
        np.quantile(means, 0.975), abs=0.004
    )


def test_the_chance_of_a_weighted_sum_is_that_of_draws():
    for seed in range(20):
        weights = rng(seed).normal(size=6)
        drawn = rng(seed + 100).standard_exponential((100_000, 6)) @ weights
        assert positive_chance(weights) == pytest.approx((drawn > 0).mean(), abs=0.013)


def test_the_chance_does_not_jump_where_the_sum_is_zero_on_average():
    around = [positive_chance(np.array([2.0, -1, -1 + step])) for step in (-1e-3, 0, 1e-3)]
    assert around[0] < around[1] < around[2] < around[0] + 1e-3


def test_weights_of_one_sign_leave_no_chance():
    assert positive_chance(np.array([1.0, 0.0, 2.0])) == 1
    assert positive_chance(np.array([-1.0])) == 0
    assert positive_chance(np.zeros(3)) == 0


def test_the_p_is_below_five_percent_where_the_interval_leaves_the_value_out():
    for seed in range(10):
        values = np.clip(rng(seed).normal(0.15, 0.3, size=25), -1, 1)
        low, high = bounded_mean(values, np.arange(25), (-1, 1))
        p = [bounded_p(values, np.arange(25), (-1, 1), null=at) for at in (0.0, low, high)]
        assert (p[0] < 0.05) == (not low <= 0 <= high)
        assert p[1:] == pytest.approx([0.05, 0.05], abs=1e-3)


def covered(interval, share, trials=400):
    """Of twenty cluster means of which a share is at -.9 and the others about .9, in percent."""
    draw, inside = rng(5), 0
    for _ in range(trials):
        far = draw.random(20) < share
        values = np.clip(np.where(far, -0.9, 0.9) + 0.05 * draw.normal(size=20), -1, 1)
        low, high = interval(values, np.arange(20), (-1, 1))
        inside += low <= 0.9 - 1.8 * share <= high
    return 100 * inside / trials


@pytest.mark.parametrize("share", [0.02, 0.05, 0.1, 0.2])
def test_a_rare_tail_is_covered(share):
    assert covered(bounded_mean, share) >= 95
    if share == 0.05:
        assert covered(mean_interval, share) < 75  # made of the spread that is seen


def test_one_cluster_has_no_interval():
    with pytest.raises(Undefined, match="one cluster"):
        bounded_mean(np.array([0.1, 0.2]), np.zeros(2), (0, 1))
