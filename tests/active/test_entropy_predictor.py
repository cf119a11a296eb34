"""The predictor of human entropy has skill where there is something to learn, and only there."""

import numpy as np
import pytest

from tiltmeter.active.entropy_predictor import entropy_budgets, entropy_errors, fit_entropy
from tiltmeter.active.pools.registered_pools import sample_pool


def test_f_ent_is_skilled_where_entropy_follows_the_features_and_not_elsewhere():
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 5))
    p = 0.5 / (1 + np.exp(-3 * x[:, 0]))
    counts = np.array([rng.multinomial(5, (1 - q, q)) for q in p])
    predictor = fit_entropy(x[:100], counts[:100], 5)
    said = predictor(x)
    assert said.min() >= 0 and said.max() <= np.log(2)
    assert entropy_errors(said[100:], counts[100:], 5, predictor.mean).skill > 0.2
    noise = rng.normal(size=(500, 5))
    useless = fit_entropy(noise[:100], counts[:100], 5)
    assert entropy_errors(useless(noise[100:]), counts[100:], 5, useless.mean).skill < 0.05


def test_f_ent_of_unequal_numbers_of_votes_is_of_the_smallest():
    x = np.random.default_rng(0).normal(size=(30, 2))
    counts = np.tile([[4, 2]], (30, 1))
    counts[0] = [2, 1]
    predictor = fit_entropy(x, counts, 5)
    assert predictor.votes == 3 and predictor.highest == pytest.approx(np.log(2))


def test_budgets_go_as_far_as_the_pool():
    pool = sample_pool()
    train, test = pool.part(np.arange(60)), pool.part(np.arange(60, 240))
    x = np.random.default_rng(0).normal(size=(240, 3))
    found = entropy_budgets(train, x[:60], test, x[60:], seed=4)
    assert [(one.items, one.votes_each) for one in found] == [
        (25, 2), (50, 2), (25, 3), (50, 3), (25, 5), (50, 5),
    ]  # fmt: skip
    assert all(one.mse > 0 and abs(one.correlation) <= 1 for one in found)
