"""Softmax regression on the frozen features of all votes together."""

from dataclasses import dataclass

import numpy as np

from tiltmeter.active import heads
from tiltmeter.active.heads import RepeatedChoice, SoftmaxHead
from tiltmeter.active.predictor import Predictor, RunItems, TrainedModel, TrainingVotes
from tiltmeter.core.types import Array, Integers


@dataclass(frozen=True, slots=True)
class SoftmaxModel:
    """The head of all votes, and the items of a run."""

    head: SoftmaxHead
    items: RunItems

    @property
    def penalty(self) -> float:
        """The penalty on the weights of the head."""
        return self.head.penalty

    def probabilities(self, features: Array) -> Array:
        """Predicted distributions of items with these features, shape (items, K)."""
        return self.head.probabilities(features)

    def of_training(self, items: Integers) -> Array:
        """Predicted distributions of training items, by position; shape (len(items), K)."""
        return self.probabilities(self.items.features)[items]

    def of_held_out(self) -> Array:
        """Predicted distributions of the held-out items; shape (held-out items, K)."""
        return self.probabilities(self.items.held_out_features)

    def last_inputs(self, items: Integers) -> Array:
        """The features of training items, by position; shape (len(items), d)."""
        return self.items.features[items]


class SoftmaxTraining:
    """Trains heads with a penalty chosen on the votes."""

    def __init__(self, items: RunItems) -> None:
        self._items = items
        self._penalty = RepeatedChoice()

    def fit(self, votes: TrainingVotes, start: TrainedModel | None) -> SoftmaxModel:
        """Train on the votes, from the weights of `start` where it is such a model."""
        x, counts = self._items.features, votes.counts

        def choose() -> float:
            aside = np.flatnonzero(votes.set_aside.sum(axis=1))
            if len(aside):
                return heads.held_out_penalty(x, counts, (x[aside], votes.set_aside[aside]))
            return heads.chosen_penalty(x, counts)

        first = start.head if isinstance(start, SoftmaxModel) else None
        penalty = self._penalty.after(len(votes.item), choose)
        return SoftmaxModel(heads.fit_head(x, counts, penalty, first), self._items)

    def resampled(
        self, votes: TrainingVotes, model: TrainedModel, models: int, rng: np.random.Generator
    ) -> list[Array]:
        """Distributions of models trained on items drawn with replacement, each with the votes it has."""
        assert isinstance(model, SoftmaxModel)  # noqa: S101 (made by `fit`)
        rows = np.flatnonzero(votes.counts.sum(axis=1) > 0)
        x, counts, predicted = self._items.features, votes.counts[rows], []
        for _ in range(models):
            times = rng.multinomial(len(rows), np.full(len(rows), 1 / len(rows)))
            head = heads.fit_head(x[rows], counts * times[:, None], model.penalty, model.head)
            predicted.append(head.probabilities(x))
        return predicted


PREDICTOR = Predictor("Softmax regression", SoftmaxTraining)
