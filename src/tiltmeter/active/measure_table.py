"""The measures of all finished runs of a folder, on the common grid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from tiltmeter.active.run_files import MeasuredPoint, finished_seeds, load_points
from tiltmeter.active.run_manifest import MANIFEST, RunManifest
from tiltmeter.core.errors import BadInput
from tiltmeter.core.types import Array, Integers


@dataclass(frozen=True, slots=True)
class MeasureTable:
    """Measures of all finished runs on the common grid."""

    strategies: tuple[str, ...]
    seeds: tuple[int, ...]
    """Seeds with which every strategy is finished."""
    votes: Integers
    """The points of the grid that every run has reached, shape (points,)."""
    values: Mapping[str, Mapping[str, Array]]
    """By measure, then strategy: shape (seeds, points), NaN where undefined."""


def _check_grid(
    folder: Path, manifest: RunManifest, runs: Mapping[str, Sequence[Sequence[MeasuredPoint]]]
) -> None:
    for name, of_seed in runs.items():
        for points in of_seed:
            if tuple(point.votes for point in points) != manifest.grid[: len(points)]:
                reason = f"the points of {name} are not at the numbers of votes that {MANIFEST} has"
                raise BadInput(reason, "run it again in another folder", file=str(folder))


def load_measures(folder: Path) -> MeasureTable:
    """Read the finished runs of a folder, and keep the seeds that all strategies share.

    Raises:
        BadInput: The folder is no such folder, or no seed is finished with every strategy.
    """
    manifest = RunManifest.read(folder)
    there = {name: finished_seeds(folder, name) for name in manifest.strategies}
    done = {name: seeds for name, seeds in there.items() if seeds}
    seeds = sorted(set.intersection(*done.values())) if done else []
    if not seeds:
        reason = "no seed is finished with every strategy"
        raise BadInput(reason, "run the same command again to continue", file=str(folder))
    runs = {name: [load_points(folder, name, seed) for seed in seeds] for name in done}
    reached = min(len(points) for of_seed in runs.values() for points in of_seed)
    _check_grid(folder, manifest, runs)
    values: dict[str, dict[str, Array]] = {}
    for name, of_seed in runs.items():
        for row, points in enumerate(of_seed):
            for column, point in enumerate(points[:reached]):
                for measure, value in point.measures.items():
                    tables = values.setdefault(measure, {})
                    if name not in tables:
                        tables[name] = np.full((len(seeds), reached), np.nan)
                    tables[name][row, column] = np.nan if value is None else value
    return MeasureTable(tuple(done), tuple(seeds), np.array(manifest.grid[:reached]), values)
