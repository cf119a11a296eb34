"""Values of another type than their field's are refused, whatever they are, and all of them at once."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Literal

import pytest

from tiltmeter.core.errors import BadItems
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.reading.typed_values import OTHERS, UNREAD, Fault, Faults, Key, checked, made
from tiltmeter.core.reading.value_types import Line, Lines, some, within
from tiltmeter.core.results import Card
from tiltmeter.core.study_views import Margins

ESTIMATE = {"name": "rate", "value": 50, "low": None, "high": None, "p": None, "n": 3, "neutral": 50.0,
            "unit": "%", "groups": {"age": "old"}}  # fmt: skip


def test_lists_become_tuples_and_whole_numbers_serve_as_others():
    assert made(Estimate, ESTIMATE) == Estimate(
        "rate", 50, None, None, None, 3, 50.0, "%", groups={"age": "old"}
    )
    assert made(Margins, {"sides": ["more"], "titles": ["first"]}).sides == ("more",)
    assert made(Meaning, {"sides": ["left", "right"]}).sides == ("left", "right")
    assert made(Meaning, {"sides": None}).sides is None


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"name": None}, "name is None, not a text"),
        ({"value": "50"}, "value is '50', not a number"),
        ({"value": float("nan")}, "value is nan, not a number"),
        ({"n": 2**70}, "n is .*, not a whole number"),
        ({"n": 3.0}, "n is 3.0, not a whole number"),
        ({"n": True}, "n is True, not a whole number"),
        ({"groups": {"age": 7}}, "groups.age is 7, not a text"),
        ({"groups": ["age"]}, "groups is not a table of keys"),
        ({"colour": 1}, "an unknown key 'colour'"),
        ({"meaning": {"role": "villain"}}, "meaning.role is 'villain'"),
        ({"meaning": {"sides": ["left"]}}, "sides is not a list of 2"),
        ({"meaning": {"magnitude": 1}}, "meaning.magnitude is 1, not true or false"),
    ],
)
def test_other_values_are_refused(changed, says):
    with pytest.raises(ValueError, match=says):
        made(Estimate, ESTIMATE | changed)


@pytest.mark.parametrize("said", [None, [], "x", {}])
def test_what_is_no_object_or_lacks_a_field_is_refused(said):
    with pytest.raises(ValueError, match=r"not a table|has no study"):
        made(Card, said)


@dataclass(frozen=True)
class Dish:
    name: Line
    price: Annotated[float, within(0, 100)] = 1.0
    kind: Literal["hot", "cold", "raw"] = "hot"
    tags: Lines = ()

    def faults(self):
        if self.price > 10 and self.kind == "raw":
            yield Fault("is dear for a salad", "lower it", at="price")


@dataclass(frozen=True)
class Menu:
    dishes: Annotated[tuple[Dish, ...], some]
    most: Annotated[int, Key("max")] = 3
    rest: Annotated[Mapping[str, int], OTHERS] = field(default_factory=dict)
    file: Annotated[str, UNREAD] = ""


def test_all_that_is_wrong_is_said_at_once_with_its_place():
    dishes = [
        {"name": "soup", "price": -1, "kind": "colt"},
        {"nme": "tart", "price": float("inf"), "tags": ["a", 3]},
        {"name": "cake", "price": 20, "kind": "raw", "tags": "fresh"},
        "bread",
        {"name": "tea\n", "price": "2"},
    ]
    with pytest.raises(BadItems) as wrong:
        checked(
            Menu, {"dishes": dishes, "max": "4", "spoons": 2.5}, file="m.toml", manual="docs/m.md"
        )
    assert str(wrong.value).splitlines() == [
        "m.toml: dishes[1] 'soup': price is -1; write a number from 0 to 100",
        'm.toml: dishes[1] \'soup\': kind is \'colt\'; write "hot" or "cold" or "raw"',
        "m.toml: dishes[2] has an unknown key 'nme'; did you mean 'name'? known: name, price, kind, tags",
        'm.toml: dishes[2] has no name; write name = "…"',
        "m.toml: dishes[2].price is inf, not a number; correct it",
        "m.toml: dishes[2].tags[2] is 3, not a text; put it in quotation marks",
        "m.toml: dishes[3] 'cake': price is dear for a salad; lower it",
        "m.toml: dishes[4] is not a table of keys and values; write one",
        "m.toml: dishes[5] 'tea\\n': name is 'tea\\n'; write it in one line, in visible characters",
        "m.toml: dishes[5] 'tea\\n': price is '2', not a number; write it without quotation marks",
        "m.toml: max is '4', not a whole number; write it without quotation marks",
        "m.toml: spoons is 2.5, not a whole number; correct it",
        "See docs/m.md for a whole file.",
    ]


def test_a_file_that_is_no_table_is_refused_with_its_name():
    for value in (None, 3, ["x"], "x"):
        with pytest.raises(BadItems, match=r"m\.json: is not a table of keys and values"):
            checked(Menu, value, file="m.json")


@dataclass(frozen=True)
class Long:
    at_least: int


def test_keys_are_read_by_their_names_in_the_file():
    menu = made(Menu, {"dishes": [{"name": " tea ", "tags": "fresh"}], "max": 4, "file": 1})
    assert menu == Menu((Dish("tea", tags=("fresh",)),), 4, {"file": 1})
    assert made(Long, {"at-least": 2}) == Long(2)
    with pytest.raises(Faults, match="has both at_least and at-least"):
        made(Long, {"at_least": 1, "at-least": 2})
