"""What the strategies choose, against slow obvious code."""

import numpy as np
import pytest
import torch

from tiltmeter.active import badge
from tiltmeter.active.strategies import STRATEGIES
from tiltmeter.active.strategy import PoolState

NAMES = [*STRATEGIES]


def state(items=60, seed=0, **changes):
    rng = np.random.default_rng(seed)
    inputs = rng.normal(size=(items, 4))
    usual = {
        "last_inputs": lambda some: inputs[some],
        "probabilities": rng.dirichlet(np.ones(3), size=items),
        "counts": np.zeros((items, 3), dtype=int),
        "candidates": np.arange(0, items, 2),
        "votes_each": 5,
        "rng": np.random.default_rng(seed),
        "f_ent": rng.uniform(0, 1, size=items),
        "all_counts": rng.multinomial(5, np.ones(3) / 3, size=items),
        "bootstrap": lambda heads: [rng.dirichlet(np.ones(3), size=items) for _ in range(heads)],
    }
    return PoolState(**(usual | changes))


def chosen(name, given, count=10):
    return STRATEGIES[name].choose(given, count)


@pytest.mark.parametrize("name", NAMES)
def test_every_strategy_chooses_distinct_candidates(name):
    found = chosen(name, state()).items
    assert len(found) == len(set(found.tolist())) == 10
    assert set(found.tolist()) <= set(range(0, 60, 2))
    assert len(chosen(name, state(), count=90).items) == 30


def test_entropy_takes_the_most_uncertain():
    given = state()
    slow = sorted(
        given.candidates, key=lambda i: sum(p * np.log(p) for p in given.probabilities[i])
    )
    assert chosen("entropy", given).items.tolist() == slow[:10]


def test_daal_without_human_entropy_picks_as_entropy():
    flat = np.zeros(60)
    one, other = chosen("daal", state(f_ent=flat)), chosen("entropy", state())
    assert one.items.tolist() == other.items.tolist()


def test_matched_daal_sees_no_gap_in_a_perfect_model():
    given = state()
    from tiltmeter.active.entropy_predictor import expected_entropy

    perfect = expected_entropy(given.probabilities, 5)
    assert np.abs(chosen("daal_matched", state(f_ent=perfect)).scores).max() < 1e-12
    assert chosen("daal", state(f_ent=perfect)).scores.max() > 0.1


def test_badge_gradients_are_those_of_the_loss_of_the_predicted_label():
    """With respect to the last layer's weights, bias among them, as the paper defines them."""
    given = state()
    residual, inputs = badge.gradients(given)
    for i, mine in enumerate(np.einsum("nk,nd->nkd", residual, inputs)):
        item = given.candidates[i]
        inputs = torch.tensor([*given.last_inputs(item), 1.0], dtype=torch.float64)
        weights = torch.zeros(3, 5, dtype=torch.float64)
        weights[:, -1] = torch.tensor(given.probabilities[item]).log()  # softmax gives these
        weights.requires_grad_()
        label = int(given.probabilities[item].argmax())
        (-(weights @ inputs).log_softmax(0)[label]).backward()
        np.testing.assert_allclose(mine, weights.grad.numpy(), atol=1e-12)


def test_badge_seeds_as_kmeans_on_the_whole_gradients():
    """The obvious way: make every gradient, and draw with the same random numbers."""
    given = state()
    residual, features = badge.gradients(given)
    gradients = np.einsum("nk,nd->nkd", residual, features).reshape(len(residual), -1)
    rng = np.random.default_rng(0)
    slow = [int((gradients**2).sum(axis=1).argmax())]
    while len(slow) < 10:
        far = np.min([((gradients - gradients[i]) ** 2).sum(axis=1) for i in slow], axis=0)
        far[slow] = 0
        slow.append(int(rng.choice(len(far), p=far / far.sum())))
    assert chosen("badge", given).items.tolist() == given.candidates[slow].tolist()


def test_badge_copes_with_items_that_coincide():
    alike = state(
        last_inputs=lambda some: np.ones((len(some), 4)), probabilities=np.full((60, 3), 1 / 3)
    )
    assert len(set(chosen("badge", alike).items.tolist())) == 10
