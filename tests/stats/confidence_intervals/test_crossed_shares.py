"""Intervals of shares over items and raters."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.crossed_shares import (
    RatedValues,
    ShareReach,
    joined_interval,
    over_raters,
    weighted_share,
)
from tiltmeter.stats.confidence_intervals.intervals import wilson_effective


def test_single_items_of_one_weight_are_wilsons_with_students_t():
    values = np.array([1.0] * 15 + [0.0] * 5)
    share = weighted_share(values, np.ones(20), np.arange(20))
    assert share.value == 0.75
    low, high = wilson_effective(0.75, 19, 19)
    assert share.low == pytest.approx(low, abs=0.02)
    assert share.high == pytest.approx(high, abs=0.02)


def test_equal_values_do_not_collapse():
    share = weighted_share(np.ones(12), np.ones(12), np.arange(12))
    assert share.high == 1
    assert share.low < 0.8


def test_weights_are_as_repeated_values():
    values, of = np.array([1.0, 0, 1, 1]), np.array([0, 1, 2, 3])
    twice = weighted_share(np.repeat(values, 2), np.ones(8), np.repeat(of, 2))
    assert tuple(weighted_share(values, 2 * np.ones(4), of)) == pytest.approx(tuple(twice))
    ends = bounded_mean(values, of, (0, 1), weights=3 * np.ones(4))
    assert ends == pytest.approx(bounded_mean(values, of, (0, 1)), abs=1e-5)


def test_other_raters_need_five():
    with pytest.raises(Undefined, match="4 of the 5 people"):
        over_raters(np.ones(4), np.ones(4), np.arange(4))
    share = over_raters(np.ones(10), np.ones(10), np.arange(10))
    assert (share.value, share.high) == (1, 1)
    assert share.low < 0.9  # one more rater could never agree


def test_distances_are_joined_like_standard_deviations():
    parts = [ShareReach(0.5, 0.2, 0.9), ShareReach(0.3, 0.0, 0.7, sign=-1)]
    low, high = joined_interval(0.2, parts, (-1, 1))
    assert low == pytest.approx(0.2 - (0.3**2 + 0.4**2) ** 0.5)
    assert high == pytest.approx(0.2 + (0.4**2 + 0.3**2) ** 0.5)
    with pytest.raises(Undefined, match="no answers"):
        _ = RatedValues(np.empty(0), np.empty(0), np.empty(0), np.empty(0)).mean
