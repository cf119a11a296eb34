"""`run` of a TOML file: studies × models."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from tiltmeter.cli.arguments import RayOptions, RunOutput, model_opener
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.options import options_given

if TYPE_CHECKING:
    from tiltmeter.core.results import Result
    from tiltmeter.core.study import Study

FAILED = 1
SWEEP_FILE = ".toml"
"""The end of the names of files that list studies and models."""


def refuse_beside_file(
    file: str,
    models: Sequence[str],
    *options: object,
    allow_code: bool,
    everything: bool,
    named: bool = False,
) -> None:
    """Refuse what the file has to say itself; `options` are instances of dataclasses of options.

    `named` says whether a model is given a name.

    Raises:
        BadInput: A model, a name or an option is given, or `everything` is asked for, which one table cannot
            show.
    """
    if models:
        reason = f"{file} lists the models, and {models[0]} is named beside it"
        raise BadInput(reason, "add it to the file as a [[model]]")
    if everything:
        reason = f"--all has no effect beside {file}"
        raise BadInput(reason, "show one of its runs in full: tiltmeter report FOLDER --all")
    if named:
        way_out = 'write called = "NAME" below the name of the [[model]]'
        raise BadInput(f"--name has no effect beside {file}", way_out)
    given = {key for some in options for key in options_given(some)} - {"fresh"}
    given |= {"allow-code"} if allow_code else set()
    for key in sorted(given):
        raise BadInput(f"--{key} has no effect beside {file}", f"write {key} into the file")


def run_file(
    file: Path, output: RunOutput, *, fail_if: tuple[str, ...], plan: bool, fresh: bool,
    workers: RayOptions,
) -> None:  # fmt: skip
    """Score each model of a file on each of its studies.

    Args:
        file: Lists studies and models.
        output: Its folder, where it is the default, is `runs/NAME`.
        fail_if: Thresholds.
        plan: Show what would be scored, without loading models.
        fresh: Repeat what is finished.
        workers: Where models are opened.
    """
    from tiltmeter.cli.console import out, print_json
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.show import enforce
    from tiltmeter.cli.sweep_table import sweep_table
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.derived.audits.threshold_checks import check_declared, check_rows
    from tiltmeter.derived.audits.thresholds import parse
    from tiltmeter.report.saved_runs import save_run
    from tiltmeter.run.files.folder import check_replaces, prepare
    from tiltmeter.run.files.output_files import SWEEP
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import session
    from tiltmeter.run.measuring.measure import all_measures
    from tiltmeter.run.sweeps.sweep import read_sweep
    from tiltmeter.run.sweeps.sweep_jobs import plan_sweep

    limits = parse(fail_if)
    listed = read_sweep(file)
    folder = Path("runs") / file.stem if output.folder == RunOutput().folder else output.folder
    if not plan:
        prepare(folder)
        check_replaces(folder, lambda _: False, may_overwrite=False)
    grid = plan_sweep(listed, folder, fresh=fresh, monitor=monitor)
    if not plan:
        grid.check_folder()
    rows = {cell.row.label: cell.row for cell in grid.cells}.values()
    check_declared(limits, {row.study.name: all_measures(row.study) for row in rows})
    check_rows(limits, [(row.study.name, all_measures(row.study), row.items) for row in rows])

    def save(study: "Study[Any]", result: "Result", where: Path) -> None:
        save_run(result, study, where, jsonl=output.jsonl, show_text=not output.no_text)

    if not plan and grid.waiting:
        command = repeatable(command_line())
        with (
            model_opener(workers, gpus=grid.gpus) as opener,
            session(monitor, opener=opener, command=command) as shared,
        ):
            grid.run(shared, save)
    elif not plan:
        grid.write()
    if output.as_json:
        print_json(grid.as_object())
    else:
        out.print(sweep_table(grid))
        if (folder / SWEEP).is_file():
            out.print(f"All: {folder}", soft_wrap=True)
    if grid.failed:
        raise typer.Exit(FAILED)
    if not plan:
        enforce(limits, grid.results)
