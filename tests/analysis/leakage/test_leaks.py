"""All about leakage from runs and ratings: the parts fit together."""

from dataclasses import replace

import pytest

from leakage_runs import GROUPS, write_ratings, write_run
from tiltmeter.analysis.leakage.leak_conventions import CONVENTIONS, PAPER_FACTORS
from tiltmeter.analysis.leakage.leak_runs import read_language_runs
from tiltmeter.analysis.leakage.leaks import REPEATED, LeakSettings, find_leaks
from tiltmeter.core.errors import BadInput
from tiltmeter.data.people.leakage_people import ratings_by_language


def settings(name="tiltmeter", **flows):
    convention = CONVENTIONS[name]
    return LeakSettings(replace(convention, flows=replace(convention.flows, placebos=0, **flows)))


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    return read_language_runs([write_run(folder / code, code) for code in ("ru", "hi")])


@pytest.fixture(scope="module")
def people(tmp_path_factory):
    path = write_ratings(tmp_path_factory.mktemp("people") / "r.csv", unknown=[("hi", "veteran")])
    return ratings_by_language({"": path})


def test_flows_traits_and_people(runs, people):
    found = find_leaks(runs, people, settings=settings())
    assert list(found.people) == ["ru", "hi", "en", "zh"]  # those of the runs first
    assert [one.target for one in found.targets] == ["ru", "hi"]
    assert len(found.flows) == 8 and len(found.other_flows) == 6
    assert all(len(one.groups) == len(GROUPS) - 1 for one in found.targets)
    no_judgment = {(t.target, t.group) for t in found.traits if t.at_target is None}
    assert no_judgment == {("hi", "veteran")}
    assert found.polarity["cold"] == "negative"
    told = find_leaks(runs, people, polarity={"cold": "non-polar"}, settings=settings())
    assert (told.polarity["cold"], told.polarity["warm"]) == ("non-polar", "positive")
    assert not any("no run has" in note for note in told.notes)
    told = find_leaks(runs, people, polarity={"cald": "non-polar"}, settings=settings())
    assert "A polarity is given for traits that no run has: 'cald'." in told.notes


def test_the_published_scale_multiplies_scores_and_leaves_standardised_coefficients(runs, people):
    ours, paper = (
        find_leaks(runs, people, settings=settings(name))
        for name in ("sotnikova2023", "cao2023_code")
    )
    assert ours.factor == paper.factor == PAPER_FACTORS["set"] == 100
    assert ours.targets[0].flows[0].why == "" != paper.targets[0].flows[0].why
    plain = find_leaks(runs, people, settings=settings(group_intercepts=False, adjust=False))
    for one, other in zip(plain.flows, ours.flows, strict=True):
        assert other.coefficient == pytest.approx(100 * one.coefficient, rel=1e-3)
        assert other.standardised == pytest.approx(one.standardised, rel=1e-3)


def test_choices_between_two_traits_count_twice_as_poles(tmp_path, runs, people):
    stories = read_language_runs([write_run(tmp_path / "story", "ru", study="story_choice")])
    assert find_leaks(stories, people, settings=settings()).notes == (REPEATED,)
    pairs = replace(settings(), convention=replace(settings().convention, unit="pairs"))
    assert find_leaks(stories, people, settings=pairs).notes == ()
    assert find_leaks(runs, people, settings=settings()).notes == ()


def test_too_little_in_common(runs, people):
    few = {"sw": people["ru"]}
    with pytest.raises(BadInput, match="the runs are in ru, hi, and people rated in sw"):
        find_leaks(runs, few, settings=settings())
    fewer = replace(CONVENTIONS["tiltmeter"], min_raters=6)
    with pytest.raises(BadInput, match="into ru: 0 groups and 12 traits"):
        find_leaks(runs, people, settings=LeakSettings(fewer))
