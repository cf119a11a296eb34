"""The files of an audit."""

import csv
import json

import audits
from command_line import own_cache
from tiltmeter.report.documents.audit import audit_document
from tiltmeter.report.saved_audits import save_audit, save_for_machines
from tiltmeter.run.folder import why_no_run

__all__ = ["own_cache"]


def test_the_files_hold_what_the_page_says(tmp_path):
    planned, made = audits.audit(tmp_path)
    folder = tmp_path / "audit"
    save_audit(made, audit_document(made, planned.studies), folder)
    found = json.loads((folder / "audit.json").read_text("utf-8"))
    assert [one["label"] for one in found["studies"]] == [one.label for one in made.findings]
    assert found["not_measured"][0].keys() >= {"label", "cause", "why"}
    assert sum(len(one["estimates"]) for one in found["studies"]) == len(made.estimates)
    for one in found["studies"]:
        assert (folder / one["folder"] / "card.json").is_file()
    rows = list(csv.DictReader((folder / "studies.csv").read_text("utf-8").splitlines()))
    assert {row["study"]: row["verdict"] for row in rows} == {
        one.label: one.verdict for one in made.findings
    }
    assert (folder / "not-measured.csv").is_file()
    assert not (folder / "thresholds.csv").exists()
    assert why_no_run(folder) == "an audit of a model, not a run"


def test_results_point_to_the_page_from_where_the_command_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, made = audits.audit(tmp_path, thresholds=[])
    file = tmp_path / "out" / "gates.sarif"
    assert save_for_machines(made, sarif_file=file, folder=tmp_path / "audit") == [file]
    assert json.loads(file.read_text("utf-8"))["runs"][0]["results"] == []
