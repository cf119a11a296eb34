"""Random items, one vote each: the baseline of Baumler et al. 2023, section 6.3.3 ("single")."""

from tiltmeter.active.strategy import Strategy, at_random

STRATEGY = Strategy("Passive", "at random", at_random)
