"""What is found out before a model is loaded."""

import pytest

from tiltmeter.core.errors import CannotAnswer, UnknownName
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run import jobs
from tiltmeter.run.asking import model_openers
from tiltmeter.run.monitor import Logged
from tiltmeter.run.planning.run_plan import study_named
from tiltmeter.run.run_options import RunOptions

STUDY = "starter_pairs"


class Noted(Logged):
    """What a monitor was told."""

    def __init__(self):
        super().__init__()
        self.said = []

    def step(self, text: str):
        self.said.append(("step", text))

    def warning(self, _, *, about=""):
        self.said.append(("warning", about))


def planned(*models, **options):
    return jobs.plan_jobs(study_named(STUDY), models, RunOptions(**options), Options(), Noted())


def test_nothing_is_loaded_while_it_is_planned(monkeypatch):
    monkeypatch.setattr(model_openers, "open_model", lambda *_, **__: pytest.fail("loaded"))
    first, second = planned("fake:masked", "fake:causal", "fake:masked")  # each once
    assert [job.plan.rules for job in (first, second)] == ["pll_shared", "log_likelihood"]
    assert first.items is second.items
    with pytest.raises(UnknownName, match="setting"):
        planned("no such model", settings={"nothing": "1"})  # told before the model is looked for
    with pytest.raises(CannotAnswer, match="aul"):
        planned("fake:causal", rule="aul")


def test_names_that_two_models_share_are_made_longer(tmp_path):
    pytest.importorskip("torch")
    from support.architectures import build

    folders = [build("bert", tmp_path / parent / "same") for parent in ("one", "other")]
    found = planned(*map(str, folders))
    names = [member.where.name for job in found for member in job.plan.members]
    assert names == ["one/same", "other/same"]
    (alone,) = planned(str(folders[0]))
    assert alone.plan.members[0].where.name == "same"


def test_users_name_models():
    study, monitor = study_named(STUDY), Noted()
    jobs_ = jobs.plan_jobs(
        study, ["fake:masked", "fake:causal"], RunOptions(), Options(), monitor,
        names=["fake:causal=Trial"],
    )  # fmt: skip
    assert [job.plan.members[0].where.name for job in jobs_] == ["fake:masked", "Trial"]
