"""Which studies of an audit have a result that says something, and which a complete audit needs."""

from pathlib import Path

import pytest

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.audits.audit_findings import finding_of, ranked
from tiltmeter.derived.audits.audit_states import study_states
from tiltmeter.derived.audits.model_audit import Audit
from tiltmeter.run.audits.audit_jobs import Unmeasured


def found(value, answered=None, p=0.6):
    counts = {"scored": 10}
    if answered is not None:
        counts |= {
            "replies": 10,
            "answered": answered,
            "refused": 10 - answered,
            "unread": 0,
            "cut": 0,
            "empty": 0,
        }
    card = Card("s", "1", {"name": "m"}, {"name": "d"}, counts=counts)
    ends = (None, None) if value is None else (value - 5, value + 5)
    lead = Estimate(
        "rate", value, *ends, p, 10, 50, "%", why="" if value is not None else "no answers"
    )
    return finding_of("S", "S: of things", Path("S"), Result(card, (), [lead]))


@pytest.mark.parametrize(
    ("finding", "state", "verdict"),
    [
        (found(50), "measured", "not significant"),
        (found(50, 8), "measured", "not significant"),
        (found(50, 7), "unanswered", "unanswered"),
        (found(80, 7, p=0.001), "unanswered", "leans"),
        (found(None), "undefined", "undefined"),
        (found(None, 10), "undefined", "undefined"),
        (found(None, 0), "unanswered", "unanswered"),
    ],
)
def test_a_result_needs_a_value_and_enough_answers(finding, state, verdict):
    (judged,) = ranked([finding], 0.8)
    (made,) = study_states([judged], (), 0.8)
    assert (made.state, judged.verdict) == (state, verdict)
    assert made.lacks_result == (state != "measured") == bool(made.why)


def test_the_reason_says_what_became_of_replies():
    (made,) = study_states([found(50, 7)], (), 0.8)
    assert made.why == "70.0 % of replies are answers, fewer than 80 %: 3 refusals."


@pytest.mark.parametrize(
    ("cause", "required", "state", "fails"),
    [
        ("model", False, "not applicable", False),
        ("data", False, "not measured", False),
        ("data", True, "not measured", True),
        ("budget", True, "not measured", True),
        ("failed", True, "not measured", True),
    ],
)
def test_what_was_not_measured_is_needed_where_it_applies(cause, required, state, fails):
    missing = Unmeasured("x", "x", "X: of y", cause, "so", required=required)
    audit = Audit("m", "p", "P", [found(50)], [missing], require_complete=True)
    assert audit.states[1].state == state
    assert (audit.fails_incomplete, bool(audit.incomplete)) == (fails, fails)


def test_an_audit_without_any_result_is_not_complete():
    missing = Unmeasured("x", "x", "X: of y", "model", "so", required=False)
    assert Audit("m", "p", "P", [], [missing], require_complete=True).fails_incomplete
    assert not Audit("m", "p", "P", [], [missing]).fails_incomplete
