from dataclasses import replace

import pytest

from tiltmeter.core.equivalence import Equivalence
from tiltmeter.core.estimates import Estimate, Meaning

MADE = Equivalence("2 points", -2.0, 2.0, -0.5, 1.4, 0.9)


def of(low, high, *, significant=False, better=""):
    made = replace(MADE, low=low, high=high)
    return made.judged(significant=significant, neutral=0.0, better=better)


@pytest.mark.parametrize(
    ("low", "high", "significant", "verdict"),
    [
        (-0.5, 1.4, False, "equivalent"),
        (0.3, 1.4, True, "equivalent"),  # different, and yet within the margin
        (-2.0, 1.4, False, "undecided"),  # an end on the margin is not inside it
        (-0.5, 2.5, False, "undecided"),
        (0.5, 2.5, True, "different"),
        (2.5, 4.0, None, "different"),  # beyond the margin, without a test
        (None, None, True, "no verdict"),
    ],
)
def test_the_verdict_follows_from_the_interval_and_the_test(low, high, significant, verdict):
    assert of(low, high, significant=significant).verdict == verdict


@pytest.mark.parametrize(
    ("low", "high", "better", "verdict"),
    [
        (-9.0, 1.0, "lower", "not worse"),
        (-9.0, 1.0, "higher", "undecided"),
        (-1.0, 9.0, "higher", "not worse"),
        (0.5, 1.0, "lower", "not worse"),  # worse, but by less than the margin
        (0.5, 9.0, "lower", "worse"),
        (-9.0, -0.5, "higher", "worse"),
        (-9.0, 9.0, "lower", "undecided"),
        (-9.0, 9.0, "", ""),
    ],
)
def test_not_worse_looks_at_the_end_on_the_worse_side(low, high, better, verdict):
    assert of(low, high, better=better).not_worse == verdict


def test_swapping_both_models_mirrors_the_verdicts():
    there, back = of(-1.0, 3.0, better="lower"), of(-3.0, 1.0, better="higher")
    assert (there.verdict, there.not_worse) == (back.verdict, back.not_worse)


def test_an_estimate_keeps_its_verdict_up_to_date():
    """Whatever adjusts p afterwards, "different" says what the mark of significance says."""
    made = replace(MADE, low=0.5, high=2.5)
    meaning = Meaning(difference_of="rate", better="lower")
    e = Estimate("d", 1.5, 0.3, 2.7, 0.02, 90, 0.0, "", meaning=meaning, equivalence=made)
    assert e.equivalence.verdict == "different"
    adjusted = replace(e, p_adjusted=0.2)
    assert adjusted.equivalence.verdict == "undecided"
    assert adjusted.equivalence.not_worse == "worse"


def test_the_interval_ends_where_the_difference_ends():
    beyond = replace(MADE, low=-250.0, high=120.0)
    made = Estimate("d", 3.0, -90.0, 95.0, None, 9, 0.0, "percentage points", equivalence=beyond)
    assert made.equivalence and (made.equivalence.low, made.equivalence.high) == (-100.0, 100.0)
    least = Estimate(
        "d", 3.0, 2.0, 5.0, None, 9, 1.0, "", meaning=Meaning(least=0), equivalence=beyond
    )
    assert least.equivalence and (least.equivalence.low, least.equivalence.high) == (0, 120.0)
