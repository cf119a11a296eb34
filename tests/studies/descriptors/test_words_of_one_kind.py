"""Tests of two descriptors of one kind."""

from dataclasses import replace

import pytest

import tiltmeter as tm
from tiltmeter.core.control_items import Placebo
from tiltmeter.core.errors import BadInput
from tiltmeter.core.measures import EDIT, EDITED
from tiltmeter.studies.descriptors.sentences import sample_descriptors
from tiltmeter.studies.descriptors.words_of_one_kind import with_words_of_one_kind


def kinds():
    """The sample, with two kinds of sizes."""
    data = sample_descriptors()
    items = [
        replace(i, groups={**i.groups, "kind": "large" if i.groups["descriptor"] == "big" else "little"})
        for i in data.items
    ]  # fmt: skip
    return replace(data, items=items)


def test_sentences_are_compared_within_template_noun_and_axis():
    data = with_words_of_one_kind(kinds(), Placebo("names"))
    frames = {item.groups[EDITED] for item in data.items}
    assert len(frames) == 3 * 2 * 2
    assert {item.groups[EDIT] for item in data.items} == {"small", "big", "tiny", "grey", "spotted"}


def test_no_sentence_is_added_and_no_other_number_changes():
    alone = tm.run("descriptors", "fake:causal", data=kinds())
    beside = tm.run("descriptors", "fake:causal", data=kinds(), placebo="names")
    own = {e.name for e in alone.estimates}
    assert [e for e in beside.estimates if e.name in own] == list(alone.estimates)
    assert len(beside.records) == len(alone.records)
    assert beside.headline.name == "cost_less_same_group"


def test_data_in_which_each_kind_has_one_descriptor_are_refused():
    data = kinds()
    some = [i for i in data.items if i.groups["descriptor"] in {"big", "tiny"}]
    with pytest.raises(BadInput, match=r"no kind of .* has two descriptors"):
        with_words_of_one_kind(replace(data, items=some), Placebo("names"))
