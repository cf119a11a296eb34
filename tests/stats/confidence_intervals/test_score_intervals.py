"""Wilson's interval from resamples: beside Wilson's own, and where percentiles collapse."""

import numpy as np
import pytest
from scipy.stats import norm, t

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.confidence_intervals.score_intervals import (
    VariedShare,
    interval_of_sum,
    score_interval,
)

RNG = np.random.default_rng(0)


def test_of_independent_items_it_is_wilsons_with_students_t():
    drawn = RNG.binomial(50, 0.7, size=20_000) / 50
    worth = 50 * (norm.ppf(0.025) / t.ppf(0.025, 49)) ** 2
    found = score_interval(0.7, drawn, items=10_000, units=50)
    assert found == pytest.approx(wilson(0.7 * worth, worth), abs=3e-3)


def test_a_share_that_varies_twice_as_much_is_worth_half_the_items():
    drawn = 0.7 + RNG.normal(0, (2 * 0.21 / 50) ** 0.5, size=20_000)
    worth = 25 * (norm.ppf(0.025) / t.ppf(0.025, 49)) ** 2
    found = score_interval(0.7, drawn, items=10_000, units=50)
    assert found == pytest.approx(wilson(0.7 * worth, worth), abs=3e-3)
    assert score_interval(0.7, drawn, items=10, units=50)[0] < found[0]  # and no more than 10


def test_it_does_not_collapse_where_all_or_nearly_all_resamples_are_1():
    low, high = score_interval(1.0, np.ones(100), items=30, units=30)
    assert low == pytest.approx(wilson(*(30 * (norm.ppf(0.025) / t.ppf(0.025, 29)) ** 2,) * 2)[0])
    assert high == 1
    nearly = score_interval(1.0, np.repeat([1.0, 0.95], [90, 10]), items=30, units=30)
    assert nearly[0] < 0.9


def test_without_a_value_or_with_a_single_unit_there_is_none():
    with pytest.raises(Undefined, match="1 of 2 resamples"):
        score_interval(0.5, np.array([0.5, np.nan]), items=9, units=9)
    with pytest.raises(Undefined, match="only one"):
        score_interval(0.5, np.array([0.5, 0.4]), items=9, units=1)


def test_of_a_difference_of_independent_shares_it_is_newcombes():
    """Method 10: distances to the ends of both score intervals, added in squares."""
    drawn = RNG.binomial(40, [[0.9], [0.6]], size=(2, 20_000)) / 40
    one, other = (
        VariedShare(value, of, 10_000, 40) for value, of in zip((0.9, 0.6), drawn, strict=True)
    )
    (l1, u1), (l2, u2) = one.interval(), other.interval()
    low = 0.3 - ((0.9 - l1) ** 2 + (u2 - 0.6) ** 2) ** 0.5
    high = 0.3 + ((u1 - 0.9) ** 2 + (0.6 - l2) ** 2) ** 0.5
    assert interval_of_sum([one, other], (1, -1)) == pytest.approx((low, high), abs=5e-3)


def test_what_two_shares_have_in_common_makes_their_difference_surer():
    common = RNG.normal(0, 0.05, size=5000)
    one, other = (
        VariedShare(0.5, 0.5 + common + RNG.normal(0, 0.02, size=5000), 500, 50) for _ in range(2)
    )
    low, high = interval_of_sum([one, other], (1, -1))
    assert high == pytest.approx(2.0 * 2**0.5 * 0.02, rel=0.1)
    assert low == pytest.approx(-high, rel=0.1)
