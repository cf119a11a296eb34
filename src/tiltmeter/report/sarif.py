"""Writes the thresholds of an audit as SARIF 2.1.0, which code hosts show as findings."""

from collections.abc import Mapping, Sequence
from urllib.parse import quote

from tiltmeter import __version__
from tiltmeter.core.text import json_text, visible
from tiltmeter.derived.audits.audit_states import StudyState
from tiltmeter.derived.audits.model_audit import Audit
from tiltmeter.derived.audits.thresholds import Outcome, Threshold
from tiltmeter.report.document import Json
from tiltmeter.report.text import anchor, sentence_end, title

SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
VERSION = "2.1.0"


def sarif(audit: Audit, page: str = "report.html") -> str:
    """The log as JSON, with one rule for each threshold and one result for each threshold and study.

    A threshold that is kept gives a result of kind "pass"; one that is crossed or undefined gives one of kind
    "fail", with the threshold's level. A further rule says that every study has a result: each study without
    one gives a result of kind "fail" if the audit must be complete, otherwise "open". Results point to the
    audit's `page`, whose address is relative to the root of the repository.
    """
    rules = list(dict.fromkeys(map(_identity, audit.outcomes)))
    # Reversed, so that of equal thresholds the first remains.
    first = {_identity(outcome): outcome.threshold for outcome in reversed(audit.outcomes)}
    names = _unique([anchor(first[key].title or first[key].condition) for key in rules])
    at = {key: number for number, key in enumerate(rules)}
    failed = any(outcome.cause == "failed" for outcome in audit.unmeasured)
    notes: Sequence[Json] = [
        {"level": "error" if outcome.cause == "failed" else "note",
         "message": {"text": visible(f"{outcome.label} was not measured: {outcome.why}")}}
        for outcome in audit.unmeasured
    ]  # fmt: skip
    run: Mapping[str, Json] = {
        "tool": {
            "driver": {
                "name": "Tiltmeter", "version": __version__, "semanticVersion": __version__,
                "rules": [
                    *(_rule(name, first[key]) for name, key in zip(names, rules, strict=True)),
                    _COMPLETE,
                ],
            }
        },
        "invocations": [
            {"executionSuccessful": not failed, "commandLine": visible(audit.command),
             "toolExecutionNotifications": notes}
        ],
        "results": [
            _result(outcome, names[at[_identity(outcome)]], at[_identity(outcome)], page)
            for outcome in audit.outcomes
        ] + _lacking(audit, len(rules), page),
        "properties": {"model": visible(audit.model), "profile": visible(audit.profile)},
    }  # fmt: skip
    return json_text({"$schema": SCHEMA, "version": VERSION, "runs": [run]}) + "\n"


_COMPLETE: Mapping[str, Json] = {
    "id": "every-study-has-a-result",
    "shortDescription": {"text": "Every study has a result"},
    "fullDescription": {
        "text": "A study that was not measured, whose number is undefined, or of which few replies are "
        "answers says nothing about the model."
    },
    "defaultConfiguration": {"level": "error"},
}


def _lacking(audit: Audit, index: int, page: str) -> list[Json]:
    """The results of the rule that every study has one: an entry for each study that lacks it.

    If the audit must be complete and no study lacks a result, there is a single entry, which passes unless
    the audit has no studies.
    """
    made: list[Json] = [
        _complete(state, index, page, fails=audit.require_complete) for state in audit.incomplete
    ]
    if audit.require_complete and not audit.incomplete:
        passed = not audit.fails_incomplete
        words = "every study has a result" if passed else "no study of the profile applies to it"
        made.append({
            "ruleId": _COMPLETE["id"], "ruleIndex": index,
            "kind": "pass" if passed else "fail", "level": "none" if passed else "error",
            "message": {"text": visible(f"{audit.model}: {words}.")},
            "locations": _location(page, audit.model),
        })  # fmt: skip
    return made


def _complete(state: StudyState, index: int, page: str, *, fails: bool) -> Json:
    return {
        "ruleId": _COMPLETE["id"], "ruleIndex": index,
        "kind": "fail" if fails else "open", "level": "error" if fails else "none",
        "message": {"text": visible(f"{state.label}: {state.state}: {sentence_end(state.why)}")},
        "locations": _location(page, state.label),
        "partialFingerprints": {"state/v1": visible(f"{state.label}|{state.state}")},
        "properties": {"state": state.state, "study": visible(state.label)},
    }  # fmt: skip


def _location(page: str, name: str) -> Json:
    return [{
        "physicalLocation": {"artifactLocation": {"uri": quote(page)}, "region": {"startLine": 1}},
        "logicalLocations": [{"fullyQualifiedName": visible(name), "kind": "member"}],
    }]  # fmt: skip


def _identity(outcome: Outcome) -> tuple[str, str]:
    return outcome.threshold.condition, outcome.threshold.title


def _unique(names: Sequence[str]) -> list[str]:
    """The names made unique by a number after those that occurred before."""
    ids: list[str] = []
    for name in names:
        same = sum(other == name for other in names[: len(ids)])
        ids.append(f"{name}-{same + 1}" if same else name)
    return ids


def _rule(name: str, limit: Threshold) -> Mapping[str, Json]:
    short = limit.title or f"Fails if {limit.condition}"
    return {
        "id": name,
        "shortDescription": {"text": visible(short)},
        "fullDescription": {"text": visible(limit.reason or f"Fails if {limit.condition}")},
        "defaultConfiguration": {"level": limit.level},
        "properties": {"condition": visible(limit.condition)},
    }


def _result(outcome: Outcome, rule: str, index: int, page: str) -> Mapping[str, Json]:
    kept = outcome.status == "passed"
    e = outcome.estimate
    name = ".".join(part for part in (outcome.study, outcome.threshold.name) if part)
    return {
        "ruleId": rule, "ruleIndex": index,
        "kind": "pass" if kept else "fail", "level": "none" if kept else outcome.threshold.level,
        "message": {"text": visible(_message(outcome))},
        "locations": _location(page, name),
        "partialFingerprints": {"threshold/v1": visible(f"{outcome.study}|{outcome.threshold.condition}")},
        "properties": {
            "status": outcome.status, "value": outcome.value, "study": visible(outcome.study),
            "measure": visible(outcome.threshold.name), "groups": dict(outcome.threshold.groups),
            "unit": e.unit if e else None, "low": e.low if e else None,
            "high": e.high if e else None, "n": e.n if e else None,
        },
    }  # fmt: skip


def _message(outcome: Outcome) -> str:
    called = title(outcome.estimate) if outcome.estimate is not None else outcome.threshold.name
    if outcome.value is None:
        return f"{called} is undefined: {sentence_end(outcome.why)}"
    limit = outcome.threshold
    word = {"passed": "Kept", "failed": "Crossed", "undecided": "Undecided"}[outcome.status]
    if limit.says.claim:
        return f"{word}: {sentence_end(outcome.message)}"
    field = "" if limit.field == "value" else f" ({limit.field})"
    value = f"{called}{field} of {outcome.model} is {outcome.value:.4g}"
    return f"{word}: {value}; fails if {limit.condition}."
