"""The loop of active learning: train, measure, choose, ask; and one simulated run of it.

Everything that is random depends on the seed. Within a seed all strategies share the split, the first items
and the order of each item's votes, so their results are paired.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from tiltmeter.active.entropy_predictors import entropy_predictor_named
from tiltmeter.active.heads import majority_counts, standardised
from tiltmeter.active.human_entropy import EntropyVotes, HumanEntropy
from tiltmeter.active.measuring import HeldOutItems, window_shares
from tiltmeter.active.oracle import SimulatedOracle
from tiltmeter.active.people import CHOICES
from tiltmeter.active.predictor import Resamples, RunItems, TrainedModel, TrainingVotes
from tiltmeter.active.predictor_settings import encoder_training_of, entropy_predictor_of
from tiltmeter.active.predictors import predictor_named
from tiltmeter.active.purchases import Buyer
from tiltmeter.active.run_files import AskReason, RunFiles
from tiltmeter.active.settings import FIRST, LoopSettings
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.strategy import PoolState
from tiltmeter.active.votes import VotePool, split_items
from tiltmeter.core.types import Array, Integers

FULL_DATA: Final = "full_data"
"""The run with the measures of a model trained on all votes of the training items: one point per seed."""
START, ROUNDS = 303, 404
"""Distinguish the random numbers of the first items and of the rounds from others with the same seed."""


@dataclass(frozen=True, slots=True)
class TrainingItems:
    """The items whose votes can be bought."""

    items: Integers
    """The positions of the training items in the whole pool, ascending."""
    pool: VotePool
    """The training items with the votes that can be bought."""


def training_items(pool: VotePool, seed: int, settings: LoopSettings) -> TrainingItems:
    """What a run with this seed can buy: at most `pool_votes` votes on an item, and on agreed items only."""
    items = split_items(pool, seed).train
    capped = pool.capped(settings.pool_votes, seed)
    if settings.agreed_only:
        items = np.intersect1d(items, capped.fully_agreed())
    return TrainingItems(items, capped.part(items))


def simulate_run(
    pool: VotePool, features: Array, strategy: str, seed: int, settings: LoopSettings, folder: Path
) -> None:
    """Run one strategy (or FULL_DATA) with one seed and write its files; a finished run is left as it is.

    The features are those of all items of the pool, shape (items, d), and the settings those of
    `LoopSettings.for_pool`. The manifest lies in the folder.
    """
    files = RunFiles(folder, strategy, seed)
    if files.is_finished:
        return
    bought_of = training_items(pool, seed, settings)
    training = features[bought_of.items]
    scaled = standardised(training)
    split = split_items(pool, seed)
    other = split.test if settings.measured_on == "test" else split.validation
    held_out = HeldOutItems.of(pool.part(other))
    run_items = RunItems(
        bought_of.pool, scaled(training), held_out.pool.texts, scaled(features[other]),
        settings.encoder, seed, encoder_training_of(settings),
    )  # fmt: skip
    if strategy == FULL_DATA:
        _measure_full_data(files, run_items, held_out, settings)
        return
    LearningRun(run_items, held_out, files, settings).finish()


def _measure_full_data(
    files: RunFiles, items: RunItems, held_out: HeldOutItems, settings: LoopSettings
) -> None:
    pool = items.training
    votes = TrainingVotes(
        pool.counts, np.zeros_like(pool.counts), pool.item, pool.label, pool.annotator
    )
    predicted = predictor_named(settings.predictor).open(items).fit(votes, None).of_held_out()
    files.start()
    losses = held_out.losses(predicted)
    files.measured(len(pool.item), held_out.measures(predicted, losses))
    files.finish(held_out.pool.items, losses)


class LearningRun:
    """One strategy with one seed, those of its files, on a pool whose votes an oracle gives.

    Call `round` until it returns False, or `finish`.
    """

    def __init__(
        self, items: RunItems, held_out: HeldOutItems, files: RunFiles, settings: LoopSettings
    ) -> None:
        self.items, self.train, self.held_out = items, items.training, held_out
        self.oracle = SimulatedOracle(self.train, files.seed)
        self.files, self.settings = files, settings
        self.strategy = strategy_named(files.strategy)
        self.rng = np.random.default_rng([files.seed, ROUNDS])
        self.buyer = Buyer(
            self.train,
            self.oracle,
            CHOICES[settings.whom],
            items.features,
            self.rng,
            files.strategy,
            files.seed,
        )
        self.predictor = predictor_named(settings.predictor).open(items)
        self.set_aside: list[int] = []
        self.f_ent: HumanEntropy | None = None
        self.model: TrainedModel | None = None
        self._written = self._window = 0
        self._grid = list(settings.grid)
        self._losses = np.zeros((len(self.held_out.pool.items), 2))
        self._points = 0
        files.start()
        self._start()

    @property
    def spent(self) -> int:
        """How many votes were bought so far."""
        return len(self.buyer.queries)

    def finish(self) -> None:
        """Run to the end of the budget or of the votes, and seal the files."""
        while self.round():
            pass
        means = self._losses / max(self._points, 1)
        self.files.finish(self.held_out.pool.items, means)

    def round(self) -> bool:
        """Train, measure what is due, choose and buy; False when there is nothing more to buy."""
        self.model = self._fit(self.spent)
        while self._grid and self._grid[0] <= self.spent:
            self._measure(self._grid.pop(0))
        left = self.settings.budget - self.spent
        candidates = self._candidates()
        if left <= 0 or not len(candidates):
            return False
        self._buy(self.model, candidates, left)
        self._write()
        return True

    def _start(self) -> None:
        """Buy the first votes, and train f_ent where the strategy or the start asks for its votes."""
        settings, votes = self.settings, self.train.counts.sum(axis=1)
        order = np.random.default_rng([self.files.seed, START]).permutation(len(votes))
        # Items with enough votes come first; the stable sort keeps either kind in random order.
        order = order[np.argsort(votes[order] < settings.votes_each, kind="stable")]
        first = settings.entropy_items
        has_entropy = settings.start != "paper" or self.strategy.needs == "predicted entropy"
        if has_entropy:
            for item in order[:first]:
                self.buyer.buy(int(item), settings.votes_each, AskReason("start"))
        else:
            each = settings.votes_each if self.strategy.batched else 1
            for item in order[: max(1, FIRST // each)]:
                self.buyer.buy(int(item), each, AskReason("start"))
        for item in order[first : first + settings.held_out_items]:
            self.buyer.buy(int(item), settings.votes_each, AskReason("held out"))
            self.set_aside.append(int(item))
        if has_entropy:
            self.f_ent = self._entropy(order[:first])
        self._write()
        self._window = self.spent

    def _entropy(self, items: Integers) -> HumanEntropy:
        counts, aside = self.buyer.counts(), np.array(self.set_aside, dtype=np.int64)
        given = EntropyVotes(items, counts[items], aside, counts[aside])
        train = entropy_predictor_named(entropy_predictor_of(self.settings))
        return train(self.items, given, self.settings.votes_each)

    def _fit(self, votes: int) -> TrainedModel:
        """A model of the first votes, started from the last one."""
        return self.predictor.fit(self._training_votes(votes), self.model)

    def _training_votes(self, votes: int) -> TrainingVotes:
        bought = self.buyer.training_votes(votes, self.set_aside)
        majority = self.strategy.majority
        return replace(bought, counts=majority_counts(bought.counts)) if majority else bought

    def _candidates(self) -> Integers:
        left = self.oracle.votes_left()
        left[self.set_aside] = 0
        candidates = np.flatnonzero(left > 0)
        if 0 < self.settings.pool_sample < len(candidates):
            candidates = np.sort(
                self.rng.choice(candidates, self.settings.pool_sample, replace=False)
            )
        return candidates

    def _buy(self, model: TrainedModel, candidates: Integers, left: int) -> None:
        state = self._state(model, candidates)
        each = self.settings.votes_each if self.strategy.batched else 1
        wanted = min(-(-min(self.settings.every, left) // each), len(candidates))
        for item, why in self.strategy.asks(state, wanted).items():
            self.buyer.buy(item, min(each, self.settings.budget - self.spent), why)

    def _state(self, model: TrainedModel, candidates: Integers) -> PoolState:
        probabilities = np.full((len(self.train.items), len(self.train.labels)), np.nan)
        probabilities[candidates] = model.of_training(candidates)
        return PoolState(
            model.last_inputs, probabilities, self.buyer.counts(without=self.set_aside), candidates,
            votes_each=self.f_ent.votes if self.f_ent else self.settings.votes_each,
            rng=self.rng,
            f_ent=self.f_ent.training if self.f_ent else None,
            all_counts=self.train.counts if self.strategy.needs == "all votes" else None,
            bootstrap=self._bootstrap(model),
        )  # fmt: skip

    def _bootstrap(self, model: TrainedModel) -> Callable[[int], list[Array]] | None:
        predictor = self.predictor
        if self.strategy.needs != "resampled models" or not isinstance(predictor, Resamples):
            return None
        return lambda models: predictor.resampled(
            self._training_votes(self.spent), model, models, self.rng
        )

    def _measure(self, votes: int) -> None:
        """Measure the model trained on the first `votes` votes."""
        model = self.model if votes == self.spent else self._fit(votes)
        assert model is not None  # noqa: S101 (set by `round`)
        predicted = model.of_held_out()
        window, self._window = self.buyer.queries[self._window : votes], votes
        losses = self.held_out.losses(predicted)
        measures = self.held_out.measures(predicted, losses) | window_shares(window)
        measures["penalty"] = model.penalty
        if self.f_ent:
            errors = self.f_ent.errors(self.held_out.pool.counts)
            measures["f_ent_mse"], measures["f_ent_skill"] = errors.mse, errors.skill
        self.files.measured(votes, measures)
        self._losses += losses
        self._points += 1

    def _write(self) -> None:
        self.files.add(self.buyer.queries[self._written :])
        self._written = len(self.buyer.queries)
