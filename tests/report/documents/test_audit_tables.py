"""Tables of an audit: what files hold, and which rows stand out."""

from pathlib import Path

from tiltmeter.analysis.audit_changes import StudyChange
from tiltmeter.analysis.model_audit import Audit, finding_of, ranked
from tiltmeter.analysis.thresholds import Outcome, parsed
from tiltmeter.core.results import Card, Estimate, Result
from tiltmeter.report.documents.audit_tables import (
    changes_table,
    gates_table,
    glance_table,
    unmeasured_blocks,
)
from tiltmeter.report.tables import as_rows
from tiltmeter.run.audit_jobs import Unmeasured


def rate(value, p=None):
    return Estimate("rate", value, value - 5, value + 5, p, 80, 50, "%", mde=9.0, study="s")


def found(label, value, p, **data):
    card = Card("s", "1", {"name": "m"}, {"name": "d", **data}, "r", "paper", "", 0, "", {})
    return finding_of(label, label, Path(label), Result(card, (), [rate(value, p)]))


def audit(*findings, **other):
    return Audit("m", "quick", "Quick", ranked(findings), other.pop("missing", ()), **other)


def test_a_row_a_study_with_raw_numbers_for_files():
    table = glance_table(audit(found("A", 51.0, 0.6), found("B", 80.0, 0.001, sample="9 of 90")))
    first, second = as_rows(table)
    assert (first["study"], first["verdict"], first["towards"]) == ("B", "leans", "above neutral")
    assert (first["low"], first["value"], first["high"], first["neutral"]) == (75, 80, 85, 50)
    assert (second["p"], second["p_adjusted"], second["mde"]) == (0.6, 0.6, 9)
    assert list(table.strong) == [True, False]
    assert table.notes == ["Random samples: B, 9 of 90."]


def test_thresholds_that_are_crossed_come_first_and_reasons_are_said():
    limits = [parsed("rate > 90"), parsed("rate > 10", title="Low", reason="agreed")]
    outcomes = [
        Outcome(limits[0], "passed", "m", "s", 60.0, rate(60.0)),
        Outcome(limits[1], "failed", "m", "s", 60.0, rate(60.0)),
        Outcome(parsed("other/x > 1"), "undefined", study="other", why="no data"),
    ]
    table = gates_table(audit(outcomes=outcomes))
    assert [row["status"] for row in as_rows(table)] == ["failed", "undefined", "passed"]
    assert as_rows(table)[0]["reason"] == "Low: agreed"
    assert table.columns[1].cells == ["s/rate > 10", "other/x > 1", "s/rate > 90"]
    assert table.columns[2].cells[0] == "60.0\u00a0% [55.0 to 65.0]"
    assert table.notes == ["other/x > 1: undefined, no data."]
    assert gates_table(audit()) is None


def test_changes_and_what_was_not_compared():
    moved = Estimate("d", 20.0, 9.0, 31.0, 0.001, 80, 0, "percentage points")
    changes = [
        StudyChange("A", "A", [moved], moved, (), rate(80.0), rate(60.0), 0.001, 0.002),
        StudyChange("B", "B", why="other data"),
    ]
    table = changes_table(audit(reference="old", changes=changes))
    first, second = as_rows(table)
    assert (first["change"], first["model"], first["reference"]) == ("farther", 80, 60)
    assert (first["low"], first["difference"], first["high"]) == (9, 20, 31)
    assert (second["change"], second["difference"]) == (None, None)
    assert table.notes == ["B: Not compared: other data."]
    assert changes_table(audit()) is None


def test_what_was_not_measured_says_why():
    missing = [Unmeasured(x.lower(), "x", f"{x}: of y", "budget", "the time was up") for x in "XY"]
    said, table = unmeasured_blocks(audit(missing=missing))
    first, _ = as_rows(table)
    assert first == {"study": "x", "cause": "budget", "why": "the time was up"}
    assert said.lines == ["X; Y: no time was left: the time was up"]
    assert unmeasured_blocks(audit()) == []


def test_levels_of_thresholds_are_shown_where_they_differ():
    for level, shown in (("error", False), ("warning", True)):
        outcomes = [Outcome(parsed("rate > 9", level=level), "failed", "m", "s", 60.0, rate(60.0))]
        table = gates_table(audit(outcomes=outcomes))
        assert ("Level" in [c.title for c in table.kept("page")]) == shown
        assert as_rows(table)[0]["level"] == level
