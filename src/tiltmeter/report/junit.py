"""Writes an audit as JUnit XML, with a test for each threshold and study, for continuous integration."""

import re
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tiltmeter.core.text import visible
from tiltmeter.derived.audits.audit_states import StudyState
from tiltmeter.derived.audits.model_audit import Audit
from tiltmeter.derived.audits.thresholds import Outcome
from tiltmeter.report.documents.audit_words import said

_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 does not allow, not even escaped."""


def junit(audit: Audit) -> str:
    """The XML with its declaration.

    A threshold fails its test only at the level "error". A study passes if it has a result that rests on
    enough answers. Without one its test is skipped, or fails if the audit must be complete; a study that
    ended in an error is an error in either case.
    """
    root = Element("testsuites", name=xml_text(f"tiltmeter audit {audit.model}"))
    gates = SubElement(root, "testsuite", name="tiltmeter.thresholds")
    for outcome in audit.outcomes:
        _gate(gates, outcome)
    studies = SubElement(root, "testsuite", name="tiltmeter.studies")
    findings = {finding.label: finding for finding in audit.findings}
    for state in audit.states:
        finding = findings.get(state.label)
        case = _case(studies, state.label, finding.seconds if finding else 0.0)
        if state.state != "measured":
            _without_result(case, state, fails=audit.require_complete and state.required)
        if finding is not None:
            verdict = f"Verdict by its main number: {finding.verdict}."
            text = xml_text(f"{said(finding, audit.model)} {verdict}")
            SubElement(case, "system-out").text = text
    if audit.require_complete:
        _completeness(gates, audit)
    for suite in (gates, studies):
        _count(suite)
    _count(root)
    indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def xml_text(text: str) -> str:
    r"""The text with control characters and those that XML does not allow spelled out.

    >>> xml_text("a\x00b\ufffe<é>")
    'a[U+0000]b[U+FFFE]<é>'
    """
    return _FORBIDDEN.sub(lambda found: f"[U+{ord(found[0]):04X}]", visible(text))


def _case(suite: Element, name: str, seconds: float = 0.0) -> Element:
    facts = {"name": xml_text(name), "classname": suite.get("name", ""), "time": f"{seconds:.3f}"}
    return SubElement(suite, "testcase", facts)


def _gate(suite: Element, outcome: Outcome) -> None:
    limit, study = outcome.threshold, outcome.study
    title = limit.title or limit.condition
    about = f" [{study}]" if study and not title.startswith(f"{study}/") else ""
    case = _case(suite, f"{title}{about}")
    reason = f"Reason: {limit.reason}" if limit.reason else ""
    text = "\n".join(xml_text(part) for part in (outcome.message, reason) if part)
    if outcome.fails:
        tag = "failure" if outcome.status == "failed" else "error"
        SubElement(case, tag, message=xml_text(outcome.message), type=outcome.status).text = text
    else:
        kept = outcome.status == "passed"
        word = outcome.status if kept else f"{limit.level}, {outcome.status}"
        SubElement(case, "system-out").text = f"{word}: {text}"


def _without_result(case: Element, state: StudyState, *, fails: bool) -> None:
    tag = "error" if state.failed else "failure" if fails else "skipped"
    made = SubElement(case, tag, message=xml_text(f"{state.state}: {state.why}"))
    if tag != "skipped":
        made.set("type", state.state)


def _completeness(suite: Element, audit: Audit) -> None:
    """Adds the test that no study lacks a result, for an audit that must be complete."""
    case = _case(suite, "every study has a result")
    lacking = ", ".join(f"{state.label} ({state.state})" for state in audit.incomplete)
    if audit.fails_incomplete:
        message = xml_text(lacking or "no study of the profile applies to the model")
        SubElement(case, "failure", message=message, type="incomplete")


def _count(suite: Element) -> None:
    """Sets the attributes of a suite that count its tests, by outcome, and add up their seconds."""
    cases = list(suite.iter("testcase"))
    suite.set("tests", str(len(cases)))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        if name != "skipped" or suite.tag == "testsuite":
            suite.set(name, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", f"{sum(float(case.get('time', '0')) for case in cases):.3f}")
