"""Slices of annotators: by single columns, by several, crossed."""

from dataclasses import replace

import numpy as np
import pytest

from derived.people.examples import GROUPS, matrix, random_people, table
from tiltmeter.analyses.compare_people.alignment import Wanted, align
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.people.people import from_ratings
from tiltmeter.stats.correlations.correlation import kendall_rows, kendall_tau
from tiltmeter.stats.hypothesis_tests.exact_tests import holm


def test_by_who_was_asked():
    truth, people = random_people(annotators=10)
    sides = ("north",) * 5 + ("south",) * 5
    values = people.ratings.values.copy()
    values[5:] = 100 - values[:5]
    mood = np.full(values.shape, "calm", dtype=object)
    mood[:5, ::2] = "angry"
    ratings = replace(
        people.ratings, values=values, about={"region": sides}, varying={"mood": mood}
    )
    asked = from_ratings(ratings, name="people")
    source = Source("m", "m", matrix(truth))
    (one,) = align([source], asked, Wanted(by=(("region",),), splits=10)).parts
    north, south = (one.find("kendall_tau", {"region": side}) for side in ("north", "south"))
    assert one.find("raters", {"region": "north"}).value == 5
    assert north.value == pytest.approx(-south.value)
    assert north.p_adjusted is not None
    with pytest.raises(UnknownName, match="No column about annotators or ratings named 'age'"):
        align([source], asked, Wanted(by=(("age",),)))
    (one,) = align([source], asked, Wanted(by=(("mood",),), splits=10)).parts
    people_of = [one.find("raters", {"mood": of}).value for of in ("angry", "calm")]
    assert people_of == [5, 10]
    with pytest.raises(BadInput, match="only means"):
        align([source], table(truth), Wanted(by=(("region",),)))


@pytest.fixture
def asked():
    """Twelve people of two regions and two ages, each pair of values three times."""
    _, people = random_people()
    about = {
        "region": tuple("north" if i % 2 else "south" for i in range(12)),
        "age": tuple("old" if i % 4 < 2 else "young" for i in range(12)),
    }
    return from_ratings(replace(people.ratings, about=about), name="people")


def test_columns_one_by_one_and_crossed(asked):
    truth, _ = random_people()
    source = Source("m", "m", matrix(truth))
    by = (("region",), ("age",), ("region", "age"))
    (one,) = align([source], asked, Wanted(by=by, splits=10)).parts
    slices = [
        ({"region": "north"}, 6), ({"region": "south"}, 6),
        ({"age": "old"}, 6), ({"age": "young"}, 6),
        ({"region": "north", "age": "old"}, 3), ({"region": "north", "age": "young"}, 3),
        ({"region": "south", "age": "old"}, 3), ({"region": "south", "age": "young"}, 3),
    ]  # fmt: skip
    raters = [e for e in one.estimates if e.name == "raters"]
    assert [(e.groups, e.value) for e in raters if "group" not in e.groups] == slices
    ratings = asked.ratings
    for about, people in slices:
        chosen = [
            i for i in range(12)
            if all(ratings.about[column][i] == value for column, value in about.items())
        ]  # fmt: skip
        said = ratings.values[chosen].mean(axis=0).round(9)
        pooled, mean = (one.find(name, about) for name in ("kendall_tau", "mean_kendall_tau"))
        assert pooled.value == pytest.approx(kendall_tau(truth.ravel(), said.ravel()))
        assert mean.value == pytest.approx(kendall_rows(truth, said).mean())
        taus = [one.find("kendall_tau", {"group": group, **about}) for group in GROUPS]
        assert [e.value for e in taus] == pytest.approx(kendall_rows(truth, said))
        assert [e.p_adjusted for e in taus] == pytest.approx(holm([e.p for e in taus]))
        assert all(one.find("raters", {"group": g, **about}).value == people for g in GROUPS)


def test_p_is_adjusted_over_the_slices_of_the_same_columns(asked):
    truth, _ = random_people()
    source = Source("m", "m", matrix(truth))
    (one,) = align([source], asked, Wanted(by=(("region",), ("region", "age")), splits=10)).parts
    for columns in ({"region"}, {"region", "age"}):
        own = [e for e in one.estimates if e.name == "kendall_tau" and {*e.groups} == columns]
        assert [e.p_adjusted for e in own] == pytest.approx(holm([e.p for e in own]))


@pytest.mark.parametrize(
    ("by", "says"),
    [
        ((("region",), ("region",)), "given twice"),
        ((("region", "region"),), "names a column twice"),
        ((("region", "ages"),), "Did you mean 'age'"),
    ],
)
def test_columns_that_cannot_be(asked, by, says):
    truth, _ = random_people()
    with pytest.raises((BadInput, UnknownName), match=says):
        align([Source("m", "m", matrix(truth))], asked, Wanted(by=by))
