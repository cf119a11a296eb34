"""The numbers of a judge, and what is left out of them."""

import numpy as np
import pytest

from tiltmeter.analyses.agreement.judge_numbers import judge_numbers, left_out_notes
from tiltmeter.data.people.judge_answers import JudgeAnswers
from tiltmeter.data.people.judgments import Judgments

TRUTH = np.array([0.0, 1] * 20)
TABLE = np.stack([TRUTH, TRUTH, np.where(np.arange(40) < 30, TRUTH, 1 - TRUTH)], axis=1)
PEOPLE = Judgments(
    "t.csv", "0", ("a", "b", "c"), tuple(map(str, range(40))), {"q": TABLE}, {"q": ("fine", "rude")}
)


def of(people, judge, level="nominal"):
    made = judge_numbers(people, JudgeAnswers("j", {"q": judge}), "q", level, 0.1)
    return {(e.name, *[*e.groups.values()][2:]): e for e in made}


def test_a_perfect_judge_passes_and_misses_only_who_was_outvoted():
    numbers = of(PEOPLE, TRUTH)
    rate = numbers[("winning_rate",)]
    assert (rate.value, rate.verdict, rate.n) == (1, "passed", 3)
    assert numbers[("advantage_probability",)].value == 1
    assert numbers["annotator_less_judge", "c"].value == -25
    assert numbers["annotator_less_judge", "c"].adjustment == "Benjamini–Yekutieli"
    assert numbers["judge_sensitivity", "majority", "rude"].value == 100
    single = numbers["judge_sensitivity", "single people", "rude"]
    assert single.value == pytest.approx(100 * 55 / 60)
    assert single.interval.endswith("for these people")


def test_too_few_items_are_undefined_and_say_why():
    few = Judgments("t.csv", "0", ("a", "b", "c"), ("1", "2"), {"q": TABLE[:2]}, PEOPLE.words)
    numbers = of(few, TRUTH[:2])
    rate = numbers[("winning_rate",)]
    assert rate.value is None
    assert "30 items" in rate.why and rate.verdict == ""
    assert numbers["annotator_less_judge", "a"].verdict == "not tested"
    assert numbers["annotator_less_judge", "a"].p is None


def test_notes_say_what_is_left_out():
    table = TABLE.copy()
    table[:12, 2] = np.nan  # c is left with 28 items
    table[0, 1] = np.nan  # one person alone
    table[1, :2] = 0, 1  # a tie
    people = Judgments("t.csv", "0", ("a", "b", "c"), PEOPLE.items, {"q": table}, PEOPLE.words)
    judge = TRUTH.copy()
    judge[-1] = np.nan
    notes = " ".join(left_out_notes(people, JudgeAnswers("j", {"q": judge}), "q"))
    assert "j has no answer to 1 of 40 items, which is left out" in notes
    assert "1 item has one person’s answer" in notes
    assert "ties on 1 item" in notes
    assert (
        "1 of 3 annotators shares fewer than 30 items with others and is not in the test of j (c)"
        in notes
    )
