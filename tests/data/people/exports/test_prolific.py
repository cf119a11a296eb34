"""Prolific's export: people by id, withdrawn consent, submissions made twice."""

import pytest

from data.people.exports.examples import table
from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.data.people.exports.prolific import read_panel

HEAD = (
    "Submission id", "Participant id", "Status", "Custom study tncs accepted at", "Started at",
    "Completed at", "Reviewed at", "Archived at", "Time taken", "Completion code", "Total approvals",
    "Age", "Sex", "Language",
)  # fmt: skip


def row(submission, person, status="APPROVED", started="2026-01-02", *about):
    return (
        submission,
        person,
        status,
        "Not Applicable",
        started,
        "",
        "",
        "",
        "812",
        "C1",
        "7",
        *about,
    )


def test_people_have_their_demographics_and_status(tmp_path):
    rows = [
        HEAD,
        row("s2", "ann", "APPROVED", "2026-01-03", "31", "CONSENT_REVOKED", "English"),
        row("s1", "ann", "RETURNED", "2026-01-02", "DATA_EXPIRED", "", "English"),
        row("s3", "bo", "TIMED-OUT", "2026-01-02", "NA", "Male", "Welsh"),
    ]
    panel = read_panel(table(tmp_path / "p.csv", rows))
    assert panel.columns == ("Age", "Sex", "Language") and panel.rows == 3
    ann, bo = panel.people["ann"], panel.people["bo"]
    assert ann.submissions == ("s1", "s2") and ann.status == "APPROVED"
    assert ann.about == {"Age": "31", "Sex": "", "Language": "English"}
    assert bo.about == {"Age": "", "Sex": "Male", "Language": "Welsh"} and bo.status == "TIMED-OUT"
    assert panel.notes == (
        "3 submissions of 2 people.",
        "3 answers read as missing ('CONSENT_REVOKED' 1, 'DATA_EXPIRED' 1, 'NA' 1).",
    )


def test_a_byte_order_mark_semicolons_and_older_names_are_read(tmp_path):
    path = tmp_path / "old.csv"
    path.write_text("session_id;participant_id;status;age\ns;ann;APPROVED;31\n", "utf-8-sig")
    assert read_panel(path).people["ann"].about == {"age": "31"}
    path.write_text("Turker,age\nw,4\n")
    assert read_panel(path, person="Turker").people["w"].about == {"age": "4"}
    with pytest.raises(BadInput, match="no column of the panel’s ids"):
        read_panel(path)
    with pytest.raises(BadInput, match="no column named 'Worker'"):
        read_panel(path, person="Worker")


def test_results_of_a_batch_of_mturk_are_read(tmp_path):
    head = (
        "HITId",
        "AssignmentId",
        "WorkerId",
        "AssignmentStatus",
        "AcceptTime",
        "Input.text",
        "Answer.age",
    )
    rows = [
        head,
        ("h", "a1", "w1", "Submitted", "Tue", "x", "31"),
        ("h", "a2", "w2", "Approved", "", "", ""),
    ]
    panel = read_panel(table(tmp_path / "batch.csv", rows))
    assert panel.columns == ("Answer.age",)
    worker = panel.people["w1"]
    assert (worker.status, worker.submissions, worker.about) == (
        "Submitted", ("a1",), {"Answer.age": "31"},
    )  # fmt: skip


def test_rows_without_id_and_contradictions_are_refused_together(tmp_path):
    rows = [("Participant id", "Age"), ("ann", "31"), ("", "4"), ("ann", "32")]
    with pytest.raises(BadItems, match="Participant id is empty") as raised:
        read_panel(table(tmp_path / "p.csv", rows))
    assert "Age of the participant ann is 32, and 31 in an earlier row" in str(raised.value)
