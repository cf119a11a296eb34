"""Numbers and names as a person reads them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.report.text import number, p_text, subset, title

RATE = Estimate("rate", 57.3, 51.0, 63.4, 0.0132, 240, 50, "%", interval="Wilson")


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


@pytest.mark.parametrize(
    ("changed", "significant"),
    [
        ({}, True),
        ({"low": 49.9}, False),  # the interval contains 50
        ({"p": 0.05}, False),  # not below .05
        ({"p_adjusted": 0.06}, False),  # significant alone, not within its family
        ({"p": None}, True),
        ({"low": None, "high": None}, True),  # the test alone
        ({"low": None, "high": None, "p": None}, None),
        ({"value": None}, None),
        ({"neutral": None}, None),
        ({"meaning": Meaning(magnitude=True)}, None),
    ],
)
def test_significance_needs_both_interval_and_test(changed, significant):
    assert replace(RATE, **changed).significant is significant


def test_a_title_is_declared_or_made_of_the_name():
    assert title(replace(RATE, name="mean_margin")) == "Mean margin"
    assert title(replace(RATE, meaning=Meaning("Share of wins"))) == "Share of wins"
    assert title(replace(RATE, name="abc")) == "abc"


def test_plain_names_of_subsets_are_shown_where_there_are_some():
    labels = {"test": {"t6": "names × career\x1b"}}
    assert subset({"test": "t6"}, labels) == "test: names × career[U+001B]"
    assert subset({"test": "t7"}, labels, with_axis=False) == "t7"
