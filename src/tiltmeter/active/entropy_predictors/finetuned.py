"""The encoder fine-tuned as a regressor on the entropy of the votes (Baumler et al. 2023, section 6.4.2)."""

from typing import Final

import numpy as np

from tiltmeter.active.encoders.encoder_net import SQUARED_ERROR, TextTargets
from tiltmeter.active.entropy_predictor import entropy_targets, expected_entropy_of_some
from tiltmeter.active.human_entropy import EntropyVotes, HumanEntropy, TrainsEntropy
from tiltmeter.active.predictor import RunItems
from tiltmeter.active.predictors.finetuned import inner_part, net_of

PATIENCE: Final = 5
"""Epochs without a lower held-out error after which it stops."""
ENTROPY: Final = 707
"""Distinguishes the random numbers of its training from others with the same seed."""


def finetuned_entropy(items: RunItems, given: EntropyVotes, votes: int) -> HumanEntropy:
    """The entropies of so many votes that the encoder predicts of a run's items.

    It has one output, which is added to the mean entropy. The mean squared error is minimised, until it no
    longer falls on the items that were set aside, or on a tenth of those given.
    """
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


ENTROPY_PREDICTOR: TrainsEntropy = finetuned_entropy
