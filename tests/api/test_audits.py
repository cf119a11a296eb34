"""tm.audit: what it returns, and what it leaves on disk."""

import pytest

import tiltmeter as tm
from support import audits
from support.command_line import own_cache
from tiltmeter.core.errors import BadInput

__all__ = ["own_cache"]


def test_an_audit_can_be_looked_at_and_saved(tmp_path):
    profile = audits.profile(tmp_path)
    result = tm.audit("fake:masked", profile=profile, fail_if=["stereotype_rate > 100"])
    assert {run.card.study for run in result.runs} == {"starter_pairs", "weat"}
    gates = [record for record in result.records if record.kind == "threshold"]
    assert [gate.groups["status"] for gate in gates] == ["passed"]
    results = {e.study: e.value for e in result.estimates if e.name == "has_result"}
    assert results == {"audit": 2, "starter_pairs": 1, "weat": 1, "sos_static": 0, "pairs": 0}
    assert "no significant lean in any of 2 studies" in repr(result)
    assert "<h1>Audit of fake:masked " in result.page(tmp_path / "page.html")
    assert (tmp_path / "page.html").is_file()
    saved = result.save(tmp_path / "kept")
    again = tm.load(saved.folder)
    assert [run.card.study for run in again.runs] == [run.card.study for run in result.runs]
    for run in saved.runs:
        assert tm.load(run.folder).headline == run.headline


def test_with_a_folder_it_is_an_audit_of_the_command_line(tmp_path):
    profile = audits.profile(tmp_path)
    result = tm.audit("fake:masked", profile=profile, out=tmp_path / "here")
    assert result.folder == tmp_path / "here"
    other = tm.audit("fake:causal", profile=profile, against=tmp_path / "here")
    assert other.card.settings["reference"] == "fake:masked"
    with pytest.raises(BadInput, match="not a time"):
        tm.audit("fake:masked", profile=profile, max_time="soon")
