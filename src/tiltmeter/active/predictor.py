"""A model of label distributions, as the loop sees it: trained on bought votes, asked for distributions."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from tiltmeter.active.encoders.encoder_training import EncoderTraining
from tiltmeter.active.votes import VotePool
from tiltmeter.core.types import Array, Integers


@dataclass(frozen=True, slots=True)
class TrainingVotes:
    """The votes that a model is trained on. Items are positions in the pool of training items."""

    counts: Array | Integers
    """Votes for each label, shape (items, K); weighted where majority labels are trained on."""
    set_aside: Integers
    """Votes that only choose settings, shape (items, K); all 0 if none were bought for that."""
    item: Integers
    """The item of each vote in `counts`, in the order bought."""
    label: Integers
    annotator: Integers
    """Number of the annotator of each vote; ANONYMOUS where votes name none."""


class TrainedModel(Protocol):
    """A trained model of label distributions."""

    @property
    def penalty(self) -> float | None:
        """Strength of regularisation, where it has one that is chosen."""

    def of_training(self, items: Integers) -> Array:
        """Predicted distributions of training items, by position; shape (len(items), K)."""

    def of_held_out(self) -> Array:
        """Predicted distributions of the held-out items, shape (held-out items, K)."""

    def last_inputs(self, items: Integers) -> Array:
        """What goes into the last layer for training items, by position; shape (len(items), d).

        Gradients of that layer are made of it.
        """


class TrainsOnVotes(Protocol):
    """Trains models on the votes of one run."""

    def fit(self, votes: TrainingVotes, start: TrainedModel | None) -> TrainedModel:
        """A model of these votes, at least one.

        It may start from the model of fewer votes of the same run, which saves time and changes no optimum.
        """


@runtime_checkable
class Resamples(Protocol):
    """Trains models on resampled votes as well."""

    def resampled(
        self, votes: TrainingVotes, model: TrainedModel, models: int, rng: np.random.Generator
    ) -> list[Array]:
        """What each of so many models predicts of the training items, shape (items, K).

        Each is trained on a resample of the votes of which `fit` made the model.
        """


@dataclass(frozen=True, slots=True)
class RunItems:
    """The items of one run, and what a predictor needs to know of the run."""

    training: VotePool
    features: Array
    """The vectors of the training items, shape (items, d)."""
    held_out_texts: tuple[str, ...]
    held_out_features: Array
    """The vectors of the held-out items, shape (held-out items, d)."""
    encoder: str
    seed: int
    encoder_training: EncoderTraining
    """How the encoder is trained, by what trains it."""


@dataclass(frozen=True, slots=True)
class Predictor:
    """A kind of model that is trained on votes, as users choose it by name."""

    title: str
    open: Callable[[RunItems], TrainsOnVotes]
    every: int = 10
    """Usual number of votes between two trainings."""
    pool_sample: int = 0
    """Usual number of items that a round considers; 0 for all."""
    check: Callable[[VotePool], None] = lambda _: None
    """Raises BadInput where the votes of a pool are not enough for it."""
    has_majority: bool = True
    """Whether it can be trained on majority labels."""
    encoder_training: EncoderTraining | None = None
    """How it usually trains the encoder; None where it reads frozen vectors."""
    entropy_predictor: str = "ridge"
    """The usual predictor of human entropy beside it."""
    asks_known_people: bool = False
    """Whether it has to know all annotators beforehand, which a live round does not."""
