"""Options as fields: their names, order, types and checks."""

import ast
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import KW_ONLY, MISSING, dataclass, field
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.reading.options import CheckedOptions, Option, check_options, options_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    steps: Annotated[int, Option("Steps.", min=1)] = 10
    rate: Annotated[float, Option("Rate.", above=0, below=1)] = 0.5

    def __post_init__(self):
        check_options(self)


@dataclass(frozen=True, slots=True)
class Derived(Base):
    model: Annotated[str, Option("A model.", argument=True)]
    _: KW_ONLY
    steps: int = 20
    kind: Annotated[Literal["mean", "last"], Option("Pooling.")] = "mean"
    columns: Annotated[Mapping[str, str], Option("Columns.", name="map")] = field(
        default_factory=dict
    )
    limit: Annotated[int | None, Option("Limit.", min=1)] = None
    data: Annotated["str | object | None", Option("Data.", typed=str)] = None
    quiet: Annotated[bool, Option("Say nothing.")] = False
    inner: int = 0


def test_own_options_come_first_and_fields_without_one_are_left_out():
    names = ["model", "steps", "kind", "map", "limit", "data", "quiet", "rate"]
    assert [*options_of(Derived)] == names


def test_another_default_keeps_the_option_of_the_base():
    steps = options_of(Derived)["steps"]
    assert (steps.default, steps.type, steps.option.help) == (20, int, "Steps.")
    assert options_of(Base)["steps"].default == 10
    assert options_of(Derived)["model"].default is MISSING


def test_types_are_those_of_what_is_written():
    known = options_of(Derived)
    assert (known["limit"].type, known["limit"].optional) == (int, True)
    assert known["kind"].choices == ("mean", "last")
    assert (known["data"].type, known["data"].optional) == (str, True)
    assert not known["rate"].optional


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"steps": 0}, "steps is 0; it must be a whole number from 1 up"),
        ({"steps": True}, "steps is True; it must be a whole number from 1 up"),
        ({"steps": "3"}, "steps is '3'; it must be a whole number"),
        ({"steps": None}, "steps is None"),
        ({"limit": 0}, "limit is 0; it must be a whole number from 1 up"),
        ({"rate": 1.0}, "rate is 1.0; it must be a number above 0 and below 1"),
        ({"rate": float("nan")}, "rate is nan"),
        ({"quiet": 1}, "quiet is 1; it must be true or false"),
        ({"columns": {"a": 1}}, "columns is .*; it must be a table of texts"),
        ({"columns": ["a"]}, "it must be a table of texts"),
    ],
)
def test_what_does_not_fit_is_refused(given, message):
    with pytest.raises(BadInput, match=message):
        Derived("m", **given)


def test_an_unknown_choice_is_answered_with_the_nearest():
    with pytest.raises(UnknownName, match=r"No kind named 'men'\. Did you mean 'mean'"):
        Derived("m", kind="men")


def test_what_fits_is_taken():
    Derived("m", steps=np.int64(3), rate=np.float64(0.25), limit=None, data=object(), kind="last")
    options_of(Derived)["data"].check("a.csv")
    with pytest.raises(BadInput, match="top: data is 3; it must be a text"):
        options_of(Derived)["data"].check(3, "top: data")


def test_two_inclusive_bounds_are_named_together():
    @dataclass
    class Weight:
        least: Annotated[float, Option("Least.", min=0, max=1)] = 0.5

    option = options_of(Weight)["least"]
    option.check(0)
    option.check(1.0)
    with pytest.raises(BadInput, match=r"least is 1\.5; it must be a number from 0 to 1$"):
        option.check(1.5)


def test_no_option_is_declared_twice():
    """Two options with the same help are one: give it a name, as `Encoding` has, and use that."""
    places = defaultdict(list)
    source = Path(__file__).parents[3] / "src"
    texts = {file: file.read_text("utf-8") for file in source.rglob("*.py")}
    for file, text in texts.items():
        for node in ast.walk(ast.parse(text)) if "Option(" in text else ():
            if (
                isinstance(node, ast.Call)
                and getattr(node.func, "id", "") == "Option"
                and node.args
            ):
                places[ast.unparse(node.args[0])].append(file.name)
    assert len(places) > 200
    assert {help_: files for help_, files in places.items() if len(files) > 1} == {}


def test_python_gives_tables_and_lists_where_they_are_asked_for():
    """Whatever users of the command line write in their place."""

    @dataclass
    class Many(CheckedOptions):
        names: Annotated[tuple[str, ...], Option("Names.")] = ()
        sizes: Annotated[Mapping[str, float] | None, Option("Sizes.", typed=Mapping[str, str])] = (
            None
        )
        groups: Annotated[
            tuple[tuple[str, ...], ...], Option("Groups.", typed=tuple[str, ...])
        ] = ()

    Many(("a", Path("b")), {"a": 1.0}, (("a", "b"),))
    refused = (
        ({"names": "a"}, "names is 'a'; it must be a list of texts"),
        ({"names": (1,)}, r"names is \(1,\); it must be a list of texts"),
        ({"sizes": 3}, "sizes is 3; it must be a table"),
        ({"groups": "a"}, "groups is 'a'; it must be a list"),
    )
    for given, must in refused:
        with pytest.raises(BadInput, match=must):
            Many(**given)
