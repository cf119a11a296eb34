"""Uncertainty sampling with N votes on each item that is asked."""

from tiltmeter.active.strategies.entropy import REASON, model_entropy
from tiltmeter.active.strategy import Strategy, highest

STRATEGY = Strategy("Entropy (batched)", REASON, highest(model_entropy), batched=True)
