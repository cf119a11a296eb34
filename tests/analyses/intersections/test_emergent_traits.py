"""Emergent traits by hand, against scipy, and under noise."""

import numpy as np
import pytest
from scipy.stats import false_discovery_control, ttest_rel

from analyses.intersections.examples import CROSSED, SINGLE, layers, random_scores, rising
from tiltmeter.analyses.intersections.components import component_scores
from tiltmeter.analyses.intersections.emergent_traits import cell_records, emergent, ranked
from tiltmeter.analyses.intersections.similarity import taus_of


def test_emergent_scores_by_hand():
    values = {"man": rising([1, 1, 1, 1]), "tall": rising([3, 0, 3, 2])}
    crossings = component_scores([layers(values | {"tall man": rising([4, -2, 2, 2])})])
    found = emergent(crossings)
    assert found.numbers["above"][0, 4:].tolist() == [1, -3, -1, 0]
    assert found.numbers["below"][0, 4:].tolist() == [-3, 2, -1, -1]
    assert np.isnan(found.numbers["p_above"]).all()  # all templates agree wholly
    assert "no test in 8 cells" in found.why
    (row,) = ranked(crossings, found, "above")
    assert row.groups == {"crossed": "tall man", "first": "tall", "second": "man", "trait": "rich"}
    assert row.scores == {"by": 1, "score": 4, "first_score": 3, "second_score": 1}
    assert [r.groups["trait"] for r in ranked(crossings, found, "below")] == ["strong"]
    cells = cell_records(crossings, found)
    assert len(cells) == 8 and cells[4].groups == row.groups
    assert (cells[4].scores["above"], cells[5].scores["below"]) == (1, 2)


def test_p_is_the_larger_of_two_paired_tests(scores, crossings):
    found = emergent(crossings)
    for i, (name, parts) in enumerate(CROSSED.items()):
        for way, ps in (("greater", found.numbers["p_above"]), ("less", found.numbers["p_below"])):
            each = [ttest_rel(scores[name], scores[part], alternative=way).pvalue for part in parts]
            assert ps[i] == pytest.approx(np.maximum(*each))


def test_all_cells_and_both_ways_are_one_family(crossings):
    found = emergent(crossings)
    both = np.concatenate([found.numbers["p_above"].ravel(), found.numbers["p_below"].ravel()])
    adjusted = np.concatenate(
        [found.numbers["p_above_adjusted"].ravel(), found.numbers["p_below_adjusted"].ravel()]
    )
    assert adjusted == pytest.approx(false_discovery_control(both))


def test_noise_does_not_emerge():
    rng = np.random.default_rng(5)
    values = {name: rng.normal(size=(12, 8)) for name in (*SINGLE, *CROSSED)}
    found = emergent(component_scores([layers(values, templates=tuple("abcdefghijkl"))]))
    assert (found.numbers["p_above"] < 0.05).mean() < 0.05
    assert not (found.numbers["p_above_adjusted"] < 0.05).any()
    values["tall man"] = values["tall man"] + rising([9, 0, 0, 0])
    found = emergent(component_scores([layers(values, templates=tuple("abcdefghijkl"))]))
    assert np.argwhere(found.numbers["p_above_adjusted"] < 0.05).tolist() == [[0, 4]]


def test_one_template_gives_no_test():
    values = random_scores(templates=1)
    crossings = component_scores([layers(values, templates=("a",))])
    found = emergent(crossings)
    assert (
        np.isnan(found.numbers["p_above"]).all()
        and np.isnan(found.numbers["p_below_adjusted"]).all()
    )
    assert found.why.startswith("no test: the spread cannot be estimated from one template")
    assert "p" not in ranked(crossings, found, "above")[0].scores


def test_missing_scores_stay_missing(scores):
    scores["tall"][1, 4] = np.nan
    crossings = component_scores([layers(scores)])
    found = emergent(crossings)
    with_tall = [i for i, parts in enumerate(CROSSED.values()) if "tall" in parts]
    assert np.isnan(found.numbers["above"][with_tall, 4]).all()
    assert np.isfinite(found.numbers["above"][4]).all()
    assert found.why.startswith("no test in 4 cells")
    assert all(np.isfinite(row.scores["by"]) for row in ranked(crossings, found, "above", None))
    assert np.isfinite(taus_of(crossings).first).all()  # over the three pairs that are left
