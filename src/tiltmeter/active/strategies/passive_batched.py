"""Random items, N votes each: the baseline of Baumler et al. 2023, section 6.3.3 ("batched")."""

from tiltmeter.active.strategy import Strategy, at_random

STRATEGY = Strategy("Passive (batched)", "at random", at_random, batched=True)
