"""Ablation of DAAL: the signed difference H − f_ent, so only items on which the model is too unsure."""

from tiltmeter.active.strategy import PoolState, Strategy, highest
from tiltmeter.core.types import Array
from tiltmeter.metrics.distributions import entropy


def signed_gap(state: PoolState) -> Array:
    """H − f_ent, in nats."""
    return entropy(state.probabilities) - state.entropy_prediction()


STRATEGY = Strategy(
    "DAAL (signed)", "the model is less sure than annotators", highest(signed_gap),
    needs="predicted entropy",
)  # fmt: skip
