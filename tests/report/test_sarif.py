"""SARIF, read back, and held against what the standard requires."""

import json
import re
from dataclasses import replace

import pytest

from support import audits
from support.command_line import own_cache
from tiltmeter.derived.audits.thresholds import parse, parsed
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
    assert len({rule["id"] for rule in rules}) == len(rules) == 6
    levels = {"none", "note", "warning", "error"}
    for result in run["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert result["level"] in levels
        assert (result["kind"] in {"pass", "open"}) == (result["level"] == "none")
        (place,) = result["locations"]
        address = place["physicalLocation"]["artifactLocation"]["uri"]
        assert address == "runs/a%20b/report.html"
    assert [result["level"] for result in run["results"]] == [
        "error", "none", "error", "warning", "note", "none",
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


ALLOWED = {
    "log": {"$schema", "version", "runs"},
    "runs": {"tool", "invocations", "results", "properties"},
    "tool": {"driver"},
    "driver": {"name", "version", "semanticVersion", "rules"},
    "rules": {"id", "shortDescription", "fullDescription", "defaultConfiguration", "properties"},
    "defaultConfiguration": {"level"},
    "invocations": {"executionSuccessful", "commandLine", "toolExecutionNotifications"},
    "toolExecutionNotifications": {"level", "message"},
    "results": {"ruleId", "ruleIndex", "kind", "level", "message", "locations", "partialFingerprints",
                "properties"},
    "locations": {"physicalLocation", "logicalLocations"},
    "physicalLocation": {"artifactLocation", "region"},
    "artifactLocation": {"uri"},
    "region": {"startLine"},
    "logicalLocations": {"fullyQualifiedName", "kind"},
    "message": {"text"},
    "shortDescription": {"text"},
    "fullDescription": {"text"},
}  # fmt: skip
"""The properties of each object that the standard's schema knows and that Tiltmeter may write."""
REQUIRED = {
    "log": {"version", "runs"}, "runs": {"tool"}, "tool": {"driver"}, "driver": {"name"},
    "rules": {"id"}, "invocations": {"executionSuccessful"}, "results": {"message"},
    "toolExecutionNotifications": {"message"}, "physicalLocation": {"artifactLocation"},
    "message": {"text"}, "shortDescription": {"text"}, "fullDescription": {"text"},
}  # fmt: skip
LEVELS = {"none", "note", "warning", "error"}
KINDS = {"notApplicable", "pass", "fail", "review", "open", "informational"}
FREE = {"properties", "partialFingerprints"}


def objects(value, kind="log"):
    """Every object of a log with the property that holds it."""
    if isinstance(value, list):
        for one in value:
            yield from objects(one, kind)
    elif isinstance(value, dict):
        yield kind, value
        for name, inner in value.items():
            if kind not in FREE:
                yield from objects(inner, name)


@pytest.mark.parametrize("foreign", [False, True])
def test_every_object_has_what_the_standard_requires_and_nothing_that_it_forbids(made, foreign):
    if foreign:
        odd = 'a\x00\ud800 "b"%20/../é'
        missing = [replace(made.unmeasured[0], why=odd, label=odd)]
        made = replace(made, model=odd, unmeasured=missing, command=odd)
    log = json.loads(sarif(made, "a b/ä%.html"))
    seen = set()
    for kind, value in objects(log):
        seen.add(kind)
        if kind in FREE:
            continue
        assert value.keys() <= ALLOWED[kind], kind
        assert value.keys() >= REQUIRED.get(kind, set()), kind
        assert value.get("level", "none") in LEVELS
        for name in value.keys() & {
            "text",
            "id",
            "uri",
            "name",
            "version",
            "commandLine",
            "ruleId",
        }:
            assert isinstance(value[name], str)
            assert value[name]
    assert seen == {*ALLOWED, *FREE}
    for run in log["runs"]:
        for result in run["results"]:
            assert result["kind"] in KINDS
            assert all(isinstance(text, str) for text in result["partialFingerprints"].values())
            for place in result["locations"]:
                physical = place["physicalLocation"]
                assert physical["region"]["startLine"] >= 1
                assert re.fullmatch(
                    r"(?:[\w.~/-]|%[0-9A-F]{2})+", physical["artifactLocation"]["uri"], re.ASCII
                )
        assert re.fullmatch(
            r"\d+\.\d+\.\d+(-[\w.-]+)?(\+[\w.-]+)?", run["tool"]["driver"]["semanticVersion"]
        )
