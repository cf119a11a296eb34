"""audit: every study that a model can answer, and one document."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tiltmeter.cli.arguments import (
    Everything,
    FailIf,
    FailUnless,
    Json,
    Jsonl,
    Model,
    NoText,
    PrintedAs,
)
from tiltmeter.cli.machinery.option_parameters import GivenOptions, only
from tiltmeter.core.reading.options import Option
from tiltmeter.models.opening.model_options import Options, SharedOptions
from tiltmeter.run.run_options import AuditOptions

if TYPE_CHECKING:
    from tiltmeter.derived.audits.model_audit import Audit
    from tiltmeter.derived.audits.thresholds import Threshold
    from tiltmeter.report.auditing import PlannedAudit

FAILED = 1


def audit(  # noqa: PLR0913 the command line's own options
    model: Model,
    *,
    options: AuditOptions,
    fail_if: FailIf = (),
    fail_unless: FailUnless = (),
    thresholds: Annotated[Path | None, Option(
        "TOML file of thresholds: [\\[threshold]] with study, fail_if or fail_unless, level, title, "
        "reason.")] = None,
    junit: Annotated[Path | None, Option("Also write thresholds and studies as JUnit XML.")] = None,
    sarif: Annotated[Path | None, Option("Also write thresholds as SARIF 2.1.0.")] = None,
    out_folder: Annotated[Path | None, Option(
        "Folder for the audit (default runs/audit-PROFILE-MODEL).", name="out")] = None,
    as_json: Json = False,
    printed_as: PrintedAs = "text",
    jsonl: Jsonl = False,
    no_text: NoText = False,
    everything: Everything = False,
    opening: Annotated[dict[str, Any], GivenOptions(
        Options, only(SharedOptions, "revision", "tokenizer"))],
) -> None:  # fmt: skip
    """Run every study that a model can answer and write one report.

    After a stop, the same command continues.
    """
    import math
    import time

    from tiltmeter.cli.analyses import Ending, show_result
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.equivalence_margins import read_margins
    from tiltmeter.report.audit_result import audit_result
    from tiltmeter.report.auditing import finished_audit, prepare_audit, run_audit
    from tiltmeter.run.asking.budget import RequestBudget
    from tiltmeter.run.audits.audit_jobs import AuditTarget
    from tiltmeter.run.audits.audit_profile import profile_of, seconds_of
    from tiltmeter.run.files.folder_names import slug
    from tiltmeter.run.files.output_files import check_file
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import session, stamped

    begun = time.monotonic()
    for file in filter(None, (junit, sarif)):
        check_file(file)
    limits = _thresholds(fail_if, fail_unless, thresholds)
    chosen = profile_of(options)
    seconds = seconds_of(options.budget) if options.budget else chosen.budget
    target = AuditTarget(model, Options(**{**chosen.opening, **opening}))
    folder = out_folder or Path("runs") / slug(f"audit-{chosen.name}-{model}")
    against = str(options.against or "")
    planned = prepare_audit(
        target, chosen, folder,
        thresholds=limits, against=against, margins=read_margins(options.margin),
        fresh=options.fresh, monitor=monitor,
    )  # fmt: skip
    command = repeatable(command_line(), [model, *([against] if against else [])])
    limit, stop = RequestBudget(until=begun + (math.inf if seconds is None else seconds)), None
    if planned.plan.grid.waiting:
        with session(monitor, command=command, budget=limit) as shared:
            try:
                run_audit(planned, shared, jsonl=jsonl, show_text=not no_text)
            except KeyboardInterrupt as interrupt:  # what there is so far has its document
                stop = interrupt
    made = finished_audit(planned, budget=seconds, command=command)
    _for_machines(made, folder, junit, sarif)
    ending = Ending(
        folder, as_json=as_json, printed_as=printed_as, no_text=no_text, everything=everything
    )
    show_result(stamped(audit_result(made), begun, command), folder, ending)
    if stop:
        raise stop
    _leave(made, planned)


def _thresholds(
    fail_if: tuple[str, ...], fail_unless: tuple[str, ...], file: Path | None
) -> "list[Threshold]":
    from tiltmeter.derived.audits.thresholds import parse, read_thresholds

    return [*parse(fail_if, fail_unless), *(read_thresholds(file) if file else [])]


def _for_machines(
    made: "Audit", folder: Path, junit_file: Path | None, sarif_file: Path | None
) -> None:
    """Write JUnit XML and SARIF where files are named."""
    from tiltmeter.cli.console import say_file
    from tiltmeter.report.junit import junit
    from tiltmeter.report.sarif import sarif
    from tiltmeter.run.files.output_files import PAGE, write_text

    page, here = (folder / PAGE).absolute(), Path.cwd()
    address = page.relative_to(here).as_posix() if page.is_relative_to(here) else page.name
    for file, text in ((junit_file, junit(made)), (sarif_file, sarif(made, address))):
        if file is not None:
            write_text(file, text)
            say_file(file)


def _leave(made: "Audit", planned: "PlannedAudit") -> None:
    """Say what became of the thresholds; 3 if one is crossed or results are lacking, 1 if a study failed."""
    from tiltmeter.cli.show import CROSSED, leave_if_crossed, say, say_incomplete

    say(made.outcomes)
    if made.fails_incomplete:
        say_incomplete(made.incomplete)
    leave_if_crossed(made.outcomes)
    if made.fails_incomplete:
        raise typer.Exit(CROSSED)
    if planned.plan.grid.failed:
        raise typer.Exit(FAILED)
