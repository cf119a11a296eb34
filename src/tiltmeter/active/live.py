"""A live round: people are asked while the model learns, and each gets the item that is wanted most.

First come the test items and the items that train f_ent, N votes each; then the strategy chooses, and the
model is trained again after every few votes. Nobody waits: while answers are pending, the next items of the
list are asked. All that cannot be computed again from the answers is why each item was asked; this is kept
in a file, so a round that was stopped goes on.
"""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Final

import numpy as np

from tiltmeter.active.entropy_predictor import EntropyPredictor, entropy_errors, fit_entropy
from tiltmeter.active.heads import (
    RepeatedChoice,
    SoftmaxHead,
    chosen_penalty,
    fit_head,
    standardised,
)
from tiltmeter.active.live_plan import LivePlan, LiveVote, ReasonFile
from tiltmeter.active.loop import ROUNDS, START
from tiltmeter.active.measuring import HeldOutItems, window_shares
from tiltmeter.active.run_files import AskReason, RunFiles, VoteQuery
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.strategy import PoolState
from tiltmeter.active.votes import NamedVote, label_counts, vote_pool
from tiltmeter.core.errors import BadInput
from tiltmeter.core.types import Array, Integers

AHEAD: Final = 50
"""Items that a strategy ranks at a time: more than are answered until it ranks again."""
FIRST, WAITING, TESTED = "start", "asked while answers were pending", "test item"


