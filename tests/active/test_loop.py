"""The loop: what is bought, that runs can be repeated and resumed, and two worlds whose winner is known."""

import os
import signal
import subprocess
import sys
import time
from collections import Counter

import numpy as np
import pytest

from tiltmeter.active.loop import FULL_DATA, simulate_run, training_items
from tiltmeter.active.pools.registered_pools import sample_pool
from tiltmeter.active.run_files import load_points, load_queries
from tiltmeter.active.settings import LoopSettings
from tiltmeter.active.strategies import STRATEGIES
from tiltmeter.active.votes import NamedVote, split_items, vote_pool

SETTINGS = LoopSettings(budget=300, entropy_items=20, votes_each=4)


def world(distribution, items=400, votes=6, dimensions=12):
    """A pool with random features, and the votes that `distribution(features)` gives."""
    rng = np.random.default_rng(7)
    x = rng.normal(size=(items, dimensions))
    names = [f"i{n:03}" for n in range(items)]
    given = [
        NamedVote(name, None, str(label))
        for name, p in zip(names, distribution(x), strict=True)
        for label in rng.choice(2, size=votes, p=(1 - p, p))
    ]
    return vote_pool("world", {name: name for name in names}, given, labels=("0", "1")), x


def run(folder, pool, x, strategy, seed=0, settings=SETTINGS):
    simulate_run(pool, x, strategy, seed, settings.for_pool(pool), folder)
    return load_queries(folder, strategy, seed), load_points(folder, strategy, seed)


@pytest.fixture(scope="module")
def sample():
    pool = sample_pool()
    return pool, np.random.default_rng(0).normal(size=(len(pool.items), 8))


@pytest.mark.parametrize(
    "strategy", ["passive", "daal_matched", "entropy_batched", "badge", "bald"]
)
def test_no_vote_is_sold_twice_and_all_are_of_the_pool(tmp_path, sample, strategy):
    pool, x = sample
    queries, points = run(tmp_path, pool, x, strategy)
    assert [query.votes for query in queries] == [*range(1, 301)]
    assert max(Counter((query.item, query.annotator) for query in queries).values()) == 1
    real = {(pool.items[i], pool.annotators[a], pool.labels[k])
            for i, a, k in zip(pool.item, pool.annotator, pool.label, strict=True)}  # fmt: skip
    assert {(query.item, query.annotator, query.label) for query in queries} <= real
    test = {pool.items[i] for i in split_items(pool, 0).test}
    assert not test & {query.item for query in queries}
    assert [point.votes for point in points] == list(SETTINGS.for_pool(pool).grid)


def test_items_that_are_used_up_are_not_asked_again(tmp_path, sample):
    pool, x = sample
    there = len(training_items(pool, 0, SETTINGS).pool.item)
    settings = LoopSettings(budget=there, entropy_items=20, votes_each=4, every=50)
    queries, _ = run(tmp_path, pool, x, "entropy", settings=settings)
    assert len(queries) == there


def test_batched_queries_return_all_votes(tmp_path, sample):
    pool, x = sample
    settings = LoopSettings(budget=300, entropy_items=20, votes_each=6, every=12)
    queries, _ = run(tmp_path, pool, x, "passive_batched", settings=settings)
    assert set(Counter(query.item for query in queries).values()) == {6}


@pytest.mark.parametrize("number", range(len(STRATEGIES)))
def test_no_strategy_buys_more_votes_on_an_item_than_the_pool_is_said_to_have(
    tmp_path, sample, number
):
    """All votes of the training items are bought, so that every strategy comes to the limit."""
    (pool, x), most, strategy = sample, 1 + number % 3, [*STRATEGIES][number]
    start = "paper" if number % 2 else "matched"
    settings = LoopSettings(
        budget=156 * most,
        entropy_items=20,
        every=60,
        held_out_items=5,
        start=start,
        pool_votes=most,
    )
    queries, _ = run(tmp_path, pool, x, strategy, settings=settings)
    votes = Counter(query.item for query in queries)
    there = len(split_items(pool, 0).train)
    assert len(queries) == most * there and set(votes.values()) == {most}
    assert max(Counter((query.item, query.annotator) for query in queries).values()) == 1


def test_fewer_votes_in_the_pool_leave_the_test_items_as_they_are(tmp_path, sample):
    pool, x = sample
    for most in (0, 2):
        settings = LoopSettings(pool_votes=most).for_pool(pool)
        simulate_run(pool, x, FULL_DATA, 0, settings, tmp_path / str(most))
    (full,), (few,) = (load_points(tmp_path / str(most), FULL_DATA, 0) for most in (0, 2))
    assert few.votes == 2 * len(split_items(pool, 0).train) and full.votes == 3 * few.votes
    assert few.measures["floor"] == full.measures["floor"]
    assert few.measures["log_loss"] != full.measures["log_loss"]


def test_agreed_items_are_those_whose_votes_in_the_pool_agree(sample):
    pool, _ = sample
    settings = LoopSettings(agreed_only=True, pool_votes=2)
    training = training_items(pool, 0, settings)
    assert set(training.pool.counts.max(axis=1)) == {2}
    without = training_items(pool, 0, LoopSettings(agreed_only=True))
    assert set(without.items) < set(training.items)


