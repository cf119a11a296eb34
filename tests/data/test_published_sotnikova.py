"""The tables of Sotnikova 2023, chapter 4, on groups and traits. Precision and tau over all groups are
recomputed in tests/metrics/test_alignment.py, the relations of domains in
tests/analysis/intersections/test_similarity.py.
"""

from collections import Counter

import pytest

from tiltmeter.data.published import published

SCORES = Counter({"CEAT": 21, "ILPS": 25, "ILPS*": 25, "SeT": 25})
MODELS = {"roberta-large", "bert-large"}
BY_GROUP = ("sotnikova2023_tau", "sotnikova2023_precision_top", "sotnikova2023_precision_bottom")
DOMAINS = published("sotnikova2023_domains")
EMERGENT = published("sotnikova2023_emergent")


@pytest.mark.parametrize("name", BY_GROUP)
def test_tables_by_group_are_whole(name):
    """Four groups have no number of CEAT."""
    figures = published(name).figures
    for model in MODELS:
        assert Counter(f.labels["score"] for f in figures if f.model == model) == SCORES
    lacking = {f.group for f in figures} - {f.group for f in figures if f.labels["score"] == "CEAT"}
    assert lacking == {"Hispanic people", "Asian people", "non-binary people", "autistic people"}


def test_other_tables_are_whole():
    sizes = {"alignment": 16, "alignment_test": 8, "templates": 6, "order": 4, "domains": 8 * 7}
    for name, size in sizes.items():
        assert len(published(f"sotnikova2023_{name}").figures) == size
    assert len({(f.group, f.labels["other"]) for f in DOMAINS.figures}) == 8 * 7


@pytest.mark.parametrize("name", BY_GROUP[1:])
def test_precision_is_in_thirds_but_for_a_misprint(name):
    odd = {f.value for f in published(name).figures} - {0, 0.33, 0.67, 1}
    assert odd == ({0.677} if name == "sotnikova2023_precision_top" else set())


def test_the_nearer_component_is_nearer_on_average():
    tau = {f.measure: f.value for f in published("sotnikova2023_order").figures}
    assert tau.keys() == {"tau_nearer", "tau_first", "tau_second", "tau_reversed"}
    assert max(tau["tau_first"], tau["tau_second"]) <= tau["tau_nearer"]


def test_emergent_traits_are_listed_by_size():
    increases = [f.value for f in EMERGENT.figures if f.labels["number"] == "increase"]
    assert len(increases) == 49
    assert increases == sorted(increases, reverse=True)
    assert len({(f.group, f.labels["trait"]) for f in EMERGENT.figures}) == 49


@pytest.mark.parametrize(
    ("one", "other", "trait"),
    [
        ("Hispanic unemployed person", "unemployed Hispanic person", "egotistic"),
        ("Democrat teenager", "teenage Democrat", "altruistic"),
    ],
)
def test_components_are_the_same_in_either_order(one, other, trait):
    labels = {"trait": trait, "number": "highest component"}
    assert EMERGENT.find(crossed=one, **labels) == EMERGENT.find(crossed=other, **labels)
