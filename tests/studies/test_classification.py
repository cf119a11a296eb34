"""Labels, gaps between groups and swaps, against scikit-learn, fairlearn and counts by hand."""

import numpy as np
import pytest
from fairlearn import metrics as fairlearn
from sklearn import metrics as sk

from tiltmeter.core.errors import Undefined
from tiltmeter.metrics import classified, equalized_odds, group_gaps, group_sides
from tiltmeter.metrics.counts import CountMetric
from tiltmeter.metrics.label_intervals import compare_areas, infer_stratified

RNG = np.random.default_rng(3)
N = 400
TRUTH = (RNG.random(N) < 0.2).astype(float)
CHANCE = np.round(np.clip(0.3 * TRUTH + RNG.random(N) * 0.7, 0, 1), 2)  # with ties
SAID = (CHANCE >= 0.5).astype(float)
GROUP = RNG.choice(["a", "b", "c"], N)


@pytest.mark.parametrize(
    ("metric", "oracle"),
    [
        (classified.f1_positive, lambda: sk.f1_score(TRUTH, SAID)),
        (classified.f1_macro, lambda: sk.f1_score(TRUTH, SAID, average="macro")),
        (classified.f1_weighted, lambda: sk.f1_score(TRUTH, SAID, average="weighted")),
        (classified.accuracy, lambda: sk.accuracy_score(TRUTH, SAID)),
        (classified.positive_predictive_value, lambda: sk.precision_score(TRUTH, SAID)),
        (classified.true_positive_rate, lambda: sk.recall_score(TRUTH, SAID)),
        (classified.roc_auc, lambda: sk.roc_auc_score(TRUTH, CHANCE)),
        (classified.average_precision, lambda: sk.average_precision_score(TRUTH, CHANCE)),
        (classified.brier, lambda: sk.brier_score_loss(TRUTH, CHANCE)),
    ],
    ids=lambda x: getattr(x, "name", getattr(x, "__name__", "")),
)
def test_scores_are_those_of_scikit_learn(metric, oracle):
    counts = isinstance(metric, CountMetric)
    found = metric(TRUTH, SAID) / 100 if counts else metric(TRUTH, CHANCE)
    assert found == pytest.approx(oracle(), abs=1e-12)


def test_f1_of_several_labels_is_that_of_scikit_learn():
    truth, said = RNG.integers(0, 3, N).astype(float), RNG.integers(0, 3, N).astype(float)
    for metric, average in ((classified.f1_macro, "macro"), (classified.f1_weighted, "weighted")):
        assert metric(truth, said) / 100 == pytest.approx(sk.f1_score(truth, said, average=average))


def test_equalised_odds_and_rates_by_group_are_those_of_fairlearn():
    found = equalized_odds.equalized_odds(TRUTH, SAID, GROUP)
    wanted = fairlearn.equalized_odds_difference(TRUTH, SAID, sensitive_features=GROUP)
    assert found / 100 == pytest.approx(wanted)
    frame = fairlearn.MetricFrame(
        metrics=fairlearn.false_positive_rate, y_true=TRUTH, y_pred=SAID, sensitive_features=GROUP
    )
    for group, wanted in frame.by_group.items():
        mine = group == GROUP
        assert classified.false_positive_rate(TRUTH[mine], SAID[mine]) / 100 == pytest.approx(
            wanted
        )


def by_hand(truth, said, groups, label):
    rates = [said[(groups == g) & (truth == label)].mean() for g in np.unique(groups)]
    return 100 * (max(rates) - min(rates))


def test_equalised_odds_by_hand():
    wanted = max(by_hand(TRUTH, SAID, GROUP, label) for label in (0, 1))
    assert equalized_odds.equalized_odds(TRUTH, SAID, GROUP) == pytest.approx(wanted)


def sides(a="a", b="b"):
    """Columns of two groups and their clusters."""
    rows = [np.flatnonzero(a == GROUP), np.flatnonzero(b == GROUP)]
    return rows, [[TRUTH[r], SAID[r]] for r in rows], [[TRUTH[r], CHANCE[r]] for r in rows]


