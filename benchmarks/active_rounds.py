"""Rounds of active learning by entropy sampling: Tiltmeter against scikit-activeml.

A round trains a softmax regression on all votes so far, predicts every item of the pool, and buys one vote
on each of the items with the highest entropy. Both have the same features, first votes and penalty, so
both should buy the same; the penalty is fixed, as scikit-activeml chooses none. A whole round of
`tiltmeter active` also chooses the penalty, measures on held-out items and writes files: that is a row of its
own, compared with these rounds, and with bare rounds that get its votes and its penalties.
"""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import _peers
from benchmarks._frame import DIFFERENCE, SAME, TIMES, Row, Settings, Value, timed
from tiltmeter.active.heads import SoftmaxHead, fit_head, standardised
from tiltmeter.active.loop import simulate_run, training_items
from tiltmeter.active.run_files import load_points, load_queries
from tiltmeter.active.settings import LoopSettings
from tiltmeter.active.strategies import strategy_named
from tiltmeter.active.strategy import PoolState
from tiltmeter.active.votes import NamedVote, VotePool, vote_pool
from tiltmeter.core.types import Array, Integers

TASK = "Active learning rounds"
PENALTY = 2.0
FIRST, EVERY = 50, 10
BARE, ALIKE = "× bare rounds", "× bare rounds of its votes and penalties"
"""Columns: seconds of whole rounds, divided by those of bare ones."""
LABELS, WIDTH = 4, 384


@dataclass(frozen=True, slots=True)
class Pool:
    """Made-up items with a vote each."""

    features: Array
    """Shape (items, d), of mean squared length 1."""
    votes: Integers

    @classmethod
    def made_up(cls, items: int) -> "Pool":
        """Votes drawn from a softmax of the features."""
        rng = np.random.default_rng(0)
        features = rng.normal(size=(items, WIDTH)) / np.sqrt(WIDTH)
        logits = 3 * features @ rng.normal(size=(WIDTH, LABELS)) + rng.gumbel(size=(items, LABELS))
        return cls(features, logits.argmax(axis=1))


@dataclass(frozen=True, slots=True)
class Rounds:
    """What the rounds bought, in order, and what the last model predicts."""

    bought: list[frozenset[int]]
    probabilities: Array


def rows(settings: Settings) -> Iterator[Row]:
    """Ours, theirs, and whole rounds of the command."""
    items, rounds = (200, 3) if settings.tiny else (1_000, 20) if settings.quick else (4_000, 50)
    pool = Pool.made_up(items)
    case = f"{rounds} rounds of {EVERY} votes from {items:,} items, {WIDTH} features"
    tiltmeter(pool, 1)  # warm up
    expected, took = timed(lambda: tiltmeter(pool, rounds))
    yield Row(case, "tiltmeter", took, {"rounds/s": rounds / took})
    yield _theirs(case, pool, rounds, expected, took)
    yield _whole(case, WholeRun.of(pool, rounds), rounds, took)


def _whole(case: str, run: "WholeRun", rounds: int, took: float) -> Row:
    with tempfile.TemporaryDirectory() as folder:
        _, whole = timed(lambda: run.simulate(Path(folder)))
        bare = run.bare(Path(folder))
        _, alike = timed(bare)
    note = "with the choice of the penalty, measures on held-out items, and files"
    values: dict[str, Value] = {"rounds/s": rounds / whole}
    values |= {BARE: whole / took, ALIKE: whole / alike}
    return Row(case, "tiltmeter active", whole, values, note)


def _theirs(case: str, pool: Pool, rounds: int, expected: Rounds, took: float) -> Row:
    try:
        import skactiveml
    except ImportError:
        reason = "scikit-activeml is not installed: pip install scikit-activeml"
        return Row(case, "scikit-activeml", skipped=reason)
    with _peers.silent():
        scikit(pool, 1)  # warm up
        _, seconds = timed(lambda: scikit(pool, rounds))
        found = scikit(pool, rounds, follow=expected.bought)
    same = sum(a == b for a, b in zip(expected.bought, found.bought, strict=True))
    values = {
        "rounds/s": rounds / seconds,
        TIMES: seconds / took,
        DIFFERENCE: float(np.abs(expected.probabilities - found.probabilities).max()),
        SAME: f"{same} of {rounds}",
    }
    note = "equal decisions are rounds that choose the same items after the same votes"
    return Row(case, f"scikit-activeml {skactiveml.__version__}", seconds, values, note)


