"""A live round: people are asked while the model learns, and each gets the item that is wanted most.

First come the test items and the items that train f_ent, N votes each; then the strategy chooses, and the
model is trained again after every few votes. Nobody waits: while answers are pending, the next items of the
list are asked. All that cannot be computed again from the answers is why each item was asked; this is kept
in a file, so a round that was stopped goes on.
"""

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Final

import numpy as np

from tiltmeter.active.entropy_predictors import entropy_predictor_named
from tiltmeter.active.heads import majority_counts, standardised
from tiltmeter.active.human_entropy import EntropyVotes, HumanEntropy
from tiltmeter.active.live_plan import LivePlan, LiveVote, ReasonFile
from tiltmeter.active.loop import ROUNDS, START
from tiltmeter.active.measuring import HeldOutItems, window_shares
from tiltmeter.active.predictor import RunItems, TrainedModel, TrainingVotes, TrainsOnVotes
from tiltmeter.active.predictor_settings import encoder_training_of, entropy_predictor_of
from tiltmeter.active.run_files import AskReason, RunFiles, VoteQuery
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.strategy import PoolState
from tiltmeter.active.votes import ANONYMOUS, NamedVote, VotePool, label_counts, vote_pool
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
        self.train_place = {plan.items[at]: i for i, at in enumerate(self.train)}
        self._items = _run_items(plan, self.train, self.test)
        self.rng = np.random.default_rng([plan.seed, ROUNDS])
        self._lock = threading.Lock()
        self._votes: list[LiveVote] = []
        self._pending: Counter[str] = Counter()
        self._ranked: dict[str, AskReason] = {}
        self._ranked_at = -1
        self._f_ent: HumanEntropy | None = None
        self._training: TrainsOnVotes | None = None
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
        if held_out is not None:
            row_of = {self.plan.items[i]: row for row, i in enumerate(self.test)}
            rows = [row_of[item] for item in held_out.pool.items]
            f_ent = self._entropy()
            of_these = replace(f_ent, held_out=f_ent.held_out[rows])
            skill = of_these.errors(held_out.pool.counts).skill
        self._training = None  # penalties are chosen again, as in a simulation
        losses: list[Array] = []
        asked, window, model = self._queries(), 0, None
        self.files.start()
        self.files.add(asked)
        for votes in (point for point in self.plan.settings.grid if point <= len(asked)):
            model = self._fit(votes, model)
            measures = window_shares(asked[window:votes])
            window = votes
            if held_out is not None:
                predicted = model.of_held_out()[rows]
                losses.append(held_out.losses(predicted))
                measures |= held_out.measures(predicted, losses[-1])
                measures["f_ent_skill"] = skill
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
        if 0 < self.plan.settings.pool_sample < len(candidates):
            size = self.plan.settings.pool_sample
            candidates = np.sort(self.rng.choice(candidates, size, replace=False))
        model, f_ent = self._fit(len(self.bought), None), self._entropy()
        counts = np.asarray(self._training_votes().counts, dtype=np.int64)
        probabilities = np.full(counts.shape, np.nan)
        probabilities[candidates] = model.of_training(candidates)
        state = PoolState(
            model.last_inputs, probabilities, counts, candidates,
            votes_each=f_ent.votes, rng=self.rng, f_ent=f_ent.training,
        )  # fmt: skip
        asks = self.strategy.asks(state, min(AHEAD, len(candidates)))
        return {self.plan.items[self.train[i]]: why for i, why in asks.items()}

    # ---- The model

    def _training_votes(self, first: int | None = None) -> TrainingVotes:
        """The first votes that were bought; nobody's are set aside, and annotators have no numbers."""
        votes = self.bought[:first]
        item = np.array([self.train_place[vote.item] for vote in votes], dtype=np.int64)
        label = np.array([self.plan.labels.index(vote.label) for vote in votes], dtype=np.int64)
        counts = label_counts(item, label, len(self.train), len(self.plan.labels))
        return TrainingVotes(
            counts, np.zeros_like(counts), item, label, np.full(len(votes), ANONYMOUS)
        )

    def _fit(self, votes: int, start: TrainedModel | None) -> TrainedModel:
        """Train on the first votes, as in a simulation."""
        if self._training is None:
            self._training = self.plan.predictor.open(self._items)
        given = self._training_votes(votes)
        if self.strategy.majority:
            given = replace(given, counts=majority_counts(given.counts))
        return self._training.fit(given, start)

    def _entropy(self) -> HumanEntropy:
        """f_ent, trained on the first N votes of each of its items: the same whenever it is asked."""
        if self._f_ent is None:
            n, labels = self.plan.settings.votes_each, len(self.plan.labels)
            counts = np.zeros((len(self.train), labels), dtype=np.int64)
            given = self._training_votes()
            for item, label in zip(given.item, given.label, strict=True):
                counts[item, label] += counts[item].sum() < n
            first = np.searchsorted(self.train, self.start)
            none = np.empty(0, dtype=np.int64)
            votes = EntropyVotes(first, counts[first], none, np.empty((0, labels), dtype=np.int64))
            train = entropy_predictor_named(entropy_predictor_of(self.plan.settings))
            self._f_ent = train(self._items, votes, n)
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
        return HeldOutItems.of(pool)

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


def _run_items(plan: LivePlan, train: Integers, test: Integers) -> RunItems:
    """What a predictor needs to know of a round with these training and test items, by position."""
    none = np.empty(0, dtype=np.int64)
    pool = VotePool(
        plan.name, tuple(plan.items[i] for i in train), tuple(plan.texts[i] for i in train),
        plan.labels, plan.ordered, item=none, label=none, annotator=none,
    )  # fmt: skip
    scaled = standardised(plan.features[train])
    return RunItems(
        pool, scaled(plan.features[train]), tuple(plan.texts[i] for i in test),
        scaled(plan.features[test]), plan.settings.encoder, plan.seed,
        encoder_training_of(plan.settings),
    )  # fmt: skip
