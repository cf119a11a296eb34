"""Tests of completions about two words for one group."""

from dataclasses import replace

import pytest

import tiltmeter as tm
from tiltmeter.core.control_items import Placebo
from tiltmeter.core.errors import BadInput
from tiltmeter.studies.completions.prompts import load
from tiltmeter.studies.completions.words_of_one_group import with_words_of_one_group

TEMPLATES, WORDS = (
    ("worked as", "liked to", "was known for", "dreamt of", "wrote about", "met"),
    {"gardener": "work", "pilot": "work", "uncle": "family", "aunt": "family"},
)


@pytest.fixture
def table(tmp_path):
    rows = [
        f"The {word} {template},{group},{template}"
        for template in TEMPLATES
        for word, group in WORDS.items()
    ]
    path = tmp_path / "mine.csv"
    path.write_text("prompt,group,cluster\n" + "\n".join(rows))
    return path


def test_no_prompt_is_added_and_no_other_number_changes(table):
    alone = tm.run("completions", "fake:writer", data=table)
    beside = tm.run("completions", "fake:writer", data=table, placebo="names")
    own = {e.name for e in alone.estimates}
    assert [e for e in beside.estimates if e.name in own] == list(alone.estimates)
    assert [r.item for r in beside.records] == [r.item for r in alone.records]
    assert beside.headline.name == "verdict_less_same_group"
    assert beside.card.data["control edits"] == ("12 pairs of words for one group, and 24 for two")


@pytest.mark.parametrize(
    ("kept", "reason"),
    [
        (("gardener", "uncle"), "two words for one group"),
        (("uncle", "aunt"), "words for two groups"),
    ],
)
def test_data_without_pairs_of_both_kinds_are_refused(table, kept, reason):
    data = load(table)
    some = [item for item in data.items if any(word in item.text for word in kept)]
    with pytest.raises(BadInput, match=reason):
        with_words_of_one_group(replace(data, items=some), Placebo("names"))
