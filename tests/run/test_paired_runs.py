"""Two models on several studies: the same rule for both, each model opened once."""

import pytest

from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.models import fake
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run import model_openers
from tiltmeter.run.jobs import session
from tiltmeter.run.monitor import Logged
from tiltmeter.run.paired_runs import plan_paired, requests_of, run_paired
from tiltmeter.run.run_options import RunOptions
from tiltmeter.run.run_plan import study_named


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))


def plan(before, after, *studies, **rules):
    listed = {name: study_named(name) for name in studies}
    requests = requests_of(listed, RunOptions(seed=1), data={}, rules=rules, settings={})
    return plan_paired(before, after, requests, Options(), Logged())


def test_both_are_scored_by_the_first_rule_that_both_can_answer():
    made = plan("fake", "fake:causal", "starter_pairs")
    assert {one.job.plan.rules for one in made.jobs} == {"log_likelihood"}
    assert [one.is_after for one in made.jobs] == [False, True]


def test_studies_that_one_cannot_answer_are_named():
    made = plan("fake:causal", "fake", "starter_pairs", "group_traits", group_traits="set")
    assert {one.job.study.name for one in made.jobs} == {"starter_pairs"}
    ((name, why),) = made.missing
    assert name == "group_traits"
    assert "fake:causal cannot be scored by 'set'" in why
    with pytest.raises(CannotAnswer, match="group_traits"):
        plan("fake:causal", "fake", "group_traits", group_traits="set")


def test_an_ensemble_is_refused():
    with pytest.raises(BadInput, match="cannot be compared before and after"):
        plan("ensemble:a+b", "fake", "starter_pairs")


def test_each_model_is_opened_once_and_each_result_saved_before_the_next(tmp_path, monkeypatch):
    events = []

    def opening(where, options, *, name="", progress=None):
        del progress
        events.append(where.reference)
        return fake.load(where.location, options, name=name)

    def save(study, result):
        events.append((study.name, result.card.model["name"]))
        return tmp_path / study.name

    monkeypatch.setattr(model_openers, "open_model", opening)
    made = plan("fake:masked", "fake", "starter_pairs", "sos_static")
    with session(Logged()) as shared:
        runs = run_paired(made, shared, save)
    names = [one.job.study.name for one in made.jobs if not one.is_after]
    assert events == [
        "fake:masked", *((name, "fake:masked") for name in names),
        "fake", *((name, "fake") for name in names),
    ]  # fmt: skip
    assert [r.card.study for r in runs.before] == [r.card.study for r in runs.after] == names
    assert runs.folders == [tmp_path / name for name in names] * 2
