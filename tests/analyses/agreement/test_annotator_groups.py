"""Groups of annotators, numbers by hand, and what notes say of who was asked."""

import numpy as np
import pytest

from tiltmeter.analyses.agreement.annotator_groups import (
    annotator_groups,
    group_notes,
    group_numbers,
    judge_group_numbers,
)
from tiltmeter.data.people.judge_answers import JudgeAnswers
from tiltmeter.data.people.judgments import Judgments

NONE = np.nan
TABLE = np.array([[1, 1, 0, NONE], [0, 0, 0, 1], [1, 0, NONE, NONE], [1, 1, 1, 1.0]])
PEOPLE = Judgments(
    "t.csv", "0", ("a", "b", "c", "d"), ("1", "2", "3", "4"), {"q": TABLE},
    attributes={"sex": ("f", "f", "m", "m"), "age": ("old", "young", "old", "")},
)  # fmt: skip


def numbers(estimates):
    return {(e.name, *[v for k, v in e.groups.items() if k != "question"]): e for e in estimates}


def test_agreement_within_and_between_by_hand():
    groups = annotator_groups(PEOPLE, ["sex"])
    of = numbers(group_numbers(PEOPLE, groups, "q", "nominal"))
    assert of["pairs_agree", "sex", "f"].value == 75
    assert of["pairs_agree", "sex", "m"].value == 50
    # Items 1, 2 and 4 have both: 0, half, all of the pairs are equal.
    assert of["between_agree", "sex", "f", "m"].value == pytest.approx(50)
    assert of["group_people", "sex", "m"].n == 5


def test_with_whom_a_judge_agrees_by_hand():
    judge = JudgeAnswers("j", {"q": np.array([1.0, 0, 1, NONE])})
    groups = annotator_groups(PEOPLE, ["sex"])
    of = numbers(judge_group_numbers(PEOPLE, judge, groups, "q", "nominal"))
    assert of["judge_agrees", "j", "sex", "f"].value == pytest.approx(100 * (1 + 1 + 0.5) / 3)
    # Only items 1 and 2 have both: 1 − 0 and 1 − ½.
    difference = of["judge_agrees_more", "j", "sex", "f"]
    assert difference.value == pytest.approx(75)
    assert difference.low is None
    assert "2 of the 5 items" in difference.why
    assert of["judge_agrees_more", "j", "sex", "m"].value == pytest.approx(-75)


def test_crossed_columns_and_people_of_whom_nothing_is_known():
    groups = annotator_groups(PEOPLE, ["sex", "age"])
    assert groups.members == {"f × old": [0], "f × young": [1], "m × old": [2]}
    notes = [*group_notes(PEOPLE, annotator_groups(PEOPLE, ["age"]), "q")]
    assert "in no group are 1 annotator, of whom the table says nothing" in notes[0]
    (alone,) = [*group_notes(PEOPLE, annotator_groups(PEOPLE, ["sex"]), "q")]
    assert "of 4 items 1 had answers of one group only" in alone
