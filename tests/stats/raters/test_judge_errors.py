"""Sensitivity and specificity of judges against values by hand."""

import math

import numpy as np
import pytest

from tiltmeter.core.errors import Undefined
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.raters.judge_errors import (
    ITEMS_ALONE,
    ITEMS_AND_PEOPLE,
    majority_answers,
    single_answers,
)

NONE = math.nan
PEOPLE = np.array([[1, 1, 0], [0, 0, NONE], [1, 0, NONE], [1, NONE, NONE], [0, 0, 0], [1, 1, 1]])
JUDGE = np.array([1.0, 1, 1, 1, 0, NONE])


def test_the_majority_by_hand():
    # Item 2 is tied, item 3 has one person, the judge says nothing of item 5.
    of = majority_answers(PEOPLE, JUDGE)
    assert of.reference.tolist() == [1, 0, 0]
    assert of.judged.tolist() == [1, 1, 0]
    assert of.sensitivity(1).value == 1
    assert of.sensitivity(0).value == 0.5
    assert of.specificity(1).value == 0.5
    assert of.agreement().value == pytest.approx(2 / 3)
    assert of.sensitivity(0).inference()[:2] == wilson(1, 2)
    with pytest.raises(Undefined, match="no answers"):
        _ = of.sensitivity(7).value


def test_single_people_by_hand():
    of = single_answers(PEOPLE, JUDGE)
    # Of the people's four answers 1 the judge agrees with all, of the seven answers 0 with three.
    assert of.sensitivity(1).value == 1
    assert of.sensitivity(0).value == pytest.approx(3 / 7)
    assert of.agreement().value == pytest.approx(7 / 11)
    assert of.agreement().inference().interval == ITEMS_ALONE


def test_five_people_are_a_sample_of_others():
    rng = np.random.default_rng(0)
    table = (rng.random((40, 5)) < 0.7) * 1.0
    inference = single_answers(table, np.ones(40)).agreement().inference()
    assert inference.interval == ITEMS_AND_PEOPLE
    alone = single_answers(table[:, :4], np.ones(40)).agreement().inference()
    assert inference.low < alone.low < alone.high < inference.high


def test_no_answers_have_no_majority():
    empty = np.full((3, 2), NONE)
    assert len(majority_answers(empty, np.ones(3)).reference) == 0
