"""Expected entropies of few votes, against simulation and enumeration."""

from itertools import combinations

import numpy as np
import pytest

from tiltmeter.active.entropy_predictor import (
    expected_entropy,
    expected_entropy_of_some,
    plug_in_entropy,
)


def test_three_votes_on_an_even_split():
    assert expected_entropy(np.array([[0.5, 0.5]]), 3) == pytest.approx(0.477386, abs=1e-6)


def test_a_perfect_model_shows_a_gap():
    """Distributions drawn flat from the five-way simplex: entropy 1.28, of three votes .68 on average."""
    truth = np.random.default_rng(0).dirichlet(np.ones(5), size=4000)
    whole = -(truth * np.log(truth)).sum(axis=1)
    assert whole.mean() == pytest.approx(1.283, abs=0.01)
    assert expected_entropy(truth, 3).mean() == pytest.approx(0.68, abs=0.01)


def test_drawing_without_replacement_equals_all_draws():
    counts = np.array([[3, 2, 1]])
    votes = np.repeat([0, 1, 2], counts[0])
    draws = [np.bincount(draw, minlength=3) for draw in combinations(votes, 4)]
    slow = plug_in_entropy(np.array(draws)).mean()
    assert expected_entropy_of_some(counts, 4) == pytest.approx(slow)
    assert expected_entropy_of_some(counts, 9) == pytest.approx(plug_in_entropy(counts))
