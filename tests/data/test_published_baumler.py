"""The tables of Baumler et al. 2023: whole, and the averages and means that follow from their own cells."""

import pytest

from tiltmeter.data.published import published

SETS = ("respect", "dehumanize", "genocide", "toxicity", "toxicity5")
BASELINES = ("passive_batched", "passive", "entropy_batched", "entropy")
RATIOS = published("baumler2023_ratios")
DATA = published("baumler2023_data")


@pytest.mark.parametrize("baseline", BASELINES)
def test_averages_of_ratios_follow_from_the_sets(baseline):
    values = [RATIOS.find(data=name, baseline=baseline) for name in SETS]
    assert RATIOS.find(data="average", baseline=baseline) == pytest.approx(
        sum(values) / 5, abs=0.006
    )


def test_best_baselines_have_the_mean_that_the_notes_give():
    best = [min(RATIOS.find(data=name, baseline=b) for b in BASELINES) for name in SETS]
    assert best == [1.25, 1.80, 1.25, 0.97, 0.90]
    assert sum(best) / 5 == pytest.approx(1.234)


def test_bounds_are_kept():
    bounds = {(n.places["data"], n.places["baseline"]): n.bound for n in RATIOS.numbers}
    assert len(bounds) == 24 and sum(b == ">" for b in bounds.values()) == 16
    assert bounds["respect", "entropy_batched"] == "" and bounds["average", "passive"] == ">"


def test_sizes_of_data():
    assert len(DATA.numbers) == 20
    assert {DATA.find(data=name, measure="items") for name in SETS[:3]} == {17282}
    parts = [
        DATA.find(data=n, measure="test_items") / DATA.find(data=n, measure="items") for n in SETS
    ]
    assert all(0.09 < part < 0.11 for part in parts)
