"""Gaps between groups: values by scikit-learn, resamples and random deals by one obvious loop."""

import re

import numpy as np
import pytest
from sklearn import metrics as sk

from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import ContrastSample, PairedSample, TwoSides
from tiltmeter.stats.resampling.bootstrap import resamples_within
from tiltmeter.studies.fairness_gaps import gap_inference, group_gaps, group_sides
from tiltmeter.studies.fairness_gaps.group_sides import both_sides, dealt_sides

RNG = np.random.default_rng(3)
N = 400
TRUTH = (RNG.random(N) < 0.2).astype(float)
CHANCE = np.round(np.clip(0.3 * TRUTH + RNG.random(N) * 0.7, 0, 1), 2)  # with ties
SAID = (CHANCE >= 0.5).astype(float)
GROUP = RNG.choice(["a", "b", "c"], N)
ROWS = {g: np.flatnonzero(g == GROUP) for g in "ab"}
RATES = {g: SAID[(g == GROUP) & (TRUTH == 0)].mean() for g in "ab"}
NOTHING = np.random.default_rng(0)


def held(a="a", b="b", clusters=None):
    """Two groups held against each other."""
    of = np.arange(N) if clusters is None else clusters
    sides = [[column[ROWS[g]] for column in (TRUTH, SAID, CHANCE)] for g in (a, b)]
    return TwoSides(sides[0], of[ROWS[a]], sides[1], of[ROWS[b]])


def test_gaps_have_their_sign_an_interval_and_a_size_expected_by_chance():
    sides, rate = held(), group_gaps.false_positive_gap
    value, sure = gap_inference.contrast_gap(ContrastSample(rate, sides, NOTHING))
    assert value == pytest.approx(100 * (RATES["a"] - RATES["b"]))
    assert sure.low <= value <= sure.high and 0 < sure.p <= 1
    assert gap_inference.contrast_size(ContrastSample(rate, sides, NOTHING))[0] == abs(value)
    back, _ = gap_inference.contrast_gap(ContrastSample(rate, held("b", "a"), NOTHING))
    assert back == pytest.approx(-value)
    apart, _ = gap_inference.contrast_gap(ContrastSample(group_gaps.area_gap, sides, NOTHING))
    areas = [sk.roc_auc_score(TRUTH[r], CHANCE[r]) for r in ROWS.values()]
    assert apart == pytest.approx(areas[0] - areas[1])
    size, _ = gap_inference.contrast_chance(ContrastSample(rate, sides, NOTHING))
    # two shares of m and n texts differ by √(2/π · p(1 − p)(1/m + 1/n)) on average
    counts = [int(((g == GROUP) & (TRUTH == 0)).sum()) for g in "ab"]
    p = np.average(list(RATES.values()), weights=counts)
    assert size / 100 == pytest.approx(
        (2 / np.pi * p * (1 - p) * sum(1 / c for c in counts)) ** 0.5, rel=0.15
    )


def slow(gap, truth, said, chance, side):
    """A gap as one would write it down."""
    both = []
    for s in (0, 1):
        mine = side == s
        label = {"false_positive_rate_gap": 0, "true_positive_rate_gap": 1}.get(gap.name)
        if label is None:
            both.append(sk.roc_auc_score(truth[mine], chance[mine]))
        else:
            both.append(100 * said[mine & (truth == label)].mean())
    return both[0] - both[1]


