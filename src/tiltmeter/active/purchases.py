"""The votes bought in a run, of whom, and why each was bought."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

import numpy as np

from tiltmeter.active.oracle import SimulatedOracle
from tiltmeter.active.people import ChoosesPerson, VoteHistory
from tiltmeter.active.predictor import TrainingVotes
from tiltmeter.active.run_files import AskReason, VoteQuery
from tiltmeter.active.votes import ANONYMOUS, VotePool, label_counts
from tiltmeter.core.types import Array, Integers


@dataclass(slots=True)
class Buyer:
    """Buys votes and writes down each query."""

    pool: VotePool
    oracle: SimulatedOracle
    choose_person: ChoosesPerson | None
    """None where anybody may answer."""
    features: Array
    rng: np.random.Generator
    strategy: str
    seed: int
    queries: list[VoteQuery] = field(default_factory=list)
    """The query of every vote, in the order bought."""
    _bought: Integers = field(init=False)
    """Items, annotators and labels of the votes, shape (3, votes of the pool); filled from the left."""

    def __post_init__(self) -> None:
        """Make room for every vote of the pool."""
        self._bought = np.zeros((3, len(self.pool.item)), dtype=np.int64)

    def _columns(self, first: int | None = None) -> tuple[Integers, Integers, Integers]:
        """Items, annotators and labels of the first votes, by default of all."""
        item, annotator, label = self._bought[:, : len(self.queries)][:, :first]
        return item, annotator, label

    def counts(self, first: int | None = None, without: Iterable[int] = ()) -> Integers:
        """Label counts of the first votes (by default of all) on other items, shape (items, K)."""
        item, _, label = self._columns(first)
        counts = label_counts(item, label, len(self.pool.items), len(self.pool.labels))
        counts[list(without)] = 0
        return counts

    def training_votes(self, first: int, set_aside: Collection[int]) -> TrainingVotes:
        """The first votes, those on items that were set aside apart from the others."""
        item, annotator, label = self._columns(first)
        used = ~np.isin(item, list(set_aside))
        counts = self.counts(first, set_aside)
        aside = np.zeros_like(counts)
        aside[list(set_aside)] = self.counts()[list(set_aside)]
        return TrainingVotes(counts, aside, item[used], label[used], annotator[used])

    def buy(self, item: int, times: int, why: AskReason) -> None:
        """Buy so many votes on an item, or all that are left; before the first model (no `h`) of anybody."""
        has_votes = bool((self._columns()[0] == item).any())
        for _ in range(min(times, int(self.oracle.votes_left()[item]))):
            person = None if why.h is None else self._person(item)
            vote = self.oracle.ask(item, person)
            self._bought[:, len(self.queries)] = vote.item, vote.annotator, vote.label
            known = vote.annotator != ANONYMOUS
            self.queries.append(
                VoteQuery(
                    self.seed, self.strategy, len(self.queries) + 1, self.pool.items[item],
                    self.pool.annotators[vote.annotator] if known else None,
                    self.pool.labels[vote.label], why.reason, why.score, why.h, why.f_ent, has_votes,
                )
            )  # fmt: skip
            has_votes = True

    def _person(self, item: int) -> int | None:
        if self.choose_person is None:
            return None
        people = self.oracle.people_left(item)
        if len(people) < 2:  # noqa: PLR2004 (nothing to choose)
            return None
        item_of, annotator, label = self._columns()
        labels = len(self.pool.labels)
        history = VoteHistory(self.features, labels, item_of, label, annotator, self.rng)
        return self.choose_person(history, item, people)
