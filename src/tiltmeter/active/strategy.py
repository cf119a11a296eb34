"""What a strategy sees, and what it says: which items get the next votes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.active.run_files import AskReason
from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Integers
from tiltmeter.metrics.distributions import entropy


@dataclass(frozen=True, slots=True)
class PoolState:
    """The pool before a round. Arrays have one row per item."""

    last_inputs: Callable[[Integers], Array]
    """What goes into the last layer of the current model for items, by position; shape (len(items), d)."""
    probabilities: Array
    """What the current model predicts, shape (items, K); NaN for items that are no candidates."""
    counts: Integers
    """Votes bought so far, shape (items, K)."""
    candidates: Integers
    """Positions of the items that may be asked."""
    votes_each: int
    """N: the number of votes whose entropy f_ent predicts."""
    rng: np.random.Generator
    f_ent: Array | None = None
    """Predicted entropies of N votes; None where the strategy has none."""
    all_counts: Integers | None = None
    """All votes of the data set, bought or not: for ablations only; None in a live round."""
    bootstrap: Callable[[int], list[Array]] | None = None
    """Probabilities that so many models trained on resampled votes predict."""

    def entropy_prediction(self) -> Array:
        """Predicted entropy of each item's votes, `f_ent`, in nats; Undefined where there is none."""
        if self.f_ent is None:
            raise Undefined("no predictor of the annotators' entropy was trained")
        return self.f_ent


@dataclass(frozen=True, slots=True)
class ChosenItems:
    """Positions of items to ask next, in order, and the score of each (None for random choices)."""

    items: Integers
    scores: Array | None = None


ChoosesItems: TypeAlias = Callable[[PoolState, int], ChosenItems]
"""Chooses at most so many distinct candidates, of which the next votes are bought."""


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way to choose the next items."""

    title: str
    """The strategy's name in tables and pictures."""
    reason: str
    """Why an item was asked, in a few words; stored with every query."""
    choose: ChoosesItems
    batched: bool = False
    """Buys N votes on an item at once instead of one."""
    needs: Literal["", "predicted entropy", "all votes", "resampled models"] = ""
    """What it needs besides the model: f_ent, the votes that nobody has bought yet (an upper bound), or
    models trained on resampled votes."""
    majority: bool = False
    """Trains on the majority label of each item instead of single votes."""

    def asks(self, state: PoolState, count: int) -> dict[int, AskReason]:
        """Positions of at most so many items to ask next, in order, each with the reason and its numbers."""
        chosen = self.choose(state, count)
        h = entropy(state.probabilities[chosen.items]).tolist()
        unknown = [None] * len(h)
        scores = unknown if chosen.scores is None else chosen.scores.tolist()
        f_ent = unknown if state.f_ent is None else state.f_ent[chosen.items].tolist()
        numbers = zip(chosen.items.tolist(), scores, h, f_ent, strict=True)
        return {item: AskReason(self.reason, *three) for item, *three in numbers}


def highest(score: Callable[[PoolState], Array]) -> ChoosesItems:
    """Chooses the candidates with the highest scores; ties are broken at random.

    >>> two = np.array([[0.9, 0.1], [0.5, 0.5], [0.6, 0.4]])
    >>> counts, first = two.astype(int), np.array([0, 2])
    >>> state = PoolState(lambda i: two[i], two, counts, first, 5, np.random.default_rng(0))
    >>> highest(lambda s: s.probabilities[:, 1])(state, 1)
    ChosenItems(items=array([2]), scores=array([0.4]))
    """

    def choose(state: PoolState, count: int) -> ChosenItems:
        scores = score(state)[state.candidates]
        order = np.lexsort((state.rng.random(len(scores)), -scores))[:count]
        return ChosenItems(state.candidates[order], scores[order])

    return choose


def at_random(state: PoolState, count: int) -> ChosenItems:
    """Chooses candidates uniformly at random."""
    count = min(count, len(state.candidates))
    return ChosenItems(state.rng.choice(state.candidates, size=count, replace=False))
