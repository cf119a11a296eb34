"""Runs an audit from beginning to end, for the command line and the Python API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tiltmeter.core.equivalence_margins import EquivalenceMargins, read_margins
from tiltmeter.core.errors import BadInput
from tiltmeter.core.model.model_names import without_port
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study import Study
from tiltmeter.derived.audits.audit_findings import StudyFinding, finding_of, ranked
from tiltmeter.derived.audits.claim_margins import margins_with
from tiltmeter.derived.audits.model_audit import (
    AUDIT,
    Audit,
    audited,
    changes_between,
    runs_of_audit,
)
from tiltmeter.derived.audits.threshold_checks import check_declared, check_rows
from tiltmeter.derived.audits.thresholds import Threshold, judge, thresholds_of
from tiltmeter.derived.comparisons.compare import further_numbers
from tiltmeter.derived.comparisons.equivalence import NO_MARGINS, scale_of
from tiltmeter.report.audit_result import OWN, TESTS, gated_estimates
from tiltmeter.report.saved_runs import save_run
from tiltmeter.run.audits.audit_jobs import AuditPlan, AuditTarget, plan_audit, studies_of
from tiltmeter.run.audits.audit_profile import Profile
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.output_files import SEAL
from tiltmeter.run.jobs import Session
from tiltmeter.run.measuring.measure import all_measures
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.study_files import study_if_known


@dataclass(frozen=True, slots=True)
class PlannedAudit:
    """An audit whose inputs have been checked and that is ready to run; no model has been loaded yet."""

    profile: Profile
    plan: AuditPlan
    thresholds: Sequence[Threshold]
    against: str = ""
    """The reference as the user named it: a model or the folder of an earlier audit; "" for none."""
    reference: str = ""
    """The model of the earlier audit; "" where the reference is measured in this audit, or there is none."""
    margins: EquivalenceMargins = NO_MARGINS
    """The differences from the reference that count as none."""
    reference_runs: Mapping[str, Path] | None = None
    """The run folders of the earlier audit by the studies' labels; None without an earlier audit."""

    @property
    def studies(self) -> Mapping[str, Study[Any]]:
        """All studies of the profile, by name."""
        return self.plan.studies


def prepare_audit(  # noqa: PLR0913 what the options of the command decide
    target: AuditTarget,
    profile: Profile,
    out_folder: Path,
    *,
    thresholds: Sequence[Threshold] = (),
    against: str = "",
    margins: EquivalenceMargins = NO_MARGINS,
    fresh: bool = False,
    overwrite: bool = False,
    monitor: Monitor,
) -> PlannedAudit:
    """Check everything that can be checked before a model is loaded.

    Args:
        target: The model to audit.
        profile: The studies and how to run them; its thresholds are added to `thresholds`.
        out_folder: Where the page and the run folders are written.
        thresholds: Limits that the model must keep.
        against: A reference model, or the folder of an earlier audit; "" for none.
        margins: Differences from it that count as none, besides those of the profile and of claims.
        fresh: Whether to measure again what is already finished.
        overwrite: Whether another result in the folder may be replaced, such as the audit of another model.
        monitor: Receives the progress of downloads, and warnings.

    Raises:
        TiltmeterError: Something does not exist, does not fit together, or cannot be read.
    """
    folders.prepare(out_folder)
    limits = [*thresholds, *thresholds_of(profile.thresholds, Path(profile.file))]
    studies = studies_of(profile)
    numbers = [q for study in studies.values() for q in further_numbers(study.views)]
    check_declared(
        limits,
        {name: all_measures(study) for name, study in studies.items()},
        differences=bool(against),
        collection=[*OWN, *(numbers if against else ())],
    )
    all_margins = margins_with(margins.over(read_margins(profile.margins)), limits)
    scales = {m.name: scale_of(m) for study in studies.values() for m in all_measures(study)}
    all_margins.check(scales)
    reference, runs = "", None
    if against and (Path(against) / SEAL).is_file():
        if Path(against).resolve() == out_folder.resolve():
            raise BadInput(
                "an audit is not compared with itself", "name another --out", file=against
            )
        reference, runs = runs_of_audit(Path(against))
    elif against and _is_missing_folder(Path(against)):
        raise BadInput(
            "there is no such folder",
            "name the folder of an earlier audit, or a model",
            file=against,
        )
    elif against and against == target.name:
        raise BadInput(f"{against} is the model itself", "name another model or an earlier audit")
    plan = plan_audit(
        profile, target, out_folder,
        reference="" if runs is not None else against, fresh=fresh, monitor=monitor,
    )  # fmt: skip
    _check_folder(out_folder, plan, overwrite=overwrite)
    check_rows(limits, [(row.study.name, all_measures(row.study), row.items) for row in plan.rows])
    return PlannedAudit(profile, plan, limits, against, reference, all_margins, runs)


