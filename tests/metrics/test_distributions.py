"""Divergences and scores of label distributions, against numbers by hand and slow obvious code."""

import numpy as np
import pytest
from scipy.spatial.distance import jensenshannon
from scipy.stats import wasserstein_distance

from tiltmeter.core.errors import Undefined
from tiltmeter.metrics import distributions as d


@pytest.fixture
def rng():
    return np.random.default_rng(0)


def test_jensen_shannon_of_two_simple_pairs():
    assert d.js_nats(np.array([[1, 0]]), np.array([[0.5, 0.5]])) == pytest.approx(
        0.215762, abs=1e-6
    )
    assert d.js_nats(np.array([[1, 0]]), np.array([[0, 1]])) == pytest.approx(np.log(2))
    assert d.js_nats(np.array([[1, 0]]), np.array([[0, 1]])) == pytest.approx(np.log(2))


def test_distances_equal_those_of_scipy(rng):
    shares, predicted = rng.dirichlet(np.ones(4), size=(2, 30))
    slow = [jensenshannon(p, q) ** 2 for p, q in zip(shares, predicted, strict=True)]
    np.testing.assert_allclose(d.js_nats(shares, predicted), slow, atol=1e-12)
    steps = np.arange(4)
    slow = [
        wasserstein_distance(steps, steps, p, q) for p, q in zip(shares, predicted, strict=True)
    ]
    np.testing.assert_allclose(d.wasserstein(shares, predicted), slow, atol=1e-12)


def test_scores_of_votes_are_means_over_single_votes(rng):
    predicted = rng.dirichlet(np.ones(3), size=1)
    votes = np.array([0, 0, 1, 2, 2])
    shares = np.bincount(votes)[None] / 5
    logs = [-np.log(predicted[0, vote]) for vote in votes]
    squares = [np.sum((np.eye(3)[vote] - predicted[0]) ** 2) for vote in votes]
    assert d.log_loss(shares, predicted) == pytest.approx(np.mean(logs))
    assert d.brier(shares, predicted) == pytest.approx(np.mean(squares))


def test_an_impossible_vote_costs_infinitely_much():
    assert d.log_loss(np.array([[0.5, 0.5]]), np.array([[1.0, 0.0]]))[0] == np.inf


@pytest.mark.parametrize(("votes", "floor"), [(3, 0.17), (5, 0.11), (10, 0.06), (25, 0.02)])
def test_the_noise_floor_of_distributions_drawn_from_the_whole_simplex(rng, votes, floor):
    truth = rng.dirichlet(np.ones(5), size=400 if votes < 25 else 60)
    found = d.js_floor(truth, np.full(len(truth), votes)).mean()
    assert found == pytest.approx(floor, abs=0.006)


def test_the_noise_floor_equals_a_simulation(rng):
    truth = np.array([[0.6, 0.3, 0.1], [0.0, 0.5, 0.5]])
    drawn = rng.multinomial(7, truth, size=(20_000, 2)) / 7
    simulated = d.js_nats(drawn, truth[None]).mean(axis=0)
    np.testing.assert_allclose(d.js_floor(truth, np.array([7, 7])), simulated, atol=0.002)


def test_the_noise_floor_takes_no_account_of_labels_without_votes():
    truth = np.array([[0.6, 0.4], [0.5, 0.5]])
    wide = np.zeros((2, 160))
    wide[:, [3, 150]] = truth
    np.testing.assert_allclose(
        d.js_floor(wide, np.array([4, 9])), d.js_floor(truth, np.array([4, 9]))
    )


def test_the_noise_floor_of_very_many_counts_is_drawn(monkeypatch):
    truth = np.array([[0.6, 0.3, 0.1], [0.2, 0.3, 0.5]])
    exact = d.js_floor(truth, np.array([7, 9]))
    monkeypatch.setattr(d, "MOST_OUTCOMES", 10)
    np.testing.assert_allclose(d.js_floor(truth, np.array([7, 9])), exact, rtol=0.03)
    assert 0 < d.js_floor(np.full((1, 40), 1 / 40), np.array([80])).item() < np.log(2)


def test_entropies_that_do_not_vary_have_no_correlation():
    flat = np.full((3, 2), 0.5)
    with pytest.raises(Undefined):
        d.entropy_correlation(flat, flat)
    varied = np.array([[0.9, 0.1], [0.5, 0.5], [0.7, 0.3]])
    assert d.entropy_correlation(varied, varied) == pytest.approx(1)
