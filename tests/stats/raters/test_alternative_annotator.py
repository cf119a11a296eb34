"""The alternative annotator test against a slow version, values by hand, and what must not matter."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.stats.raters.alternative_annotator import (
    FEWEST_ITEMS,
    advantages,
    alternative_annotator_test,
)

NONE = math.nan


def slow(people, judge, epsilon, nominal):
    """By the text: (rate, ρ, p by annotator), people and judge as dictionaries of labels by item."""

    def score(label, others):
        if nominal:
            return sum(label == other for other in others) / len(others)
        return -math.sqrt(sum((label - other) ** 2 for other in others) / len(others))

    ps, advantage = {}, []
    for name, labels in people.items():
        judge_wins, own_wins = [], []
        for item, label in labels.items():
            others = [o[item] for n, o in people.items() if n != name and item in o]
            if others and item in judge:
                a, b = score(judge[item], others), score(label, others)
                judge_wins.append(int(a > b or math.isclose(a, b)))
                own_wins.append(int(b > a or math.isclose(a, b)))
        if len(judge_wins) < 30:
            continue
        differences = [own - its for own, its in zip(own_wins, judge_wins, strict=True)]
        if len(set(differences)) == 1:
            ps[name] = 0.0 if differences[0] < epsilon else 1.0
        else:
            ps[name] = stats.ttest_1samp(differences, epsilon, alternative="less").pvalue
        advantage.append(sum(judge_wins) / len(judge_wins))
    ordered = sorted(ps, key=lambda name: ps[name])
    harmonic = sum(1 / i for i in range(1, len(ps) + 1))
    won = max(
        (i for i, name in enumerate(ordered, 1) if ps[name] <= i / len(ps) * 0.05 / harmonic),
        default=0,
    )
    return won / len(ps), sum(advantage) / len(advantage), ps


@pytest.mark.parametrize("nominal", [True, False])
@pytest.mark.parametrize("seed", range(6))
def test_equals_the_slow_version(nominal, seed):
    rng = np.random.default_rng(seed)
    truth = rng.integers(1, 6, size=60)
    table = np.clip(truth[:, None] + rng.integers(-1, 2, size=(60, 6)), 1, 5) * 1.0
    table[rng.random(table.shape) < 0.35] = NONE
    judge = np.clip(truth + rng.integers(-1, 2, size=60) * (rng.random(60) < seed / 6), 1, 5) * 1.0
    judge[rng.random(60) < 0.05] = NONE
    people = {
        r: {i: table[i, r] for i in range(60) if not math.isnan(table[i, r])} for r in range(6)
    }
    its = {i: judge[i] for i in range(60) if not math.isnan(judge[i])}
    rate, advantage, ps = slow(people, its, 0.15, nominal)
    outcome = alternative_annotator_test(table, judge, epsilon=0.15, nominal=nominal)
    assert outcome.winning_rate == pytest.approx(rate)
    assert outcome.advantage == pytest.approx(advantage)
    assert {e.rater for e in outcome.tested} == set(ps)
    assert [e.p for e in outcome.tested] == pytest.approx([ps[e.rater] for e in outcome.tested])


def test_values_by_hand():
    # The others of each annotator agree; the judge is right on all items, the third annotator on 24 of 36.
    truth = np.array([0.0, 1, 2] * 12)
    third = np.where(np.arange(36) < 24, truth, 9)
    outcome = alternative_annotator_test(
        np.stack([truth, truth, third], axis=1), truth, epsilon=0.1, nominal=True
    )
    assert outcome.winning_rate == 1
    assert outcome.advantage == 1
    assert outcome.passed
    first, _second, last = outcome.annotators
    assert first.p == 0  # all items come out alike
    assert first.difference == 0
    assert last.difference == pytest.approx(-12 / 36)
    t = (-12 / 36 - 0.1) / (np.std([0] * 24 + [-1] * 12, ddof=1) / 6)
    assert last.p == pytest.approx(stats.t.cdf(t, 35))


def test_too_few_items_and_too_few_people_say_why():
    table = np.zeros((FEWEST_ITEMS - 1, 3))
    outcome = alternative_annotator_test(table, table[:, 0], epsilon=0.1, nominal=True)
    with pytest.raises(Undefined, match=r"no annotator shares 30 items .* \(at most 29\)"):
        _ = outcome.winning_rate
    assert outcome.annotators[0].why == "29 of the 30 items that the test needs"
    assert len(advantages(outcome).values) == 0
    alone = np.full((40, 2), NONE)
    alone[:, 0] = 1
    outcome = alternative_annotator_test(alone, np.ones(40), epsilon=0.1, nominal=True)
    assert [each.items for each in outcome.annotators] == [0, 0]
    with pytest.raises(BadInput, match="no share of items"):
        alternative_annotator_test(table, table[:, 0], epsilon=1, nominal=True)


def test_thirds_that_are_equal_tie():
    # Both are .3 from the two others: one above, one below.
    others = np.full((30, 2), 3.0)
    table = np.column_stack([np.full(30, 3.3), others])
    outcome = alternative_annotator_test(table, np.full(30, 2.7), epsilon=0.1, nominal=False)
    assert outcome.annotators[0].judge_wins.tolist() == [1.0] * 30
    assert outcome.annotators[0].rater_wins.tolist() == [1.0] * 30


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 10_000), st.booleans())
def test_order_of_items_and_names_of_labels_do_not_matter(seed, nominal):
    rng = np.random.default_rng(seed)
    table, judge = rng.integers(3, size=(40, 3)) * 1.0, rng.integers(3, size=40) * 1.0
    order = rng.permutation(40)
    outcome = alternative_annotator_test(table, judge, epsilon=0.1, nominal=nominal)
    moved = alternative_annotator_test(table[order], judge[order], epsilon=0.1, nominal=nominal)
    renamed = alternative_annotator_test(2 - table, 2 - judge, epsilon=0.1, nominal=nominal)
    for other in (moved, renamed):
        assert other.winning_rate == outcome.winning_rate
        assert other.advantage == pytest.approx(outcome.advantage)
    wins = advantages(outcome)
    assert wins.mean == pytest.approx(outcome.advantage)
