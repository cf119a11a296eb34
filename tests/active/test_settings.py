"""Settings that follow from a pool, and those that do not go together."""

import pytest

from tiltmeter.active.pools.registered_pools import sample_pool
from tiltmeter.active.settings import LoopSettings
from tiltmeter.core.errors import BadInput


def test_the_usual_number_of_votes_is_no_more_than_can_be_bought():
    pool = sample_pool()  # six votes on each item
    assert LoopSettings().for_pool(pool).votes_each == 5
    assert LoopSettings(pool_votes=3).for_pool(pool).votes_each == 3
    assert LoopSettings(votes_each=2, pool_votes=3).for_pool(pool).votes_each == 2
    with pytest.raises(BadInput, match="--votes-each 4 is more than --pool-votes 3"):
        LoopSettings(votes_each=4, pool_votes=3).for_pool(pool)
