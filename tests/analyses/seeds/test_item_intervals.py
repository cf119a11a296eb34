"""Intervals over items of sums of runs: against the functions that they are of, and where there is none."""

import numpy as np
import pytest
from scipy import stats

from analyses.seeds.examples import seeds, trained
from tiltmeter.analyses.seeds.item_intervals import (
    as_if_together,
    interval_over_items,
    values_over_items,
)
from tiltmeter.core.errors import Undefined
from tiltmeter.core.measures import Measure
from tiltmeter.derived.comparisons.item_values import ItemValues
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import difference_interval

RATE = "stereotype_rate"
SIDES = ["0011010111", "0111010101", "0011110110"]


def test_a_mean_over_seeds_has_the_interval_of_its_items_means():
    values = values_over_items(seeds(SIDES), RATE)
    each = np.array([[int(x) for x in side] for side in SIDES]).mean(axis=0) * 100
    low, high = bounded_mean(each, np.arange(10), (0, 100))
    below, above = interval_over_items(values, np.full(3, 1 / 3))
    assert (below, above) == pytest.approx((each.mean() - low, high - each.mean()))


def test_a_difference_is_over_the_items_of_both():
    values = values_over_items(seeds(SIDES[:2]), RATE)
    a, b = (np.array([int(x) for x in side]) * 100.0 for side in SIDES[:2])
    low, high = difference_interval(a - b, np.arange(10), 100)
    below, above = interval_over_items(values, np.array([1.0, -1.0]))
    assert (below, above) == pytest.approx(((a - b).mean() - low, high - (a - b).mean()))


def test_numbers_without_limits_have_students_interval_over_clusters():
    m = Measure("spread", np.mean, ("x",), "", None)
    table = np.random.default_rng(0).normal(size=(2, 30))
    values = ItemValues(m, table, [], np.arange(30), False, [], [], 0, False, True)
    each = table.mean(axis=0)
    low, high = stats.t.interval(0.95, 29, each.mean(), each.std(ddof=1) / 30**0.5)
    below, above = interval_over_items(values, np.full(2, 0.5))
    # Where a few items are far from the others there are fewer degrees of freedom.
    assert below == pytest.approx(above) and each.mean() - low <= below < 1.1 * (each.mean() - low)
    assert high > low


def test_without_records_or_with_logarithms_there_is_none():
    with pytest.raises(Undefined, match="no records of items"):
        values_over_items([trained(0, 60.0)], "f1_macro")
    with pytest.raises(Undefined, match="no number 'accuracy'"):
        values_over_items(seeds(SIDES), "accuracy")
    made = values_over_items(seeds(SIDES), RATE)
    from dataclasses import replace

    with pytest.raises(Undefined, match="logarithm"):
        interval_over_items(replace(made, of_logarithm=True), np.full(3, 1 / 3))


def test_a_mean_of_runs_that_err_together_reaches_as_far_as_the_runs_do_on_average():
    assert as_if_together([50.0, 60.0], [(40.0, 55.0), (56.0, 75.0)]) == (7.0, 10.0)
