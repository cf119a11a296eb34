"""An audit on disk: its page, its numbers and its tables, beside the run folders."""

from dataclasses import asdict
from pathlib import Path
from typing import Any

from tiltmeter.analysis.audit_changes import AUDIT, StudyChange
from tiltmeter.analysis.model_audit import Audit, StudyFinding
from tiltmeter.analysis.thresholds import Outcome
from tiltmeter.core.results import Estimate
from tiltmeter.report import tables
from tiltmeter.report.document import Document
from tiltmeter.report.html import page
from tiltmeter.report.junit import junit
from tiltmeter.report.sarif import sarif
from tiltmeter.run import folder as folders
from tiltmeter.run.output_files import write_files, write_text

PAGE = "report.html"
CSV = ("studies", "thresholds", "changes", "not-measured", "data")
"""Tables that are files of their own: those of single studies are in the run folders."""


def save_audit(audit: Audit, document: Document, folder: Path) -> None:
    """Write the page, audit.json and a CSV for each table of the summary.

    Raises:
        StorageError: They could not be written.
    """
    listed = {f"{t.name}.csv": tables.as_csv(t) for t in document.tables() if t.name in CSV}
    numbers = folders.to_json(as_object(audit))
    write_files(folder, {AUDIT: numbers, **listed, PAGE: page(document)})


def save_for_machines(
    audit: Audit, *, junit_file: Path | None = None, sarif_file: Path | None = None, folder: Path
) -> list[Path]:
    """Write JUnit XML and SARIF where files are named; gives those that were written.

    Raises:
        StorageError: One could not be written.
    """
    if junit_file is not None:
        write_text(junit_file, junit(audit))
    if sarif_file is not None:
        write_text(sarif_file, sarif(audit, _address(folder / PAGE)))
    return [file for file in (junit_file, sarif_file) if file is not None]


def _address(page: Path) -> str:
    """Of the page, relative to the folder that the command runs in; elsewhere its name alone."""
    here = Path.cwd()
    place = page.absolute()
    return place.relative_to(here).as_posix() if place.is_relative_to(here) else page.name


def as_object(audit: Audit) -> dict[str, Any]:
    """For JSON: everything that the page says, with all estimates of all studies."""
    return {
        "model": audit.model,
        "profile": audit.profile,
        "reference": audit.reference or None,
        "budget": audit.budget,
        "command": audit.command,
        "studies": [_study(one) for one in audit.findings],
        "not_measured": [asdict(one) for one in audit.unmeasured],
        "thresholds": [_outcome(one) for one in audit.outcomes],
        "changes": [_change(one) for one in audit.changes],
    }


def _study(one: StudyFinding) -> dict[str, Any]:
    card = one.result.card
    return {
        "label": one.label, "study": card.study, "title": one.title, "verdict": one.verdict,
        "p": one.p, "p_adjusted": one.p_adjusted, "headline": _estimate(one.lead),
        "tests": len(one.tests), "significant_tests": one.significant_tests,
        "rule": card.rule, "convention": card.convention, "data": dict(card.data),
        "counts": dict(card.counts), "folder": one.folder.name,
        "estimates": [folders.plain(e) for e in one.result.estimates],
    }  # fmt: skip


def _estimate(one: Estimate | None) -> dict[str, Any] | None:
    return None if one is None else folders.plain(one)


def _outcome(one: Outcome) -> dict[str, Any]:
    return {
        "threshold": asdict(one.threshold), "status": one.status, "study": one.study,
        "model": one.model, "value": one.value, "estimate": _estimate(one.estimate), "why": one.why,
    }  # fmt: skip


def _change(one: StudyChange) -> dict[str, Any]:
    return {
        "label": one.label, "title": one.title, "significant": one.significant, "way": one.way,
        "p": one.p, "p_adjusted": one.p_adjusted, "why": one.why,
        "difference": _estimate(one.lead), "model": _estimate(one.now),
        "reference": _estimate(one.before),
        "estimates": [folders.plain(e) for e in one.estimates],
    }  # fmt: skip
