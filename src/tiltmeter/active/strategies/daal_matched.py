"""DAAL with like entropies: of N votes drawn from the prediction, against those predicted of N real votes."""

import numpy as np

from tiltmeter.active.entropy_predictor import expected_entropy
from tiltmeter.active.strategies.daal import REASON
from tiltmeter.active.strategy import PoolState, Strategy, highest
from tiltmeter.core.types import Array


def matched_gap(state: PoolState) -> Array:
    """|expected plug-in entropy of N votes drawn from the prediction − f_ent|, in nats."""
    drawn = np.full(len(state.probabilities), np.nan)
    some = state.probabilities[state.candidates]
    drawn[state.candidates] = expected_entropy(some, state.votes_each)
    return np.abs(drawn - state.entropy_prediction())


STRATEGY = Strategy("DAAL (matched)", REASON, highest(matched_gap), needs="predicted entropy")
