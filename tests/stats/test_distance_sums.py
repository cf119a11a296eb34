"""Intervals of sums of distances: from 0 under chance alone, as those of plain sums far from 0."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.distance_sums import DistanceSum, drawn_by_jackknife, multipliers_for
from tiltmeter.stats.score_intervals import interval_of_change

RNG = np.random.default_rng(2)


def sums(truth, spread=1.0, units=50):
    noise = spread * RNG.normal(size=(2000, len(truth)))
    seen = truth + spread * RNG.normal(size=len(truth))
    return DistanceSum(seen, seen + noise, units)


def test_chance_alone_reaches_from_0_to_the_sum_that_is_seen_or_beyond():
    found = sums(np.zeros(20))
    low, high = found.interval()
    assert low == 0 <= found.centre <= found.value <= high


def test_far_from_0_the_interval_is_that_of_a_plain_sum():
    truth = np.array([30.0, -40.0, 50.0])
    found = sums(truth, units=10_000)
    low, high = found.interval()
    assert (low - found.value, high - found.value) == pytest.approx(
        (-1.96 * 3**0.5, 1.96 * 3**0.5), abs=0.2
    )
    assert found.centre == pytest.approx(found.value, abs=0.2)


def test_signs_change_nothing():
    one = sums(np.array([1.0, -2.0, 0.5]))
    other = DistanceSum(-one.terms, -one.drawn_terms, one.units)
    assert other.interval() == pytest.approx(one.interval())


def test_a_higher_confidence_gives_a_wider_interval():
    found = sums(np.array([6.0, -8.0]))
    (low, high), (least, most) = found.interval(0.8), found.interval(0.99)
    assert least < low < high < most


def test_a_jackknife_gives_the_variance_of_means():
    values = RNG.normal(5, 1, size=(12, 3))
    without = (values.sum(axis=0) - values) / 11
    multipliers = multipliers_for(12, 3, RNG)
    found = drawn_by_jackknife(values.mean(axis=0), without, multipliers)
    apart = (found.drawn_terms - found.terms).std(axis=0) * np.sqrt(12 / 11)
    assert apart == pytest.approx(values.std(axis=0, ddof=1) / np.sqrt(12), rel=0.1)


def test_very_many_parts_are_drawn_less_often():
    assert multipliers_for(5, 10, RNG).shape == (1000, 5)
    assert multipliers_for(5, 10**6, RNG).shape == (199, 5)


def test_without_variation_there_is_no_interval():
    with pytest.raises(Undefined, match="all resamples are alike"):
        DistanceSum(np.ones(2), np.ones((9, 2)), 5).interval()
    with pytest.raises(Undefined, match="only one to draw"):
        DistanceSum(np.ones(2), np.zeros((9, 2)), 1).interval()


def test_two_sums_of_chance_alone_do_not_differ():
    one, other = sums(np.zeros(10)), sums(np.zeros(10), spread=3.0)
    low, high = interval_of_change([one], [other], (1,))
    assert low <= one.value - other.value < 0 <= high
