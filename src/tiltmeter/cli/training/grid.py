"""train grid: classifiers of several models on several data sets, and studies on them, as one job."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tiltmeter.cli.arguments import Json
from tiltmeter.cli.console import err, out, print_json
from tiltmeter.cli.training.train import Training
from tiltmeter.core.reading.options import Option

if TYPE_CHECKING:
    from tiltmeter.cli.training.grid_file import GridPlan
    from tiltmeter.core.results import Result
    from tiltmeter.core.study import Study
    from tiltmeter.run.sweeps.sweep_jobs import Grid
    from tiltmeter.train.grid import TrainingCell

FAILED = 1
RUNS = "runs"
"""Name of the folder inside the grid's that has the runs, in a folder for each cell."""


def grid(
    file: Annotated[
        str,
        Option("TOML file with models, data sets and studies, or the name of a shipped one.", argument=True),
    ],
    *,
    out_folder: Annotated[
        Path | None, Option("Folder for classifiers and runs (default grids/NAME).", name="out")
    ] = None,
    device: Annotated[str, Option("Device for all cells: auto, cpu, cuda, cuda:1, mps.")] = "",
    limit: Annotated[int | None, Option("Use a random sample of this many texts of each set.", min=9)] = None,
    measure: Annotated[str, Option("Score in the table of classifiers (default: the file's).")] = "",
    only_plan: Annotated[
        bool, Option("Show what would be trained, without loading models.", name="plan")
    ] = False,
    as_json: Json = False,
) -> None:  # fmt: skip
    """Train classifiers of models × data sets and measure them. After a stop, the same command continues."""
    from tiltmeter.cli.training.grid_file import grid_path, read_grid
    from tiltmeter.train.grid import TrainingGrid

    path = grid_path(file)
    folder = out_folder or Path("grids") / path.stem
    given = {"device": device, "limit": limit}
    plan = read_grid(path, folder, {name: value for name, value in given.items() if value})
    trainings = TrainingGrid(plan.cells, folder)
    measured: list[Grid] = []
    if not only_plan:
        trainings.run(_announced, lambda line: err.print(line, soft_wrap=True, markup=False))
        measured = _measure(plan, folder)
    if as_json:
        print_json(trainings.as_object() | {"runs": [grid.as_object() for grid in measured]})
    else:
        _print(plan, measured, measure or plan.measure, folder)
    if any(cell.state == "failed" for cell in plan.cells) or any(grid.failed for grid in measured):
        raise typer.Exit(FAILED)


def _announced(cell: "TrainingCell", place: str) -> Training:
    err.print(f"{cell.model} × {cell.data} ({place})", style="bold", markup=False)
    return Training("texts")


def _measure(plan: "GridPlan", folder: Path) -> "list[Grid]":
    """Run the studies on the classifiers of each cell that was trained; what is done already is read."""
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import TiltmeterError
    from tiltmeter.report.saved_runs import save_run
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import session
    from tiltmeter.run.sweeps.sweep_jobs import plan_sweep

    def save(study: "Study[Any]", result: "Result", where: Path) -> None:
        save_run(result, study, where, jsonl=False, show_text=True)

    measured = []
    with session(monitor, command=repeatable(command_line())) as shared:
        for cell in plan.cells:
            if cell.state != "done":
                continue
            runs = folder / RUNS / cell.config.folder.name
            try:
                prepare(runs)
                grid = plan_sweep(plan.sweep(cell), runs, fresh=False, monitor=monitor)
            except TiltmeterError as error:
                cell.state, cell.why = "failed", f"trained, but not measured: {error}"
                monitor.failure(f"{cell.model} × {cell.data} failed: {error}")
                continue
            if grid.waiting:
                grid.run(shared, save)
            measured.append(grid)
    return measured


def _print(plan: "GridPlan", measured: "Sequence[Grid]", measure: str, folder: Path) -> None:
    from tiltmeter.derived.run_tables.run_table import run_tables
    from tiltmeter.report.documents.run_tables.run_table_page import run_table_document
    from tiltmeter.report.terminal import print_document

    cells, tabled = plan.cells, plan.tabled
    for line in training_lines(cells, measure):
        out.print(line, soft_wrap=True, markup=False)
    grouped = [
        result for grid in measured for result in grid.results
        if any(e.name in tabled for e in result.estimates)
    ]  # fmt: skip
    if grouped:
        several = any(len(cell.config.seeds) > 1 for cell in cells)
        rows = ["group", "base", *(["seed"] if several else [])]
        tables = run_tables(grouped, rows=rows, columns=["measure"], measures=tabled)
        print_document(run_table_document(tables), out)
    for cell in cells:
        if cell.state == "failed":
            out.print(
                f"Failed: {cell.model} × {cell.data}: {cell.why}", soft_wrap=True, markup=False
            )
    for grid in measured:
        for failed in grid.failed:
            line = f"Failed: {failed.row.study.name} × {failed.model}: {failed.why}"
            out.print(line, soft_wrap=True, markup=False)
    if measured:
        runs = folder / RUNS
        out.print(
            f"Runs: {runs} (for replicate PAPER --runs {runs}, and table {runs}/*/*-*)",
            soft_wrap=True,
        )


def training_lines(cells: "Sequence[TrainingCell]", measure: str) -> list[str]:
    """A table of data sets × models: one score on the test texts, or the state of a cell without one.

    Raises:
        UnknownName: No training has such a score.
    """
    from tiltmeter.core.errors import known_names
    from tiltmeter.report import text_table

    tested = [cell.summary["test"] for cell in cells if cell.summary]
    scores = [*dict.fromkeys(name for of_cell in tested for name in of_cell)]
    measure = measure or next(iter(scores), "")
    known_names("score", [measure], scores or [measure])
    percent = {name for cell in cells for name in (cell.summary or {}).get("percent", ())}
    models = [*dict.fromkeys(cell.model for cell in cells)]
    data = [*dict.fromkeys(cell.data for cell in cells)]
    shown = {(cell.data, cell.model): _score(cell, measure, percent) for cell in cells}
    columns = [
        text_table.TextColumn("trained on", data, right=False),
        *(text_table.TextColumn(model, [shown[name, model] for name in data]) for model in models),
    ]
    table = text_table.lines(columns, text_table.total(columns), [False] * len(data))
    unit = ", %" if measure in percent else ""
    seeds = {len(cell.config.seeds) for cell in cells}
    over = f", mean over {max(seeds)} seeds ± standard deviation" if max(seeds) > 1 else ""
    heading = f"{measure.replace('_', ' ') or 'score'} on the test texts{unit}{over}:"
    return [heading, *(line.plain.rstrip() for line in table)]


def _score(cell: "TrainingCell", measure: str, percent: set[str]) -> str:
    spread: Mapping[str, float | None] = (cell.summary or {}).get("test", {}).get(measure, {})
    if (mean := spread.get("mean")) is None:
        return cell.state if cell.state != "done" else "undefined"
    places = 1 if measure in percent else 3
    sd = spread.get("sd")
    return f"{mean:.{places}f}" + ("" if sd is None else f" ± {sd:.{places}f}")
