"""Votes are bought one by one, and each purchase is written down."""

import numpy as np

from tiltmeter.active.oracle import SimulatedOracle
from tiltmeter.active.pools.registered_pools import sample_pool
from tiltmeter.active.purchases import Buyer
from tiltmeter.active.run_files import AskReason


def test_purchases_are_counted_and_written_down():
    pool, asked = sample_pool(), []

    def choose(history, item, people):
        asked.append((len(history.item), item))
        return int(people.max())

    x, rng = np.zeros((240, 1)), np.random.default_rng(0)
    buyer = Buyer(pool, SimulatedOracle(pool, 0), choose, x, rng, "mine", 0)
    buyer.buy(3, 2, AskReason("start"))
    assert len(buyer.queries) == 2 and not asked
    buyer.buy(3, 9, AskReason("unsure", 0.25, h=0.5))
    assert len(buyer.queries) == 6
    assert asked == [(2, 3), (3, 3), (4, 3)]  # nobody is chosen where only one is left
    assert buyer.counts()[3].tolist() == pool.counts[3].tolist()
    assert buyer.counts(2).sum() == 2 and not buyer.counts(without=[3]).any()
    last = buyer.queries[-1]
    assert (last.votes, last.item, last.reason, last.h, last.repeated) == (
        6, "r003", "unsure", 0.5, True,
    )  # fmt: skip
    assert [query.repeated for query in buyer.queries] == [False] + [True] * 5
