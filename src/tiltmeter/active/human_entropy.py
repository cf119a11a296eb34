"""f_ent: what is predicted of the annotators' entropy in a run, trained once on the first items."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tiltmeter.active.entropy_predictor import EntropyErrors, entropy_errors
from tiltmeter.active.predictor import RunItems
from tiltmeter.core.types import Array, Integers


@dataclass(frozen=True, slots=True)
class HumanEntropy:
    """Predicted plug-in entropies of so many votes, in nats."""

    training: Array
    """The entropy of the training items, shape (items,)."""
    held_out: Array
    votes: int
    mean: float
    """Mean entropy of the items that were trained on."""

    def errors(self, counts: Integers) -> EntropyErrors:
        """How well the entropies of the held-out items are predicted; votes of shape (items, K)."""
        return entropy_errors(self.held_out, counts, self.votes, self.mean)


@dataclass(frozen=True, slots=True)
class EntropyVotes:
    """The votes that f_ent is trained on: N on each of some items."""

    items: Integers
    """Positions of the items among the training items."""
    counts: Integers
    """Votes for each label, shape (items, K)."""
    aside: Integers
    """Positions of the items that were bought only to choose settings; empty if there are none."""
    aside_counts: Integers
    """The votes on the items set aside, shape (items, K)."""


TrainsEntropy: TypeAlias = Callable[[RunItems, EntropyVotes, int], HumanEntropy]
"""Trains on the items of a run and their votes to predict the entropy of N votes."""
