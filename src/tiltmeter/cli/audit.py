"""audit: every study that a model can answer, and one document."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tiltmeter.cli.arguments import (
    Everything,
    FailIf,
    FailUnless,
    Json,
    Jsonl,
    ModelNames,
    NoText,
    PrintedAs,
)
from tiltmeter.cli.machinery.option_parameters import GivenOptions, only
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import Option
from tiltmeter.models.opening.model_options import Options, SharedOptions
from tiltmeter.run.run_options import AuditOptions

if TYPE_CHECKING:
    from tiltmeter.derived.audits.model_audit import Audit
    from tiltmeter.derived.audits.thresholds import Threshold
    from tiltmeter.report.auditing import PlannedAudit

FAILED = 1


def audit(  # noqa: PLR0913 the command line's own options
    model: Annotated[str, Option(
        "A folder, a hub id, a name of `tiltmeter models list`, KIND:NAME, or a TOML file that lists studies "
        "and models.",
        argument=True, complete="models")],
    *,
    names: ModelNames = (),
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

    Of a TOML file with tables study and model it writes a report for each model.
    After a stop, the same command continues.
    """
    import time

    from tiltmeter.cli.analyses import Ending, show_result
    from tiltmeter.cli.console import print_json
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.sweep import SWEEP_FILE
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.equivalence_margins import read_margins
    from tiltmeter.report.audit_result import audit_result
    from tiltmeter.report.auditing import finished_audit, prepare_audit
    from tiltmeter.report.saved_runs import as_object, save_run
    from tiltmeter.run.audits.audit_jobs import AuditTarget, audits_of_file
    from tiltmeter.run.audits.audit_profile import profile_of, seconds_of
    from tiltmeter.run.files.folder_names import slug
    from tiltmeter.run.files.output_files import check_file
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import stamped

    of_file = model.endswith(SWEEP_FILE)
    machine_files = [file for file in (junit, sarif) if file is not None]
    if of_file:
        _refuse_beside_file(model, machine_files, names)
    for file in machine_files:
        check_file(file)
    limits = _thresholds(fail_if, fail_unless, thresholds)
    audits = audits_of_file(model, options) if of_file else {model: (model, profile_of(options))}
    against = str(options.against or "")
    seconds = seconds_of(options.max_time) if options.max_time else None
    planned = {}
    for label, (name, profile) in audits.items():
        folder = out_folder or Path("runs") / slug(f"audit-{profile.name}-{label}")
        folder = folder / slug(label) if of_file and out_folder else folder
        planned[folder] = prepare_audit(
            AuditTarget(name, Options(**{**profile.opening, **opening}), names), profile, folder,
            thresholds=limits, against=against, margins=read_margins(options.margin),
            fresh=options.fresh, overwrite=options.overwrite, monitor=monitor,
        )  # fmt: skip
    command = repeatable(command_line(), [model, *([against] if against else [])])
    results, codes = [], []
    for folder, plan in planned.items():
        begun = time.monotonic()
        budget = plan.profile.max_time if seconds is None else seconds
        stop = _measured(plan, budget, command, jsonl=jsonl, show_text=not no_text)
        made = finished_audit(plan, budget=budget, command=command)
        _for_machines(made, folder, junit, sarif)
        results.append(stamped(audit_result(made), begun, command))
        ending = Ending(
            folder, as_json=as_json, printed_as=printed_as, no_text=no_text, everything=everything
        )
        if of_file and ending.is_json:
            save_run(results[-1], None, folder, show_text=not no_text)
        else:
            show_result(results[-1], folder, ending)
        if stop:
            raise stop
        codes.append(_exit_code(made, plan))
    if of_file and ending.is_json:
        print_json(as_object(results))
    if any(codes):
        raise typer.Exit(max(codes))


def _refuse_beside_file(model: str, machine_files: Sequence[Path], names: Sequence[str]) -> None:
    """Refuse what is about one model beside a file that lists models."""
    if machine_files:
        reason = f"{machine_files[0]} would be about one model, and {model} may list several"
        raise BadInput(reason, f"audit one model: tiltmeter audit MODEL --profile {model}")
    if names:
        way_out = 'write called = "NAME" below the name of the [[model]]'
        raise BadInput(f"--name has no effect beside {model}", way_out)


def _measured(
    planned: "PlannedAudit", seconds: float | None, command: str, *, jsonl: bool, show_text: bool
) -> KeyboardInterrupt | None:
    """Run what is not finished; gives the interrupt that stopped it: what there is has its document."""
    import math
    import time

    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.report.auditing import run_audit
    from tiltmeter.run.asking.budget import RequestBudget
    from tiltmeter.run.jobs import session

    if not planned.plan.grid.waiting:
        return None
    limit = RequestBudget(until=time.monotonic() + (math.inf if seconds is None else seconds))
    with session(monitor, command=command, budget=limit) as shared:
        try:
            run_audit(planned, shared, jsonl=jsonl, show_text=show_text)
        except KeyboardInterrupt as interrupt:
            return interrupt
    return None


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


def _exit_code(made: "Audit", planned: "PlannedAudit") -> int:
    """Say what became of the thresholds; 3 if one is crossed or results are lacking, 1 if a study failed."""
    from tiltmeter.cli.show import CROSSED, say, say_incomplete

    say(made.outcomes)
    if made.fails_incomplete:
        say_incomplete(made.incomplete)
    if made.fails_incomplete or any(outcome.fails for outcome in made.outcomes):
        return CROSSED
    return FAILED if planned.plan.grid.failed else 0
