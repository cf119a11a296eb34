"""All about leakage from runs and ratings: the parts fit together."""

from dataclasses import replace

import pytest

from support.leakage_runs import GROUPS, write_ratings, write_run
from tiltmeter.analyses.leak.conventions import CONVENTIONS, PAPER_FACTORS
from tiltmeter.analyses.leak.language_runs import read_language_runs
from tiltmeter.analyses.leak.leaks import REPEATED, find_leaks
from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.people import ratings_by_language


def quick(name="tiltmeter", **flows):
    convention = CONVENTIONS[name]
    return replace(convention, flows=replace(convention.flows, placebos=0, **flows))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return read_language_runs([write_run(folder / code, code) for code in ("ru", "hi")])


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    path = write_ratings(tmp_path_factory.mktemp("people") / "r.csv", unknown=[("hi", "veteran")])
    return ratings_by_language({"": path})


def test_flows_traits_and_people(runs, people):
    leaks = find_leaks(runs, people, convention=quick())
    assert leaks.languages == ("ru", "hi", "en", "zh")  # those of the runs first
    by_name = {}
    for e in leaks.estimates:
        by_name.setdefault(e.name, []).append(e)
    assert len(by_name["coefficient"]) == 8 and by_name["solid_flows"][0].n == 6
    groups = {e.groups["target"]: e.value for e in by_name["groups"]}
    assert groups == {"ru": len(GROUPS) - 1, "hi": len(GROUPS) - 1}
    enough = {e.groups["language"]: e.value for e in by_name["groups_with_enough_raters"]}
    assert enough == {"ru": 5, "hi": 4, "en": 5, "zh": 5}
    traits = [r for r in leaks.records if r.kind == "leaked_trait"]
    silent = {
        (r.groups["target"], r.groups["group"]) for r in traits if "target_mean" not in r.scores
    }
    assert silent == {("hi", "veteran")}
    counted = [e for e in by_name["leaked_traits"] if e.groups.keys() == {"source", "target"}]
    assert len(counted) == 6
    assert sum(e.value for e in (*counted, *by_name["no_judgment"])) == sum(
        name.startswith("mean_") for r in traits for name in r.scores
    )


def test_means_of_people_are_records(runs, people):
    leaks = find_leaks(runs, people, convention=quick())
    cells = [r for r in leaks.records if r.kind == "people"]
    assert len(cells) == (4 * len(GROUPS) - 1) * 12
    assert {r.scores["raters"] for r in cells} == {5}
    with_interval = [r.scores for r in cells if "low" in r.scores]
    assert all(s["low"] < s["mean"] < s["high"] for s in with_interval)
    alike = [r.scores for r in cells if "low" not in r.scores]
    assert {s["mean"] for s in alike} == {0}  # the other pole of what all five rated on one side


def test_polarities_are_those_of_dimensions_unless_they_are_given(runs, people):
    leaks = find_leaks(runs, people, polarity={"cold": "non-polar"}, convention=quick())
    assert (leaks.polarity["cold"], leaks.polarity["warm"]) == ("non-polar", "positive")
    assert leaks.notes == ()
    unknown = find_leaks(runs, people, polarity={"cald": "non-polar"}, convention=quick())
    assert unknown.polarity["cold"] == "negative"
    assert unknown.notes == ("A polarity is given for traits that no run has: 'cald'.",)


def test_numbers_that_are_not_standardised_are_in_the_papers_scale_whatever_is_shown(runs, people):
    flows = {"group_intercepts": False, "adjust": False}
    ours, paper = (
        find_leaks(runs, people, convention=c).estimates
        for c in (quick(**flows), quick("sotnikova2023"))
    )
    assert PAPER_FACTORS["set"] == find_leaks(runs, people, convention=quick()).factor == 100
    assert [(e.name, e.groups) for e in ours] == [(e.name, e.groups) for e in paper]
    values = [[e.value for e in some if e.value is not None] for some in (ours, paper)]
    assert values[0] == pytest.approx(values[1])


def test_choices_between_two_traits_count_twice_as_poles(tmp_path, people):
    stories = read_language_runs([write_run(tmp_path / "story", "ru", study="story_choice")])
    assert find_leaks(stories, people, convention=quick()).notes == (REPEATED,)
    assert find_leaks(stories, people, convention=replace(quick(), unit="pairs")).notes == ()


def test_too_little_in_common(runs, people):
    few = {"sw": people["ru"]}
    with pytest.raises(BadInput, match="the runs are in ru, hi, and people rated in sw"):
        find_leaks(runs, few, convention=quick())
    fewer = replace(CONVENTIONS["tiltmeter"], min_raters=6)
    with pytest.raises(BadInput, match="into ru: 0 groups and 12 traits"):
        find_leaks(runs, people, convention=fewer)
