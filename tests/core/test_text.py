"""Foreign text: nothing acts on a screen or in a spreadsheet, and nothing is lost from JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.errors import BadInput, Problem
from tiltmeter.core.text import (
    decimal_number,
    indented_json,
    json_text,
    spreadsheet_text,
    visible,
    visible_lines,
)

ACTING = set(
    map(chr, [*range(32), *range(127, 160), *range(0x2028, 0x202F), *range(0x2066, 0x206A)])
)
TEXT = st.text() | st.text(st.sampled_from([*sorted(ACTING), "=", "a", '"', "\\", "\ud800"]))


@given(TEXT)
def test_nothing_that_acts_on_the_screen_is_left(text):
    shown = visible(text)
    assert not set(shown) & ACTING
    shown.encode("utf-8")  # no broken surrogates
    assert not spreadsheet_text(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@given(TEXT)
def test_messages_keep_their_line_breaks_and_nothing_else(text):
    shown = visible_lines(text)
    assert not set(shown) & (ACTING - {"\n"})
    assert shown.count("\n") == text.count("\n")


@given(st.lists(TEXT) | st.dictionaries(TEXT, TEXT))
def test_json_is_read_back_as_it_was_and_acts_on_no_screen(value):
    text = json_text(value)
    assert json.loads(text) == value
    assert not set(text) & (ACTING - {"\n"})
    text.encode("utf-8")


@pytest.mark.parametrize("text", ["Straße", "日本語", "עברית", "👩\u200d🔬", "a [bold]b[/]"])
def test_letters_of_every_script_stay(text):
    assert visible(text) == text


def test_a_name_adds_no_line_to_an_error():
    problem = Problem("bad\x1b[2J", file="a\npassed: all.csv", line=3)
    assert str(problem) == "a passed: all.csv:3: bad[U+001B][2J"
    assert "\n" not in str(BadInput("bad", file="a\nb"))


@pytest.mark.parametrize("text", [".", "", "1_0", "٣", "1e", "1" * 200_000 + "x"])
def test_what_is_no_number_is_refused_at_once_however_long(text):
    assert decimal_number(text) is None


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.integers(), inner) | st.tuples(inner, inner)
    ),
    max_leaves=30,
)  # fmt: skip


@given(JSON_VALUES)
def test_json_is_indented_as_python_does_it(value):
    assert indented_json(value) == json.dumps(value, indent=2, ensure_ascii=False)


def test_an_iterator_is_a_list_in_json_and_nan_is_refused():
    assert indented_json({"a": iter([1, {}])}) == json.dumps({"a": [1, {}]}, indent=2)
    with pytest.raises(ValueError, match="not JSON compliant"):
        indented_json([{"a": float("nan")}])
