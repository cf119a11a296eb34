"""Values of another type than their field's are refused, whatever they are."""

import pytest

from tiltmeter.core.results import Card, Estimate, Meaning
from tiltmeter.core.typed_values import made
from tiltmeter.core.views import Margins

ESTIMATE = {"name": "rate", "value": 50, "low": None, "high": None, "p": None, "n": 3, "neutral": 50.0,
            "unit": "%", "groups": {"age": "old"}}  # fmt: skip


def test_lists_become_tuples_and_whole_numbers_serve_as_others():
    assert made(Estimate, ESTIMATE) == Estimate(
        "rate", 50, None, None, None, 3, 50.0, "%", groups={"age": "old"}
    )
    assert made(Margins, {"sides": ["more"], "titles": []}).sides == ("more",)
    assert made(Meaning, {"sides": ["left", "right"]}).sides == ("left", "right")
    assert made(Meaning, {"sides": None}).sides is None


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"name": None}, "name is not a text"),
        ({"value": "50"}, "value is not a number"),
        ({"value": float("nan")}, "value is not a number"),
        ({"n": 2**70}, "n is not a whole number"),
        ({"n": 3.0}, "n is not a whole number"),
        ({"n": True}, "n is not a whole number"),
        ({"groups": {"age": 7}}, "groups.age is not a text"),
        ({"groups": ["age"]}, "groups is not an object"),
        ({"colour": 1}, "'colour' is not known"),
        ({"meaning": {"role": "villain"}}, "role is not one of the known words"),
        ({"meaning": {"sides": ["left"]}}, "sides is not a list of 2"),
        ({"meaning": {"magnitude": 1}}, "magnitude is not true or false"),
    ],
)
def test_other_values_are_refused(changed, says):
    with pytest.raises(ValueError, match=says):
        made(Estimate, ESTIMATE | changed)


@pytest.mark.parametrize("said", [None, [], "x", {}])
def test_what_is_no_object_or_lacks_a_field_is_refused(said):
    with pytest.raises(ValueError, match=r"not an object|study is missing"):
        made(Card, said)
