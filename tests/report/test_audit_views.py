"""The tables of an audit: thresholds, changes, and what was not measured."""

import pytest

from report.made_audits import DIFFERENCE, document, found, rate, rows, small, table
from tiltmeter.core.estimates import Estimate
from tiltmeter.derived.audits.model_audit import StudyChange
from tiltmeter.derived.audits.thresholds import Outcome, parsed
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.documents.views.view_files import analysis_files
from tiltmeter.report.terminal import plain_text
from tiltmeter.run.audits.audit_jobs import Unmeasured


def test_thresholds_that_are_crossed_come_first_and_reasons_are_said():
    limits = [parsed("rate > 90"), parsed("rate > 10", title="Low", reason="agreed")]
    outcomes = [
        Outcome(limits[0], "passed", "m", "s", 60.0, rate(60.0)),
        Outcome(limits[1], "failed", "m", "s", 60.0, rate(60.0)),
        Outcome(parsed("other/x > 1"), "undefined", study="other", why="no data"),
    ]
    listed = rows(small(outcomes=outcomes), "thresholds")
    assert [row["status"] for row in listed] == ["failed", "undefined", "passed"]
    assert [row["fail_if"] for row in listed] == ["s/rate > 10", "other/x > 1", "s/rate > 90"]
    assert [row["reason"] for row in listed] == ["Low: agreed", "no data.", None]
    assert listed[0]["shown"] == "60.0\u00a0% (55.0 to 65.0)"
    # in lines of their own, since narrow pages and terminals cut columns
    lines = plain_text(document(small(outcomes=outcomes)))
    assert "s/rate > 10: Low: agreed." in lines and "other/x > 1: no data." in lines
    assert list(table(small(outcomes=outcomes), "thresholds").strong) == [True, True, False]
    assert "thresholds" not in analysis_files(audit_result(small()))


@pytest.mark.parametrize(("level", "shown"), [("error", False), ("warning", True)])
def test_levels_of_thresholds_are_shown_where_they_differ(level, shown):
    outcome = Outcome(parsed("rate > 9", level=level), "failed", "m", "s", 60.0, rate(60.0))
    audit = small(outcomes=[outcome])
    assert ("Level" in [c.title for c in table(audit, "thresholds").kept("page")]) == shown
    assert rows(audit, "thresholds")[0]["level"] == level


def test_changes_and_what_was_not_compared():
    moved = Estimate("d", 20.0, 9.0, 31.0, 0.001, 80, 0, "percentage points", meaning=DIFFERENCE)
    now = found("A", 80.0, 0.001)
    changes = [
        StudyChange("A", "A", [moved], moved, (), now.lead, rate(60.0), 0.001, 0.002),
        StudyChange("B", "B", why="other data"),
    ]
    audit = small(now, found("B", 50.0, 0.9), reference="old", changes=changes)
    first, second = rows(audit, "changes")
    assert (first["verdict"], first["value"], first["reference"]) == ("farther", 80, 60)
    assert (first["low"], first["change"], first["high"], first["p_adjusted"]) == (9, 20, 31, 0.002)
    assert (second["verdict"], second["change"]) == ("not compared", None)
    assert "B: not compared: other data" in table(audit, "changes").notes
    assert "changes" not in analysis_files(audit_result(small()))


def test_what_was_not_measured_says_why():
    missing = [Unmeasured(x.lower(), "x", f"{x}: of y", "budget", "the time was up") for x in "XY"]
    audit = small(missing=missing)
    assert rows(audit, "not-measured")[0] == {
        "study": "x", "cause": "not yet measured", "details": "the time was up",
    }  # fmt: skip
    assert "The time was up (the same command continues): X, Y." in plain_text(document(audit))
