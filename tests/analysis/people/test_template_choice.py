"""The choice of templates against slow code, and the people of a pilot."""

from itertools import combinations

import numpy as np
import pytest

from analysis.people.examples import random_people
from tiltmeter.analysis.people.template_choice import choose_templates, pilot_people
from tiltmeter.core.errors import Undefined
from tiltmeter.stats.correlation import kendall_tau


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
