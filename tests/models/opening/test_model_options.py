"""Options that open no model are refused."""

import pytest

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.models.opening.model_options import Options


@pytest.mark.parametrize(
    "odd", [{"at_once": 0}, {"tries": 0}, {"timeout": 0.0}, {"timeout": float("inf")}]
)
def test_limits_that_let_nothing_be_asked_are_refused(odd):
    with pytest.raises(BadInput, match=r"it must be a .*number from"):
        Options(**odd)


def test_a_precision_that_no_back_end_has_is_refused():
    with pytest.raises(UnknownName, match="float32"):
        Options(precision="float33")
