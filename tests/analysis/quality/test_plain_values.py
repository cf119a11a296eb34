"""Descriptions as plain values: what quotes the data is an id until texts are asked for."""

from dataclasses import dataclass

from tiltmeter.analysis.quality.plain_values import Example, plain_values
from tiltmeter.core.errors import Problem
from tiltmeter.core.items import Triple
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Inference

SHARE = quantity("share", "Share", unit="%")


@dataclass
class Described:
    examples: tuple
    counts: dict
    share: object


def test_texts_are_masked_at_any_depth():
    triple = Triple("t", "intersentence", "My aunt", ("a", "b", "c"), "aunt", "kin")
    found = Described((Example("p", "odd", "He.", "She."), [triple]), {3: triple}, None)
    assert plain_values(found) == {"examples": ["p", ["t"]], "counts": {"3": "t"}, "share": None}
    shown = plain_values(found, show_text=True)
    assert shown["examples"][0]["more"] == "He."
    assert shown["counts"]["3"] == {"id": "t", "context": "My aunt", "sentences": ["a", "b", "c"]}


def test_an_estimate_is_its_value_with_its_interval_and_a_problem_its_message():
    share = SHARE.at(40.0, Inference(30.0, 50.0), n=9, why="rough", groups={"side": "left"})
    assert plain_values([share, Problem("it is empty", "fill it")]) == [
        {"name": "share", "groups": {"side": "left"}, "value": 40.0, "low": 30.0, "high": 50.0, "n": 9,
         "why": "rough"},
        str(Problem("it is empty", "fill it")),
    ]  # fmt: skip
