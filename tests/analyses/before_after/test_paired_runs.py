"""Two models on several studies: the same rule for both, each model opened once."""

import pytest

from tiltmeter.analyses.before_after.paired_runs import plan_paired, run_paired
from tiltmeter.core.errors import BadInput, CannotAnswer
from tiltmeter.models import fake
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.asking import model_openers
from tiltmeter.run.jobs import session
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))


def plan(before, after, *studies, **rules):
    listed = [(study_named(name), RunOptions(seed=1, rule=rules.get(name))) for name in studies]
    return plan_paired((before, after), listed, Options(), Logged())


def test_both_are_scored_by_the_first_rule_that_both_can_answer():
    made = plan("fake", "fake:causal", "starter_pairs")
    assert [job.plan.rules for job in (*made.before, *made.after)] == ["log_likelihood"] * 2


def test_studies_that_one_cannot_answer_are_named():
    made = plan("fake:causal", "fake", "starter_pairs", "group_traits", group_traits="set")
    assert {job.study.name for job in (*made.before, *made.after)} == {"starter_pairs"}
    ((name, why),) = made.missing.items()
    assert name == "group_traits"
    assert "fake:causal cannot be scored by 'set'" in why
    with pytest.raises(CannotAnswer, match="group_traits"):
        plan("fake:causal", "fake", "group_traits", group_traits="set")


def test_an_ensemble_is_refused():
    with pytest.raises(BadInput, match="cannot be compared before and after"):
        plan("ensemble:a+b", "fake", "starter_pairs")


def test_each_model_is_opened_once_and_each_result_saved_before_the_next(monkeypatch):
    events = []

    def opening(where, options, *, name="", progress=None, tell=None):
        del progress, tell
        events.append(where.reference)
        return fake.load(where.location, options, name=name)

    def save(study, result):
        events.append((study.name, result.card.model["name"]))

    monkeypatch.setattr(model_openers, "open_model", opening)
    made = plan("fake:masked", "fake", "starter_pairs", "sos_static")
    with session(Logged()) as shared:
        before, after, _ = run_paired(made, shared, save)
    names = [job.study.name for job in made.before]
    assert events == [
        "fake:masked", *((name, "fake:masked") for name in names),
        "fake", *((name, "fake") for name in names),
    ]  # fmt: skip
    assert [r.card.study for r in before] == [r.card.study for r in after] == names
