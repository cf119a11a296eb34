"""Leaked traits: strongest in the model, not held at the target, held at the source."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.analysis.leakage.grids import ModelCells
from tiltmeter.analysis.leakage.human_cells import HumanCells
from tiltmeter.analysis.leakage.leaked_traits import leaked_traits

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


def test_two_traits_that_are_one_word_count_once(humans, model):
    """The model scores "wealthy" as it does "warm": only the first of them is among its strongest."""
    groups, values = ("sailor", "baker"), np.array([[1.0, 3, 2, 3], [0.0, 1, 2, 1]])
    found = leaked_traits(replace(model, groups=groups, values=values), humans, strongest=2)
    assert [one.trait for one in found] == ["warm"]
