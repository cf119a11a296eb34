"""The whole encoder trained on the bought votes, each time anew, as a text classifier is.

It stops early by the log loss on a tenth of the bought items, or on the items that were bought for such
choices: held-out votes are never looked at.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from tiltmeter.active.encoders.encoder_net import (
    VOTES,
    EncoderNet,
    TextTargets,
    TrainedWeights,
    encoder_net,
)
from tiltmeter.active.encoders.encoder_training import EncoderTraining
from tiltmeter.active.heads import softmax
from tiltmeter.active.predictor import Predictor, RunItems, TrainedModel, TrainingVotes
from tiltmeter.core.types import Array, Integers

INNER: Final = 0.1
"""Share of the bought items that decides when training stops."""
SPLIT: Final = 606
"""Distinguishes the random numbers of this split from others with the same seed."""


def net_of(items: RunItems) -> EncoderNet:
    """The encoder of a run, which reads the training items and after them the held-out ones."""
    texts = (*items.training.texts, *items.held_out_texts)
    return encoder_net(items.encoder, texts, items.encoder_training)


@dataclass(frozen=True, slots=True)
class FinetunedModel:
    """The weights after one training."""

    net: EncoderNet
    weights: TrainedWeights
    training: int
    """Number of training items; the held-out ones follow them among the texts of the net."""
    held_out: int
    penalty: None = None
    _vectors: dict[int, Array] = field(default_factory=dict)
    """Of the training items that were asked for, by position."""

    def of_training(self, items: Integers) -> Array:
        """Predicted distributions of training items, by position; shape (len(items), K)."""
        return softmax(self.weights.outputs(self.last_inputs(items)))

    def of_held_out(self) -> Array:
        """Predicted distributions of the held-out items; shape (held-out items, K)."""
        places = np.arange(self.training, self.training + self.held_out)
        return softmax(self.weights.outputs(self.net.vectors(self.weights.encoder, places)))

    def last_inputs(self, items: Integers) -> Array:
        """The vectors that the trained encoder makes of training items, by position."""
        new = np.array([i for i in items.tolist() if i not in self._vectors], dtype=np.int64)
        if len(new):
            vectors = self.net.vectors(self.weights.encoder, new)
            self._vectors.update(zip(new.tolist(), vectors, strict=True))
        return np.array([self._vectors[i] for i in items.tolist()])


class FinetunedTraining:
    """Trains the encoder of a run, each time from its own weights."""

    def __init__(self, items: RunItems) -> None:
        self._net = net_of(items)
        self._sizes = len(items.training.texts), len(items.held_out_texts)
        self._seed = items.seed

    def fit(self, votes: TrainingVotes, start: TrainedModel | None) -> FinetunedModel:
        """Train on the votes from the encoder's own weights, not from those of `start`."""
        seed = int(np.random.default_rng([self._seed, SPLIT, len(votes.item)]).integers(2**31))
        learned, held_out = inner_split(votes, self._seed)
        fit = self._net.fit if start else self._net.fit_once
        return FinetunedModel(self._net, fit(learned, held_out, VOTES, seed), *self._sizes)


def inner_split(votes: TrainingVotes, seed: int) -> tuple[TextTargets, TextTargets]:
    """Bought items to learn from, and those that decide when to stop, with their votes.

    An item keeps its part while more votes are bought.
    """
    counts = np.asarray(votes.counts, dtype=np.float64)
    bought = np.flatnonzero(counts.sum(axis=1))
    aside = np.flatnonzero(votes.set_aside.sum(axis=1))
    if len(aside):
        kept_apart = np.asarray(votes.set_aside[aside], dtype=np.float64)
        return TextTargets(bought, counts[bought]), TextTargets(aside, kept_apart)
    held = inner_part(bought, len(counts), seed)
    front, back = bought[~held], bought[held]
    return TextTargets(front, counts[front]), TextTargets(back, counts[back])


def inner_part(items: Integers, total: int, seed: int) -> npt.NDArray[np.bool_]:
    """Which of the items, positions below `total`, decide when to stop: a tenth, at least one, never all."""
    drawn = np.random.default_rng([seed, SPLIT]).random(total)[items]
    held = np.asarray(drawn < INNER)
    held[[drawn.argmin(), drawn.argmax()]] = True, False  # neither part is empty
    return held


PREDICTOR = Predictor(
    "Fine-tuned encoder", FinetunedTraining, every=100, pool_sample=2_000,
    encoder_training=EncoderTraining(), entropy_predictor="finetuned",
)  # fmt: skip
