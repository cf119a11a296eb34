"""Results that users name for an analysis: in Python themselves, or the folders of runs."""

import os
import re
from collections.abc import Sequence
from pathlib import Path

from tiltmeter.core.analysis import Input, once
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.core.study_groups import group_place
from tiltmeter.core.text import listed
from tiltmeter.run.files.folder import (
    UNFINISHED,
    card_as_object,
    read,
    read_lazily,
    to_json,
    why_no_run,
)
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.files.output_files import SEAL, SWEEP
from tiltmeter.run.planning.study_files import study_if_known

REASONS = 4
"""The most folders whose reason for holding no run a message gives."""


def read_results(
    inputs: Sequence[Input], *, whole: bool = False
) -> tuple[list[tuple[Path, Result]], list[str]]:
    """Results that were given, and those that paths name as in `read_runs`, in order; notes as there.

    A result that was given stands with the name that its folder would have. `whole` as of `read_runs`.

    Raises:
        BadInput: As `read_runs`.
    """
    once(inputs, "give each run once")
    of_inputs = [[] if isinstance(given, Result) else results_at(Path(given)) for given in inputs]
    runs, notes = _read([place for places in of_inputs for place in places], whole=whole)
    by_folder = dict(runs)
    results: list[tuple[Path, Result]] = []
    for given, places in zip(inputs, of_inputs, strict=True):
        if isinstance(given, Result):
            results.append((Path(folder_name(given)), given))
        results += [(place, by_folder[place]) for place in places if place in by_folder]
    return results, notes


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


def results_at(place: Path) -> list[Path]:
    """The folders of results that a user means by a path: itself, or those in it and in folders in it.

    What is inside of a result, such as the runs of an audit, belongs to that. A run that did not finish is
    among them, so that it can be named; a path without any result stands for itself.
    """
    if not place.is_dir() or _is_result(place):
        return [place]
    results: list[Path] = []
    for folder, names, _ in os.walk(place):
        inside = sorted(Path(folder) / name for name in names if not name.startswith("."))
        results += filter(_is_result, inside)
        names[:] = [path.name for path in inside if not _is_result(path)]
    return sorted(results) or [place]


def _is_result(folder: Path) -> bool:
    return why_no_run(folder) in {"", UNFINISHED}


def is_ours(place: Path) -> bool:
    """Whether a path is a file that Tiltmeter keeps beside run folders, which `runs/*` names as well."""
    return place.name == SWEEP and place.is_file()


def read_runs(
    places: Sequence[Path], *, whole: bool = False
) -> tuple[list[tuple[Path, Result]], list[str]]:
    """The finished runs that these paths name (`results_at`), and a note on those that hold something else.

    Where runs are named, comparisons are left out: without a note, where the runs that they compare are
    there. With `whole`, only estimates over all items are read.

    Raises:
        BadInput: A path does not exist, or a run is damaged or named twice; or none of them holds a run.
    """
    return _read([folder for place in places for folder in results_at(place)], whole=whole)


def _read(
    folders: Sequence[Path], *, whole: bool = False
) -> tuple[list[tuple[Path, Result]], list[str]]:
    """As `read_runs`, of folders that `results_at` gave."""
    once(folders, "give each run folder once")
    reasons = [(folder, why_no_run(folder)) for folder in folders if not is_ours(folder)]
    runs = [
        (folder, read_lazily(folder, whole=whole))
        for folder, why in reasons
        if not why or not folder.exists()  # which `read_lazily` refuses
    ]
    left_out = [f"{folder.name} ({why})" for folder, why in reasons if why]
    there = {folder.name for folder, result in runs if not result.card.compares_runs}
    runs, copies = without_copies(runs)
    left_out += copies
    compared = [(folder, result) for folder, result in runs if result.card.compares_runs]
    if len(compared) < len(runs):  # the runs that they compare are meant, as by `runs/*`
        runs = [(folder, result) for folder, result in runs if not result.card.compares_runs]
        left_out += [
            f"{folder.name} (a comparison of other runs)"
            for folder, result in compared
            if not there.issuperset(_compared(result))
        ]
    shown = [*left_out[:REASONS]]
    if len(left_out) > REASONS:
        shown.append(f"{len(left_out) - REASONS:,} more")
    if folders and not runs:
        why = listed(shown) or f"{folders[0].name} (a file, not a run folder)"
        raise BadInput(f"there is no finished run among these: {why}", "give run folders")
    return runs, [f"Left out: {listed(shown)}."] if shown else []


def identity_of(result: Result) -> str:
    """What only a copy of a run's folder shares with it: its card.

    The card holds the time of the run and the checksums of its files, so that a run that was repeated is
    another one, whatever its numbers.
    """
    return to_json(card_as_object(result.card))


def without_copies(
    runs: Sequence[tuple[Path, Result]],
) -> tuple[list[tuple[Path, Result]], list[str]]:
    """The runs without those whose folder is a copy of an earlier one's, and what to say of the copies."""
    kept: list[tuple[Path, Result]] = []
    first: dict[str, Path] = {}
    copies = []
    for folder, result in runs:
        original = first.setdefault(identity_of(result), folder)
        if original is folder:
            kept.append((folder, result))
        else:
            copies.append(f"{folder.name} (a copy of {original.name})")
    return kept, copies


def _compared(comparison: Result) -> set[str]:
    """The names of the folders of the runs that a comparison is of."""
    return {Path(str(source.get("folder", ""))).name for source in comparison.card.sources}


def in_listed_order(runs: Sequence[tuple[Path, Result]]) -> list[tuple[Path, Result]]:
    """Runs in alphabetical order of their folders, as `tiltmeter ls` lists their studies, and then by model.

    Alphabetical order is what a folder and `runs/*` give: nobody chose it. Runs in another order keep it.
    """
    names = [str(folder) for folder, _ in runs]
    # Some shells sort without regard to case and signs.
    letters = [re.sub(r"[\W_]", "", name.casefold()) for name in names]
    if names != sorted(names) and letters != sorted(letters):
        return [*runs]

    def place(run: tuple[Path, Result]) -> tuple[int, str, str]:
        card = run[1].card
        study = study_if_known(card)
        return group_place(study.group if study else None), card.study, card.model_name.casefold()

    return sorted(runs, key=place)
