"""Predictions in memory, as users of fairlearn have them."""

import numpy as np
import pytest
from sklearn import metrics as sk

import tiltmeter as tm

TRUTH = [1, 1, 0, 0, 0, 0, 1, 1, 0, 0]
SCORES = [0.9, 0.4, 0.8, 0.6, 0.2, 0.1, 0.7, 0.95, 0.3, 0.05]
GROUPS = ["women"] * 6 + ["men"] * 4
CALLED = [int(score >= 0.5) for score in SCORES]


class Column(np.ndarray):
    """An array with a name, as a column of pandas."""

    name = "sex"


def test_gaps_are_those_of_the_rates():
    """As of fairlearn 0.15: equalized_odds_difference .5; rates of MetricFrame 0 and .5, .5 and 1."""
    result = tm.fairness(np.array(TRUTH), np.array(SCORES), np.array(GROUPS).view(Column))
    assert result.estimate("equalized_odds_difference").value == 50
    for group, false_positives, true_positives in (("women", 50, 50), ("men", 0, 100)):
        assert result.estimate("false_positive_rate", group=group).value == false_positives
        assert result.estimate("true_positive_rate", group=group).value == true_positives
    gap = result.estimate("false_positive_rate_gap", group="men − women")
    assert gap.value == -50
    assert result.card.model["kind"] == "stored scores"
    assert result.estimate("roc_auc").value == sk.roc_auc_score(TRUTH, SCORES)
    by_label = tm.fairness(TRUTH, groups=GROUPS, y_pred=CALLED)
    assert by_label.estimate("equalized_odds_difference").value == 50
    assert by_label.estimate("roc_auc").value is None
    assert tm.compare(result, by_label).estimate("true_positive_rate_difference").value == 0


def test_labels_are_what_the_caller_says():
    yes = ["yes" if truth else "no" for truth in TRUTH]
    result = tm.fairness(yes, SCORES, GROUPS, positive="yes", threshold=0.75, name="mine")
    assert result.estimate("true_positive_rate", group="men").value == 50
    assert result.card.model["name"] == "mine"
    truth = [bool(value) for value in TRUTH]
    assert tm.fairness(truth, SCORES, GROUPS).estimate("true_positive_rate").value == 75


def test_several_axes_are_crossed_for_gaps_and_apart_for_quality():
    axes = {"sex": GROUPS, "age": ["old", "young"] * 5}
    crossed = tm.fairness(TRUTH, SCORES, axes)
    assert crossed.estimate("false_positive_rate", group="women × old").value == 50  # .8, .2
    missing = {**axes, "age": [None, np.nan, *axes["age"][2:]]}
    assert tm.fairness(TRUTH, SCORES, missing).estimate("roc_auc", group="(no group)").n == 2
    quality = tm.classification(TRUTH, SCORES, axes)
    assert quality.estimate("accuracy", sex="men").value == 100
    assert quality.estimate("f1_macro").value == pytest.approx(
        100 * sk.f1_score(TRUTH, CALLED, average="macro")
    )
    several = tm.classification(["a", "b", "c", "c"], y_pred=["a", "b", "c", "a"], positive=None)
    assert several.estimate("accuracy").value == 75


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"groups": None}, "there are no groups"),
        ({"y_score": None}, "y_score or y_pred"),
        ({"groups": GROUPS[1:]}, "groups has 9 values, and y_true has 10"),
        ({"groups": "women"}, "groups is no list"),
        ({"positive": "yes"}, "No label of the data named 'yes'"),
        ({"y_score": [2, np.nan, None, *SCORES[3:]]}, r"y_score\[0\] is 2[^ÿ]*\[1\][^ÿ]*\[2\]"),
        ({"y_true": [None, *TRUTH[1:]]}, r"y_true\[0\] is missing"),
        ({"y_pred": [7, *CALLED[1:]]}, r"y_pred\[0\] is '7'"),
        ({"threshold": 2}, "threshold"),
        ({"seed": "x"}, "seed is 'x'; it must be a whole number from 0 up"),
    ],
)
def test_values_that_cannot_be_used(arguments, message):
    usual = {"y_true": TRUTH, "y_score": SCORES, "groups": GROUPS}
    with pytest.raises(tm.TiltmeterError, match=message):
        tm.fairness(**usual | arguments)
