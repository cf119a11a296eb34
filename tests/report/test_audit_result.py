"""An audit as a result: its estimates and records, the tables of its folder, and its page."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from report.made_audits import document, found, rate, rows, small, table
from support import audits
from support.command_line import own_cache
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.finder import find
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.audits.audit_findings import finding_of
from tiltmeter.derived.audits.thresholds import parse
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.document import Items, Lines
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.saved_runs import save_run
from tiltmeter.report.terminal import plain_text
from tiltmeter.run.files import folder as folders

__all__ = ["own_cache"]
EVIL = "<script>alert(1)</script>\u202e"


@pytest.fixture
def made(tmp_path):
    limits = parse(["stereotype_rate >= 0", "stereotype_rate > 100"])
    return audits.audit(tmp_path, thresholds=limits)[1]


def test_the_headline_is_how_many_studies_lean_and_each_study_has_its_number():
    audit = small(found("A", 51.0, 0.6), found("B", 80.0, 0.001), found("C", 70.0, 0.02))
    result = audit_result(audit)
    head = result.headline
    assert (head.name, head.value, head.n) == ("significant_studies", 2, 3)
    of = {e.study: (e.value, e.verdict, e.p_adjusted) for e in result.estimates if e.name == "rate"}
    assert of == {
        "B": (80.0, "leans", 0.003), "C": (70.0, "leans", 0.04), "A": (51.0, "not significant", 0.6),
    }  # fmt: skip
    assert audit_result(small()).headline.value is None
    assert result.card.title == "Audit of m"
    assert [row["n"] for row in rows(audit, "studies")] == [80, 80, 80]


def test_a_row_a_study_with_raw_numbers_for_files():
    audit = small(
        found("A", 51.0, 0.6), found("B", 80.0, 0.001, sides=("kind", "unkind"), sample="9 of 90")
    )
    first, second = rows(audit, "studies")
    assert (first["study"], first["verdict"], first["towards"]) == ("B", "leans", "unkind")
    assert (first["low"], first["value"], first["high"], first["neutral"]) == (75, 80, 85, 50)
    assert (second["p"], second["p_adjusted"], second["mde"], second["towards"]) == (
        0.6,
        0.6,
        9,
        None,
    )
    assert list(table(audit, "studies").strong) == [True, False]
    blocks = document(audit).blocks()
    lines = [line for block in blocks if isinstance(block, Lines) for line in block.lines]
    assert "Random samples: B, 9 of 90." in lines


def test_what_clusters_say_stands_alone_as_a_sentence():
    lead = rate(70.0, 0.001, meaning=Meaning(counts="pairs"))
    clustered = replace(
        lead, name="clustered", low=45.0, p=0.2, meaning=Meaning(counts="pairs", variant_of="rate")
    )
    card = Card("s", "1", {"name": "m"}, {"name": "d", "clusters": "writer"}, "r")
    study = finding_of("A", "A: of things", Path("A"), Result(card, (), [lead, clustered]))
    (note,) = table(small(study), "studies").notes
    assert note.startswith("A: Pairs from the same writer are not independent: allowing for that, ")


def test_the_folder_holds_the_audit_and_its_runs(made, tmp_path):
    folder = tmp_path / "audit"
    save_run(audit_result(made), None, folder)
    again = folders.read(folder)
    assert {name: run.card.study for name, run in again.runs.items()} == {
        one.folder.name: one.label for one in made.findings
    }
    assert folders.why_no_run(folder) == ""
    assert page(run_document(again)) == (folder / "report.html").read_text("utf-8")
    listed = list(csv.DictReader((folder / "studies.csv").read_text("utf-8").splitlines()))
    assert {row["study"]: row["verdict"] for row in listed} == {
        one.label: one.verdict for one in made.findings
    }
    assert {record.kind for record in again.records} == {
        "threshold",
        "study_state",
        "not_measured",
        "data",
    }
    save_run(again, None, tmp_path / "elsewhere")
    assert folders.read(tmp_path / "elsewhere").runs.keys() == again.runs.keys()
    for file in (folder / made.findings[0].folder.name).iterdir():
        file.unlink()
    assert len(folders.read(folder).runs) == 1


def test_the_summary_comes_first_and_says_everything(made):
    text = plain_text(run_document(audit_result(made)))
    failed = (
        "fake:masked fails this audit. Of 2 threshold checks: 1 crossed (stereotype_rate >= 0)."
    )
    assert text.startswith(failed)
    assert run_document(audit_result(made)).finding[0].kind == "headline"
    lean = "fake:masked: no significant lean in any of 2 studies that test for one"
    assert text[len(failed) :].lstrip().startswith(lean)
    kept = replace(made, outcomes=[one for one in made.outcomes if not one.fails])
    assert plain_text(run_document(audit_result(kept))).startswith(lean)
    assert "1 of 3 studies has no usable result: 1 not measured (Your own sentence pairs)." in text
    assert "1 of 4 studies does not apply to this model" in text
    for heading in ("The studies at a glance", "Thresholds", "Not measured"):
        assert f"\n{heading}\n" in text
    assert "Compared with" not in text


def test_foreign_text_is_escaped(made):
    bad = [replace(made.unmeasured[0], why=EVIL)]
    evil = replace(made, model=EVIL, unmeasured=bad, reference=EVIL)
    html = page(run_document(audit_result(evil)))
    assert "<script>" not in html
    assert "\u202e" not in html
    assert "&lt;script&gt;" in html


def test_texts_of_items_are_left_out(made):
    shown = run_document(audit_result(made))
    assert not [block for block in shown.blocks() if isinstance(block, Items)]
    html = page(shown)
    for pair in find("studies", "starter_pairs", "STUDY").load().items:
        assert pair.more not in html
