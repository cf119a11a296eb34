"""Leaked traits: strongest in the model, not held at the target, held at the source."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.analysis.leakage.grids import ModelCells
from tiltmeter.analysis.leakage.human_cells import HumanCells
from tiltmeter.analysis.leakage.leaked_traits import leaked_traits, polarities
from tiltmeter.data.groups import packaged

TRAITS = ("cold", "warm", "poor", "wealthy")


def people(name, means):
    """Five raters who hardly differ, of one group."""
    spread = np.linspace(-1, 1, 5)[:, None, None]
    return HumanCells(name, ("sailor",), TRAITS, np.array([[means]])[0] + spread)


@pytest.fixture
def humans():
    return {"en": people("en", [20.0, 0, 0, 15]), "ru": people("ru", [0.0, 30, 0, 20])}


@pytest.fixture
def model():
    return ModelCells("en", ("sailor",), TRAITS, np.array([[1.0, 3.0, 2.0, 2.5]]))


def test_only_what_the_source_holds_and_the_target_does_not(model, humans):
    (one,) = leaked_traits(model, humans)
    assert (one.source, one.target, one.group, one.trait, one.rank) == (
        "ru",
        "en",
        "sailor",
        "warm",
        1,
    )
    assert (one.at_source, one.at_target) == (30, 0)


def test_no_ratings_at_the_target_are_no_judgment(model, humans):
    few = replace(humans["en"], min_raters=6)
    found = leaked_traits(model, humans | {"en": few})
    assert [(one.trait, one.at_target) for one in found] == [("warm", None), ("wealthy", None)]


def test_thresholds(model, humans):
    assert leaked_traits(model, humans, strongest=0) == []
    assert [o.trait for o in leaked_traits(model, humans, strongest=4, quantile=0.9)] == ["warm"]
    unsure = replace(
        humans["ru"], scores=humans["ru"].scores * np.array([-3, 1, 1, 1, 3])[:, None, None]
    )
    assert leaked_traits(model, humans | {"ru": unsure}) == []


def test_beliefs_speak_neither_well_nor_ill_of_a_group():
    found = polarities(packaged("leakage_ru"))
    assert (found["cold"], found["warm"], found["conservative"]) == (
        "negative", "positive", "non-polar",
    )  # fmt: skip
    assert sorted(found.values()).count("non-polar") == 8
