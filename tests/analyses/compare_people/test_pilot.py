"""Pilots: templates are chosen on groups that are not reported on, and cannot cheat."""

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

from derived.people.examples import GROUPS, layered, matrix, random_people
from tiltmeter.analyses.compare_people.alignment import Wanted, align
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.analyses.compare_people.pilot import choose_templates, pilot_people
from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.data.people.people import from_ratings
from tiltmeter.stats.correlations.correlation import kendall_tau


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


def slow_choice(scores, said):
    """Every single template and every pair, one by one."""
    tried = {}
    for i in range(len(scores)):
        tried[i,] = kendall_tau(scores[i].ravel(), said.ravel())
        for j in range(i):
            tried[j, i] = kendall_tau((scores[i] + scores[j]).ravel() / 2, said.ravel())
    return tried


@pytest.mark.parametrize("seed", range(6))
def test_the_choice_is_the_best_of_singles_and_pairs(seed):
    rng = np.random.default_rng(seed)
    said = rng.uniform(0, 100, size=(3, 5))
    scores = said + rng.normal(scale=60, size=(6, 3, 5))
    tried = slow_choice(scores, said)
    found = choose_templates(scores, said)
    assert found.tau == pytest.approx(max(tried.values()))
    assert tried[tuple(sorted(found.templates))] == pytest.approx(found.tau)
    assert found.tried == len(tried) == 21


def test_a_second_template_must_give_more():
    said = np.array([[10.0, 20, 30, 40]])
    same = np.stack([said, said, said])
    assert choose_templates(same, said).templates == (0,)
    with pytest.raises(Undefined, match="no template"):
        choose_templates(np.zeros((2, 1, 4)), said)


def test_pilot_people_are_few_and_drawn_with_the_seed():
    _, people = random_people()
    said, counts = pilot_people(people.ratings, people.values, [0, 3], np.random.default_rng(5))
    assert counts == (5, 5)
    again, _ = pilot_people(people.ratings, people.values, [0, 3], np.random.default_rng(5))
    assert np.array_equal(said, again)
    assert not np.array_equal(said, people.values[[0, 3]])
    five = people.ratings.values[:, 0]
    drawn = (five[list(some)].mean(axis=0) for some in combinations(range(12), 5))
    assert any(np.allclose(said[0], means) for means in drawn)
    only, counts = pilot_people(None, people.values, [1], np.random.default_rng(0))
    assert counts == (0,)
    assert np.array_equal(only, people.values[[1]])
