"""Audits of a model from Python."""

import shutil
import time
from collections.abc import Sequence
from math import inf
from pathlib import Path
from tempfile import mkdtemp
from typing import Unpack

from tiltmeter.api.keywords import AuditKeywords, options_made, takes
from tiltmeter.api.results import RunResult
from tiltmeter.api.wrapped import WrappedModel, source_of
from tiltmeter.core.equivalence_margins import read_margins
from tiltmeter.derived.audits.thresholds import parse
from tiltmeter.models.opening.model_options import Options
from tiltmeter.report.audit_result import audit_result
from tiltmeter.report.auditing import finished_audit, prepare_audit, run_audit
from tiltmeter.run.asking.budget import RequestBudget
from tiltmeter.run.audits.audit_jobs import AuditTarget
from tiltmeter.run.audits.audit_profile import profile_of, seconds_of
from tiltmeter.run.jobs import session, stamped
from tiltmeter.run.monitor import Logged, Monitor
from tiltmeter.run.run_options import AuditOptions


@takes(AuditKeywords, AuditOptions, Options)
def audit(
    model: str | Path | WrappedModel,
    *,
    name: str = "",
    fail_if: Sequence[str] = (),
    fail_unless: Sequence[str] = (),
    out: str | Path | None = None,
    monitor: Monitor | None = None,
    **options: Unpack[AuditKeywords],
) -> RunResult:
    r"""Run every study that a model can answer, as `tiltmeter audit` does.

    >>> import tiltmeter as tm
    >>> from tempfile import mkdtemp
    >>> profile = Path(mkdtemp(), "small.toml")  # or "quick"
    >>> _ = profile.write_text('[[study]]\nname = "starter_pairs"')
    >>> limit = ["starter_pairs/stereotype_rate > 40"]
    >>> made = tm.audit("fake:masked", profile=profile, fail_if=limit)
    >>> [record.groups["status"] for record in made.records if record.kind == "threshold"]
    ['failed']

    Args:
        model: A folder, a hub id, KIND:NAME, or what `wrap` made.
        name: What titles, tables and pictures call the model; "" for its usual name.
        fail_if: Thresholds, as of the command line; nothing is raised where one is crossed.
        fail_unless: Claims of equivalence to the reference, likewise.
        out: The audit's folder, from which an interrupted audit continues; None keeps nothing.
        monitor: As of `run`.
        **options: Those of `tiltmeter audit`; how the model is opened goes before what the profile says.

    Returns:
        A result like a run's: an estimate a study; what became of thresholds and what was not measured are
        records. Its `runs` are the results of the studies.

    Raises:
        TiltmeterError: As the command line, with the same messages.
    """
    begun, monitor = time.monotonic(), monitor or Logged()
    how = options_made(AuditOptions, options)
    chosen = profile_of(how)
    opening = options_made(Options, {**chosen.opening, **options})
    source = source_of(model, opening, options.get("precision"))
    reference = source if isinstance(source, str) else source.reference
    target = AuditTarget(source, opening, [f"{reference}={name}"] if name else ())
    folder = Path(mkdtemp(prefix="tiltmeter-audit-") if out is None else out)
    planned = prepare_audit(
        target, chosen, folder, thresholds=parse(fail_if, fail_unless),
        against=str(how.against or ""), margins=read_margins(how.margin), fresh=how.fresh,
        overwrite=how.overwrite, monitor=monitor,
    )  # fmt: skip
    seconds = seconds_of(how.max_time) if how.max_time else chosen.max_time
    command = f"tiltmeter.audit({target.name!r}, profile={Path(how.profile).name!r})"
    limit = RequestBudget(until=begun + (inf if seconds is None else seconds))
    with session(monitor, command=command, budget=limit) as shared:
        run_audit(planned, shared)
    result = stamped(audit_result(finished_audit(planned, budget=seconds)), begun, command)
    if out is not None:
        return RunResult(result, None).save(folder)
    shutil.rmtree(folder, ignore_errors=True)
    return RunResult(result, None)
