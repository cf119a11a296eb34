"""sweep: studies × models from a TOML file."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tiltmeter.cli.arguments import FailIf, FreshRuns, Json, Jsonl, NoText, RayOptions, model_opener
from tiltmeter.core.reading.options import Option

if TYPE_CHECKING:
    from tiltmeter.core.results import Result
    from tiltmeter.core.study import Study

FAILED = 1


def sweep(  # noqa: PLR0913 the command line's own options
    file: Annotated[Path, Option("TOML file that lists studies and models.", argument=True)],
    *,
    out_folder: Annotated[
        Path | None, Option("Folder for the results (default runs/NAME).", name="out")
    ] = None,
    dry_run: Annotated[bool, Option("Show what would run, without loading models.")] = False,
    as_json: Json = False,
    jsonl: Jsonl = False,
    fail_if: FailIf = (),
    no_text: NoText = False,
    fresh: FreshRuns = False,
    workers: RayOptions,
) -> None:
    """Score many models on many studies. After a stop, the same command continues."""
    from tiltmeter.cli.console import out, print_json
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.show import enforce
    from tiltmeter.cli.sweep_table import sweep_table
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.derived.audits.threshold_checks import check_declared, check_rows
    from tiltmeter.derived.audits.thresholds import parse
    from tiltmeter.report.saved_runs import save_run
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.output_files import SWEEP
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import session
    from tiltmeter.run.measuring.measure import all_measures
    from tiltmeter.run.sweeps.sweep import read_sweep
    from tiltmeter.run.sweeps.sweep_jobs import plan_sweep

    limits = parse(fail_if)
    listed = read_sweep(file)
    folder = out_folder or Path("runs") / file.stem
    prepare(folder)
    grid = plan_sweep(listed, folder, fresh=fresh, monitor=monitor)
    rows = {cell.row.label: cell.row for cell in grid.cells}.values()
    check_declared(limits, {row.study.name: all_measures(row.study) for row in rows})
    check_rows(limits, [(row.study.name, all_measures(row.study), row.items) for row in rows])

    def save(study: "Study[Any]", result: "Result", where: Path) -> None:
        save_run(result, study, where, jsonl=jsonl, show_text=not no_text)

    if not dry_run and grid.waiting:
        command = repeatable(command_line())
        with (
            model_opener(workers, gpus=grid.gpus) as opener,
            session(monitor, opener=opener, command=command) as shared,
        ):
            grid.run(shared, save)
    elif not dry_run:
        grid.write()
    if as_json:
        print_json(grid.as_object())
    else:
        out.print(sweep_table(grid))
        if (folder / SWEEP).is_file():
            out.print(f"All: {folder}", soft_wrap=True)
    if grid.failed:
        raise typer.Exit(FAILED)
    if not dry_run:
        enforce(limits, grid.results)
