"""Precision at k and mean tau by hand; and the published numbers, recomputed where they can be."""

import csv
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.metrics.alignment import (
    expected_precision,
    mean_kendall_tau,
    precision_at_k,
    precision_p,
    precision_rows,
)

SAID = np.array([90.0, 60, 40, 70, 30, 20])
"""People are on the right of pairs 0, 1 and 3, on the left of 2, 4 and 5."""


def test_precision_by_hand():
    # The three highest are 0, 1, 2 (two of them right), the three lowest 3, 4, 5 (two of them left).
    assert precision_at_k(np.arange(6.0)[::-1], SAID) == pytest.approx((2 / 3 + 2 / 3) / 2)
    # k = 1: pair 2 is highest and people are on its left; pair 5 is lowest and they are on its left.
    assert precision_at_k(np.array([0.0, 0, 9, 0, 0, -9]), SAID, k=1) == 0.5
    assert precision_at_k(SAID, SAID) == 1
    assert precision_at_k(-SAID, SAID) == 0


def test_people_in_the_middle_count_half():
    said = np.array([90.0, 50.0, 20.0, 10.0])
    # k = 2: right shares 1 and 1/2; left shares 1 and 1.
    assert precision_at_k(np.array([4.0, 3, 2, 1]), said, k=2) == pytest.approx((1.5 + 2) / 4)


def test_ties_at_the_end_give_the_mean_over_their_orders():
    scores = np.array([5.0, 3, 3, 3, 1, 1])
    broken = []
    for shift in permutations(range(6)):
        order = scores + 1e-6 * np.array(shift)
        broken.append(precision_at_k(order, SAID, k=2))
    assert precision_at_k(scores, SAID, k=2) == pytest.approx(np.mean(broken))


@given(st.lists(st.sampled_from([10.0, 30.0, 50.0, 80.0]), min_size=4, max_size=6))
def test_chance_is_one_half_whatever_people_say(said):
    said = np.array(said)
    all_orders = [
        precision_at_k(np.array(o, float), said, k=2) for o in permutations(range(len(said)))
    ]
    assert np.mean(all_orders) == pytest.approx(0.5)
    assert expected_precision(said, k=2) == pytest.approx(0.5)


def test_missing_pairs_are_left_out():
    scores = np.append(np.arange(6.0)[::-1], [9.0, np.nan])
    said = np.append(SAID, [np.nan, 5.0])
    assert precision_at_k(scores, said) == precision_at_k(scores[:6], SAID)
    found = precision_rows(np.stack([scores, scores]), np.stack([said, np.full(8, np.nan)]))
    assert found[0] == precision_at_k(scores[:6], SAID)
    assert np.isnan(found[1])


@pytest.mark.parametrize("pairs", [0, 1, 2, 5])
def test_fewer_pairs_than_are_asked_for(pairs):
    assert (
        np.isnan(precision_rows(np.ones((2, pairs)), np.ones((2, pairs)), k=3)).tolist()
        == [True] * 2
    )


def test_p_of_few_pairs_is_that_of_all_deals():
    """k = 1, people right on two of four pairs: both ends are hits in 4 of 12 ordered choices of two
    pairs, both misses in 4; so a distance from 1/2 as large as 1/2 has p = 8/12."""
    p = precision_p([np.arange(4.0)], [np.array([10.0, 90, 20, 80])], np.random.default_rng(0), k=1)
    # Highest is pair 3 (right) and lowest pair 0 (left): the value is 1.
    assert p == pytest.approx(8 / 12, abs=0.02)


def test_p_is_never_zero_and_small_where_all_groups_agree():
    rows = [np.arange(16.0)] * 8
    p = precision_p(rows, [row * 6 for row in rows], np.random.default_rng(0))
    assert p == 1 / 10_000


def test_mean_tau_takes_groups_apart():
    scores = np.array([[1.0, 2, 3], [101.0, 102, 103]])
    said = np.array([[80.0, 85, 90], [10.0, 15, 20]])
    assert mean_kendall_tau(scores, said) == 1  # although the second group is lower with people
    with pytest.raises(Undefined, match="no group"):
        mean_kendall_tau(np.zeros((1, 3)), np.ones((1, 3)))


