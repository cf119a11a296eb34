"""JUnit XML, read back."""

import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from support import audits
from support.command_line import own_cache
from tiltmeter.derived.audits.thresholds import Outcome, parse, parsed
from tiltmeter.report.junit import junit, xml_text

__all__ = ["own_cache"]


@pytest.fixture
def made(tmp_path):
    limits = parse(["stereotype_rate >= 0", "stereotype_rate > 100", "sos_static/static_sos > 1"])
    return audits.audit(tmp_path, thresholds=limits)[1]


def test_a_test_a_threshold_and_one_a_study(made):
    root = ET.fromstring(junit(made))
    gates, studies = root.findall("testsuite")
    assert [case.find("failure") is not None for case in gates] == [True, False, False]
    assert [case.find("error") is not None for case in gates] == [False, False, True]
    assert gates[0].find("failure").get("message").startswith("--fail-if 'stereotype_rate >= 0'")
    assert gates[1].find("system-out").text.startswith("passed: ")
    skipped = {case.get("name"): case.find("skipped") for case in studies}
    assert {name for name, tag in skipped.items() if tag is not None} == {"sos_static", "pairs"}
    assert "no data of its own" in skipped["pairs"].get("message")
    counts = {name: gates.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "3", "failures": "1", "errors": "1", "skipped": "0"}
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("7", "1", "1")


def test_an_error_of_a_study_is_one_and_a_warning_is_none(made):
    failed = replace(made.unmeasured[0], cause="failed")
    gate = Outcome(parsed("rate > 1", level="warning"), "failed", "m", "s", 2.0)
    root = ET.fromstring(junit(replace(made, unmeasured=[failed], outcomes=[gate])))
    gates, studies = root.findall("testsuite")
    assert (gates.get("failures"), studies.get("errors")) == ("0", "1")
    assert gates[0].find("system-out").text.startswith("warning, failed: ")


def test_a_case_names_its_study_once(made):
    gates = [
        Outcome(parsed("pairs/rate > 1"), "passed", "m", "pairs", 0.5),
        Outcome(parsed("rate > 1"), "passed", "m", "pairs", 0.5),
        Outcome(parsed("rate > 1", study="pairs"), "passed", "m", "pairs", 0.5),
    ]
    root = ET.fromstring(junit(replace(made, outcomes=gates)))
    names = [case.get("name") for case in root.findall("testsuite")[0]]
    assert names == ["pairs/rate > 1", "rate > 1 [pairs]", "pairs/rate > 1"]


def test_what_xml_may_not_hold_is_spelled_out(made):
    foreign = "\x00\x1b[31m\ud800\ufffe<b>&\"'\U0001f600"
    one = replace(made.unmeasured[0], why=foreign, label=foreign)
    root = ET.fromstring(junit(replace(made, model=foreign, unmeasured=[one])).encode())
    case = root.findall("testsuite")[1][-1]
    assert case.get("name") == xml_text(foreign)
    assert case.find("skipped").get("message").endswith("[U+FFFE]<b>&\"'\U0001f600")


def test_the_reason_of_a_threshold_has_a_line_of_its_own(made):
    gate = Outcome(parsed("rate > 1", reason="agreed\x1b"), "failed", "m", "s", 2.0)
    root = ET.fromstring(junit(replace(made, outcomes=[gate])))
    assert root.find(".//failure").text.splitlines()[1] == "Reason: agreed[U+001B]"
