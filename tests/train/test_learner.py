"""What is asked of a model in training."""

import numpy as np
import pytest

from tiltmeter.train.blocks import TokenRow
from tiltmeter.train.learner import following, hidden


def test_fifteen_in_a_hundred_are_asked_for_eight_in_ten_of_them_masked():
    n = 40_000
    own = np.arange(n) % 4 > 0
    row = TokenRow(np.full(n, 500, dtype=np.int32), own)
    (asked,) = hidden([row], np.random.default_rng(2), mask=3, vocabulary=400)
    # five standard deviations of a binomial distribution
    assert len(asked.places) / own.sum() == pytest.approx(
        0.15, abs=5 * (0.15 * 0.85 / own.sum()) ** 0.5
    )
    assert own[asked.places].all()
    assert (asked.true == 500).all()
    read = asked.ids[asked.places]
    for share, mine in ((0.8, read == 3), (0.1, (read < 400) & (read != 3)), (0.1, read == 500)):
        assert mine.mean() == pytest.approx(share, abs=5 * (share / len(read)) ** 0.5)
    rest = np.setdiff1d(np.arange(n), asked.places)
    assert (asked.ids[rest] == 500).all()
    assert (row.ids == 500).all()


def test_something_is_asked_for_even_in_the_shortest_text():
    rows = [TokenRow(np.array([1, 9, 2], dtype=np.int32), np.array([False, True, False]))] * 2
    for seed in range(30):
        asked = hidden(rows, np.random.default_rng(seed), mask=3, vocabulary=10)
        assert sum(len(one.true) for one in asked) >= 1
        assert {int(at) for one in asked for at in one.places} == {1}


def test_a_causal_model_is_asked_for_each_next_token():
    (asked,) = following(
        [TokenRow(np.array([5, 6, 7], dtype=np.int32), np.array([False, True, True]))]
    )
    assert (asked.places.tolist(), asked.true.tolist()) == ([0, 1], [6, 7])
