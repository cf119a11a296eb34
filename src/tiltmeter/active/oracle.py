"""Who gives the votes of a simulation: an oracle that sells those of a finished data set."""

from collections import defaultdict
from typing import NamedTuple

import numpy as np

from tiltmeter.active.votes import ANONYMOUS, VotePool
from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Integers

VOTE_ORDER = 202
"""Distinguishes the random numbers of the order of votes from those of other draws with the same seed."""


class GivenVote(NamedTuple):
    """A vote, by positions in the pool."""

    item: int
    annotator: int
    """Number of the annotator; ANONYMOUS where votes name none."""
    label: int


class SimulatedOracle:
    """Gives the votes of a pool in a random order that depends on the seed and the item alone.

    All strategies with one seed therefore get the same votes on an item, in the same order.
    """

    def __init__(self, pool: VotePool, seed: int) -> None:
        self._waiting: dict[int, list[GivenVote]] = defaultdict(list)
        self._left = np.bincount(pool.item, minlength=len(pool.items))
        for item, annotator, label in zip(pool.item, pool.annotator, pool.label, strict=True):
            self._waiting[int(item)].append(GivenVote(int(item), int(annotator), int(label)))
        for item, votes in self._waiting.items():
            rng = np.random.default_rng([seed, VOTE_ORDER, *pool.items[item].encode()])
            order = rng.permutation(len(votes))
            self._waiting[item] = [votes[i] for i in order]

    def votes_left(self) -> Integers:
        """Votes that are left on each item, shape (items,)."""
        return self._left.copy()

    def people_left(self, item: int) -> Integers:
        """Numbers of the annotators whose vote on an item is left, ascending."""
        people = {vote.annotator for vote in self._waiting[item]} - {ANONYMOUS}
        return np.array(sorted(people), dtype=np.int64)

    def ask(self, item: int, annotator: int | None = None) -> GivenVote:
        """The next vote on an item (of an annotator), given once; Undefined where none is left."""
        waiting = self._waiting[item]
        for place, vote in enumerate(waiting):
            if annotator in {None, vote.annotator}:
                self._left[item] -= 1
                return waiting.pop(place)
        raise Undefined(f"no vote of this annotator is left on item {item}")
