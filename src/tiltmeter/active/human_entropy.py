"""f_ent: what is predicted of the annotators' entropy in a run, trained once on the first items.

It is a ridge regression on frozen vectors, or the encoder fine-tuned as a regressor, as in Baumler et al.
2023, section 6.4.2.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np

from tiltmeter.active.entropy_predictor import (
    EntropyErrors,
    entropy_errors,
    entropy_targets,
    expected_entropy_of_some,
    fit_entropy,
)
from tiltmeter.active.predictor import RunItems
from tiltmeter.core.types import Array, Integers

PATIENCE: Final = 5
"""Epochs without a lower held-out error after which the fine-tuned regressor stops."""
ENTROPY: Final = 707
"""Distinguishes the random numbers of its training from others with the same seed."""


@dataclass(frozen=True, slots=True)
class HumanEntropy:
    """Predicted plug-in entropies of so many votes, in nats."""

    training: Array
    """Of the training items, shape (items,)."""
    held_out: Array
    votes: int
    mean: float
    """Mean entropy of the items that were trained on."""

    def errors(self, counts: Integers) -> EntropyErrors:
        """How well the entropies of the held-out items are predicted; votes of shape (items, K)."""
        return entropy_errors(self.held_out, counts, self.votes, self.mean)


@dataclass(frozen=True, slots=True)
class EntropyVotes:
    """The votes that f_ent is trained on: N on each of some items."""

    items: Integers
    """Positions of the items among the training items."""
    counts: Integers
    """Votes for each label, shape (items, K)."""
    aside: Integers
    """Positions of the items that were bought only to choose settings; empty if there are none."""
    aside_counts: Integers
    """Their votes, shape (items, K)."""


def _ridge(items: RunItems, given: EntropyVotes, votes: int) -> HumanEntropy:
    predictor = fit_entropy(items.features[given.items], given.counts, votes)
    return HumanEntropy(
        predictor(items.features),
        predictor(items.held_out_features),
        predictor.votes,
        predictor.mean,
    )


def _finetuned(items: RunItems, given: EntropyVotes, votes: int) -> HumanEntropy:
    """The encoder with one output, which is added to the mean entropy: the mean squared error is minimised.

    It stops by the error on the items that were set aside, or on a tenth of those given.
    """
    from tiltmeter.active.encoders.encoder_net import SQUARED_ERROR, TextTargets  # noqa: PLC0415
    from tiltmeter.active.predictors.finetuned import inner_part, net_of  # noqa: PLC0415

    target = entropy_targets(given.counts, votes)
    mean = float(target.entropies.mean())
    centred = (target.entropies - mean)[:, None]
    if len(given.aside):
        front = TextTargets(given.items, centred)
        aside = expected_entropy_of_some(given.aside_counts, target.votes)
        back = TextTargets(given.aside, (aside - mean)[:, None])
    else:
        held = inner_part(given.items, len(items.training.items), items.seed)
        front = TextTargets(given.items[~held], centred[~held])
        back = TextTargets(given.items[held], centred[held])
    net = net_of(items)
    seed = int(np.random.default_rng([items.seed, ENTROPY]).integers(2**31))
    weights = net.fit_once(front, back, SQUARED_ERROR, seed, PATIENCE)
    n = len(items.training.items)
    places = np.arange(n + len(items.held_out_texts))
    predicted = weights.outputs(net.vectors(weights.encoder, places))[:, 0] + mean
    predicted = np.clip(predicted, 0.0, target.highest)
    return HumanEntropy(predicted[:n], predicted[n:], target.votes, mean)


TrainsEntropy: TypeAlias = Callable[[RunItems, EntropyVotes, int], HumanEntropy]
"""Trains on the items of a run and their votes to predict the entropy of N votes."""
ENTROPY_PREDICTORS: Final[Mapping[str, TrainsEntropy]] = {"ridge": _ridge, "finetuned": _finetuned}
"""By name on the command line."""
