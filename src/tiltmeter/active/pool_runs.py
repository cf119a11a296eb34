"""What a folder of runs holds and what follows from it: curves, targets, differences, shares and skill."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from tiltmeter.active import run_files
from tiltmeter.active.curves import Curves, ItemLosses, StrategyCurve, differences
from tiltmeter.active.entropy_predictor import EntropyBudget
from tiltmeter.active.loop import FULL_DATA
from tiltmeter.active.run_files import (
    MANIFEST,
    MeasuredPoint,
    RunManifest,
    VoteQuery,
    finished_seeds,
    load_points,
)
from tiltmeter.active.targets import Target, TargetVotes, votes_to_target
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.types import Array, Integers
from tiltmeter.stats.resampling.bootstrap import RESAMPLES

EXCESS: Final = "excess_log_loss"
LOSSES: Mapping[str, str] = {EXCESS: "excess log loss", "js_nats": "Jensen-Shannon divergence"}
"""Losses that are compared, the headline first, and what each is."""
FURTHER = {
    "tv": "total variation distance",
    "accuracy": "accuracy of the majority label",
    "macro_f1": "macro-F1 of the majority label",
}
"""Measures that have learning curves and no target."""
FLOOR, SKILL = "floor", "f_ent_skill"
SHARES = {"again": "reannotated", "underestimated": "f_ent_above_h"}
"""Shares of votes as measured: on items that had one already, and, in strategies with f_ent, those with
f_ent(x) > H(f(x))."""
USUAL = "passive"
"""The strategy with which the others are compared."""


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


@dataclass(frozen=True, slots=True)
class LossRuns:
    """What one measure of loss says about all strategies."""

    curves: Curves
    targets: tuple[TargetVotes, ...]
    """1.05 × the best loss; where the fit to every vote is known also 90 % of that gap."""
    differences: tuple[Estimate, ...]
    """In mean loss, of each other strategy."""

    @property
    def main_target(self) -> TargetVotes:
        """The first target that some strategy does not reach at the start already."""
        open_ = (t for t in self.targets if not all(map(t.is_at_start, t.exact)))
        return next(open_, self.targets[0])


@dataclass(frozen=True, slots=True)
class PoolRuns:
    """The finished runs on one pool of votes."""

    folder: Path
    manifest: RunManifest
    against: str
    """The strategy with which others are compared; where it was not run, the first one."""
    table: MeasureTable
    losses: Mapping[str, LossRuns]
    shares: Mapping[str, Mapping[str, Array]]
    """Shares of votes by the names of `SHARES`, then by strategy; (seeds, points − 1)."""
    skill: Mapping[str, Array]
    """1 − MSE / MSE of the mean of f_ent, by strategy; one a seed."""
    floor: float | None
    """The divergence that the true distributions themselves would score, in nats."""
    budgets: tuple[EntropyBudget, ...]
    """How well f_ent predicts with budgets of several sizes."""

    @property
    def pool_name(self) -> str:
        """The name of the pool of votes."""
        return str(self.manifest.pool.get("name") or self.folder.name)

    @property
    def name(self) -> str:
        """The name of the pool, and what is left of it: agreed items, or so many votes an item."""
        most = self.manifest.settings.get("pool_votes")
        left = ["agreed items"] if self.agreed_only else []
        left += [f"{most} votes an item"] if most else []
        return f"{self.pool_name} ({', '.join(left)})" if left else self.pool_name

    @property
    def agreed_only(self) -> bool:
        """Whether all training items are agreed on."""
        return bool(self.manifest.settings.get("agreed_only", False))

    @property
    def disagreement(self) -> float:
        """Probability that two votes on an item differ; NaN where it is not known."""
        value = self.manifest.pool.get("disagreement")
        return float(value) if isinstance(value, int | float) else float("nan")

    @property
    def further(self) -> dict[str, Mapping[str, Array]]:
        """The measures of `FURTHER` that the runs have, by strategy; (seeds, points)."""
        return {name: self.table.values[name] for name in FURTHER if name in self.table.values}

    def first_queries(self, shown: int) -> Iterator[VoteQuery]:
        """The first votes that each strategy chose with the first seed."""
        for name in self.table.strategies:
            queries = run_files.load_queries(self.folder, name, self.table.seeds[0])
            yield from islice((q for q in queries if q.h is not None), shown)

    def all_queries(self) -> Iterator[VoteQuery]:
        """Every vote that was bought, run by run."""
        for name in self.table.strategies:
            for seed in self.table.seeds:
                yield from run_files.load_queries(self.folder, name, seed)


def run_folders(places: Sequence[Path]) -> list[Path]:
    """The folders of runs among these and directly inside them; BadInput for one listed twice."""
    folders: list[Path] = []
    for place in places:
        inside = sorted(file.parent for file in place.glob(f"*/{MANIFEST}"))
        folders += [place] if (place / MANIFEST).is_file() or not inside else inside
    resolved = [folder.resolve() for folder in folders]
    for number, place in enumerate(resolved):
        if place in resolved[:number]:
            raise BadInput("it is listed twice", "give it once", file=str(folders[number]))
    return folders


def read_pool(
    folder: Path, *, against: str = USUAL, draws: int = RESAMPLES, seed: int = 0
) -> PoolRuns:
    """Read a folder that `active simulate` or `active live` wrote, and compute all that is reported of it.

    Strategies are compared with `against`; where it was not run, with the first one. `draws` is the number of
    resamples of every bootstrap.

    Raises:
        BadInput: The folder has no finished run.
    """
    manifest = RunManifest.read(folder)
    table = load_measures(folder)
    base = against if against in table.strategies else table.strategies[0]
    rng = np.random.default_rng(seed)
    losses = {
        name: _of_loss(_curves(folder, table, name), base, rng, draws) for name in _compared(table)
    }
    stored = run_files.load_entropy_budgets(folder)
    budgets = tuple(budget for budget in stored if budget.seed in table.seeds)
    return PoolRuns(
        folder, manifest, base, table, losses, {name: _rates(table, m) for name, m in SHARES.items()},
        dict(_skills(table)), _floor(table), budgets,
    )  # fmt: skip


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


def _check_grid(
    folder: Path, manifest: RunManifest, runs: Mapping[str, Sequence[Sequence[MeasuredPoint]]]
) -> None:
    for name, of_seed in runs.items():
        for points in of_seed:
            if tuple(point.votes for point in points) != manifest.grid[: len(points)]:
                reason = f"the points of {name} are not at the numbers of votes that {MANIFEST} has"
                raise BadInput(reason, "run it again in another folder", file=str(folder))


def _compared(table: MeasureTable) -> list[str]:
    """The losses that all runs have."""
    return [
        name
        for name in LOSSES
        if name in table.values and not np.isnan(list(table.values[name].values())).any()
    ]


def _curves(folder: Path, table: MeasureTable, measure: str) -> Curves:
    votes = table.votes.astype(np.float64)
    curves = {
        name: StrategyCurve(votes, losses, _item_losses(folder, name, table.seeds, measure))
        for name, losses in table.values[measure].items()
    }
    return Curves(curves, _full(folder, table.seeds, measure))


def _item_losses(
    folder: Path, strategy: str, seeds: Sequence[int], measure: str
) -> ItemLosses | None:
    stored = "log_loss" if measure == EXCESS else measure  # they differ by a constant of the item
    rows = [
        (getattr(loss, stored), loss.seed, loss.item)
        for seed in seeds
        for loss in run_files.load_item_losses(folder, strategy, seed)
    ]
    if not rows:
        return None
    values, of_seed, items = zip(*rows, strict=True)
    return ItemLosses(np.array(values), np.array(of_seed), np.array(items))


def _full(folder: Path, seeds: Sequence[int], measure: str) -> Array:
    """The loss after training on every vote, one a seed; empty where a seed lacks it."""
    if not set(seeds) <= finished_seeds(folder, FULL_DATA):
        return np.empty(0)
    values = [load_points(folder, FULL_DATA, seed)[-1].measures.get(measure) for seed in seeds]
    known = [value for value in values if value is not None]
    return np.array(known if len(known) == len(seeds) else [], dtype=np.float64)


def _rates(table: MeasureTable, measure: str) -> dict[str, Array]:
    """A share among the votes since the point before, from the second point on; by strategy."""
    known = table.values.get(measure, {})
    return {name: rates[:, 1:] for name, rates in known.items() if not np.isnan(rates).all()}


def _floor(table: MeasureTable) -> float | None:
    known = table.values.get(FLOOR, {})
    values = [losses[:, -1] for losses in known.values()]
    return float(np.nanmean(values)) if values and not np.isnan(values).all() else None


def _skills(table: MeasureTable) -> Iterator[tuple[str, Array]]:
    for name, values in table.values.get(SKILL, {}).items():
        last = values[:, -1]
        if not np.isnan(last).any():
            yield name, last


def _of_loss(curves: Curves, against: str, rng: np.random.Generator, draws: int) -> LossRuns:
    kinds: list[Target] = ["best", "gap"] if len(curves.full) else ["best"]
    targets = tuple(votes_to_target(curves, rng, kind=kind, draws=draws) for kind in kinds)
    return LossRuns(curves, targets, tuple(differences(curves, against, rng, draws=draws)))