def test_what_has_no_precision():
    with pytest.raises(Undefined, match="needs at least 6 pairs"):
        precision_at_k(SAID[:5], SAID[:5])
    with pytest.raises(Undefined, match="needs at least 6 pairs"):
        expected_precision(SAID[:5])
    with pytest.raises(BadInput, match="k is"):
        precision_at_k(SAID, SAID, k=0)
    with pytest.raises(Undefined, match="no groups"):
        precision_p([], [], np.random.default_rng(0))


# ── The published tables ─────────────────────────────────────────────────────────────────────────

PUBLISHED = {
    # Sotnikova 2023, Table 4.6 (all 25 groups) and Table 4.19 (without the four pilot groups).
    "CEAT RoBERTa": (0.019, 0.500, 0.028),
    "CEAT BERT": (0.111, 0.587, 0.123),
    "ILPS RoBERTa": (0.169, 0.620, 0.142),
    "ILPS BERT": (0.094, 0.533, 0.071),
    "ILPS* RoBERTa": (0.175, 0.653, 0.173),
    "ILPS* BERT": (0.015, 0.560, -0.007),
    "SeT RoBERTa": (0.199, 0.653, 0.174),
    "SeT BERT": (0.116, 0.613, 0.093),
}
PILOT = {"Hispanic people", "Asian people", "Black people", "Immigrants"}


def published(table, without=()):
    """Tables 4.11 (tau by group), 4.12 and 4.13 (precision at the top and at the bottom)."""
    with (Path(__file__).parent / "cao2022_alignment.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if row["table"] == table]
    return {
        name: np.array(
            [float(r[name]) if r[name] else np.nan for r in rows if r["group"] not in without]
        )
        for name in PUBLISHED
    }


def thirds(values):
    """Two decimals of a third, a half or a whole, made exact again; 0.677 is a misprint of 0.67."""
    return np.round(values * 3) / 3


def test_the_published_precision_is_the_mean_of_the_published_ends_for_five_of_eight():
    top, bottom = published("4.12"), published("4.13")
    off = {}
    for name, (_, precision, _) in PUBLISHED.items():
        mean = np.nanmean((thirds(top[name]) + thirds(bottom[name])) / 2)
        off[name] = round(float(mean) - precision, 3)
    agree = {name for name, by in off.items() if abs(by) <= 0.001}
    assert agree == {"CEAT RoBERTa", "CEAT BERT", "ILPS RoBERTa", "ILPS BERT", "ILPS* RoBERTa"}
    # The other three are printed as one or two thirds of one group lower than their groups give.
    assert {n: off[n] for n in PUBLISHED.keys() - agree} == {
        "ILPS* BERT": 0.013, "SeT RoBERTa": 0.007, "SeT BERT": 0.007,
    }  # fmt: skip


def test_ceat_is_averaged_over_the_groups_it_has():
    """CEAT has 21 of 25 groups; its published mean is over these, not with zeros for the others."""
    top, bottom = published("4.12"), published("4.13")
    for name in ("CEAT RoBERTa", "CEAT BERT"):
        both = (thirds(top[name]) + thirds(bottom[name])) / 2
        assert np.isfinite(both).sum() == 21
        assert np.nanmean(both) == pytest.approx(PUBLISHED[name][1], abs=0.001)
        assert np.nansum(both) / 25 < PUBLISHED[name][1] - 0.05


@pytest.mark.parametrize(("without", "place"), [((), 0), (PILOT, 2)])
def test_the_published_overall_tau_is_no_mean_over_groups(without, place):
    """It is near the mean over groups but for none of eight equal to it, to the third decimal: it is
    tau over all cells, which the mean over groups cannot give."""
    taus = published("4.11", without)
    off = [float(np.nanmean(taus[name])) - PUBLISHED[name][place] for name in PUBLISHED]
    # A rounded mean of rounded numbers is off by .001 at most.
    assert sum(abs(by) <= 0.001 for by in off) <= 1
    assert 0.002 < np.mean(np.abs(off)) < 0.025
    assert np.max(np.abs(off)) < 0.04
