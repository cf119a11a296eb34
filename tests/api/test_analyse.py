"""All analyses are functions of one namespace, which completes, explains itself and is typed."""

import doctest

import pytest

import tiltmeter as tm
from goldens import of_analyse
from tiltmeter.core.finder import known


def test_it_lists_every_analysis_but_those_with_a_function_beside_run():
    assert {*dir(tm.analyse)} == {*known("analyses")} - {"compare"}
    assert "agreement, annotations" in repr(tm.analyse)
    assert tm.analyse.ratings.__doc__.startswith("What people say of groups")


@pytest.mark.parametrize("name", dir(tm.analyse))
def test_the_example_of_its_documentation_runs(name):
    documentation = getattr(tm.analyse, name).__doc__
    example = doctest.DocTestParser().get_doctest(documentation, {}, name, None, None)
    assert len(example.examples) > 1
    assert doctest.DocTestRunner().run(example).failed == 0


def test_an_unknown_name_is_answered_with_the_nearest():
    with pytest.raises(AttributeError, match=r"No analysis named 'leaks'. Did you mean 'leak'"):
        _ = tm.analyse.leaks
    assert not hasattr(tm.analyse, "compare")
    assert not hasattr(tm.analyse, "__wrapped__")


def test_type_checkers_read_what_analyses_declare():
    assert not of_analyse.changes(), "in tests, python -m goldens.of_analyse --write"