def _check_folder(out_folder: Path, plan: AuditPlan, *, overwrite: bool) -> None:
    """Check that the folder holds no audit of another model, and no other result."""
    planned = [cell.plan.called for cell in plan.cells_of(plan.model) if cell.plan is not None]
    names = {without_port(name) for name in (plan.model, plan.called[plan.model], *planned)}

    def is_same(card: Card) -> bool:
        earlier = {without_port(card.model_name), without_port(card.model_reference)}
        return card.study == AUDIT and not names.isdisjoint(earlier)

    folders.check_replaces(out_folder, is_same, overwrite=overwrite)
    if not overwrite and not (out_folder / SEAL).is_file():
        plan.grid.check_folder(may_overwrite=True)


def _is_missing_folder(path: Path) -> bool:
    """Whether a path is in a folder that is there, and is nothing itself: no id of a model on a hub."""
    return path.parent not in {Path(), Path("/")} and path.parent.is_dir() and not path.exists()


def run_audit(
    planned: PlannedAudit, session: Session, *, jsonl: bool = False, show_text: bool = True
) -> None:
    """Measure every study that is not finished yet into its run folder, until the session's time is up.

    With `jsonl`, records are also written as lines of JSON; without `show_text`, the pages of the runs leave
    out the texts of items.

    Raises:
        StorageError: Answers or results cannot be saved.
    """

    def save(study: Study[Any], result: Result, folder: Path) -> None:
        save_run(result, study, folder, jsonl=jsonl, show_text=show_text)

    planned.plan.grid.run(session, save)


def finished_audit(
    planned: PlannedAudit, *, budget: float | None = None, command: str = ""
) -> Audit:
    """The audit with its findings and outcomes, after `run_audit`.

    The page names the time budget in seconds (None for no limit) and the command.
    """
    plan, runs, reference = planned.plan, planned.reference_runs, planned.reference
    if runs is None and plan.reference:
        cells = plan.cells_of(plan.reference)
        runs = {cell.row.label: cell.folder for cell in cells if cell.folder is not None}
        reference = next(
            (c.result.card.model_name for c in cells if c.result is not None),
            plan.called[plan.reference],
        )
    made = audited(
        plan, planned.profile,
        reference=reference, reference_runs=runs, budget=budget, command=command,
        margins=planned.margins,
    )  # fmt: skip
    reasons = {missing.study: missing.why for missing in made.unmeasured}

    findings = {finding.label: finding for finding in made.findings}

    def why_missing(limit: Threshold) -> str:
        if why := reasons.get(limit.study, ""):
            return f"not measured, because {why}"
        if limit.study not in findings:
            return "no study that was measured reports it"
        if limit.name == TESTS.name:
            return _why_no_tests(findings[limit.study])
        return f"{limit.study} was measured and does not report it"

    outcomes = judge(planned.thresholds, gated_estimates(made), why_missing=why_missing)
    made = replace(made, outcomes=outcomes)
    # Two versions of one model: without a suffix, the page would compare it with its own name.
    same = reference == made.model and reference
    return replace(made, reference=f"{reference} (earlier)") if same else made


def _why_no_tests(finding: StudyFinding) -> str:
    """Why an audit counts no significant tests of a study: it counts those of numbers by group."""
    lead = finding.lead
    if lead is None or lead.value is None:
        reason = lead.why if lead is not None else "it has no number"
        return f"no number of {finding.label} could be tested: {reason}"
    return (
        f"the number of tests is for studies that are tested by group; {finding.label} has the number "
        f"{lead.name} over all items"
    )


def compared_audits(later: Path, earlier: Path) -> Audit:
    """A finished audit with its changes since an earlier one, each given by its folder.

    Raises:
        BadInput: One of the folders holds no audit, or a damaged one.
    """
    (model, runs), (reference, runs_before) = runs_of_audit(later), runs_of_audit(earlier)
    card = folders.read_card(later)
    results = {label: folders.read(run) for label, run in runs.items()}
    titles = {label: study_if_known(result.card) for label, result in results.items()}
    findings = ranked([
        finding_of(label, study.title if (study := titles[label]) else label, runs[label], result)
        for label, result in results.items()
    ])  # fmt: skip
    finished = str(folders.read_card(earlier).run.get("finished", ""))[:10]
    return Audit(
        model, card.settings.get("profile", ""), card.data_name, findings, (),
        reference=f"{reference} ({finished or 'earlier'})",
        changes=changes_between(findings, runs_before),
    )  # fmt: skip
