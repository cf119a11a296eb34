"""Which runs are seeds of one model: by cards, by names, by the user's patterns, and what is refused."""

from dataclasses import replace

import pytest

from analyses.seeds.examples import of_pairs, seeds, trained
from tiltmeter.analyses.seeds.seed_sets import seed_sets
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card


def found(results, **checkpoints):
    return [(s.name, s.data, [*s.runs]) for s in seed_sets(results, checkpoints)]


def test_classifiers_are_told_by_their_cards():
    runs = [trained(seed, 60.0, data=data) for seed in (0, 1) for data in ("edos", "ethos")]
    assert found(runs) == [("bert", "edos", ["0", "1"]), ("bert", "ethos", ["0", "1"])]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (
            ("google/multiberts-seed_3", "google/multiberts-seed_12"),
            ("google/multiberts", "", ["3", "12"]),
        ),
        (("pythia-160m-seed3", "pythia-160m-seed4"), ("pythia-160m", "", ["3", "4"])),
        (("m-seed_0-step_20k", "m-Seed-1-step_20k"), ("m-step_20k", "", ["0", "1"])),
    ],
)
def test_other_models_by_a_number_behind_seed_in_their_names(names, expected):
    assert found([of_pairs(name, "01") for name in names]) == [expected]


def test_patterns_name_a_set_and_the_star_is_the_seed():
    runs = [of_pairs(name, "01") for name in ("bert-1", "bert-2", "bert-cda-1", "bert-cda-2")]
    made = found(runs[2:] + seeds(["01"]), cda="bert-cda-*")
    assert made == [("cda", "", ["1", "2"]), ("multiberts", "", ["0"])]
    with pytest.raises(BadInput, match="bert-cda-1 is one of the checkpoints a and of b"):
        found(runs[2:3], a="bert-*", b="bert-cda-*")


def test_a_name_without_a_seed_says_how_to_name_a_set():
    with pytest.raises(
        BadInput, match="its name has no seed as in multiberts-seed_3; say which models"
    ):
        found([of_pairs("bert-base", "01")])


@pytest.mark.parametrize(
    ("other", "says"),
    [
        (trained(0, 61.0), "seed 0 of bert trained on edos is there twice"),
        (trained(1, 61.0, texts="other"), "classifiers trained on edos were asked different texts"),
        (trained(1, 61.0, settings={"threshold": "0.4"}), "or with other settings"),
        (replace(trained(1, 61.0), card=Card("sos", "1", {"name": "bert"}, {"name": "sos"})),
         "bert is no classifier"),
    ],
)  # fmt: skip
def test_what_cannot_be_averaged_is_refused(other, says):
    with pytest.raises(BadInput, match=says):
        found([trained(0, 60.0), other])


def test_sets_that_were_asked_by_other_rules_are_refused():
    with pytest.raises(
        BadInput, match="these models were asked different texts, by different rules"
    ):
        found([*seeds(["01", "11"]), *seeds(["01"], "other-seed{}", rule="pll_shared")])
