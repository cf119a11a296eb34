"""Upper bound of DAAL: the annotators' entropy is known instead of predicted. Simulation only."""

import numpy as np

from tiltmeter.active.entropy_predictor import expected_entropy_of_some
from tiltmeter.active.strategies.daal import REASON
from tiltmeter.active.strategy import PoolState, Strategy, highest
from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.metrics.distributions import entropy


def exact_gap(state: PoolState) -> Array:
    """|H − expected plug-in entropy of N of the item's votes|, in nats."""
    if state.all_counts is None:
        raise Undefined("the votes of people who were not asked are not known")
    known = expected_entropy_of_some(state.all_counts, state.votes_each)
    return np.abs(entropy(state.probabilities) - known)


STRATEGY = Strategy("DAAL (exact entropy)", REASON, highest(exact_gap), needs="all votes")
