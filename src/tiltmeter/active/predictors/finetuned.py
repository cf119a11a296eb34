"""The whole encoder trained on the bought votes, anew after every 100, as a text classifier is.

It stops early by the log loss on a tenth of the bought items, or on the items that were bought for such
choices: held-out votes are never looked at. The frozen features remain what f_ent and BADGE see.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from tiltmeter.active.label_distributions import LabelNet, LabelTraining, VotedTexts
from tiltmeter.active.predictor import Predictor, RunItems, TrainedModel, TrainingVotes
from tiltmeter.core.types import Array, Integers

if TYPE_CHECKING:
    import torch

INNER: Final = 0.1
"""Share of the bought items that decides when training stops."""
SPLIT: Final = 606
"""Distinguishes the random numbers of this split from others with the same seed."""


@dataclass(frozen=True, slots=True)
class FinetunedModel:
    """The weights after one training."""

    net: LabelNet
    weights: "dict[str, torch.Tensor]"
    training: int
    """Number of training items; the held-out ones follow them among the texts of the net."""
    held_out: int
    penalty: None = None

    def of_training(self, items: Integers) -> Array:
        """Predicted distributions of training items, by position; shape (len(items), K)."""
        return self.net.probabilities(self.weights, items)

    def of_held_out(self) -> Array:
        """Predicted distributions of the held-out items; shape (held-out items, K)."""
        places = np.arange(self.training, self.training + self.held_out)
        return self.net.probabilities(self.weights, places)


class FinetunedTraining:
    """Trains the encoder of a run, each time from its own weights."""

    def __init__(self, items: RunItems, how: LabelTraining | None = None) -> None:
        held_out = items.held_out.pool.texts
        texts = (*items.training.texts, *held_out)
        labels = len(items.training.labels)
        self._net = LabelNet(items.encoder, texts, labels, how or LabelTraining())
        self._sizes = len(items.training.texts), len(held_out)
        self._seed = items.seed

    def fit(self, votes: TrainingVotes, start: TrainedModel | None) -> FinetunedModel:  # noqa: ARG002
        """Train on the votes; `start` is not used, as every training begins anew."""
        seed = int(np.random.default_rng([self._seed, SPLIT, len(votes.item)]).integers(2**31))
        weights = self._net.fit(*inner_split(votes, self._seed), seed)
        return FinetunedModel(self._net, weights, *self._sizes)


def inner_split(votes: TrainingVotes, seed: int) -> tuple[VotedTexts, VotedTexts]:
    """Bought items to learn from, and those that decide when to stop.

    An item keeps its part while more votes are bought.
    """
    counts = np.asarray(votes.counts, dtype=np.float64)
    bought = np.flatnonzero(counts.sum(axis=1))
    aside = np.flatnonzero(votes.set_aside.sum(axis=1))
    if len(aside):
        kept_apart = np.asarray(votes.set_aside[aside], dtype=np.float64)
        return VotedTexts(bought, counts[bought]), VotedTexts(aside, kept_apart)
    drawn = np.random.default_rng([seed, SPLIT]).random(len(counts))[bought]
    held = drawn < INNER
    held[[drawn.argmin(), drawn.argmax()]] = True, False  # neither part is empty
    front, back = bought[~held], bought[held]
    return VotedTexts(front, counts[front]), VotedTexts(back, counts[back])


PREDICTOR = Predictor("Fine-tuned encoder", FinetunedTraining, every=100, pool_sample=2_000)
