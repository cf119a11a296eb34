"""Functions of analyses have the signature and the documentation that options and quantities make."""

import inspect

import pytest

import tiltmeter as tm
from tiltmeter.api.analysis_functions import WIDTH
from tiltmeter.core.finder import find
from tiltmeter.core.reading.options import options_of


@pytest.mark.parametrize("name", dir(tm.analyse))
def test_every_option_and_every_number_is_in_signature_and_documentation(name):
    analysis, function = find("analyses", name, "ANALYSIS"), getattr(tm.analyse, name)
    parameters = inspect.signature(function).parameters
    assert [*parameters] == [
        "inputs", *(o.name for o in options_of(analysis.options).values()), "out", "monitor",
    ]  # fmt: skip
    for option in options_of(analysis.options).values():
        assert parameters[option.name].default == option.default
        assert f"\n    {option.name}: " in function.__doc__
    for quantity in analysis.quantities:
        assert f"- `{quantity.name}`: " in function.__doc__
    prose = [x for x in function.__doc__.splitlines() if not x.startswith((">>>", "..."))]
    assert max(map(len, prose)) <= WIDTH
    assert "repeatable" not in function.__doc__ and " --" not in function.__doc__


def test_types_are_shown_without_quotation_marks():
    assert "question: str | Sequence[str] = ()" in str(inspect.signature(tm.analyse.agreement))


def test_a_misspelt_option_is_answered_with_the_nearest():
    with pytest.raises(
        TypeError, match=r"ratings\(\) has no argument 'scal'. Did you mean 'scale'"
    ):
        tm.analyse.ratings("answers.csv", scal="1:5")