def test_gaps_have_their_sign_an_interval_and_a_size_expected_by_chance():
    rows, said, chance = sides()
    rng = np.random.default_rng(0)
    value, sure = group_gaps.contrast_gap(
        group_gaps.false_positive_gap, said[0], rows[0], said[1], rows[1], rng
    )
    rates = [SAID[(g == GROUP) & (TRUTH == 0)].mean() for g in "ab"]
    assert value == pytest.approx(100 * (rates[0] - rates[1]))
    assert sure.low <= value <= sure.high and 0 < sure.p <= 1
    back, _ = group_gaps.contrast_gap(
        group_gaps.false_positive_gap, said[1], rows[1], said[0], rows[0], rng
    )
    assert back == pytest.approx(-value)
    apart, _ = group_gaps.contrast_gap(
        group_gaps.area_gap, chance[0], rows[0], chance[1], rows[1], rng
    )
    areas = [sk.roc_auc_score(TRUTH[r], CHANCE[r]) for r in rows]
    assert apart == pytest.approx(areas[0] - areas[1])
    size, _ = group_gaps.contrast_chance(
        group_gaps.false_positive_gap, said[0], rows[0], said[1], rows[1], rng
    )
    # two shares of m and n texts differ by √(2/π · p(1 − p)(1/m + 1/n)) on average
    counts = [int(((g == GROUP) & (TRUTH == 0)).sum()) for g in "ab"]
    p = np.average(rates, weights=counts)
    assert size / 100 == pytest.approx(
        (2 / np.pi * p * (1 - p) * sum(1 / c for c in counts)) ** 0.5, rel=0.15
    )


def test_borkans_areas_are_those_of_the_texts_they_are_about():
    rows, _, chance = sides()
    truth, scores = TRUTH[np.concatenate(rows)], CHANCE[np.concatenate(rows)]
    first = np.repeat([True, False], [len(r) for r in rows])
    rng = np.random.default_rng(0)
    for metric, kept in (
        (group_gaps.bpsn_area, np.where(truth > 0, ~first, first)),
        (group_gaps.bnsp_area, np.where(truth > 0, first, ~first)),
    ):
        value, sure = group_gaps.contrast_area(metric, chance[0], rows[0], chance[1], rows[1], rng)
        assert value == pytest.approx(sk.roc_auc_score(truth[kept], scores[kept]))
        assert sure.low < value < sure.high


def test_a_group_without_negatives_has_no_gap_and_says_why():
    with pytest.raises(Undefined, match="the second of the two groups has no negative texts"):
        group_gaps.false_positive_gap(
            np.array([0.0, 1, 1]), np.array([0.0, 1, 1]), np.array([0.0, 0, 1])
        )
    with pytest.raises(Undefined, match="b has no negative texts"):
        equalized_odds.equalized_odds(
            np.array([0.0, 1, 1]), np.array([0.0, 1, 1]), np.array(["a", "a", "b"])
        )


def test_the_test_of_a_gap_keeps_its_level():
    rng = np.random.default_rng(5)
    found = []
    for _ in range(60):
        truth, said = np.zeros(60), (rng.random(60) < 0.4).astype(float)
        rows = np.arange(60)
        _, sure = group_gaps.contrast_gap(
            group_gaps.false_positive_gap,
            [truth[:25], said[:25]], rows[:25], [truth[25:], said[25:]], rows[25:], rng,
        )  # fmt: skip
        found.append(sure.p)
    assert np.mean(np.array(found) <= 0.05) <= 0.15  # more than 9 of 60 happen once in 1,000 times


def test_groups_are_dealt_within_templates_where_templates_name_both():
    side = np.array([0.0, 1.0] * 10)
    clusters = np.repeat(np.arange(10), 2)
    made = group_sides.sides_from([np.zeros(20)], side, clusters)
    (dealt,) = group_sides.dealt_sides(made, np.random.default_rng(0), 50)
    assert (dealt.reshape(50, 10, 2).sum(axis=2) == 1).all()
    assert len(np.unique(dealt, axis=0)) > 40


def test_intervals_and_paired_comparisons_contain_their_value():
    rng, clusters = np.random.default_rng(1), np.arange(N)
    for metric, columns in (
        (classified.f1_macro, [TRUTH, SAID]),
        (classified.roc_auc, [TRUTH, CHANCE]),
        (classified.calibration_error, [TRUTH, CHANCE]),
    ):
        sure = infer_stratified(metric, columns, clusters, rng)
        assert sure.low <= metric(*columns) <= sure.high
    worse = RNG.random(N)
    value, sure = compare_areas(classified.roc_auc, [TRUTH, CHANCE], [TRUTH, worse], clusters, rng)
    assert value == pytest.approx(sk.roc_auc_score(TRUTH, CHANCE) - sk.roc_auc_score(TRUTH, worse))
    assert 0 < sure.low < value < sure.high
    rows, said, _ = sides()
    side = np.repeat([0.0, 1.0], [len(r) for r in rows])
    both = [np.concatenate(pair) for pair in zip(*said, strict=True)]
    same, sure = group_gaps.compare_gaps(
        group_gaps.false_positive_gap, [*both, side], [both[0], 1 - both[1], side],
        np.concatenate(rows), rng,
    )  # fmt: skip
    assert sure.low <= same <= sure.high
