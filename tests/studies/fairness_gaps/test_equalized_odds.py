"""The equalised-odds difference against fairlearn and counts by hand; what its interval and test say."""

import numpy as np
import pytest
from fairlearn import metrics as fairlearn

from tiltmeter.core.data.labelled_items import NO_GROUP
from tiltmeter.core.errors import Undefined
from tiltmeter.core.samples import PairedSample, Sample
from tiltmeter.metrics import classified
from tiltmeter.studies.fairness_gaps import equalized_odds as equalized_odds_module
from tiltmeter.studies.fairness_gaps.equalized_odds import (
    compare_odds,
    equalized_odds,
    infer_odds,
    odds_interval,
)

RNG = np.random.default_rng(3)
N = 400
TRUTH = (RNG.random(N) < 0.2).astype(float)
SAID = (RNG.random(N) + 0.3 * TRUTH > 0.6).astype(float)
GROUP = RNG.choice(["a", "b", "c"], N)


def test_value_and_rates_by_group_are_those_of_fairlearn():
    found = equalized_odds(TRUTH, SAID, GROUP)
    wanted = fairlearn.equalized_odds_difference(TRUTH, SAID, sensitive_features=GROUP)
    assert found / 100 == pytest.approx(wanted)
    frame = fairlearn.MetricFrame(
        metrics=fairlearn.false_positive_rate, y_true=TRUTH, y_pred=SAID, sensitive_features=GROUP
    )
    for group, wanted in frame.by_group.items():
        mine = group == GROUP
        rate = classified.false_positive_rate(TRUTH[mine], SAID[mine])
        assert rate / 100 == pytest.approx(wanted)


def by_hand(groups, label):
    rates = [SAID[(groups == g) & (label == TRUTH)].mean() for g in np.unique(groups)]
    return 100 * (max(rates) - min(rates))


def test_value_by_hand():
    assert equalized_odds(TRUTH, SAID, GROUP) == pytest.approx(
        max(by_hand(GROUP, label) for label in (0, 1))
    )


def test_what_chance_gives_is_the_mean_over_random_deals_within_labels():
    sure = infer_odds(Sample(equalized_odds, [TRUTH, SAID, GROUP], np.arange(N), RNG))
    value = equalized_odds(TRUTH, SAID, GROUP)
    assert sure.low <= value <= sure.high
    rng, dealt = np.random.default_rng(8), []
    for _ in range(400):
        groups = GROUP.copy()
        for label in (0, 1):
            groups[label == TRUTH] = rng.permutation(GROUP[label == TRUTH])
        dealt.append(max(by_hand(groups, label) for label in (0, 1)))
    assert float(sure.why.split()[0]) == pytest.approx(np.mean(dealt), abs=1)
    assert sure.p == pytest.approx(np.mean(np.array(dealt) >= value - 1e-9), abs=0.1)


def test_texts_of_no_group_do_not_count():
    beside = np.append(GROUP, [NO_GROUP] * 5)
    truth, said = np.append(TRUTH, [0.0] * 5), np.append(SAID, [1.0] * 5)
    assert equalized_odds(truth, said, beside) == equalized_odds(TRUTH, SAID, GROUP)


def test_a_group_without_negatives_has_no_value_and_says_why():
    with pytest.raises(Undefined, match="b has no negative texts"):
        equalized_odds(np.array([0.0, 1, 1]), np.array([0.0, 1, 1]), np.array(["a", "a", "b"]))


def test_a_comparison_has_an_interval_of_both_and_turns_round():
    other = (RNG.random(N) < 0.5).astype(float)
    a, b = [TRUTH, SAID, GROUP], [TRUTH, other, GROUP]
    value, sure = compare_odds(
        PairedSample(equalized_odds, a, b, np.arange(N), np.random.default_rng(1))
    )
    of_a, of_b = equalized_odds(*a), equalized_odds(*b)
    _, codes = np.unique(GROUP, return_inverse=True)
    (low_a, high_a), (low_b, high_b) = (
        odds_interval(TRUTH, said, codes, np.arange(N)) for said in (SAID, other)
    )
    assert value == pytest.approx(of_a - of_b)
    assert value - sure.low == pytest.approx(np.hypot(of_a - low_a, high_b - of_b))
    assert sure.high - value == pytest.approx(np.hypot(high_a - of_a, of_b - low_b))
    back, turned = compare_odds(
        PairedSample(equalized_odds, b, a, np.arange(N), np.random.default_rng(1))
    )
    assert (back, turned.low, turned.high) == pytest.approx((-value, -sure.high, -sure.low))
    assert 0 < sure.p <= 1


def test_the_same_answers_have_no_test():
    a = [TRUTH, SAID, GROUP]
    value, sure = compare_odds(PairedSample(equalized_odds, a, a, np.arange(N), RNG))
    assert (value, sure.p) == (0, None) and "nothing to test" in sure.why
    assert sure.low < 0 < sure.high


def test_counts_of_very_many_texts_are_dealt_as_the_texts_are(monkeypatch):
    """The same mean and spread of 999 deals, to four standard errors."""
    codes = np.unique(GROUP, return_inverse=True)[1]
    table = TRUTH, SAID, codes, np.arange(N)
    single = equalized_odds_module._dealt(*table, np.random.default_rng(0))
    monkeypatch.setattr(equalized_odds_module, "MANY", N)
    counts = equalized_odds_module._dealt(*table, np.random.default_rng(0))
    assert counts.shape == single.shape == (999,)
    assert counts.mean() == pytest.approx(single.mean(), abs=4 * single.std() / 500**0.5)
    assert counts.std() == pytest.approx(single.std(), rel=4 / 999**0.5)
    assert set(counts.round(9)) & set(single.round(9))  # shares of the same whole numbers
