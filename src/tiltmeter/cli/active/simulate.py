"""active: which item should get the next vote, where annotators may disagree."""

from functools import partial
from pathlib import Path
from shlex import quote
from typing import Annotated

from tiltmeter.active.encoders.encoder_training import EncoderTrainingOptions
from tiltmeter.active.pools.item_choice import ItemChoice
from tiltmeter.active.settings import EVERY, LoopSettings
from tiltmeter.cli.console import err, out, print_path
from tiltmeter.cli.machinery.option_parameters import only
from tiltmeter.cli.terminal_monitor import StepBar
from tiltmeter.core.reading.options import TABLE_LABELS, Option
from tiltmeter.core.text import counted
from tiltmeter.run.files.file_locks import in_turn
from tiltmeter.run.run_options import RunOptions


def simulate(  # noqa: PLR0913 the command line's own options
    pools: Annotated[list[str], Option(
        "Registered pools of votes, or tables with the columns item, text, annotator, label.",
        argument=True)],
    *,
    strategy: Annotated[list[str] | None, Option(
        "Query strategy (repeatable; default passive, entropy, daal).")] = None,
    seed_count: Annotated[int, Option("Runs of each strategy: with the seeds 0, 1, 2, …", min=1)] = 20,
    out_folder: Annotated[Path, Option(
        "Folder for the runs, with a folder for each pool.", name="out")] = Path("active"),
    choice: ItemChoice,
    settings: Annotated[LoopSettings, only(
        "budget", "entropy_items", "votes_each", "pool_votes", "start", "held_out_items", "agreed_only",
        "whom", "measured_on", "encoder", "pooling", "predictor", "entropy_predictor",
        EncoderTrainingOptions)],
    every: Annotated[int | None, EVERY] = None,
    pool_sample: Annotated[int | None, Option(
        "Items that each round considers; 0 for all (default 0; finetuned: 2,000).", min=0)] = None,
    label: Annotated[list[str] | None, TABLE_LABELS] = None,
    ordered: Annotated[bool, Option("Treat the labels of a table as ordered.")] = False,
    reading: Annotated[RunOptions, only("columns")],
    processes: Annotated[int, Option("Number of runs in parallel.", min=1)] = 2,
) -> None:  # fmt: skip
    """Simulate active learning on data with several votes per item. After a stop, it continues."""
    from tiltmeter.active.pools.vote_sources import open_pool
    from tiltmeter.active.predictor_settings import settled
    from tiltmeter.active.simulation import Simulation, check_votes_repeat
    from tiltmeter.core.errors import BadInput
    from tiltmeter.data.files.renamed_columns import renamed_file
    from tiltmeter.run.files.folder import prepare

    prepare(out_folder)
    settings = settled(settings, every, pool_sample)
    renaming, opened = reading.columns, []
    for name in pools:
        with renamed_file(name, renaming, "POOL"):
            opened.append(choice.of(open_pool(name, labels=tuple(label or ()), ordered=ordered)))
        check_votes_repeat(opened[-1])
    names = [pool.name for pool in opened]
    if len(set(names)) < len(names):
        raise BadInput("two pools have the same name", "rename one of the files")
    strategies = tuple(dict.fromkeys(strategy or ("passive", "entropy", "daal")))
    for pool in opened:
        err.print(
            f"{pool.name}: {counted(len(pool.items), 'items')}, {counted(len(pool.item), 'votes')}, "
            f"{counted(len(pool.labels), 'labels')}; two votes on an item differ with probability "
            f"{pool.disagreement:.3f}"
        )
    simulations = [
        Simulation(
            pool,
            strategies,
            tuple(range(seed_count)),
            settings.for_pool(pool),
            out_folder / pool.name,
        )
        for pool in opened
    ]
    for simulation in simulations:
        simulation.prepare()
    for simulation in simulations:
        busy = f"Another process is writing {simulation.folder}: waiting until it ends."
        # Two processes at once would leave halves of both in the files of votes.
        with in_turn(simulation.folder, partial(err.print, busy)):
            waiting = len(simulation.waiting)
            with StepBar(simulation.pool.name, waiting, "runs") as bar:
                simulation.run(processes=processes, done=bar.advance)
        ran = f"{counted(len(strategies), 'strategies')}, {counted(seed_count, 'seeds')}"
        out.print(f"{simulation.pool.name}: {ran}, finished")
        print_path(simulation.folder)
    err.print(f"Next: tiltmeter active report {quote(str(out_folder))}", style="dim")
