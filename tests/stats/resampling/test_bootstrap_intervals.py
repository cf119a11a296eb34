"""Bootstraps against Student's t, slower bootstraps, and by how often they cover."""

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.resampling.bootstrap_intervals import (
    bootstrap,
    excluding_level,
    percentiles,
    stretched,
)


def rng(seed=0):
    return np.random.default_rng(seed)


def test_means_of_three_are_as_wide_as_student_s():
    """The t interval of 0, 1 and 2 is 1 ± 4.303 / √3; resamples reach from 0 to 2."""
    low, high = bootstrap(np.mean, [np.arange(3.0)], np.arange(3), rng(), draws=20_000)
    assert (low + high) / 2 == pytest.approx(1, abs=0.05)
    assert (high - low) / 2 == pytest.approx(4.303 / 3**0.5, rel=0.15)


def test_many_units_leave_the_percentiles_about_the_value():
    drawn = rng(1).normal(3, 1, size=4000)
    low, high = percentiles(drawn)
    middle = float(np.median(drawn))
    assert stretched(drawn, 3.5, 10**6) == pytest.approx(
        (low + 3.5 - middle, high + 3.5 - middle), abs=1e-3
    )


def test_percentiles_are_void_if_one_resample_is():
    with pytest.raises(Undefined, match=r"2 of 4 resamples have no value \(empty\)"):
        percentiles(np.array([1.0, np.nan, 2.0, np.nan]), why=" (empty)")


@pytest.mark.parametrize("value", [0.0, 100.0, -3.7])
def test_equal_resamples_say_nothing(value):
    with pytest.raises(Undefined, match="the same value"):
        percentiles(np.full(9, value))


@pytest.mark.parametrize(("labels", "why"), [(["a"], "one item"), (["a", "a"], "one cluster")])
def test_one_cluster_is_not_resampled(labels, why):
    values = np.arange(float(len(labels)))
    with pytest.raises(Undefined, match=why):
        bootstrap(np.mean, [values], np.array(labels), rng())


def test_items_that_repeat_each_other_count_once():
    """Each of 40 values ten times over, in one cluster: as wide as for the 40 alone."""
    values = rng(1).normal(size=40)
    alone = bootstrap(np.mean, [values], np.arange(40), rng(2))
    repeated = bootstrap(np.mean, [np.repeat(values, 10)], np.repeat(np.arange(40), 10), rng(2))
    assert repeated == pytest.approx(alone)


def test_an_undefined_resample_voids_the_interval():
    def positive_mean(x):
        if not (x > 0).any():
            raise Undefined("nothing above 0")
        return float(x[x > 0].mean())

    with pytest.raises(Undefined, match=r"of 2,000 resamples have no value \(nothing above 0\)"):
        bootstrap(positive_mean, [np.array([-1.0, -1, 2])], np.array(list("abc")), rng())


def test_the_same_seed_gives_the_same_interval_whatever_the_order():
    values, labels = rng(1).normal(size=50), rng(2).integers(0, 9, 50).astype(str)
    order = rng(3).permutation(50)
    one = bootstrap(np.mean, [values], labels, rng(4))
    assert one == bootstrap(np.mean, [values], labels, rng(4))
    assert one == pytest.approx(bootstrap(np.mean, [values[order]], labels[order], rng(4)))


@pytest.mark.parametrize("units", [3, 12, 200])
@pytest.mark.parametrize("value", [-1.3, 0.4, 2.0])
def test_the_excluding_level_is_where_the_interval_ends_at_the_neutral_value(units, value):
    draws = rng().normal(size=4000)
    p = excluding_level(draws, value, units)
    ends = stretched(draws, value, units, confidence=1 - p)
    assert min(map(abs, ends)) < 0.01
    assert excluding_level(draws, value - 7, units, neutral=-7) == p


def test_with_few_draws_no_level_is_below_what_they_can_show():
    assert excluding_level(rng().normal(size=99), 50.0, 99) == 2 / 100
    assert excluding_level(np.linspace(-1, 1, 101), 0.0, 99) == pytest.approx(1.0)