class LiveRound:
    """Decides which items people get. `keys` and `gave` answer at once; `update` computes."""

    def __init__(self, plan: LivePlan, folder: Path) -> None:
        """Begin a round, or go on with that in the folder; BadInput where it is of another plan."""
        self.plan, self.folder = plan, folder
        self.files = RunFiles(folder, plan.strategy, plan.seed)
        self.strategy = strategy_named(plan.strategy)
        self.place = {key: i for i, key in enumerate(plan.items)}
        order = np.random.default_rng([plan.seed, START]).permutation(len(plan.items))
        self.test = order[: plan.test_items]
        self.train = np.sort(order[plan.test_items :])
        self.start = order[plan.test_items :][: plan.settings.entropy_items]
        self.x = standardised(plan.features[self.train])(plan.features)
        self.rng = np.random.default_rng([plan.seed, ROUNDS])
        self._lock = threading.Lock()
        self._votes: list[LiveVote] = []
        self._pending: Counter[str] = Counter()
        self._ranked: dict[str, AskReason] = {}
        self._ranked_at = -1
        self._f_ent: EntropyPredictor | None = None
        self._penalty = RepeatedChoice()
        plan.manifest().write(folder)
        self._reasons = ReasonFile(folder)

    # ---- What the survey asks

    @property
    def each(self) -> int:
        """Items per person; 0 for all."""
        return self.plan.per_person

    def keys(self) -> list[str]:
        """Keys of the items that may be asked now, the most wanted first."""
        with self._lock:
            return list(self._wanted())

    def gave(self, assignment: int, item: str) -> None:
        """Note that somebody was given an item, and why."""
        with self._lock:
            reason = self._wanted().get(item, AskReason(FIRST))
            self._pending[item] += 1
            self._ranked.pop(item, None)
            self._reasons.add(assignment, item, reason)

    # ---- What the answers bring

    def update(self, votes: Sequence[LiveVote], pending: Mapping[str, int]) -> None:
        """Take note of all answers so far, in order, and train again where it is time to.

        An answer that was withdrawn is simply missing; `pending` has, by item, how many people are answering.
        """
        with self._lock:
            self._votes = [vote for vote in votes if vote.label in self.plan.labels]
            self._pending = Counter(pending)
            spent = len(self.bought)
        due = self._ranked_at < 0 or spent - self._ranked_at >= self.plan.settings.every
        if not len(self._short(self.start)) and due and not self.end:
            ranked = self._rank()
            with self._lock:
                self._ranked, self._ranked_at = ranked, spent

    @property
    def bought(self) -> list[LiveVote]:
        """The votes on training items, in the order in which they came, as many as the budget."""
        test = {self.plan.items[i] for i in self.test}
        of_training = [vote for vote in self._votes if vote.item not in test]
        return of_training[: self.plan.settings.budget]

    @property
    def end(self) -> str:
        """Why the round is over; "" while votes are wanted."""
        if len(self._short(self.test)):
            return ""
        if len(self.bought) >= self.plan.settings.budget:
            return "the budget is spent"
        return "" if len(self._open()) else "every item has all its votes"

    def finish(self) -> None:
        """Measure at the points that were reached and seal the run; BadInput if there is no model."""
        missing = self._missing(self._short(self.start))
        if missing:
            raise BadInput(f"{missing} of the first votes are missing", "let more people answer")
        held_out = self._held_out()
        self._penalty = RepeatedChoice()
        losses: list[Array] = []
        asked, window, head = self._queries(), 0, None
        self.files.start()
        self.files.add(asked)
        for votes in (point for point in self.plan.settings.grid if point <= len(asked)):
            head = self._fit(votes, head)
            measures = window_shares(asked[window:votes])
            window = votes
            if held_out is not None:
                predicted = head.probabilities(held_out.features)
                losses.append(held_out.losses(predicted))
                errors = entropy_errors(self._entropy(), held_out.features, held_out.pool.counts)
                measures |= held_out.measures(predicted, losses[-1])
                measures["f_ent_skill"] = errors.skill
            self.files.measured(votes, measures)
        if held_out is None:
            self.files.finish((), np.empty((0, 2)))
        else:
            self.files.finish(held_out.pool.items, np.mean(losses, axis=0))

    # ---- Choosing

    def _wanted(self) -> dict[str, AskReason]:
        """Items that may be asked now, the most wanted first, each with the reason."""
        first = self._short(self.start, pending=True)
        wanted = self._asked(self._short(self.test, pending=True), TESTED)
        wanted |= self._asked(first, FIRST)
        pending = (self._given(pending=True) - self._given(pending=False))[self.train].sum()
        if len(self.bought) + pending + self._missing(first) >= self.plan.settings.budget:
            return wanted  # the rest of the budget is for these
        others = self._asked(self.train[self._open(pending=True)], WAITING)
        # the order is that of the first three, a reason the first that there is
        return wanted | self._ranked | others | self._ranked | wanted

    def _asked(self, items: Integers, reason: str) -> dict[str, AskReason]:
        return dict.fromkeys(map(self.plan.items.__getitem__, items.tolist()), AskReason(reason))

    def _missing(self, items: Integers) -> int:
        """How many votes these items lack until each has N, pending ones counted as given."""
        return int((self.plan.settings.votes_each - self._given(pending=True)[items]).sum())

    def _given(self, *, pending: bool) -> Integers:
        """How many votes each item has, pending ones counted or not."""
        votes = Counter(vote.item for vote in self._votes)
        votes += self._pending if pending else Counter()
        given = np.zeros(len(self.plan.items), dtype=np.int64)
        for key in votes.keys() & self.place.keys():
            given[self.place[key]] = votes[key]
        return given

    def _short(self, items: Integers, *, pending: bool = False) -> Integers:
        """Those of the items that have fewer than N votes, pending ones counted or not."""
        return items[self._given(pending=pending)[items] < self.plan.settings.votes_each]

    def _open(self, *, pending: bool = False) -> Integers:
        """Places, among the training items, of those that may have more votes."""
        votes = self._given(pending=pending)[self.train]
        return np.flatnonzero(votes < (self.plan.most_votes or inf))

    def _rank(self) -> dict[str, AskReason]:
        """The items that the strategy asks next, best first; none if all have all their votes."""
        candidates = self._open()
        if not len(candidates):
            return {}
        counts, head = self._counts()[self.train], self._fit(len(self.bought), None)
        x, predictor = self.x[self.train], self._entropy()
        state = PoolState(
            x, head.probabilities(x), counts, candidates,
            votes_each=predictor.votes, rng=self.rng, f_ent=predictor(x),
        )  # fmt: skip
        asks = self.strategy.asks(state, min(AHEAD, len(candidates)))
        return {self.plan.items[self.train[i]]: why for i, why in asks.items()}

    # ---- The model

    def _counts(self, first: int | None = None) -> Integers:
        """Label counts of the first votes that were bought, shape (items, K)."""
        votes = self.bought[:first]
        at = np.array([self.place[vote.item] for vote in votes], dtype=np.int64)
        label = np.array([self.plan.labels.index(vote.label) for vote in votes], dtype=np.int64)
        return label_counts(at, label, len(self.plan.items), len(self.plan.labels))

    def _fit(self, votes: int, start: SoftmaxHead | None) -> SoftmaxHead:
        """Train on the first votes; the penalty is chosen again as in a simulation."""
        counts, x = self._counts(votes)[self.train], self.x[self.train]
        penalty = self._penalty.after(votes, lambda: chosen_penalty(x, counts))
        return fit_head(x, counts, penalty, start)

    def _entropy(self) -> EntropyPredictor:
        """f_ent, trained on the first N votes of each of its items: the same whenever it is asked."""
        if self._f_ent is None:
            counts = np.zeros((len(self.plan.items), len(self.plan.labels)), dtype=np.int64)
            for vote in self.bought:
                at = self.place[vote.item]
                if counts[at].sum() < self.plan.settings.votes_each:
                    counts[at, self.plan.labels.index(vote.label)] += 1
            n = self.plan.settings.votes_each
            self._f_ent = fit_entropy(self.x[self.start], counts[self.start], n)
        return self._f_ent

    # ---- The files

    def _held_out(self) -> HeldOutItems | None:
        if not len(self.test):
            return None
        keys = {self.plan.items[i] for i in self.test}
        given = [NamedVote(v.item, None, v.label) for v in self._votes if v.item in keys]
        pool = vote_pool(
            self.plan.name, dict.fromkeys(keys, ""), given,
            labels=self.plan.labels, ordered=self.plan.ordered,
        )  # fmt: skip
        return HeldOutItems.of(pool, self.x[[self.place[key] for key in pool.items]])

    def _queries(self) -> list[VoteQuery]:
        """One for each vote, with the reason for which the item was asked."""
        people: dict[str, str] = {}
        seen: set[str] = set()
        queries = []
        for number, vote in enumerate(self.bought, 1):
            why = self._reasons.found.get(vote.assignment, AskReason(FIRST))
            person = people.setdefault(vote.person, f"person {len(people) + 1}")
            queries.append(
                VoteQuery(
                    self.plan.seed, self.plan.strategy, number, vote.item, person, vote.label,
                    why.reason, why.score, why.h, why.f_ent, vote.item in seen,
                )
            )  # fmt: skip
            seen.add(vote.item)
        return queries
