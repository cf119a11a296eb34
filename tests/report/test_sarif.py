"""SARIF, read back, and held against what the standard requires."""

import json
from dataclasses import replace

import pytest

import audits
from command_line import own_cache
from tiltmeter.analysis.thresholds import parse, parsed
from tiltmeter.report.sarif import sarif

__all__ = ["own_cache"]


@pytest.fixture
def made(tmp_path):
    limits = [
        *parse(["stereotype_rate >= 0", "stereotype_rate > 100", "sos_static/static_sos > 1"]),
        parsed("stereotype_rate > 0", level="warning", title="Rate", reason="agreed"),
        parsed("stereotype_rate > 1", level="note", title="Rate"),
    ]
    return audits.audit(tmp_path, thresholds=limits)[1]


def test_a_rule_and_a_result_a_threshold(made):
    log = json.loads(sarif(made, "runs/a b/report.html"))
    assert log["version"] == "2.1.0"
    assert "sarif-schema-2.1.0" in log["$schema"]
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules) == 5
    levels = {"none", "note", "warning", "error"}
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert result["level"] in levels
        assert (result["kind"] == "pass") == (result["level"] == "none")
        (place,) = result["locations"]
        address = place["physicalLocation"]["artifactLocation"]["uri"]
        assert address == "runs/a%20b/report.html"
    assert [result["level"] for result in run["results"]] == [
        "error", "none", "error", "warning", "note",
    ]  # fmt: skip
    first, *_ = run["results"]
    found = first["properties"]
    assert found["low"] < found["value"] < found["high"]
    assert rules[3]["shortDescription"]["text"] == "Rate"
    assert rules[3]["fullDescription"]["text"] == "agreed"


def test_what_was_not_measured_is_a_notification(made):
    (run,) = json.loads(sarif(made))["runs"]
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"]
    assert len(invocation["toolExecutionNotifications"]) == len(made.unmeasured)
    failed = replace(made, unmeasured=[replace(made.unmeasured[0], cause="failed")])
    (run,) = json.loads(sarif(failed))["runs"]
    assert not run["invocations"][0]["executionSuccessful"]
    assert run["invocations"][0]["toolExecutionNotifications"][0]["level"] == "error"
