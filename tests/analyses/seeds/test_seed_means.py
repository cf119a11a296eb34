"""Means, deviations and both intervals over seeds, by hand."""

from dataclasses import replace

import numpy as np
import pytest

from analyses.seeds.examples import F1, GAP, seeds, trained
from tiltmeter.analyses.seeds.item_intervals import interval_over_items, values_over_items
from tiltmeter.analyses.seeds.seed_means import lowest_and_highest, seed_means
from tiltmeter.analyses.seeds.seed_sets import seed_sets
from tiltmeter.stats.confidence_intervals.crossed_means import over_levels


def numbers(results, close=()):
    return {
        (e.model, e.name, *e.groups.values()): e for e in seed_means(seed_sets(results, {}), close)
    }


def test_mean_and_deviation_over_three_trainings_without_records():
    made = numbers([trained(0, 60.0, -1.0), trained(1, 62.0, 0.0), trained(2, 64.0, 4.0)])
    f1 = made["bert", F1, "edos"]
    assert (f1.value, f1.n, f1.p) == (62.0, 300, None)
    # As wide as the runs' own intervals, from 4 below to 2 above.
    assert (f1.low, f1.high) == pytest.approx((58.0, 64.0))
    assert f1.interval == "mean of the intervals of 3 seeds, as if all erred together"
    others = made["bert", f"{F1}_over_seeds", "edos"]
    assert (others.value, others.low, others.clusters) == (62.0, None, 3)
    assert others.why == "no interval about other seeds: it takes 5 seeds, there are 3"
    assert others.meaning.variant_of == F1
    sd = made["bert", f"{F1}_sd", "edos"]
    assert (sd.value, sd.unit, sd.low, sd.neutral) == (2.0, "points", None, None)
    gap = made["bert", GAP, "edos", "a − b"]
    assert gap.value == 1.0 and gap.groups == {"trained_on": "edos", "group": "a − b"}
    assert (gap.low, gap.why) == (None, "no interval over items: some runs have none")
    assert made["bert", f"{GAP}_sd", "edos", "a − b"].value == pytest.approx(7**0.5)


def test_five_trainings_have_an_interval_about_others_and_a_caution():
    values = [60.0, 62.0, 64.0, 61.0, 63.0]
    made = numbers([trained(i, value) for i, value in enumerate(values)])
    others = made["bert", f"{F1}_over_seeds", "edos"]
    ends = over_levels(62.0, (58.0, 64.0), np.array(values), (0.0, 100.0))
    assert (others.low, others.high) == pytest.approx(ends)
    assert others.high - others.low > 2 * 6 and others.why == "it rests on 5 seeds"
    many = numbers([trained(i, 60.0 + i / 4) for i in range(10)])
    assert many["bert", f"{F1}_over_seeds", "edos"].why == ""


def test_the_interval_about_these_seeds_is_over_items_where_there_are_records():
    sides = ["0011010111", "0111010101", "0011110110", "0011010110", "1011010111"]
    runs = seeds(sides)
    made = numbers(runs, close=("stereotype_rate",))
    these = made["multiberts", "stereotype_rate"]
    below, above = interval_over_items(values_over_items(runs, "stereotype_rate"), np.full(5, 0.2))
    assert (these.low, these.high) == pytest.approx((these.value - below, these.value + above))
    assert these.interval == "over items, of the mean of 5 seeds" and these.neutral == 50
    others = made["multiberts", "stereotype_rate_over_seeds"]
    assert others.low < these.low < these.high < others.high
    loose = numbers(runs)["multiberts", "stereotype_rate"]
    assert loose.low is None  # the runs have no intervals of their own
    (pairs,) = seed_sets(runs, {})
    assert lowest_and_highest(pairs, "stereotype_rate", {})[[0, -1]].tolist() == [50.0, 70.0]


def test_numbers_without_limits_have_no_interval_about_other_seeds():
    runs = [trained(i, 60.0 + i) for i in range(6)]
    runs = [replace(r, estimates=[replace(r.estimates[0], unit="nats")]) for r in runs]
    others = numbers(runs)["bert", f"{F1}_over_seeds", "edos"]
    assert others.low is None and "its values have no limits" in others.why


def test_models_and_data_sets_stay_apart_and_order_does_not_matter():
    runs = [
        trained(seed, 50.0 + seed + shift, base=base, data=data)
        for seed in (0, 1)
        for base, data, shift in (("bert", "edos", 0), ("bert", "ethos", 10), ("gpt2", "edos", 20))
    ]
    made = numbers(runs)
    assert made["bert", F1, "edos"].value == 50.5
    assert made["bert", F1, "ethos"].value == 60.5
    assert made["gpt2", F1, "edos"].value == 70.5
    again = numbers(runs[::-1])
    assert {at: e.value for at, e in again.items()} == {at: e.value for at, e in made.items()}


def test_one_training_has_no_spread_and_what_is_undefined_in_one_has_no_mean():
    made = numbers([trained(0, 60.0)])
    assert made["bert", F1, "edos"].value == 60.0
    assert made["bert", f"{F1}_sd", "edos"].value is None
    assert made["bert", f"{F1}_over_seeds", "edos"].why.endswith("it takes 5 seeds, there is one")
    broken = trained(1, 62.0)
    undefined = replace(broken.estimates[0], value=None, why="no text is called positive")
    made = numbers([trained(0, 60.0), replace(broken, estimates=[undefined])])
    assert made["bert", F1, "edos"].value is None
    assert "no text is called positive" in made["bert", F1, "edos"].why
