"""Alignment with people as a whole, on the published ratings."""

import pytest

from derived.people.examples import matrix
from tiltmeter.analyses.compare_people.alignment import Wanted, align
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import EXCLUDES
from tiltmeter.data.published import published as table


def test_people_agree_with_themselves_as_documented(us_people):
    source = Source("people", "p", matrix(us_people.values, us_people.groups, us_people.pairs))
    made = align([source], us_people, Wanted())
    (one,) = made.parts
    assert one.find("kendall_tau").value == 1
    assert one.find("precision_at_3").value < 1  # some groups have fewer than three on one side
    assert one.find("mean_kendall_tau_split_half").value == pytest.approx(0.61, abs=0.01)
    assert one.find("mean_kendall_tau_reachable").value == pytest.approx(0.79, abs=0.02)
    assert one.find("mean_kendall_tau_one_person").value == pytest.approx(0.39, abs=0.01)
    assert one.find("precision_at_3_split_half").value == pytest.approx(0.90, abs=0.02)
    assert not [e.why for e in one.estimates if EXCLUDES in e.why]
    with pytest.raises(BadInput, match="has other ids than the ratings"):
        align([source], us_people, Wanted(by=(("Gender",),)))


def test_published_taus_are_tau_b_with_these_people(us_people):
    """Without ties a tau of 16 pairs is a multiple of 1/60: just the groups whose means are tied in
    these data have published taus that are none."""
    tied = {
        g for g, row in zip(us_people.groups, us_people.values, strict=True) if len(set(row)) < 16
    }
    assert tied == {"Christian people", "Asian people", "Blacks/African Americans"}
    figures = table("sotnikova2023_tau").numbers
    assert {f.group for f in figures if abs(f.value * 60 - round(f.value * 60)) > 0.04} == tied
    assert {f.group for f in figures} == set(us_people.groups) - {"average people"}
