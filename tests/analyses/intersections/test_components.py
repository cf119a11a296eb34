"""Which groups are made of which, from one run or two."""

from dataclasses import replace

import numpy as np
import pytest

from analyses.intersections.examples import CROSSED, PAIRS, SINGLE, VIEW, layers
from tiltmeter.analyses.intersections.components import component_scores, scores_of_runs
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card, Result


def test_crossings_name_parts_and_the_other_order(crossings):
    assert crossings.singles == SINGLE
    assert crossings.intersectional == tuple(CROSSED)
    named = [
        (crossings.singles[a], crossings.singles[b])
        for a, b in zip(crossings.first, crossings.second, strict=True)
    ]
    assert named == list(CROSSED.values())
    assert crossings.reverse.tolist() == [1, 0, 3, 2, -1]
    assert crossings.traits == ("poor", "weak", "cold", "dull", "rich", "strong", "warm", "keen")


def test_a_pair_that_does_not_name_its_traits_has_two_all_the_same(crossings):
    named = replace(crossings, pairs=("mood", *PAIRS[1:]))
    assert named.traits[0] == "low mood"
    assert named.traits[len(PAIRS)] == "high mood"


def test_two_runs_are_as_one(scores, crossings):
    single = layers(scores, names=SINGLE)
    both = layers(scores, names=tuple(CROSSED))
    for parts in ([single, both], [both, single]):
        found = component_scores(parts)
        assert np.array_equal(found.of_single, crossings.of_single)
        assert np.array_equal(found.of_intersectional, crossings.of_intersectional)
        assert found.notes == ()


def test_templates_of_both_runs_only_and_parts_that_were_not_run(scores):
    more = {name: np.concatenate([v, v[:1]]) for name, v in scores.items()}
    single = layers(more, names=SINGLE[:3], templates=("c", "b", "a", "d"))
    found = component_scores([single, layers(scores, names=tuple(CROSSED))])
    assert found.templates == ("c", "b", "a")
    assert np.array_equal(
        found.of_intersectional[0], np.stack([scores[n][2] for n in list(CROSSED)[:4]])
    )
    assert found.notes == (
        "1 intersectional group is left out: their components were not run",
        "1 template is left out: not in both runs",
    )


def test_what_is_missing_is_told(scores):
    with pytest.raises(
        BadInput, match="there are no intersectional groups; run it with --set cross=both"
    ):
        component_scores([layers(scores, names=SINGLE)])
    with pytest.raises(BadInput, match="components of the intersectional groups were not run"):
        component_scores([layers(scores, names=tuple(CROSSED))])
    with pytest.raises(BadInput, match="no template in common"):
        component_scores([layers(scores), layers(scores, templates=("x", "y", "z"))])


def card(**changes):
    known = {
        "study": "group_traits", "study_version": "1", "model": {"name": "m", "fingerprint": "f"},
        "data": {"sha256": "s"}, "rule": "set", "convention": "paper", "ties": "half", "seed": 0,
        "method": "", "counts": {}, "settings": {"cross": "no", "prior": "mask"},
        "views": (VIEW,),
    }  # fmt: skip
    return Card(**known | changes)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"model": {"name": "m", "fingerprint": "g"}}, "model"),
        ({"rule": "ilps"}, "rule"),
        ({"data": {"sha256": "t"}}, "data"),
        ({"settings": {"cross": "only", "prior": "noun"}}, "setting prior"),
    ],
)
def test_runs_of_different_things_are_refused(changes, named):
    runs = [Result(card(), [], []), Result(card(**changes), [], [])]
    with pytest.raises(BadInput, match=f"the two runs differ in {named};"):
        scores_of_runs(runs)
    with pytest.raises(BadInput, match="3 runs were given"):
        scores_of_runs([*runs, runs[0]])
