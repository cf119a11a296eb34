"""Results that users name for an analysis: in Python themselves, or the folders of runs."""

from collections.abc import Sequence
from pathlib import Path

from tiltmeter.core.analysis import Input
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.run.files.folder import read, read_lazily, why_no_run
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.files.output_files import SEAL

REASONS = 4
"""The most folders whose reason for holding no run a message gives."""


def read_results(inputs: Sequence[Input]) -> tuple[list[tuple[Path, Result]], list[str]]:
    """Results that were given, in order, and those of the folders that were named; notes as of `read_runs`.

    A result that was given stands with the name that its folder would have.

    Raises:
        BadInput: As `read_runs`.
    """
    folders = [Path(given) for given in inputs if not isinstance(given, Result)]
    runs, notes = read_runs(folders)
    by_folder = dict(runs)
    results = [
        (Path(folder_name(given)), given) if isinstance(given, Result)
        else (Path(given), by_folder.get(Path(given)))
        for given in inputs
    ]  # fmt: skip
    return [(folder, result) for folder, result in results if result is not None], notes


def all_results(inputs: Sequence[Input]) -> list[Result]:
    """Results that were given, and those of the folders that were named, in order.

    Raises:
        BadInput: A folder holds no finished run, or a damaged one.
    """
    return [given if isinstance(given, Result) else read(Path(given)) for given in inputs]


def runs_below(folder: Path) -> list[Path]:
    """The finished runs in a folder and below it; the path itself if it is a run, or has none below."""
    below = sorted(seal.parent for seal in folder.rglob(SEAL)) if why_no_run(folder) else []
    return below or [folder]


def read_runs(
    folders: Sequence[Path], *, whole: bool = False
) -> tuple[list[tuple[Path, Result]], list[str]]:
    """Finished runs among these folders, and a note for each that holds something else.

    Where runs are named, comparisons are left out. With `whole`, only estimates over all items are read.

    Raises:
        BadInput: A folder is not there, or a run is damaged; or none of them holds a run.
    """
    reasons = [(folder, why_no_run(folder)) for folder in folders]
    runs = [
        (folder, read_lazily(folder, whole=whole))
        for folder, why in reasons
        if not why or not folder.exists()  # which `read_lazily` refuses
    ]
    notes = [f"{folder.name} is {why}: left out." for folder, why in reasons if why]
    compared = [folder for folder, result in runs if result.card.compares_runs]
    if len(compared) < len(runs):  # the runs that they compare are meant, as by `runs/*`
        runs = [(folder, result) for folder, result in runs if folder not in compared]
        notes += [
            f"{folder.name} is a comparison of runs, not a run: left out." for folder in compared
        ]
    if folders and not runs:
        raise BadInput(
            f"none of these holds a finished run: {' '.join(notes[:REASONS]).rstrip('.')}",
            "give run folders",
        )
    return runs, notes