@pytest.mark.parametrize("gap", group_gaps.GAPS, ids=lambda gap: gap.name)
def test_all_draws_at_once_are_those_of_the_obvious_loop(gap):
    table = both_sides(held(clusters=np.arange(N) // 3))
    (dealt,) = dealt_sides(table, np.random.default_rng(1), 15)
    wanted = [slow(gap, *table.columns, sides) for sides in dealt]
    assert gap.deals(table.columns, dealt == 0, dealt == 1) == pytest.approx(wanted)
    (times,) = resamples_within(table.strata, np.random.default_rng(1), draws=15)
    found = gap.draws(table.columns, table.side, times, table.clusters)
    for value, row in zip(found[0] - found[1], times, strict=True):
        drawn = np.repeat(np.arange(len(table.side)), row[table.clusters])
        columns = [column[drawn] for column in table.columns]
        assert value == pytest.approx(slow(gap, *columns, table.side[drawn]))


def test_numbers_about_the_same_groups_rest_on_the_same_draws_whichever_comes_first():
    gaps = group_gaps.GAPS
    one, other = held(), held()
    first = [gap_inference.contrast_gap(ContrastSample(gap, one, NOTHING)) for gap in gaps]
    chance = [
        gap_inference.contrast_chance(ContrastSample(gap, other, NOTHING)) for gap in reversed(gaps)
    ]
    again = [
        gap_inference.contrast_gap(ContrastSample(gap, other, NOTHING)) for gap in reversed(gaps)
    ]
    assert first == again[::-1]
    assert chance[::-1] == [
        gap_inference.contrast_chance(ContrastSample(gap, one, NOTHING)) for gap in gaps
    ]


@pytest.mark.parametrize("metric", [*group_gaps.GAPS, *group_gaps.AREAS], ids=lambda m: m.name)
def test_counted_texts_give_the_intervals_and_tests_of_single_ones(metric, monkeypatch):
    """Within the noise of 2,000 resamples and 999 deals; the value to the last digit."""
    by = gap_inference.contrast_area
    if metric in group_gaps.GAPS:
        by = gap_inference.contrast_gap
    sides = held()
    value, single = by(ContrastSample(metric, sides, NOTHING))
    one_by_one = gap_inference._dealt(metric, sides) if single.p else np.zeros(2)
    monkeypatch.setattr(group_sides, "MANY", 10)
    sides = held()
    again, counts = by(ContrastSample(metric, sides, NOTHING))
    assert isinstance(gap_inference._drawn(sides), group_sides.CountedSides)
    assert again == value and counts.interval == single.interval and counts.test == single.test
    assert counts.high - counts.low == pytest.approx(single.high - single.low, rel=0.08)
    assert (counts.p is None) == (single.p is None)
    # p itself jumps where few differences are possible: a mirrored one is as large by the last digit or not
    dealt = gap_inference._dealt(metric, sides) if counts.p else np.zeros(2)
    assert dealt.mean() == pytest.approx(one_by_one.mean(), abs=4 * dealt.std() / 500**0.5)
    assert dealt.std() == pytest.approx(one_by_one.std(), rel=4 / 999**0.5)


def test_texts_that_share_clusters_are_not_counted(monkeypatch):
    monkeypatch.setattr(group_sides, "MANY", 10)
    table = both_sides(held(clusters=np.arange(N) // 3))
    assert group_sides.drawn_from(table) is table


def test_borkans_areas_are_those_of_the_texts_they_are_about():
    rows = np.concatenate(list(ROWS.values()))
    truth, scores = TRUTH[rows], CHANCE[rows]
    first = np.repeat([True, False], [len(r) for r in ROWS.values()])
    for metric, kept in (
        (group_gaps.bpsn_area, np.where(truth > 0, ~first, first)),
        (group_gaps.bnsp_area, np.where(truth > 0, first, ~first)),
    ):
        value, sure = gap_inference.contrast_area(ContrastSample(metric, held(), NOTHING))
        assert value == pytest.approx(sk.roc_auc_score(truth[kept], scores[kept]))
        assert sure.low < value < sure.high


def test_a_group_without_negatives_has_no_gap_and_says_why():
    half, both = np.full(3, 0.5), np.array([0.0, 1, 1])
    with pytest.raises(Undefined, match="the second of the two groups has no negative texts"):
        group_gaps.false_positive_gap(both, both, half, np.array([0, 0, 1]))
    with pytest.raises(Undefined, match="the others have no negative texts"):
        group_gaps.bnsp_area(both, half, half, np.array([0, 0, 1]))


@pytest.mark.slow
def test_the_test_of_a_gap_keeps_its_level():
    rng = np.random.default_rng(5)
    found = []
    for trial in range(60):
        zero, said, half = np.zeros(60), (rng.random(60) < 0.4).astype(float), np.full(60, 0.5)
        columns, rows = (zero, said, half), np.arange(60)
        sides = TwoSides(
            [c[:25] for c in columns], rows[:25], [c[25:] for c in columns], rows[25:], (trial,)
        )
        found.append(
            gap_inference.contrast_gap(
                ContrastSample(group_gaps.false_positive_gap, sides, NOTHING)
            )[1].p
        )
    assert np.mean(np.array(found) <= 0.05) <= 0.15  # more than 9 of 60 happen once in 1,000 times


def test_two_models_are_compared_on_the_same_texts():
    rows = np.concatenate(list(ROWS.values()))
    side = np.repeat([0, 1], [len(r) for r in ROWS.values()])
    truth, said, chance = TRUTH[rows], SAID[rows], CHANCE[rows]
    value, sure = gap_inference.compare_gaps(
        PairedSample(
            group_gaps.false_positive_gap,
            [truth, said, chance, side],
            [truth, 1 - said, chance, side],
            rows,
            np.random.default_rng(1),
        )
    )
    assert value == pytest.approx(200 * (RATES["a"] - RATES["b"]))
    assert sure.low <= value <= sure.high


def test_texts_of_no_group_among_the_others_move_what_is_expected_and_not_the_test():
    """Two groups alike in 40 templates; the second side has 60 harmless texts of low probability besides."""
    rng = np.random.default_rng(5)
    truth = np.repeat([0.0, 1.0], 20)
    chance = np.clip(0.4 + 0.2 * truth + rng.normal(0, 0.15, (2, 40)), 0, 1)
    columns = [
        [np.concatenate(parts) for parts in (
            (truth, np.zeros(extra)), (of >= 0.5, np.zeros(extra)), (of, np.full(extra, 0.1)))]
        for of, extra in zip(chance, (0, 60), strict=True)
    ]  # fmt: skip
    sides = TwoSides(columns[0], np.arange(40), columns[1], np.arange(100))
    value, sure = gap_inference.contrast_gap(ContrastSample(group_gaps.area_gap, sides, NOTHING))
    assert value < 0 and sure.p > 0.05
    assert re.search("^−0.* would be expected of a group that does not differ", sure.why)
