"""From a folder of runs to everything that is shown of it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np

from tiltmeter.active.curves import Curves, ItemLosses, StrategyCurve, differences
from tiltmeter.active.entropy_predictor import EntropyBudget
from tiltmeter.active.loop import FULL_DATA
from tiltmeter.active.measure_table import MeasureTable, load_measures
from tiltmeter.active.paper_claims import claims_of
from tiltmeter.active.pool_result import MEASURES, MeasureResult, PoolResult
from tiltmeter.active.run_files import (
    VoteQuery,
    finished_seeds,
    load_entropy_budgets,
    load_item_losses,
    load_points,
    load_queries,
)
from tiltmeter.active.run_manifest import RunManifest
from tiltmeter.active.targets import Target, ratio, votes_to_target
from tiltmeter.active.verdicts import judged
from tiltmeter.core.types import Array
from tiltmeter.stats.bootstrap import RESAMPLES

EXCESS: Final = "excess_log_loss"
FLOOR, SKILL, AGAIN, UNDERESTIMATED = "floor", "f_ent_skill", "reannotated", "f_ent_above_h"


def read_result(
    folder: Path,
    *,
    against: str = "passive",
    convention: str = "baumler2023",
    draws: int = RESAMPLES,
    shown: int = 20,
    seed: int = 0,
) -> PoolResult:
    """Read a folder of runs and compute everything that is shown of it.

    Args:
        folder: As `active simulate` and `active live` write it.
        against: The strategy with which others are compared; where it was not run, the first one.
        convention: Whose claims are judged.
        draws: Resamples of every bootstrap.
        shown: Queries of each strategy to keep for the reader.
        seed: Of the resamples.

    Raises:
        BadInput: The folder has no finished run.
        UnknownName: There is no such convention.
    """
    claims = claims_of(convention)
    manifest = RunManifest.read(folder)
    table = load_measures(folder)
    base = against if against in table.strategies else table.strategies[0]
    rng = np.random.default_rng(seed)
    measures = {
        name: _measured(_curves(folder, table, name), base, rng, draws) for name in _compared(table)
    }
    result = PoolResult(
        folder, manifest, base, table.seeds, tuple(table.votes.tolist()), measures, _rates(table, AGAIN),
        _rates(table, UNDERESTIMATED), dict(_skills(table)), _floor(table),
        queries=tuple(_first_queries(folder, table, shown)), budgets=_budgets(folder, table),
    )  # fmt: skip
    return replace(result, verdicts=tuple(judged(result, claims)))


def _compared(table: MeasureTable) -> list[str]:
    """The losses that all runs have."""
    return [
        name
        for name in MEASURES
        if name in table.values and not np.isnan(list(table.values[name].values())).any()
    ]


def _curves(folder: Path, table: MeasureTable, measure: str) -> Curves:
    votes = table.votes.astype(np.float64)
    curves = {
        name: StrategyCurve(votes, losses, _item_losses(folder, name, table.seeds, measure))
        for name, losses in table.values[measure].items()
    }
    return Curves(measure, curves, _full(folder, table.seeds, measure))


def _item_losses(
    folder: Path, strategy: str, seeds: Sequence[int], measure: str
) -> ItemLosses | None:
    stored = "log_loss" if measure == EXCESS else measure  # they differ by a constant of the item
    rows = [
        (getattr(loss, stored), loss.seed, loss.item)
        for seed in seeds
        for loss in load_item_losses(folder, strategy, seed)
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


def _first_queries(folder: Path, table: MeasureTable, shown: int) -> Iterator[VoteQuery]:
    """The first votes that each strategy chose with the first seed."""
    for name in table.strategies:
        chosen = (q for q in load_queries(folder, name, table.seeds[0]) if q.h is not None)
        yield from islice(chosen, shown)


def _budgets(folder: Path, table: MeasureTable) -> tuple[EntropyBudget, ...]:
    return tuple(budget for budget in load_entropy_budgets(folder) if budget.seed in table.seeds)


def _floor(table: MeasureTable) -> float | None:
    known = table.values.get(FLOOR, {})
    values = [losses[:, -1] for losses in known.values()]
    return float(np.nanmean(values)) if values and not np.isnan(values).all() else None


def _skills(table: MeasureTable) -> Iterator[tuple[str, Array]]:
    for name, values in table.values.get(SKILL, {}).items():
        last = values[:, -1]
        if not np.isnan(last).any():
            yield name, last


def _measured(curves: Curves, against: str, rng: np.random.Generator, draws: int) -> MeasureResult:
    kinds: list[Target] = ["best", "gap"] if len(curves.full) else ["best"]
    targets = tuple(votes_to_target(curves, rng, kind=kind, draws=draws) for kind in kinds)
    others = [name for name in curves.strategies if name != against]
    ratios = tuple(ratio(curves, t, name, (against,)) for t in targets for name in others)
    return MeasureResult(
        curves, targets, ratios, tuple(differences(curves, against, rng, draws=draws))
    )
