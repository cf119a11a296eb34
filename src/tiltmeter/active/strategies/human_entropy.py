"""Ablation of DAAL: the items on which annotators are predicted to disagree most, whatever the model says."""

from tiltmeter.active.strategy import PoolState, Strategy, highest

STRATEGY = Strategy(
    "Human entropy only", "annotators are expected to disagree",
    highest(PoolState.entropy_prediction), needs="predicted entropy",
)  # fmt: skip
