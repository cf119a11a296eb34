"""Keyword arguments are those of the dataclasses of options, by name, type, default and help."""

import inspect
from typing import get_type_hints

import pytest

import tiltmeter as tm
from tiltmeter.api.keywords import AuditKeywords, ModelKeywords, RunKeywords, ScoreKeywords
from tiltmeter.core.reading.options import options_of
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.run_options import AuditOptions, RunOptions

DECLARED = {
    option.name: option for owner in (Options, RunOptions) for option in options_of(owner).values()
}


@pytest.mark.parametrize("keywords", [ModelKeywords, ScoreKeywords, RunKeywords])
def test_types_are_those_of_the_fields(keywords):
    fields = get_type_hints(Options) | {
        name: option.type | None if option.optional else option.type
        for name, option in DECLARED.items()
    }
    hints = get_type_hints(keywords)
    wider = {
        "ties",
        "system",
        "valid",
    }  # Python takes a literal and a path where the command line takes texts
    assert {n: hint for n, hint in hints.items() if n not in wider} == {
        name: fields[name] for name in hints.keys() - wider
    }


def test_every_option_can_be_given_from_python():
    assert {*RunKeywords.__annotations__} == {*DECLARED} - {"data"}
    audited = {option.name for option in options_of(AuditOptions).values()}
    assert {*AuditKeywords.__annotations__} == audited | {*ModelKeywords.__annotations__}
    assert {*ModelKeywords.__annotations__} == {o.name for o in options_of(Options).values()}


@pytest.mark.parametrize("function", [tm.run, tm.score, tm.audit, tm.TiltmeterCallback.__init__])
def test_signature_and_documentation_have_every_option(function):
    parameters = inspect.signature(function).parameters
    own = (
        {"tokenizer"} if function is tm.TiltmeterCallback.__init__ else set()
    )  # of the model trained
    for name in parameters.keys() & DECLARED.keys() - {"data", "limit", "fresh"} - own:
        assert parameters[name].default == DECLARED[name].default
        assert f"{name}: {DECLARED[name].option.help}" in function.__doc__
    assert "options" not in parameters
    assert "**options" not in function.__doc__


def test_an_unknown_argument_is_answered_with_the_nearest():
    with pytest.raises(
        TypeError, match=r"run\(\) has no argument 'limmit'. Did you mean 'limit'\?"
    ):
        tm.run("starter_pairs", "fake", limmit=3)


def test_none_stands_for_the_default():
    one = tm.run("starter_pairs", "fake", settings=None, seed=None)
    assert [*one.estimates] == [*tm.run("starter_pairs", "fake").estimates]
