"""The scope of intervals: plurals of what items share, and a default that adds nothing."""

import pytest

from tiltmeter.core.scope import NO_SCOPE
from tiltmeter.core.text import plural


@pytest.mark.parametrize(
    ("one", "many"),
    [("writer", "writers"), ("category", "categories"), ("pair of occupations", "pairs of occupations")],
)  # fmt: skip
def test_plurals(one, many):
    assert plural(one) == many


def test_a_study_that_says_nothing_adds_nothing():
    assert (NO_SCOPE.units, NO_SCOPE.fixed) == ("", ())
