"""An audit from beginning to end: stops, time budgets, references, studies of other packages."""

import json
from dataclasses import replace

import pytest

from plugins import bare_study
from support import audits
from support.command_line import own_cache
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.model.model_names import usual_name
from tiltmeter.derived.audits.thresholds import parse
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.saved_runs import save_run
from tiltmeter.run.audits.audit_profile import read_profile
from tiltmeter.run.sweeps import sweep_jobs

__all__ = ["own_cache"]
ONE = '[[study]]\nname = "starter_pairs"\nlimit = 10\n'


def test_every_study_is_measured_or_said_to_be_missing(tmp_path):
    planned, made = audits.audit(tmp_path)
    assert {one.label for one in made.findings} == {"starter_pairs", "weat"}
    assert {one.label for one in made.unmeasured} == {"sos_static", "pairs"}
    assert set(planned.studies) == {"starter_pairs", "weat", "sos_static", "pairs"}
    for one in made.findings:
        assert (one.folder / "card.json").is_file()


def test_after_a_stop_only_the_rest_is_measured(tmp_path, monkeypatch):
    done = []

    def stop_at_the_second(job, session):
        if done:
            raise KeyboardInterrupt
        done.append(job.study.name)
        return score(job, session)

    score = sweep_jobs.score
    monkeypatch.setattr(sweep_jobs, "score", stop_at_the_second)
    with pytest.raises(KeyboardInterrupt):
        audits.audit(tmp_path)
    assert done == ["weat"]
    again = []
    monkeypatch.setattr(
        sweep_jobs, "score", lambda job, s: again.append(job.study.name) or score(job, s)
    )
    _, made = audits.audit(tmp_path)
    assert again == ["starter_pairs"]
    assert {one.label for one in made.findings} == {"starter_pairs", "weat"}


def test_a_spent_budget_leaves_studies_out_and_the_next_call_continues(tmp_path):
    _, made = audits.audit(tmp_path, budget=0.0)
    assert not made.findings
    assert {one.cause for one in made.unmeasured} == {"budget", "data", "model"}
    assert audit_result(made).card.finding[0].text == (
        "fake:masked: no study of this audit could be measured."
    )
    _, made = audits.audit(tmp_path)
    assert len(made.findings) == 2


def test_a_study_that_fails_stops_no_other(tmp_path, monkeypatch):
    score = sweep_jobs.score

    def fail(job, session):
        if job.study.name == "weat":
            raise ZeroDivisionError("by <zero>")
        return score(job, session)

    monkeypatch.setattr(sweep_jobs, "score", fail)
    _, made = audits.audit(tmp_path)
    (failed,) = [one for one in made.unmeasured if one.cause == "failed"]
    assert (failed.label, failed.why) == ("weat", "ZeroDivisionError: by <zero>")
    assert [one.label for one in made.findings] == ["starter_pairs"]


def test_an_earlier_audit_of_another_model_is_compared_on_the_same_items(tmp_path):
    _, earlier = audits.audit(tmp_path, "fake:causal", out="earlier")
    save_run(audit_result(earlier), None, tmp_path / "earlier")
    _, made = audits.audit(tmp_path, against=str(tmp_path / "earlier"))
    assert made.reference == "fake:causal"
    changes = {change.label: change for change in made.changes}
    of = {one.label: one.lead.value for one in (*earlier.findings,)}
    for one in made.findings:
        change = changes[one.label]
        if not change.why:
            assert change.before.value == pytest.approx(of[one.label])
            assert change.lead.value == pytest.approx(one.lead.value - change.before.value)
    assert "starter_pairs" in changes
    assert changes["starter_pairs"].lead.n == 60


def test_a_reference_model_is_measured_on_the_same_studies(tmp_path):
    limits = parse(["stereotype_rate_difference > 100"])
    planned, made = audits.audit(tmp_path, against="fake:level", thresholds=limits)
    assert made.reference == "fake:level"
    assert {cell.model for cell in planned.plan.grid.cells} == {"fake:masked", "fake:level"}
    assert [one.status for one in made.outcomes] == ["passed"]
    assert {e.model for one in made.findings for e in one.result.estimates} == {"fake:masked"}


def test_what_cannot_be_compared_is_refused_before_anything_runs(tmp_path):
    with pytest.raises(BadInput, match="is the model itself"):
        audits.audit(tmp_path, against="fake:masked")
    with pytest.raises(BadInput, match="there is no such folder"):
        audits.audit(tmp_path, against=str(tmp_path / "last"))
    _, made = audits.audit(tmp_path)
    save_run(audit_result(made), None, tmp_path / "audit")
    with pytest.raises(BadInput, match="not compared with itself"):
        audits.audit(tmp_path, against=str(tmp_path / "audit"))


def test_thresholds_of_a_study_that_was_not_measured_are_undefined(tmp_path):
    limits = parse(["sos_static/static_sos > 0.9"])
    _, made = audits.audit(tmp_path, thresholds=limits)
    (outcome,) = made.outcomes
    assert (outcome.status, outcome.fails) == ("undefined", True)
    assert "cannot measure fake:masked" in outcome.why
    with pytest.raises(UnknownName, match="study measured here"):
        audits.audit(tmp_path, thresholds=parse(["seat/effect_size:test=a > 1"]))


def test_a_profile_brings_thresholds_of_its_own(tmp_path):
    gate = '[[threshold]]\nfail_if = "stereotype_rate >= 0"\nlevel = "note"\n'
    _, made = audits.audit(tmp_path, text=audits.PROFILE + gate)
    assert [(one.status, one.fails) for one in made.outcomes] == [("failed", False)]


@pytest.mark.usefixtures("left_handed")
def test_a_study_of_another_package_takes_part(tmp_path):
    assert bare_study.NAME in {entry.name for entry in read_profile("full").entries}
    text = f'[[study]]\nname = "{bare_study.NAME}"\n'
    _, made = audits.audit(tmp_path, text=text, out="own")
    (one,) = made.findings
    assert (one.label, one.lead.name) == (bare_study.NAME, bare_study.MEASURE)
    save_run(audit_result(made), None, tmp_path / "own")
    found = json.loads((tmp_path / "own" / "estimates.json").read_text("utf-8"))
    assert bare_study.NAME in {estimate["study"] for estimate in found}


def test_an_audit_replaces_that_of_the_same_model_only(tmp_path):
    def saved(model, **options):
        _, made = audits.audit(tmp_path, model, text=ONE, **options)
        save_run(audit_result(made), None, tmp_path / "audit")

    saved("fake:masked")
    saved("fake:masked", fresh=True)
    with pytest.raises(
        BadInput, match=r"“Audit of fake:masked”; name another --out, or.*--overwrite"
    ):
        saved("fake:causal")
    saved("fake:causal", overwrite=True)
    with pytest.raises(BadInput, match="“Audit of fake:causal”"):
        saved("fake:masked")


def test_a_server_may_listen_at_another_port(tmp_path):
    _, made = audits.audit(tmp_path, text=ONE)
    result = audit_result(made)
    for then, now in (
        ("chat:http://localhost:8000#llama", "chat:http://localhost:8001#llama"),
        ("chat:http://localhost:8000", "chat:http://localhost:8001"),
    ):
        model = {"name": usual_name(then), "reference": then, "fingerprint": "f"}
        save_run(replace(result, card=replace(result.card, model=model)), None, tmp_path / "audit")
        with pytest.raises(BadInput, match="another result"):
            audits.audit(tmp_path, "fake:masked", text=ONE)
        # nothing listens there: the folder is not what is refused
        planned, _ = audits.audit(tmp_path, now, text=ONE)
        assert planned.plan.model == now
