"""Strategies are compared seed by seed, with and without the chance in the choice of test items."""

import numpy as np
import pytest

from tiltmeter.active.curves import (
    DIFFERENCE,
    WITH_ITEMS,
    Curves,
    ItemLosses,
    StrategyCurve,
    differences,
    mean_curves,
)

RNG = np.random.default_rng


def flat(levels, items=None):
    """Curves that do not fall: their mean over the points is their level."""
    losses = np.repeat(np.array(levels, dtype=float)[:, None], 3, axis=1)
    return StrategyCurve(np.array([0.0, 50.0, 100.0]), losses, items)


def test_paired_differences_have_students_interval_and_holms_p():
    """Differences −1, −2, −3: mean −2, standard error 1/√3, t(2) at .975 is 4.3027."""
    curves = Curves({"base": flat([1, 2, 3]), "a": flat([0, 0, 0]), "b": flat([2, 3, 4])})
    of_a, of_b, *_ = differences(curves, "base", RNG(0))
    assert (of_a.name, of_a.value, of_a.n) == (DIFFERENCE.name, pytest.approx(-2), 3)
    assert of_a.high - of_a.value == pytest.approx(4.3027 / 3**0.5, abs=1e-3)
    assert (of_a.p, of_a.p_adjusted) == (0.25, 0.25)  # 2 of the 8 ways to flip three signs
    assert (of_b.value, of_b.low) == (1, None)
    assert "equal" in of_b.why


def test_the_second_interval_is_wider_where_items_differ():
    """All seeds agree on the items, of which half are 1 better and half 1 worse by far too few to say."""
    rng, names = RNG(1), np.arange(30)
    seeds, items = np.repeat(np.arange(10), 30), np.tile(names, 10)
    effect = np.tile(rng.normal(-0.3, 2, 30), 10) + rng.normal(0, 0.1, 300)
    base = ItemLosses(np.ones(300), seeds, items)
    other = ItemLosses(1 + effect[::-1], seeds[::-1], items[::-1])
    levels = 1 + effect.reshape(10, 30).mean(axis=1)
    curves = Curves({"base": flat(np.ones(10), items=base), "a": flat(levels, items=other)})
    first, second = differences(curves, "base", RNG(0), draws=500)
    assert (second.name, second.value) == (WITH_ITEMS.name, first.value)
    assert second.high - second.low > 5 * (first.high - first.low)
    assert second.low < second.value < second.high
    bare = Curves({"base": flat([1, 2]), "a": flat([2, 1])})
    assert "not stored" in differences(bare, "base", RNG(0))[1].why


def test_bands_leave_out_what_all_strategies_share_in_a_seed():
    """Seeds differ by 10 and strategies by 1 ± 0.1: apart from the seeds, a deviates by 0.05 each way.

    With Morey's √2 the deviations are 0.1/√2, their standard error 0.05 and t(1) at .975 is 12.706.
    """
    values = {"a": np.array([[1.0], [11.2]]), "b": np.array([[2.0], [12.0]])}
    made = mean_curves(values)
    assert made["a"].mean == pytest.approx([6.1])
    assert made["a"].high - made["a"].mean == pytest.approx([12.706 * 0.1 / 2**0.5], abs=1e-3)
    alone = mean_curves({"a": np.array([[1.0, np.nan], [11.2, np.nan]])})["a"]
    assert alone.high[0] - alone.mean[0] == pytest.approx(12.706 * 10.2 / 2, abs=0.01)
    assert np.isnan(alone.mean[1]) and np.isnan(alone.low[1])


@pytest.mark.slow
def test_the_second_interval_covers_new_items():
    """Of seeds and items drawn anew, at least 93 of 100 intervals hold the true difference."""
    rng, hits = RNG(3), 0
    for _ in range(300):
        seeds, items = np.repeat(np.arange(10), 40), np.tile(np.arange(40), 10)
        apart = -0.1 + rng.normal(0, 0.5, 40)[items] + rng.normal(0, 0.2, 10)[seeds]
        apart += rng.normal(0, 0.5, 400)
        levels = apart.reshape(10, 40).mean(axis=1)
        base = flat(np.zeros(10), items=ItemLosses(np.zeros(400), seeds, items))
        other = flat(levels, items=ItemLosses(apart, seeds, items))
        found = differences(Curves({"base": base, "a": other}), "base", rng, draws=400)[1]
        hits += found.low <= -0.1 <= found.high
    assert hits / 300 >= 0.93
