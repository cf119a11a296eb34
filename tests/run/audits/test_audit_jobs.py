"""Which studies an audit runs, in which order, and until when."""

import pytest

from support import audits
from support.command_line import own_cache
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.run.audits.audit_jobs import AuditTarget, plan_audit
from tiltmeter.run.audits.audit_profile import read_profile
from tiltmeter.run.monitor import Logged

__all__ = ["own_cache"]


def planned(tmp_path, text=audits.PROFILE, model="fake:masked"):
    profile = read_profile(str(audits.profile(tmp_path, text)))
    return plan_audit(profile, AuditTarget(model), tmp_path / "out", monitor=Logged())


def test_what_cannot_be_measured_is_listed_with_the_reason(tmp_path):
    plan = planned(tmp_path)
    assert [cell.row.label for cell in plan.grid.waiting] == [
        "weat",
        "starter_pairs",
    ]  # short first
    assert {(one.label, one.cause) for one in plan.left_out} == {
        ("sos_static", "model"), ("pairs", "data"),
    }  # fmt: skip
    whys = {one.label: one.why for one in plan.left_out}
    assert whys["sos_static"].startswith("sos_static cannot measure fake:masked")
    assert "no data of its own" in whys["pairs"]


@pytest.mark.parametrize(
    ("study", "error", "message"),
    [
        ('name = "wea"', UnknownName, "wea: No study named 'wea'. Did you mean 'weat'"),
        ('name = "weat"\nrule = "pol"', UnknownName, "Did you mean 'pooler'"),
        ('name = "weat"\ndata = "missing.json"', BadInput, "missing.json"),
    ],
)
def test_mistakes_of_a_profile_are_refused(tmp_path, study, error, message):
    with pytest.raises(error, match=message):
        planned(tmp_path, f"[[study]]\n{study}\n")


def test_data_that_cannot_be_fetched_leave_a_study_out(tmp_path, monkeypatch):
    monkeypatch.setattr("tiltmeter.data.downloads.registry.download", refuse)
    (one,) = planned(tmp_path, '[[study]]\nname = "winogender"\n').left_out
    assert (one.cause, one.why) == ("data", "no network")


def refuse(*_, **__):
    from tiltmeter.core.errors import Unavailable

    raise Unavailable("no network")


def test_sentences_go_before_prompts(tmp_path):
    text = '[[study]]\nname = "prompts"\n[[study]]\nname = "starter_pairs"\n'
    plan = planned(tmp_path, text, "fake:causal")
    assert [cell.row.label for cell in plan.grid.waiting] == ["starter_pairs", "prompts"]
    assert [one.why for one in plan.unmeasured] == [
        "the audit was stopped; the same command continues with it"
    ] * 2
