"""Audits of made-up findings, and their tables."""

from dataclasses import replace
from pathlib import Path

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.audits.audit_findings import finding_of, ranked
from tiltmeter.derived.audits.model_audit import Audit
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.documents.views.view_files import analysis_files
from tiltmeter.report.tables import as_rows

DIFFERENCE = Meaning("Difference of rates", difference_of="rate")


def rate(value, p=None, **other):
    return Estimate(
        "rate", value, value - 5, value + 5, p, 80, 50, "%", mde=9.0, study="s", **other
    )


def found(label, value, p, sides=None, **data):
    card = Card(
        "s", "1", {"name": "m", "fingerprint": ""}, {"name": "d", "sha256": "", **data}, "r"
    )
    lead = rate(value, p, meaning=Meaning(sides=sides))
    return finding_of(label, f"{label}: of things", Path(label), Result(card, (), [lead]))


def small(*findings, **other):
    return Audit("m", "quick", "Quick", ranked(findings), other.pop("missing", ()), **other)


def document(audit):
    """Without sections of runs, which these made-up ones have no studies for."""
    return run_document(replace(audit_result(audit), runs={}))


def table(audit, name):
    return next(t for t in document(audit).tables() if t.name == name)


def rows(audit, name):
    return as_rows(analysis_files(audit_result(audit))[name])
