"""A plan counts exactly what a run then asks, and asks nothing itself."""

import pytest

from servers.chat_server import serving
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run import jobs
from tiltmeter.run.asking.request_plan import plan_requests
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions


def planned(study, model, **options):
    return jobs.plan_jobs(
        study_named(study), [model], RunOptions(**options), Options(), Logged()
    )[0]  # fmt: skip


@pytest.mark.parametrize(
    ("study", "model"),
    [
        ("starter_pairs", "fake:masked"),
        ("starter_pairs", "fake:causal"),
        ("seat", "fake"),
        ("inferences", "fake:writer"),
    ],
)
def test_what_is_counted_is_what_is_asked(study, model):
    job = planned(study, model, data=study_named(study).sample())
    with jobs.session(Logged(), keep=False) as shared:
        (plan,) = plan_requests(job, shared)
        result = jobs.score(job, shared)
        (again,) = plan_requests(job, shared)
    assert plan.stored == 0
    assert (plan.measured is not None) == (study == "inferences")
    assert plan.left == plan.requests == result.card.run["asked"] > 0
    assert (again.requests, again.stored, again.read) == (plan.requests, plan.requests, 0)


@pytest.mark.parametrize("thinking", [None, "off", "on"])
def test_thoughts_that_are_not_foreseen_are_counted_apart(thinking):
    """They are part of the plan where they are asked for, and left out where they are switched off."""
    with serving() as server, jobs.session(Logged(), keep=False) as shared:
        data = study_named("inferences").sample()
        job = planned("inferences", server.reference, data=data, thinking=thinking)
        (plan,) = plan_requests(job, shared)
        assert not server.asked
    assert plan.thoughts == (0 if thinking else 4_096 * plan.requests)
    assert (plan.written > 4_096 * plan.requests) == (thinking == "on")
