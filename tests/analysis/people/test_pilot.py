"""Pilots: templates are chosen on groups that are not reported on, and cannot cheat."""

from dataclasses import replace

import numpy as np
import pytest

from analysis.people.examples import GROUPS, layered, matrix, random_people
from tiltmeter.analysis.people.alignment import Wanted, align
from tiltmeter.analysis.people.sources import Source
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.data.people.people import from_ratings
from tiltmeter.stats.correlation import kendall_tau


def test_a_template_that_is_perfect_on_test_groups_only_is_not_chosen():
    """The pilot groups are the first two, of which it says the contrary: if it were chosen, or if the
    choice changed with what people say of other groups, the choice would have looked at these."""
    truth, people = random_people()
    layers = layered(truth, np.random.default_rng(1))
    source = Source("mine", "mine", layers.averaged(), layers)
    wanted = Wanted(pilot=GROUPS[:2], splits=20)
    (one,) = align([source], people, wanted).parts
    assert "template 4" not in one.pilot.templates
    assert one.groups == GROUPS[2:]
    by_template = {
        e.groups["template"]: e.value for e in one.estimates if [*e.groups] == ["template"]
    }
    assert by_template["template 4"] > 0.7 > max(v for k, v in by_template.items() if k[-1] != "4")
    values = people.ratings.values.copy()
    values[:, 2:] = 100 - values[:, 2:]
    changed = from_ratings(replace(people.ratings, values=values), name="people")
    (other,) = align([source], changed, wanted).parts
    assert other.pilot == one.pilot
    assert other.find("kendall_tau").value != one.find("kendall_tau").value


def test_what_is_reported_is_of_the_chosen_templates():
    truth, people = random_people()
    layers = layered(truth, np.random.default_rng(1))
    source = Source("mine", "mine", layers.averaged(), layers)
    (one,) = align([source], people, Wanted(pilot=GROUPS[:2], splits=20)).parts
    chosen = [layers.layers.index(name) for name in one.pilot.templates]
    assert len(chosen) < len(layers.layers)
    mine, said = layers.values[chosen].mean(axis=0)[2:], people.values[2:]
    assert np.array_equal(one.scores, mine)
    assert one.find("kendall_tau").value == pytest.approx(kendall_tau(mine.ravel(), said.ravel()))
    every = layers.values.mean(axis=0)[2:]
    averaged = kendall_tau(every.ravel(), said.ravel())
    assert one.find("kendall_tau", {"templates": "all"}).value == pytest.approx(averaged)


def test_pilots_that_cannot_be():
    truth, people = random_people()
    layers = layered(truth, np.random.default_rng(1))
    source = Source("mine", "mine", layers.averaged(), layers)
    with pytest.raises(UnknownName, match="pianist"):
        align([source], people, Wanted(pilot=("pianist",), splits=10))
    with pytest.raises(BadInput, match="every group is a pilot group"):
        align([source], people, Wanted(pilot=GROUPS, splits=10))
    plain = Source("mine", "mine", matrix(truth))
    with pytest.raises(BadInput, match="no templates for a pilot"):
        align([plain], people, Wanted(pilot=GROUPS[:1], splits=10))
    made = align([plain], people, Wanted(splits=10))
    assert made.parts[0].pilot is None
    assert any("no templates to choose from" in note for note in made.notes)
    none = align([source], people, Wanted(splits=10))  # none of the usual pilot groups is there
    assert none.parts[0].groups == GROUPS
    assert any("none of Asian" in note for note in none.notes)
