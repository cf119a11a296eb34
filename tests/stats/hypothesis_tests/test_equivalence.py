from itertools import count

import numpy as np
import pytest

from tiltmeter.core.equivalence import Claims
from tiltmeter.stats.confidence_intervals.intervals import difference_interval, student
from tiltmeter.stats.hypothesis_tests.equivalence import (
    claims_of_mean,
    claims_of_ratio,
    claims_of_shares,
    claims_of_spread,
    fewest_alike,
    needed_units,
    planned_pairs,
)


@pytest.mark.parametrize("margin", [0.02, 0.05, 0.1])
def test_the_fewest_clusters_are_those_of_the_interval_without_a_discordant_pair(margin):
    alike = next(
        k for k in count(2)
        if difference_interval(np.zeros(k), np.arange(k), 1, confidence=0.9)[1] < margin
    )  # fmt: skip
    # t in place of z makes no difference where nothing varies
    assert fewest_alike(margin) == alike


def test_the_error_is_that_of_student_s_t_over_items():
    values = np.array([3.0, -1.0, 0.0, 4.0, 2.0])
    made = claims_of_mean(values, np.arange(5))
    low, high, _ = student(float(values.mean()), made.error, 4)
    assert made.error == pytest.approx(values.std(ddof=1) / 5**0.5)
    assert (low + high) / 2 == pytest.approx(values.mean())


def test_items_of_a_cluster_count_together():
    values, clusters = np.repeat([3.0, -1.0, 0.0, 4.0], 5), np.repeat(np.arange(4), 5)
    alone = claims_of_shares(values[::5], np.arange(4), 100)
    assert claims_of_shares(values, clusters, 100) == pytest.approx(alone)


def test_a_ratio_weighs_items_by_their_sizes():
    sizes = np.array([1.0, 2.0] * 15)
    assert claims_of_ratio(3 * sizes, sizes, np.arange(30)).error == pytest.approx(0)


def test_a_spread_that_few_units_make_up_shows_nothing():
    spread = np.random.default_rng(0).normal(size=100)
    assert claims_of_spread(spread).level == 0.95
    spread[0] = 30.0
    made = claims_of_spread(spread)
    assert made.level is None
    assert "it takes 20" in made.why
    assert claims_of_spread(np.array([np.nan] * 50)).level is None


def test_four_times_the_units_halve_the_margin_that_is_needed():
    claims = Claims(0.9, error=2.0, units=100, most=100.0)
    assert needed_units(claims, 1.0) == pytest.approx(4 * needed_units(claims, 2.0), rel=0.01)
    stricter = claims._replace(level=0.95)
    assert needed_units(stricter, 2.0) > needed_units(claims, 2.0)
    assert needed_units(Claims(0.95), 2.0) is None


@pytest.mark.parametrize("discordant", [0.03, 0.1])
def test_as_many_pairs_as_planned_show_equivalence_in_four_of_five_samples(discordant):
    n, rng, shown = planned_pairs(discordant, 0.05), np.random.default_rng(1), 0
    for _ in range(300):
        values = rng.choice(
            [-1.0, 0.0, 1.0], size=n, p=[discordant / 2, 1 - discordant, discordant / 2]
        )
        low, high = difference_interval(values, np.arange(n), 1, confidence=0.9)
        shown += low > -0.05 and high < 0.05
    assert 0.7 < shown / 300 < 0.92