def test_strategies_share_start_and_order_of_votes(tmp_path, sample):
    pool, x = sample
    one, other = (run(tmp_path, pool, x, name)[0] for name in ("passive", "entropy"))
    assert [q.item for q in one[:80]] == [q.item for q in other[:80]]
    orders = []
    for queries in (one, other):
        by_item = {}
        for query in queries:
            by_item.setdefault(query.item, []).append(query.annotator)
        orders.append(by_item)
    for item in orders[0].keys() & orders[1].keys():
        short = min(len(order[item]) for order in orders)
        assert orders[0][item][:short] == orders[1][item][:short]


def test_under_the_papers_start_only_daal_buys_the_entropy_budget(tmp_path, sample):
    pool, x = sample
    settings = LoopSettings(budget=300, entropy_items=20, votes_each=4, start="paper")
    first = [sum(q.reason == "start" for q in run(tmp_path, pool, x, name, settings=settings)[0])
             for name in ("passive", "passive_batched", "daal")]  # fmt: skip
    assert first == [10, 8, 80]


def test_held_out_votes_are_counted_and_never_asked_again(tmp_path, sample):
    pool, x = sample
    settings = LoopSettings(budget=300, entropy_items=20, votes_each=4, held_out_items=5)
    queries, points = run(tmp_path, pool, x, "daal", settings=settings)
    aside = {query.item for query in queries if query.reason == "held out"}
    assert len(aside) == 5 and points[0].votes == 100 and len(queries) == 300
    assert sum(query.item in aside for query in queries) == 20


def test_who_is_asked_can_be_chosen(tmp_path, sample):
    pool, x = sample
    by_choice = {
        whom: [q.annotator for q in run(
            tmp_path / whom, pool, x, "passive",
            settings=LoopSettings(budget=140, entropy_items=20, votes_each=4, whom=whom))[0]]
        for whom in ("at_random", "label_minority", "semantic", "representation")
    }  # fmt: skip
    assert len({tuple(asked) for asked in by_choice.values()}) == 4


def test_a_killed_run_is_finished_by_running_it_again(tmp_path, sample):
    pool, x = sample
    run(tmp_path / "whole", pool, x, "daal", seed=1)
    np.save(tmp_path / "x.npy", x)
    code = (
        "import sys, numpy as np\nfrom pathlib import Path\n"
        "from tiltmeter.active.loop import simulate_run\n"
        "from tiltmeter.active.pools.registered_pools import sample_pool\n"
        "from tiltmeter.active.settings import LoopSettings\n"
        "s = LoopSettings(budget=300, entropy_items=20, votes_each=4)\n"
        "folder = Path(sys.argv[1])\n"
        "simulate_run(sample_pool(), np.load(folder / 'x.npy'), 'daal', 1, s, folder / 'cut')"
    )
    part = tmp_path / "cut" / "runs" / "daal" / "1.queries.jsonl.part"
    with subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) as process:
        while process.poll() is None and not (part.exists() and part.stat().st_size > 30_000):
            time.sleep(0.002)
        os.kill(process.pid, signal.SIGKILL)
    run(tmp_path / "cut", pool, x, "daal", seed=1)
    for file in sorted((tmp_path / "whole" / "runs" / "daal").iterdir()):
        assert (tmp_path / "cut" / "runs" / "daal" / file.name).read_bytes() == file.read_bytes()
    assert not part.exists()


def mean_log_loss(folder, pool, x, strategy, settings):
    points = [run(folder, pool, x, strategy, seed, settings)[1] for seed in range(2)]
    return np.mean([[point.measures["log_loss"] for point in one] for one in points])


def test_daal_wins_where_most_items_are_coin_tosses(tmp_path):
    """On four items of five people toss coins; on the fifth they agree, and what they say must be learned."""

    def distribution(x):
        return np.where(x[:, 0] < 0.84, 0.5, x[:, 1:] @ np.linspace(-1, 1, x.shape[1] - 1) > 0)

    pool, x = world(distribution)
    x[:, 0] = np.where(x[:, 0] < 0.84, -3.0, 3.0)
    x[:, 1:] *= x[:, :1] > 0
    settings = LoopSettings(budget=300, entropy_items=30, votes_each=4)
    losses = {name: mean_log_loss(tmp_path, pool, x, name, settings)
              for name in ("passive", "entropy", "daal", "daal_matched")}  # fmt: skip
    assert min(losses["passive"], losses["entropy"]) - losses["daal"] > 0.005
    assert min(losses["passive"], losses["entropy"]) - losses["daal_matched"] > 0.005


def test_nobody_wins_where_features_say_nothing(tmp_path):
    pool, x = world(lambda x: np.full(len(x), 0.3))
    settings = LoopSettings(budget=300, entropy_items=30, votes_each=4)
    one, other = (mean_log_loss(tmp_path, pool, x, name, settings) for name in ("passive", "daal"))
    assert abs(one - other) < 0.02


def test_the_model_of_all_votes_is_measured_once(tmp_path, sample):
    pool, x = sample
    simulate_run(pool, x, FULL_DATA, 0, SETTINGS.for_pool(pool), tmp_path)
    (point,) = load_points(tmp_path, FULL_DATA, 0)
    assert point.votes == len(training_items(pool, 0, SETTINGS).pool.item)
