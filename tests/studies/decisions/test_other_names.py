"""Tests of rankings with other names of the same group, and of another group."""

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.core.measures import ARM, EDITED
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.run_options import RunOptions

STUDY = find("studies", "decisions", "STUDY")
SETTINGS = {"prompts": "8", "jobs": "retail"}


@pytest.fixture(scope="module")
def arms():
    data = load_items(STUDY, RunOptions(settings=SETTINGS, placebo="names"), Logged())
    by_arm = {}
    for item in data.items:
        by_arm.setdefault(item.groups[ARM], {})[item.groups[EDITED]] = item
    return by_arm


def test_the_same_candidates_have_new_names_in_both_arms(arms):
    assert {*arms} == {"base", "group", "same group"}
    assert arms["group"].keys() == arms["same group"].keys()
    assert len(arms["group"]) > 50
    group_of = {item.text: item.groups["group"] for item in arms["base"].values()}
    for name, base in arms["base"].items():
        if name not in arms["group"]:
            continue
        other, same = arms["group"][name], arms["same group"][name]
        assert group_of[same.text] == base.groups["group"] != group_of[other.text]
        assert len({base.text, other.text, same.text}) == 3
        for item in (other, same):
            assert item.text in item.prompt.plain
            assert base.text not in item.prompt.plain
            assert item.options.index(item.text) == base.options.index(base.text)
            assert item.groups["resume"] == base.groups["resume"]
            assert item.cluster == base.cluster


def test_every_wording_of_a_ranking_has_the_same_names():
    options = RunOptions(settings=SETTINGS, placebo="names", wordings="2")
    data = load_items(STUDY, options, Logged())
    by_id = {}
    for item in data.items:
        by_id.setdefault(item.id.partition("@")[0], []).append(item)
    assert len(by_id) > 100
    for first, second in by_id.values():
        assert (first.text, first.groups[ARM]) == (second.text, second.groups[ARM])
        assert first.prompt != second.prompt
        assert first.groups[EDITED] != second.groups[EDITED]


def test_the_study_itself_counts_its_own_rankings_alone():
    def run(**options):
        return tm.run("decisions", "fake:causal", rule="choice", settings=SETTINGS, **options)

    alone, beside = run(), run(placebo="names")
    own = {e.name for e in alone.estimates}
    assert [e for e in beside.estimates if e.name in own] == list(alone.estimates)
    assert beside.headline.name == "choice_less_same_group"
    assert beside.headline.low is not None


def test_where_no_group_has_a_second_name_there_is_no_placebo():
    options = RunOptions(data=STUDY.sample(), placebo="names")
    with pytest.raises(BadInput, match="no group has a second name in the 2 rankings"):
        load_items(STUDY, options, Logged())
