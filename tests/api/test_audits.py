"""tm.audit: what it returns, and what it leaves on disk."""

import pytest

import audits
import tiltmeter as tm
from command_line import own_cache
from tiltmeter.core.errors import BadInput

__all__ = ["own_cache"]


def test_an_audit_can_be_looked_at_and_saved(tmp_path):
    profile = audits.profile(tmp_path)
    result = tm.audit("fake:masked", profile=profile, fail_if=["stereotype_rate > 100"])
    assert {one.label for one in result.findings} == {"starter_pairs", "weat"}
    assert [one.status for one in result.outcomes] == ["passed"]
    assert {e.study for e in result.estimates} == {"starter_pairs", "weat"}
    assert "starter_pairs not significant" in repr(result)
    assert "<h1>Audit of a language model</h1>" in result.page(tmp_path / "page.html")
    assert (tmp_path / "page.html").is_file()
    saved = result.save(tmp_path / "kept")
    runs = {tm.load(one.folder).card.study for one in result.findings}
    again = {tm.load(file.parent).card.study for file in saved.folder.glob("*/card.json")}
    assert runs == again == {"starter_pairs", "weat"}
    assert (saved.folder / "audit.json").is_file()


def test_with_a_folder_it_is_an_audit_of_the_command_line(tmp_path):
    profile = audits.profile(tmp_path)
    result = tm.audit("fake:masked", profile=profile, out=tmp_path / "here")
    assert result.folder == tmp_path / "here"
    other = tm.audit("fake:causal", profile=profile, against=tmp_path / "here")
    assert other.audit.reference == "fake:masked"
    with pytest.raises(BadInput, match="not a time"):
        tm.audit("fake:masked", profile=profile, budget="soon")
