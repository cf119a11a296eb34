"""Polarity: from dimensions, and from a table of the user's."""

import pytest

from tiltmeter.analysis.leakage.polarity import polarities, read_polarities
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.groups.group_file import GroupFile


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
