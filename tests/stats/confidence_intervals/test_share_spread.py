"""How often the interval of the largest difference between shares contains the true one."""

import numpy as np
import pytest
from scipy.stats import studentized_range

from tiltmeter.stats.confidence_intervals.intervals import difference_interval, wilson
from tiltmeter.stats.confidence_intervals.share_spread import (
    paired_spread_interval,
    range_probability,
    spread_interval,
)


@pytest.mark.parametrize("groups", [2, 7, 50])
def test_the_range_is_that_of_scipy(groups):
    for quantile in (1.0, 3.0, 5.0):
        found = range_probability(quantile, groups)
        assert found == pytest.approx(studentized_range.cdf(quantile, groups, np.inf), abs=1e-9)


@pytest.mark.parametrize(
    ("rates", "size"),
    [((0.3, 0.3), 30), ((0.3, 0.5), 100), ((0.3,) * 7, 30), ((0.5,) + (0.3,) * 6, 100), ((0.05,) * 4, 500)],
)  # fmt: skip
def test_it_covers_the_true_difference(rates, size):
    rng, inside, rows = np.random.default_rng(2), 0, np.arange(size)
    trials, true = 300, max(rates) - min(rates)
    for _ in range(trials):
        groups = [(rng.random(size) < rate).astype(float) for rate in rates]
        low, high = spread_interval(groups, [rows] * len(rates))
        assert low <= np.ptp([group.mean() for group in groups]) <= high
        inside += low <= true <= high
    assert inside / trials > 0.91  # at a coverage of 95 % less happens once in 500 times


def test_two_groups_by_hand():
    """Newcombe's interval, with 1.96 as the quantile of one difference."""
    few, many = np.repeat([0.0, 1.0], [70, 10]), np.repeat([0.0, 1.0], [30, 50])
    (low_f, high_f), (low_m, high_m) = wilson(10, 80), wilson(50, 80)
    apart, few_rate, many_rate = 0.5, 0.125, 0.625
    found = spread_interval([few, many], [np.arange(80), np.arange(80)])
    assert found == pytest.approx(
        (
            apart - np.hypot(many_rate - low_m, high_f - few_rate),
            apart + np.hypot(high_m - many_rate, few_rate - low_f),
        ),
        abs=1e-6,
    )


def test_two_versions_have_the_interval_of_their_difference():
    rng = np.random.default_rng(0)
    table = (rng.random((50, 2)) < (0.2, 0.6)).astype(float)
    low, high = difference_interval(table[:, 1] - table[:, 0], np.arange(50), 1)
    assert paired_spread_interval(table, np.arange(50)) == pytest.approx((low, high))


def test_more_versions_have_wider_intervals():
    rng = np.random.default_rng(0)
    table = (rng.random((50, 2)) < (0.2, 0.6)).astype(float)
    low, high = paired_spread_interval(table, np.arange(50))
    more = paired_spread_interval(table[:, [0, 1, 1]], np.arange(50))
    assert more[0] < low
    assert high < more[1]
