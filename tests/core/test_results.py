"""An estimate lies inside its interval, and the interval inside the range of possible values."""

from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.estimates import EXCLUDES, Estimate, Meaning
from tiltmeter.core.results import CoverageText, notes_of

numbers = st.floats(-1e6, 1e6)


def estimate(value, low, high, unit="", **meaning):
    return Estimate("m", value, low, high, None, 9, 0.0, unit, "few", interval="drawn",
                    meaning=Meaning(**meaning))  # fmt: skip


@given(numbers, st.none() | numbers, st.none() | numbers, st.sampled_from(["", "%"]))
def test_whatever_is_given_the_value_lies_inside_the_interval_or_there_is_none(
    value, low, high, unit
):
    e = estimate(value, low, high, unit)
    assert e.low is None or e.low <= value
    assert e.high is None or value <= e.high
    lost = (low is not None and e.low is None) or (high is not None and e.high is None)
    assert lost == (EXCLUDES in e.why)
    assert (e.interval == "") == lost
    assert e.why.startswith("few")


def test_an_interval_that_excludes_its_value_is_left_out_with_the_reason():
    e = estimate(-4.94, 1.0, 10.2)
    assert (e.value, e.low, e.high) == (-4.94, None, None)
    assert "excludes the value (1 to 10.2)" in e.why


def test_the_range_of_the_number_cuts_off_what_no_value_can_have():
    e = estimate(3.0, -2.0, 104.0, "%")
    assert (e.low, e.high) == (0.0, 100.0)
    assert estimate(3.0, -2.0, 104.0, "%", least=-100).low == -2.0


def test_the_range_never_cuts_off_the_value_itself():
    """A value below the least possible one is a mistake of the measure, which its interval must not hide."""
    assert (estimate(0.5, 0.2, 3.0, least=1).low, EXCLUDES in estimate(0.5, 0.2, 3.0, least=1).why) == (
        None, True,
    )  # fmt: skip


def test_values_and_ends_that_are_rounded_apart_are_equal():
    e = estimate(1 / 3, 1 / 3 + 1e-16, 0.5)
    assert e.low == 1 / 3 and EXCLUDES not in e.why


@pytest.mark.parametrize(
    ("of", "unit", "expected"),
    [
        (Meaning(), "%", (-100.0, 100.0)),
        (Meaning(least=0, most=1), "", (-1, 1)),
        (Meaning(least=1), "", (-inf, inf)),
        (Meaning(), "nats", (-inf, inf)),
    ],
)
def test_the_range_of_a_difference_is_that_of_a_difference(of, unit, expected):
    assert of.of_difference(of, unit).range("") == expected


def test_remarks_of_what_was_not_read_are_of_a_kind_of_their_own():
    notes = notes_of("data", ["Twelve rows.", CoverageText("2 cells were read as missing.")])
    assert [note.kind for note in notes] == ["data", "coverage"]
    assert {type(note.text) for note in notes} == {str}
