"""Audits of a model from Python."""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Unpack
from weakref import finalize

from tiltmeter.analysis.model_audit import Audit, StudyFinding
from tiltmeter.analysis.thresholds import Outcome, parse
from tiltmeter.api.keywords import AuditKeywords, options_made, takes
from tiltmeter.api.wrapped import WrappedModel, source_of
from tiltmeter.core.results import Estimate
from tiltmeter.core.study import Study
from tiltmeter.core.text import visible
from tiltmeter.models.opening.model_options import Options
from tiltmeter.report.auditing import finished_audit, prepare_audit, run_audit
from tiltmeter.report.documents.audit import audit_document
from tiltmeter.report.html import page
from tiltmeter.report.rows import Rows, estimate_rows
from tiltmeter.report.saved_audits import save_audit
from tiltmeter.run import folder as folders
from tiltmeter.run.audit_jobs import AuditTarget
from tiltmeter.run.audit_profile import read_profile, seconds_of
from tiltmeter.run.jobs import session
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.output_files import write_text
from tiltmeter.run.run_options import AuditOptions


@dataclass(frozen=True, slots=True, repr=False, weakref_slot=True)
class AuditResult:
    """Every study of one model."""

    audit: Audit
    """The same as plain data."""
    studies: Mapping[str, Study[Any]]
    folder: Path
    """Where the run folders are; where none was named, one that goes with this object."""

    @property
    def findings(self) -> Sequence[StudyFinding]:
        """One a study, the strongest evidence first."""
        return self.audit.findings

    @property
    def outcomes(self) -> Sequence[Outcome]:
        """What became of each threshold."""
        return self.audit.outcomes

    @property
    def estimates(self) -> Rows[Estimate]:
        """All numbers of all studies."""
        return estimate_rows(self.audit.estimates)

    def page(self, path: str | Path | None = None) -> str:
        """The page as HTML, also written to a file where one is named."""
        made = page(audit_document(self.audit, self.studies))
        if path is not None:
            write_text(Path(path), made)
        return made

    def save(self, folder: str | Path) -> "AuditResult":
        """Write the page, the numbers and the run folders.

        Returns:
            The result with its `folder`.

        Raises:
            StorageError, BadInput: It could not be written.
        """
        to = Path(folder)
        folders.prepare(to)
        for one in self.findings:
            if one.folder.resolve().parent != to.resolve():
                shutil.copytree(one.folder, to / one.folder.name, dirs_exist_ok=True)
        findings = [replace(one, folder=to / one.folder.name) for one in self.findings]
        made = replace(self.audit, findings=findings)
        save_audit(made, audit_document(made, self.studies), to)
        return AuditResult(made, self.studies, to)

    def __repr__(self) -> str:
        words = ", ".join(f"{one.label} {one.verdict}" for one in self.findings)
        return visible(f"<audit of {self.audit.model}: {words or 'no study measured'}>")


@takes(AuditKeywords, AuditOptions, Options)
def audit(
    model: str | Path | WrappedModel,
    *,
    fail_if: Sequence[str] = (),
    out: str | Path | None = None,
    monitor: Monitor | None = None,
    **options: Unpack[AuditKeywords],
) -> AuditResult:
    """Run every study that a model can answer, as `tiltmeter audit` does.

    Args:
        model: A folder, a hub id, KIND:NAME, or what `wrap` made.
        fail_if: Thresholds, as of the command line; nothing is raised where one is crossed.
        out: The audit's folder, from which an interrupted audit continues; None keeps nothing.
        monitor: As of `run`.
        **options: Those of `tiltmeter audit`; how the model is opened goes before what the profile says.

    Raises:
        TiltmeterError: As the command line, with the same messages.
    """
    monitor = monitor or Logged()
    how = options_made(AuditOptions, options)
    chosen = read_profile(str(how.profile))
    opening = options_made(Options, {**chosen.opening, **options})
    target = AuditTarget(source_of(model, opening, options.get("precision")), opening)
    folder = Path(mkdtemp(prefix="tiltmeter-audit-") if out is None else out)
    planned = prepare_audit(
        target, chosen, folder, thresholds=parse(fail_if),
        against=str(how.against or ""), fresh=how.fresh, monitor=monitor,
    )  # fmt: skip
    seconds = seconds_of(how.budget) if how.budget else chosen.budget
    command = f"tiltmeter.audit({target.name!r}, profile={Path(how.profile).name!r})"
    with session(monitor, command=command) as shared:
        run_audit(planned, shared, budget=seconds)
    made = finished_audit(planned, budget=seconds, command=command)
    result = AuditResult(made, planned.studies, folder)
    if out is not None:
        return result.save(folder)
    finalize(result, shutil.rmtree, folder, ignore_errors=True)
    return result
