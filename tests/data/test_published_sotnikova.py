"""The tables of Sotnikova 2023: chapter 3, judgments of hypotheses, chapters 4 and 5, groups and traits.

Recomputed are shares and agreement in tests/analyses/annotations/test_judgment_shares.py, precision and tau
over all groups in tests/metrics/test_alignment.py, the relations of domains in
tests/analyses/intersections/test_similarity.py.
"""

from collections import Counter

import pytest

from tiltmeter.data.groups.premises import PremiseFile
from tiltmeter.data.published import published

SCORES = Counter({"CEAT": 21, "ILPS": 25, "ILPS*": 25, "SeT": 25})
MODELS = {"roberta-large", "bert-large"}
BY_GROUP = ("sotnikova2023_tau", "sotnikova2023_precision_top", "sotnikova2023_precision_bottom")
DOMAINS = published("sotnikova2023_domains")
EMERGENT = published("sotnikova2023_emergent")


@pytest.mark.parametrize("name", BY_GROUP)
def test_tables_by_group_are_whole(name):
    """Four groups have no number of CEAT."""
    figures = published(name).numbers
    for model in MODELS:
        assert Counter(f.places["score"] for f in figures if f.model == model) == SCORES
    lacking = {f.group for f in figures} - {f.group for f in figures if f.places["score"] == "CEAT"}
    assert lacking == {"Hispanic people", "Asian people", "non-binary people", "autistic people"}


def test_other_tables_are_whole():
    sizes = {"alignment": 16, "alignment_test": 8, "templates": 6, "order": 4, "domains": 8 * 7}
    for name, size in sizes.items():
        assert len(published(f"sotnikova2023_{name}").numbers) == size
    assert len({(f.group, f.places["other"]) for f in DOMAINS.numbers}) == 8 * 7


@pytest.mark.parametrize("name", BY_GROUP[1:])
def test_precision_is_in_thirds_but_for_a_misprint(name):
    odd = {f.value for f in published(name).numbers} - {0, 0.33, 0.67, 1}
    assert odd == ({0.677} if name == "sotnikova2023_precision_top" else set())


def test_the_nearer_component_is_nearer_on_average():
    tau = {f.measure: f.value for f in published("sotnikova2023_order").numbers}
    assert tau.keys() == {"tau_nearer", "tau_first", "tau_second", "tau_reversed"}
    assert max(tau["tau_first"], tau["tau_second"]) <= tau["tau_nearer"]


def test_emergent_traits_are_listed_by_size():
    increases = [f.value for f in EMERGENT.numbers if f.places["number"] == "increase"]
    assert len(increases) == 49
    assert increases == sorted(increases, reverse=True)
    assert len({(f.group, f.places["trait"]) for f in EMERGENT.numbers}) == 49


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


# ── People, by who they are ─────────────────────────────────────────────────────────────────────

RATINGS = published("sotnikova2023_ratings")
WHITE = {"race": "White", "gender": ""}


def test_ratings_by_annotators_have_a_cell_for_each_slice_group_and_pair():
    cells = {(*f.places.values(),) for f in RATINGS.numbers}
    assert len(cells) == len(RATINGS.numbers) == 4 * 4 * 16
    assert all(0 <= f.value <= 100 for f in RATINGS.numbers)


def test_white_annotators_lie_between_white_men_and_women_but_in_seven_cells():
    """A mean lies between those of its two parts, up to rounding, where nobody is of a third part."""
    odd = Counter()
    for f in RATINGS.numbers:
        if WHITE.items() <= f.places.items():
            parts = [RATINGS.find(**f.places | {"gender": gender}) for gender in ("man", "woman")]
            odd[f.group] += not min(parts) - 0.1 < f.value < max(parts) + 0.1
    assert odd == {"White people": 6, "women": 1, "men": 0, "Blacks/African Americans": 0}


def test_fewer_passed_than_took_part():
    raters = published("sotnikova2023_raters")
    assert raters.find(number="people who passed") == 133  # as there are in the published ratings
    assert raters.find(number="people who took part") == 133 + 114  # whose answers were left out


def test_tau_by_annotators_lacks_one_cell():
    figures = published("sotnikova2023_tau_by_annotators").numbers
    assert len(figures) == 26 * 4 - 1
    without = {f.group for f in figures} - {f.group for f in figures if f.places["race"] == "Black"}
    assert without == {"Muslim people"}
    assert {f.group for f in figures} - {""} == {
        f.group for f in published("sotnikova2023_tau").numbers
    }


# ── Leakage ─────────────────────────────────────────────────────────────────────────────────────

FLOWS = published("sotnikova2023_flows")
LEAKS = published("sotnikova2023_leaks")


def test_significant_flows_add_up_to_the_same_by_model_and_by_language():
    named = {(f.model, f.places["source"], f.places["target"]) for f in FLOWS.numbers}
    by_model = Counter(model for model, *_ in named)["mbert"] + LEAKS.find(model="mt5", target="")
    by_model += LEAKS.find(model="chatgpt", target="")
    by_language = sum(LEAKS.find(model="", target=code) for code in ("en", "ru", "zh", "hi"))
    assert by_model == by_language == 8


def test_every_named_flow_is_significant_and_between_languages():
    for flow in FLOWS.numbers:
        assert flow.places["source"] != flow.places["target"]
        if flow.places["number"] == "p":
            assert flow.value < 0.05


def test_monolingual_models_explain_more_than_any_flow_of_multilingual_bert():
    alone = [f.value for f in published("sotnikova2023_monolingual").numbers]
    of_bert = [f for f in FLOWS.numbers if f.model == "mbert"]
    flows = [f.value for f in of_bert if f.places["number"] == "coefficient"]
    assert (len(alone), len(flows)) == (4, 3)
    assert min(alone) > max(flows)


def test_raters_of_four_languages_are_all_who_passed():
    people = published("sotnikova2023_people")
    raters = [f.value for f in people.numbers if f.places["language"]]
    assert sum(raters) == people.find(number="people who passed", language="", domain="") == 151


@pytest.mark.parametrize(
    ("name", "size"), [("judgments", 42), ("judgment_agreement", 31), ("sentiment", 15)]
)
def test_groups_of_chapter_3_are_those_of_the_premises(name, size):
    figures = published(f"sotnikova2023_{name}").numbers
    assert len(figures) == size
    known = {(group.name, group.domain) for group in PremiseFile.named().groups}
    domains = {domain for _, domain in known}
    for figure in figures:
        group, domain = figure.places["group"], figure.places["domain"]
        assert not group or (group, domain) in known or (not domain and group in dict(known))
        assert not domain or domain in domains
        assert 0 <= figure.value <= 100
