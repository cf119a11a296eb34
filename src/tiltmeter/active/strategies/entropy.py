"""Uncertainty sampling: the items whose predicted distribution has the highest entropy, one vote each.

Algorithm 2 of Baumler et al. 2023 (doi:10.18653/v1/2023.findings-acl.658).
"""

from tiltmeter.active.strategy import PoolState, Strategy, highest
from tiltmeter.core.types import Array
from tiltmeter.metrics.distributions import entropy

REASON = "the model is unsure"


def model_entropy(state: PoolState) -> Array:
    """H of the predicted distributions, in nats."""
    return entropy(state.probabilities)


STRATEGY = Strategy("Entropy", REASON, highest(model_entropy))
