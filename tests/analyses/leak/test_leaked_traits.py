"""Leaked traits: strongest in the model, not held at the target, held at the source."""

from dataclasses import replace

import numpy as np
import pytest

from tiltmeter.analyses.leak.grids import ModelCells
from tiltmeter.analyses.leak.leaked_traits import (
    leaked_traits,
    polarities,
    read_polarities,
    trait_counts,
)
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.derived.people.rated_cells import HumanCells

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
    (record,) = leaked_traits(model, humans, polarity={"warm": "positive"})
    assert record.groups == {
        "target": "en", "group": "sailor", "trait": "warm", "polarity": "positive",
    }  # fmt: skip
    assert record.scores == {"rank": 1, "target_mean": 0, "mean_ru": 30}


def test_several_countries_that_hold_a_trait_are_one_record(model, humans):
    more = humans | {"zh": replace(humans["ru"], name="zh"), "hi": people("hi", [0.0, 0, 9, 9])}
    warm = next(r for r in leaked_traits(model, more) if r.groups["trait"] == "warm")
    assert warm.scores.keys() == {"rank", "target_mean", "mean_ru", "mean_zh"}


def test_no_ratings_at_the_target_are_no_judgment(model, humans):
    few = replace(humans["en"], min_raters=6)
    records = leaked_traits(model, humans | {"en": few})
    assert [r.groups["trait"] for r in records] == ["warm", "wealthy"]
    assert not any("target_mean" in r.scores for r in records)
    counts = {e.name: e.value for e in trait_counts(records, [("ru", "en")]) if len(e.groups) == 2}
    assert counts == {"leaked_traits": 0, "no_judgment": 2}


def test_traits_are_counted_by_where_they_are_held_and_by_polarity(model, humans):
    records = leaked_traits(model, humans, polarity={"warm": "positive"})
    counts = [*trait_counts(records, [("ru", "en"), ("en", "ru")])]
    ways = {
        (e.groups["source"], e.groups.get("polarity", "all")): e.value
        for e in counts
        if e.name == "leaked_traits"
    }
    assert ways == {
        ("ru", "all"): 1, ("ru", "positive"): 1, ("ru", "negative"): 0, ("ru", "non-polar"): 0,
        ("en", "all"): 0, ("en", "positive"): 0, ("en", "negative"): 0, ("en", "non-polar"): 0,
    }  # fmt: skip


def test_thresholds(model, humans):
    assert leaked_traits(model, humans, strongest=0) == []
    high = leaked_traits(model, humans, strongest=4, quantile=0.9)
    assert [r.groups["trait"] for r in high] == ["warm"]
    unsure = replace(
        humans["ru"], scores=humans["ru"].scores * np.array([-3, 1, 1, 1, 3])[:, None, None]
    )
    assert leaked_traits(model, humans | {"ru": unsure}) == []


def test_two_traits_that_are_one_word_count_once(humans, model):
    """The model scores "wealthy" as it does "warm": only the first of them is among its strongest."""
    groups, values = ("sailor", "baker"), np.array([[1.0, 3, 2, 3], [0.0, 1, 2, 1]])
    records = leaked_traits(replace(model, groups=groups, values=values), humans, strongest=2)
    assert [r.groups["trait"] for r in records] == ["warm"]


def test_beliefs_speak_neither_well_nor_ill_of_a_group():
    found = polarities({pair.name: pair.dimension for pair in GroupFile.named("leakage_ru").pairs})
    assert (found["cold"], found["warm"], found["conservative"]) == (
        "negative", "positive", "non-polar",
    )  # fmt: skip
    assert sorted(found.values()).count("non-polar") == 8


def test_a_table(tmp_path):
    path = tmp_path / "polarity.csv"
    path.write_text("trait,polarity\ncold,negative\nreligious,non-polar\n", "utf-8")
    assert read_polarities(path) == {"cold": "negative", "religious": "non-polar"}
    path.write_text("trait,polarity\ncold,bad\n,positive\nwarm,positive\nwarm,positive\n", "utf-8")
    with pytest.raises(BadItems) as refused:
        read_polarities(path)
    assert [str(problem) for problem in refused.value.problems] == [
        'polarity.csv:2: polarity is \'bad\'; write "positive" or "negative" or "non-polar"',
        "polarity.csv:3: trait is empty; fill it in, or remove the row",
        "polarity.csv:5: 'warm' is listed twice; leave one out",
    ]
    path.write_text("trait,side\ncold,negative\n", "utf-8")
    with pytest.raises(BadInput, match="polarity"):
        read_polarities(path)
