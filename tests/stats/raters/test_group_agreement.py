"""Agreement between groups, and with which of them a judge agrees, against slow versions."""

import itertools
import math

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.raters.group_agreement import (
    JudgeAndGroup,
    TwoGroups,
    likeness,
    ratings_by_item,
)
from tiltmeter.stats.raters.judge_errors import ITEMS_ALONE, ITEMS_AND_PEOPLE

NONE = math.nan


def said(row):
    return [value for value in row if not math.isnan(value)]


def slow(first, second, extent):
    """The agreement between groups and κx, pair by pair."""

    def distance(a, b):
        return abs(a - b) / extent if extent else float(a != b)

    rows = [(said(a), said(b)) for a, b in zip(first, second, strict=True)]
    rows = [(a, b) for a, b in rows if a and b]

    def mean(pairs):
        distances = [distance(x, y) for x, y in pairs]
        return sum(distances) / len(distances)

    seen = sum(mean(itertools.product(a, b)) for a, b in rows) / len(rows)
    chance = sum(mean(itertools.product(a, b)) for (a, _), (_, b) in itertools.product(rows, rows))
    return 100 * (1 - seen), 1 - seen / (chance / len(rows) ** 2)


@pytest.mark.parametrize("extent", [0, 4])
@pytest.mark.parametrize("seed", range(3))
def test_equals_the_slow_version(extent, seed):
    rng = np.random.default_rng(seed)
    first, second = (rng.integers(5, size=(12, people)) * 1.0 for people in (3, 2))
    first[rng.random(first.shape) < 0.3] = NONE
    both = TwoGroups.of(first, second, extent)
    agreement, kappa = slow(first.tolist(), second.tolist(), extent)
    assert both.agreement() == pytest.approx(agreement)
    assert both.cross_kappa() == pytest.approx(kappa)
    low, high, *_rest = both.cross_kappa_inference()
    assert low <= kappa <= high


def test_groups_without_common_items_and_equal_answers_are_undefined():
    with pytest.raises(Undefined, match="no item was answered by people of both groups"):
        TwoGroups.of(np.array([[1.0], [NONE]]), np.array([[NONE], [1.0]]), 0)
    same = TwoGroups.of(np.ones((3, 2)), np.ones((3, 1)), 0)
    assert same.agreement() == 100
    with pytest.raises(Undefined, match="all answers are the same"):
        same.cross_kappa()


def test_items_of_one_group_only_do_not_count():
    # The group alone saw two items, on which the judge disagrees; on the shared two it always agrees.
    table = np.array([[1, 1, 0.0], [1, NONE, 1], [0, 0, NONE], [0, NONE, NONE]])
    side = JudgeAndGroup.of(table, [0, 1])
    assert side.items == 2
    assert side.value == pytest.approx((1 - 0 + 1 - 1) / 2)
    assert "2 of the 5 items" in side.inference().why
    with pytest.raises(Undefined, match="both sides"):
        _ = JudgeAndGroup.of(table[2:], [0, 1]).value


def test_the_difference_of_two_groups_has_one_size_and_two_signs():
    rng = np.random.default_rng(4)
    table = (rng.random((60, 12)) < np.where(np.arange(12) < 6, 0.9, 0.5)) * 1.0
    first, second = (JudgeAndGroup.of(table, range(*of)) for of in ((0, 6), (6, 12)))
    assert first.value == pytest.approx(-second.value)
    one, other = first.inference(), second.inference()
    assert (one.low, one.high) == pytest.approx((-other.high, -other.low))
    assert one.low > 0
    assert one.interval == ITEMS_AND_PEOPLE
    alone = JudgeAndGroup.of(table[:, 2:], range(4)).inference()
    assert alone.interval == ITEMS_ALONE
    wider = first.inference(0.99)
    assert wider.low < one.low < one.high < wider.high


def test_likeness_of_labels_and_of_numbers():
    assert likeness(np.array([1.0, NONE]), np.array([2.0, 1.0]), 0)[0] == 0
    assert np.isnan(likeness(np.array([1.0, NONE]), np.array([2.0, 1.0]), 0)[1])
    assert (
        ratings_by_item(np.array([[0.0, 1.0], [1.0, NONE]])).mean == 0.75
    )  # each item counts alike
