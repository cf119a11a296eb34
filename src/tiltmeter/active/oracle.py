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
        self._waiting: dict[int, list[GivenVote]] = {}

    def votes_left(self) -> Integers:
        """Votes that are left on each item, shape (items,)."""
        return self._left.copy()

    def people_left(self, item: int) -> Integers:
        """Numbers of the annotators whose vote on an item is left, ascending."""
        people = {vote.annotator for vote in self._votes(item)} - {ANONYMOUS}
        return np.array(sorted(people), dtype=np.int64)

    def ask(self, item: int, annotator: int | None = None) -> GivenVote:
        """The next vote on an item (of an annotator), given once; Undefined where none is left."""
        waiting = self._votes(item)
        for place, vote in enumerate(waiting):
            if annotator in {None, vote.annotator}:
                self._left[item] -= 1
                return waiting.pop(place)
        raise Undefined(f"no vote of this annotator is left on item {item}")

    def _votes(self, item: int) -> list[GivenVote]:
        """The votes that are left on an item, in the order in which they are given."""
        if item not in self._waiting:
            key = np.array([self._seed, VOTE_ORDER, *self._pool.items[item].encode()], np.uint32)
            order = np.random.default_rng(key).permutation(self._left[item]) + self._first[item]
            columns = (self._pool.annotator[order].tolist(), self._pool.label[order].tolist())
            self._waiting[item] = [GivenVote(item, *vote) for vote in zip(*columns, strict=True)]
        return self._waiting[item]
