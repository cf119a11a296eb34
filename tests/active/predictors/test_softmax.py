"""Softmax regression predicts the shares of votes that its features tell apart."""

import numpy as np
import pytest

from support.active_runs import opinions, run_items, votes_of
from tiltmeter.active.predictors import predictor_named
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.finder import ours


def test_it_learns_the_shares_of_both_kinds_of_texts():
    pool, x = opinions()
    x = np.hstack([x, np.ones((len(x), 1))])
    votes = votes_of(pool, np.full(len(pool.item), True))
    model = predictor_named("softmax").open(run_items(pool, x)).fit(votes, None)
    assert model.of_training(np.array([0, 1]))[:, 1] == pytest.approx([2 / 3, 2 / 3], abs=0.05)


def test_predictors_are_the_files_of_their_folder():
    assert {"annotators", "softmax"} <= {*ours("active.predictors")}
    with pytest.raises(UnknownName, match="predictor"):
        predictor_named("softmaxx")
