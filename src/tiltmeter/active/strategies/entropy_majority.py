"""Uncertainty sampling with N votes on each item, trained on their majority labels."""

from tiltmeter.active.strategies.entropy import REASON, model_entropy
from tiltmeter.active.strategy import Strategy, highest

STRATEGY = Strategy(
    "Entropy (majority labels)", REASON, highest(model_entropy), batched=True, majority=True
)
