"""Jobs are planned before anything is loaded, then scored; nothing is printed."""

import pytest

from tiltmeter.models.opening.model_options import Options
from tiltmeter.run import jobs
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


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))


def planned(*models, **options):
    return jobs.plan_jobs(study_named(STUDY), models, RunOptions(**options), Options(), Noted())


def test_a_job_gives_a_result_and_tells_the_monitor(capfd):
    (job,) = planned("fake:masked", seed=4)
    monitor = Noted()
    with jobs.session(monitor, command="how") as session:
        first = jobs.score(job, session)
        again = jobs.score(job, session)
    assert first.estimates == again.estimates
    assert (first.card.command, first.card.seed) == ("how", 4)
    assert first.card.run["recalled"] == 0
    assert again.card.run["asked"] == 0
    assert again.card.run["recalled"] == first.card.run["asked"] > 0
    assert first.headline is first.estimates[0]
    assert monitor.said == [("step", "loading fake:masked")] * 2
    assert capfd.readouterr() == ("", "")


def test_the_data_is_told_once_to_the_monitor():
    monitor = Noted()
    jobs.plan_jobs(study_named(STUDY), ["fake:masked", "fake"], RunOptions(), Options(), monitor)
    assert monitor.said == [("warning", STUDY)]


def test_a_session_that_keeps_nothing_leaves_nothing(tmp_path):
    (job,) = planned("fake:masked")
    for _ in range(2):
        with jobs.session(Noted(), keep=False) as session:
            result = jobs.score(job, session)
        assert result.card.run["recalled"] == 0
    assert not (tmp_path / "cache").exists() or not any((tmp_path / "cache").iterdir())
    with jobs.session(Noted()) as session:
        kept = jobs.score(job, session)
    assert kept.estimates == result.estimates
    assert any((tmp_path / "cache").iterdir())
