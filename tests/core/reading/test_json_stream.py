"""JSON that is read value by value is what it is when read whole, however it is cut into pieces."""

import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tiltmeter.core.reading import json_stream
from tiltmeter.core.reading.json_stream import JsonStream

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.dictionaries(st.text('abc\\"', max_size=3), inner),
    max_leaves=20,
)  # fmt: skip


def cut(text, length):
    return (text[at : at + length] for at in range(0, len(text), length))


def whole(stream):
    """What the stream holds: lists and objects are taken apart at the top."""
    if stream.next() == "[":
        value = list(stream.values())
    elif stream.next() == "{":
        value = {name: stream.value() for name in stream.fields()}
    else:
        value = stream.value()
    assert stream.next() == ""
    return value


@given(VALUES, st.integers(1, 40), st.sampled_from([None, 2]))
def test_pieces_of_any_length_give_the_same_value(value, length, indent):
    text = json.dumps(value, indent=indent, ensure_ascii=False)
    assert whole(JsonStream(cut(text, length))) == value


@pytest.mark.parametrize("length", [1, 7, 1_000])
@pytest.mark.parametrize(
    "text",
    ["[1, 2 3]", "[1,\n 2,]", '{"a": 1,}', '{"a" 1}', "{1: 2}", '{"a": 1 "b": 2}', '[{"a": tru}, 1]',
     '["a", "b', "[1", '{"a": [1, }', '[\n\n{"a": }]', '["\\u12"]'],
)  # fmt: skip
def test_errors_have_the_place_that_python_gives(text, length):
    with pytest.raises(json.JSONDecodeError) as expected:
        json.loads(text)
    with pytest.raises(json.JSONDecodeError) as error:
        whole(JsonStream(cut(text, length)))
    if (
        "," not in (text[error.value.pos - 2 : error.value.pos])
    ):  # versions differ in trailing commas
        assert error.value.pos == expected.value.pos
        places = [(e.value.lineno, e.value.colno) for e in (error, expected)]
        assert places[0] == places[1]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[" + "[" * 10**6, "nested too deeply"),
        ('[{"a": ' + "1" * 10**5 + "}]", "too many digits"),
        (r'["\ud83d"]', "half a character"),
        ('[{"a": 1, "a": 2}]', "'a' occurs twice"),
        ('["' + "a" * 10**4, "a value has more than 5,000 characters"),
    ],
)
def test_what_no_json_should_hold_is_named(monkeypatch, text, says):
    monkeypatch.setattr(json_stream, "LONGEST", 5_000)
    with pytest.raises(ValueError, match=says):
        whole(JsonStream(cut(text, 1_000)))


def test_lines_are_those_of_the_whole_text():
    stream = JsonStream(cut("\n[1,\n\n2, 3\n]", 3))
    lines = [stream.line for _ in stream.values()]
    assert (lines, stream.line) == ([2, 4, 4], 5)


def test_only_the_current_value_is_in_memory():
    pieces = (f'{"[" if not n else ","}"{n:01000}"' for n in range(20_000))
    tracemalloc.start()
    stream = JsonStream(pieces)
    with pytest.raises(json.JSONDecodeError):
        for _ in stream.values():
            pass
    assert tracemalloc.get_traced_memory()[1] < 200_000
    tracemalloc.stop()
