"""Sentences and numbers as a person reads them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.results import Estimate
from tiltmeter.report.plots.scale import nice_step, scale_of
from tiltmeter.report.wording import (
    caution,
    finding,
    is_clear,
    number,
    overview,
    p_text,
    verdict,
    visible,
)

RATE = Estimate("stereotype_rate", 57.3, 51.0, 63.4, 0.0132, 240, 50, "%", interval="Wilson")


def said(estimate: Estimate) -> str:
    return f"{finding(estimate, 'demo')} {verdict(estimate)}".replace("\u00a0", " ")


def test_a_clear_rate_in_plain_words():
    assert said(RATE) == (
        "demo prefers the more stereotyping sentence in 57.3 % of 240 pairs, 95 % interval 51.0 to "
        "63.4; no preference would be 50. This is a lean towards the more stereotyping sentence "
        "(p = 0.0132)."
    )


def test_a_rate_below_one_half_leans_to_the_less_stereotyping_sentence():
    below = replace(RATE, value=42.7, low=36.6, high=49.0)
    assert "lean towards the less stereotyping sentence" in said(below)


@pytest.mark.parametrize(
    "changed",
    [
        {"low": 49.9},  # the interval contains 50
        {"p": 0.05},  # not below .05
        {"p_adjusted": 0.06},  # clear alone, not within its family
    ],
)
def test_what_chance_explains_is_called_so(changed):
    assert "cannot be told from no preference" in said(replace(RATE, **changed))


def test_the_p_after_holm_is_the_one_that_is_named():
    assert "(p = 0.0264 after Holm's adjustment)" in said(replace(RATE, p_adjusted=0.0264))


def test_undefined_gives_its_reason_and_no_number():
    missing = replace(RATE, value=None, low=None, high=None, p=None, why="every pair is tied")
    assert said(missing).strip() == "demo: stereotype rate is undefined: every pair is tied."


def test_without_interval_and_test_nothing_is_claimed():
    bare = replace(RATE, low=None, high=None, p=None)
    assert is_clear(bare) is None
    assert "nothing says whether it differs" in said(bare)


def test_other_measures_are_told_from_their_own_neutral_value():
    effect = Estimate("effect_size", 0.61, 0.12, 1.1, 0.01, 16, neutral=0.0, unit="")
    assert said(effect) == (
        "demo: effect size is 0.610 over 16 items, interval 0.120 to 1.10; no difference would be 0. "
        "This difference is larger than chance explains (p = 0.0100)."
    )


def test_a_difference_is_told_from_no_difference():
    gap = Estimate("rate_difference", 3.0, -1.0, 7.0, 0.2, 9, 0.0, "points", model="a vs b")
    assert "no difference would be 0" in finding(gap)
    assert "cannot be told from no difference" in verdict(gap)
    clear = replace(gap, low=1.0, p=0.01)
    assert verdict(clear) == "This difference is larger than chance explains (p = 0.0100)."


def test_a_wider_clustered_interval_is_held_against_the_headline():
    clustered = replace(RATE, name="stereotype_rate_clustered", low=48.0, high=66.0, p=None)
    assert caution(RATE, [RATE, clustered], "writer") == (
        "But pairs from the same writer are not independent: allowing for that, the interval is "
        "48.0 to 66.0 and contains 50."
    )
    assert caution(RATE, [RATE, replace(clustered, low=50.5)], "writer") == ""
    assert caution(replace(RATE, low=49.0), [clustered], "writer") == ""


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (100, "%", "100.0"),
        (-0.04, "%", "0.0"),
        (-3.25, "", "−3.25"),
        (0, "", "0"),
        (1e-7, "", "1.00e−07"),
    ],
)
def test_numbers(value, unit, text):
    assert number(value, unit) == text


@given(st.floats(0.001, 1))
def test_p_keeps_three_digits(p):
    assert abs(float(p_text(p)) / p - 1) < 0.006


@given(st.text())
def test_nothing_that_acts_on_the_screen_is_left(text):
    shown = visible(text)
    assert not set(shown) & set(map(chr, [*range(32), *range(127, 160), *range(0x202A, 0x202F)]))
    shown.encode("utf-8")  # no broken surrogates


@given(st.lists(st.floats(0, 100), min_size=1), st.sampled_from([50.0, 0.0]))
def test_an_axis_holds_every_value_and_the_neutral_one_stands_in_its_middle(values, neutral):
    rows = [Estimate("r", v, None, None, None, 9, neutral=neutral, unit="%") for v in values]
    scale = scale_of(rows)
    assert all(scale.low - 1e-9 <= v <= scale.high + 1e-9 for v in values)
    assert scale.at(neutral, 0, 2) == pytest.approx(1)
    assert neutral in scale.ticks
    assert len(scale.ticks) <= 7


@given(st.floats(1e-6, 1e6), st.integers(1, 40))
def test_nice_steps_cover_without_waste(reach, most):
    step = nice_step(reach, most)
    assert step * most >= reach * (1 - 1e-6)
    assert step * most < reach * 2.6 * 1.01  # the widest gap between 1, 2, 5, 10 is 2.5


def test_subsets_without_a_test_are_not_said_to_have_a_p():
    one = Estimate("effect_size", 1.2, 0.3, 1.6, None, 7, 0, "", groups={"test": "weat6"})
    assert "no difference (by their intervals, without a test)." in overview([one], "demo")
    assert "(p < .05)" in overview([replace(one, p=0.01)], "demo")
