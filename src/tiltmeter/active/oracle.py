"""Who gives the votes of a simulation: an oracle that sells those of a finished data set."""

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
        self._pool, self._seed = pool, seed
        self._left = np.bincount(pool.item, minlength=len(pool.items))
        self._first = np.cumsum(self._left) - self._left  # the place of each item's first vote
        self._waiting: dict[int, list[int]] = {}

    def votes_left(self) -> Integers:
        """Votes that are left on each item, shape (items,)."""
        return self._left.copy()

    def people_left(self, item: int) -> Integers:
        """Numbers of the annotators whose vote on an item is left, ascending."""
        return np.setdiff1d(self._pool.annotator[self._votes(item)], [ANONYMOUS])

    def ask(self, item: int, annotator: int | None = None) -> GivenVote:
        """The next vote on an item (of an annotator), given once; Undefined where none is left."""
        for vote in self._votes(item):
            person = int(self._pool.annotator[vote])
            if annotator in {None, person}:
                self._left[item] -= 1
                self._waiting[item].remove(vote)
                return GivenVote(item, person, int(self._pool.label[vote]))
        raise Undefined(f"no vote of this annotator is left on item {item}")

    def _votes(self, item: int) -> list[int]:
        """Places in the pool of the votes that are left on an item, in the order in which they are given."""
        if item not in self._waiting:
            key = np.array([self._seed, VOTE_ORDER, *self._pool.items[item].encode()], np.uint32)
            order = np.random.default_rng(key).permutation(self._left[item]) + self._first[item]
            self._waiting[item] = order.tolist()
        return self._waiting[item]
