"""The simulated oracle sells every vote once, in an order of its seed."""

import numpy as np
import pytest

from tiltmeter.active.oracle import SimulatedOracle
from tiltmeter.active.votes import NamedVote, vote_pool
from tiltmeter.core.errors import Undefined


def pool():
    texts = {f"i{n:02}": f"text {n}" for n in range(10)}
    votes = [NamedVote(i, f"p{p}", str((p * n) % 3)) for n, i in enumerate(texts) for p in range(5)]
    return vote_pool("demo", texts, votes)


def test_every_vote_is_sold_once():
    source = pool()
    oracle = SimulatedOracle(source, seed=1)
    sold = [oracle.ask(item) for item in range(10) for _ in range(5)]
    assert len(set(sold)) == 50 and not oracle.votes_left().any()
    found = np.bincount([v.item * 3 + v.label for v in sold], minlength=30).reshape(10, 3)
    assert found.tolist() == source.counts.tolist()
    with pytest.raises(Undefined):
        oracle.ask(0)


def test_the_order_of_an_items_votes_depends_on_seed_and_item_alone():
    one, other = SimulatedOracle(pool(), seed=1), SimulatedOracle(pool().part(np.array([3, 7])), 1)
    assert [one.ask(7)[1:] for _ in range(5)] == [other.ask(1)[1:] for _ in range(5)]
    drawn = np.random.default_rng([1, 202, *b"i07"]).permutation(5)
    assert [vote.annotator for vote in map(SimulatedOracle(pool(), 1).ask, [7] * 5)] == [*drawn]
    again = [SimulatedOracle(pool(), seed).ask(7) for seed in range(20)]
    assert len({vote.annotator for vote in again}) > 2


def test_a_named_annotator_is_asked_once():
    oracle = SimulatedOracle(pool(), seed=1)
    assert oracle.ask(4, 2).annotator == 2
    assert oracle.people_left(4).tolist() == [0, 1, 3, 4]
    with pytest.raises(Undefined):
        oracle.ask(4, 2)
