"""Simulations: strategies × seeds on one pool, in several processes."""

import os
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path

import numpy as np
import scipy

from tiltmeter import __version__
from tiltmeter.active.encoders.features import run_features
from tiltmeter.active.entropy_predictor import EntropyBudget, entropy_budgets
from tiltmeter.active.heads import standardised
from tiltmeter.active.json_lines import writing_runs
from tiltmeter.active.loop import FULL_DATA, simulate_run, training_items
from tiltmeter.active.predictor_settings import entropy_predictor_of, trained_by
from tiltmeter.active.predictors import predictor_named
from tiltmeter.active.run_files import RunFiles, RunManifest, write_entropy_budgets
from tiltmeter.active.settings import LoopSettings
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.votes import VotePool, split_items
from tiltmeter.active.worker_processes import tasks_done
from tiltmeter.core.errors import BadInput
from tiltmeter.core.types import Array
from tiltmeter.data.files.atomic_files import sweep

TRAINS_WITH = ("torch", "transformers")
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def check_votes_repeat(pool: VotePool) -> None:
    """Refuse a pool in which nobody can differ.

    Raises:
        BadInput: No item has two votes.
    """
    if int(pool.counts.sum(axis=1).max(initial=0)) < 2:  # noqa: PLR2004
        raise BadInput(
            f"{pool.name}: no item has two votes, so that there is no disagreement to learn or to measure",
            "give a table in which several annotators label each item, a row for each vote",
        )


@dataclass(frozen=True, slots=True)
class Simulation:
    """What is to be run. `run` continues where an earlier one was stopped."""

    pool: VotePool
    strategies: tuple[str, ...]
    seeds: tuple[int, ...]
    settings: LoopSettings
    folder: Path
    features: Array | None = None
    """The vectors of the pool's items, shape (items, d); None lets `run` compute them with the encoder."""

    def check(self) -> None:
        """Raise BadInput, before anything runs, if something cannot run.

        Raises:
            UnknownName: No such strategy.
            BadInput: No item has two votes, the budget does not fit them, or a strategy needs what is
                missing.
        """
        check_votes_repeat(self.pool)
        predictor = predictor_named(self.settings.predictor)
        predictor.check(self.pool)
        for name in self.strategies:
            _check_together(name, self.settings.predictor)
        if self.settings.whom != "at_random" and not self.pool.has_annotators:
            reason = f"{self.pool.name} does not name the annotators"
            raise BadInput(reason, "leave out --whom")
        there = (training_items(self.pool, seed, self.settings) for seed in self.seeds)
        fewest = min(len(training.pool.item) for training in there)
        self.settings.check_votes(self.pool.name, fewest)

    def prepare(self) -> None:
        """Make the folder once everything fits it; errors are those of `check` and of the manifest."""
        self.check()
        self.manifest().merged(self.folder)
        with writing_runs(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)

    def manifest(self) -> RunManifest:
        """What the folder says of itself."""
        pool = self.pool
        return RunManifest(
            pool={
                "name": pool.name, "sha256": pool.sha256, "items": len(pool.items),
                "votes": len(pool.item), "annotators": len(pool.annotators),
                "ordered": pool.ordered, "disagreement": round(pool.disagreement, 6),
            },
            labels=pool.labels,
            settings=asdict(self.settings),
            grid=self.settings.grid,
            versions={
                "tiltmeter": __version__, "numpy": np.__version__, "scipy": scipy.__version__,
                **{name: version(name) for name in TRAINS_WITH if trained_by(self.settings)},
            },
            strategies=self.strategies, seeds=self.seeds, notes=pool.notes,
        )  # fmt: skip

    @property
    def waiting(self) -> list[tuple[str, int]]:
        """Runs that are not finished, one seed after the other, so that curves are paired early."""
        return [
            (strategy, seed)
            for seed in self.seeds
            for strategy in (*self.strategies, FULL_DATA)
            if not RunFiles(self.folder, strategy, seed).is_finished
        ]

    def run(self, *, processes: int = 1, done: Callable[[], None] = lambda: None) -> None:
        """Run what is not finished, so many runs at a time; `done` is called after each."""
        self.check()
        sweep(self.folder)
        self.manifest().write(self.folder)
        waiting = self.waiting
        ready = self._embedded()
        for name in ONE_THREAD if processes > 1 else ():  # read by the workers' libraries
            os.environ.setdefault(name, "1")
        with closing(tasks_done(_simulate, ready, waiting, processes)) as tasks:
            for _ in tasks:
                done()
        if entropy_predictor_of(self.settings) == "ridge":
            write_entropy_budgets(self.folder, ready.entropy_budgets())

    def _embedded(self) -> "Simulation":
        """With the features of the items."""
        if self.features is not None:
            return self
        return replace(self, features=run_features(self.pool.texts, self.settings))

    def entropy_budgets(self) -> list[EntropyBudget]:
        """How well the ridge regression predicts entropies with budgets of several sizes, for all seeds."""
        features = self._embedded().features
        assert features is not None  # noqa: S101 (it is embedded)
        budgets: list[EntropyBudget] = []
        for seed in self.seeds:
            training = training_items(self.pool, seed, self.settings)
            test = split_items(self.pool, seed).test
            scaled = standardised(features[training.items])
            budgets += entropy_budgets(
                training.pool, scaled(features[training.items]),
                self.pool.part(test), scaled(features[test]), seed,
            )  # fmt: skip
        return budgets


def _check_together(strategy: str, predictor: str) -> None:
    """BadInput where a strategy needs what the predictor does not have."""
    chosen, model = strategy_named(strategy), predictor_named(predictor)
    if chosen.needs == "resampled models" and not hasattr(model.open, "resampled"):
        missing = "models trained on resampled votes"
    elif chosen.majority and not model.has_majority:
        missing = "training on majority labels"
    else:
        return
    reason = f"{strategy} needs {missing}, and --predictor {predictor} has none"
    raise BadInput(reason, "leave out the strategy, or use another predictor")


def _simulate(simulation: Simulation, task: tuple[str, int]) -> None:
    """Simulate the run of one strategy and seed; its files are written."""
    strategy, seed = task
    assert simulation.features is not None  # noqa: S101 (`run` has embedded the texts)
    simulate_run(
        simulation.pool, simulation.features, strategy, seed, simulation.settings, simulation.folder
    )