def tiltmeter(pool: Pool, rounds: int) -> Rounds:
    """Each round starts from the head of the last one."""
    counts = np.zeros((len(pool.votes), LABELS), dtype=np.int64)
    counts[np.arange(FIRST), pool.votes[:FIRST]] = 1
    head: SoftmaxHead | None = None
    bought, rng = [], np.random.default_rng(0)
    for number in range(rounds + 1):
        head = fit_head(pool.features, counts, PENALTY, head)
        probabilities = head.probabilities(pool.features)
        if number < rounds:
            left = np.flatnonzero(counts.sum(axis=1) == 0)
            state = PoolState(pool.features.__getitem__, probabilities, counts, left, 1, rng)
            chosen = strategy_named("entropy").choose(state, EVERY).items
            counts[chosen, pool.votes[chosen]] += 1
            bought.append(frozenset(chosen.tolist()))
    return Rounds(bought, probabilities)


def scikit(pool: Pool, rounds: int, follow: Sequence[frozenset[int]] = ()) -> Rounds:
    """As its own examples go: fit, query, label; with `follow`, label those items instead."""
    from skactiveml.classifier import SklearnClassifier
    from skactiveml.pool import UncertaintySampling
    from sklearn.linear_model import LogisticRegression

    labels = np.full(len(pool.votes), np.nan)
    labels[:FIRST] = pool.votes[:FIRST]
    head = LogisticRegression(C=1 / PENALTY, max_iter=200, tol=1e-5)
    model: Any = SklearnClassifier(head, classes=list(range(LABELS)))
    strategy = UncertaintySampling(method="entropy", random_state=0)
    bought = []
    for number in range(rounds):
        chosen = strategy.query(pool.features, labels, model, batch_size=EVERY)
        labelled = list(follow[number]) if follow else chosen
        labels[labelled] = pool.votes[labelled]
        bought.append(frozenset(int(i) for i in chosen))
    model.fit(pool.features, labels)
    return Rounds(bought, np.asarray(model.predict_proba(pool.features)))


@dataclass(frozen=True, slots=True)
class WholeRun:
    """One run of `tiltmeter active` with one strategy and seed, on two votes for each item."""

    pool: VotePool
    features: Array
    settings: LoopSettings

    @classmethod
    def of(cls, pool: Pool, rounds: int) -> "WholeRun":
        """The same items and features, so many rounds after the first votes."""
        names = [f"item{n}" for n in range(len(pool.votes))]
        votes = [
            NamedVote(name, None, str(vote))
            for name, vote in zip(names, pool.votes, strict=True)
            for _ in range(2)
        ]
        made = vote_pool("made up", {name: name for name in names}, votes)
        order = [int(name.removeprefix("item")) for name in made.items]
        budget = 2 * FIRST + rounds * EVERY
        settings = LoopSettings(budget=budget, every=EVERY, entropy_items=FIRST, votes_each=2)
        return cls(made, pool.features[order], settings.for_pool(made))

    def simulate(self, folder: Path) -> None:
        """As the command does."""
        simulate_run(self.pool, self.features, "entropy", 0, self.settings, folder)

    def bare(self, folder: Path) -> Callable[[], None]:
        """What trains, predicts and chooses after the votes of the run that is there, with its penalties."""
        bought_of = training_items(self.pool, 0, self.settings)
        features, train = self.features[bought_of.items], bought_of.pool
        x = standardised(features)(features)
        place = {name: i for i, name in enumerate(train.items)}
        bought = [(place[q.item], int(q.label)) for q in load_queries(folder, "entropy", 0)]
        points = load_points(folder, "entropy", 0)
        starts = range(2 * FIRST, self.settings.budget + 1, EVERY)
        penalties = [next(p.measures["penalty"] for p in points if p.votes >= n) for n in starts]

        def rounds() -> None:
            head, rng = None, np.random.default_rng(0)
            counts = np.zeros((len(x), LABELS), dtype=np.int64)
            for number, penalty in zip(starts, penalties, strict=True):
                new = bought[number - EVERY if head else 0 : number]
                np.add.at(counts, tuple(np.transpose(new)), 1)
                head = fit_head(x, counts, penalty or PENALTY, head)
                left = np.flatnonzero(counts.sum(axis=1) < 2)
                state = PoolState(x.__getitem__, head.probabilities(x), counts, left, 1, rng)
                strategy_named("entropy").choose(state, EVERY)

        return rounds
