"""A head for each annotator on shared features, whose predictions are averaged.

After Davani, Díaz and Prabhakaran 2022 (doi:10.1162/tacl_a_00449), with two changes. The features are frozen.
And a head that has few votes so far is kept near the head of all votes, from which it is penalised for
departing: without votes it is that head.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.active.heads import (
    FOLDS,
    PENALTIES,
    RepeatedChoice,
    SoftmaxHead,
    fit_head,
    path_losses,
)
from tiltmeter.active.predictor import Predictor, RunItems, TrainedModel, TrainingVotes
from tiltmeter.active.predictors.softmax import SoftmaxModel, SoftmaxTraining
from tiltmeter.active.votes import VotePool, label_counts
from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Integers

FEWEST_VOTES = 100
"""The minimum number of votes of each annotator in the pool."""
NAMED = 5
"""Annotators with too few votes that an error names."""


@dataclass(frozen=True, slots=True)
class AnnotatorModel(SoftmaxModel):
    """A head for each annotator beside that of all votes."""

    heads: Sequence[SoftmaxHead]

    def probabilities(self, features: Array) -> Array:
        """The mean over annotators of the predicted distributions, shape (items, K)."""
        predicted = [head.probabilities(features) for head in self.heads]
        return np.asarray(np.mean(predicted, axis=0), dtype=np.float64)


class AnnotatorTraining:
    """Trains a head for each annotator, from where that of all votes lies."""

    def __init__(self, items: RunItems) -> None:
        self._items = items
        self._shared = SoftmaxTraining(items)
        self._penalty = RepeatedChoice()

    def fit(self, votes: TrainingVotes, start: TrainedModel | None) -> AnnotatorModel:
        """Train on the votes, from the weights of `start` where it is such a model."""
        shared, x = self._shared.fit(votes, start).head, self._items.features
        counts = self._counts(votes)
        penalty = self._penalty.after(
            len(votes.item), lambda: chosen_distance_penalty(x, counts, shared.penalty)
        )
        starts = start.heads if isinstance(start, AnnotatorModel) else [shared] * len(counts)
        heads = [
            fit_head(x, mine, penalty, head, around=shared)
            for mine, head in zip(counts, starts, strict=True)
        ]
        return AnnotatorModel(shared, self._items, heads)

    def _counts(self, votes: TrainingVotes) -> list[Integers]:
        """The votes of each annotator, each of shape (items, K)."""
        pool = self._items.training
        given = (votes.annotator == annotator for annotator in range(len(pool.annotators)))
        return [
            label_counts(votes.item[mine], votes.label[mine], len(pool.items), len(pool.labels))
            for mine in given
        ]


def chosen_distance_penalty(x: Array, counts: Sequence[Integers], penalty: float) -> float:
    """The penalty on the distance from the shared head with the lowest cross-validated log loss.

    Features have shape (items, d), the votes of each annotator (items, K); `penalty` is the shared head's.
    """
    total = np.sum(counts, axis=0)
    rows = np.flatnonzero(total.sum(axis=1))
    fold = np.arange(len(rows)) % FOLDS
    losses = np.zeros(len(PENALTIES))
    for left_out in range(min(FOLDS, len(rows)) if len(rows) > 1 else 0):
        inside, outside = rows[fold != left_out], rows[fold == left_out]
        shared = fit_head(x[inside], total[inside], penalty)
        for mine in counts:
            losses += path_losses(x[inside], mine[inside], x[outside], mine[outside], shared)
    return PENALTIES[int(losses.argmin())]


def check(pool: VotePool) -> None:
    """BadInput where the votes name no annotators, or some have too few votes."""
    if not pool.has_annotators:
        raise BadInput(
            f"{pool.name} does not name the annotators, and --predictor annotators trains a head for each",
            "use another predictor",
        )
    given = np.bincount(pool.annotator, minlength=len(pool.annotators))
    few = np.flatnonzero(given < FEWEST_VOTES)
    if len(few):
        listed = ", ".join(f"{pool.annotators[i]} ({given[i]:,})" for i in few[:NAMED])
        more = f" and {len(few) - NAMED:,} more" if len(few) > NAMED else ""
        raise BadInput(
            f"{pool.name}: {len(few):,} of {counted(len(given), 'annotators')} "
            f"{verb_for(len(few), 'have')} fewer than {FEWEST_VOTES} votes: "
            f"{listed}{more}",
            "use another predictor, or leave their votes out",
        )


PREDICTOR = Predictor(
    "A head for each annotator", AnnotatorTraining, check=check, has_majority=False,
    asks_known_people=True,
)  # fmt: skip
