"""Random items, N votes each, trained on their majority labels (Baumler et al. 2023, section 6.7.2)."""

from tiltmeter.active.strategy import Strategy, at_random

STRATEGY = Strategy(
    "Passive (majority labels)", "at random", at_random, batched=True, majority=True
)
