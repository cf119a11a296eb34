"""Disagreement-aware active learning: model and annotators should be equally unsure.

The items with the largest |H(f_θ(x)) − f_ent(x)|, one vote each. Algorithm 3 of Baumler et al. 2023
(doi:10.18653/v1/2023.findings-acl.658). H is the entropy of a distribution and f_ent that of N votes, which
is lower even for a perfect model; `daal_matched` compares like with like.
"""

import numpy as np

from tiltmeter.active.strategy import PoolState, Strategy, highest
from tiltmeter.core.types import Array
from tiltmeter.metrics.distributions import entropy

REASON = "model and annotators differ in entropy"


def gap(state: PoolState) -> Array:
    """|H − f_ent|, in nats."""
    return np.abs(entropy(state.probabilities) - state.entropy_prediction())


STRATEGY = Strategy("DAAL", REASON, highest(gap), needs="predicted entropy")
