"""Wilson's interval from resamples: beside Wilson's own, and where percentiles collapse."""

import numpy as np
import pytest
from scipy.stats import norm, t

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.intervals import wilson
from tiltmeter.stats.score_intervals import score_interval

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
