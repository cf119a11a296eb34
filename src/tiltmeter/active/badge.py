"""BADGE: a diverse set of items with large loss gradients (Ash et al. 2020, arXiv:1906.03671).

k-means++ seeding on the gradients of the last layer for the most probable label. A gradient is the outer
product of the residual p − onehot(ŷ) and what goes into the layer: the features of a frozen encoder, or the
vector that a fine-tuned one makes. Distances need inner products of both only; the gradients, K·d numbers per
item, are never made.
"""

import numpy as np

from tiltmeter.active.strategy import ChosenItems, PoolState
from tiltmeter.core.types import Array, Integers


def gradients(state: PoolState) -> tuple[Array, Array]:
    """The two factors for each candidate: residuals (candidates, K) and inputs (candidates, d + 1)."""
    residual = state.probabilities[state.candidates].copy()
    residual[np.arange(len(residual)), residual.argmax(axis=1)] -= 1
    inputs = state.last_inputs(state.candidates)
    return residual, np.hstack([inputs, np.ones((len(inputs), 1))])  # the last is the bias's


def seeding(residual: Array, inputs: Array, count: int, rng: np.random.Generator) -> Integers:
    """k-means++ on outer products: the longest first, then each with probability ∝ squared distance."""
    lengths = (residual**2).sum(axis=1) * (inputs**2).sum(axis=1)  # squared
    chosen = [int(lengths.argmax())]
    nearest = np.full(len(lengths), np.inf)
    while len(chosen) < min(count, len(lengths)):
        last = chosen[-1]
        product = (residual @ residual[last]) * (inputs @ inputs[last])
        nearest = np.minimum(nearest, np.maximum(lengths + lengths[last] - 2 * product, 0))
        nearest[chosen] = 0
        total = nearest.sum()
        if total <= 0:  # all others coincide with a chosen one
            others = np.setdiff1d(np.arange(len(lengths)), chosen)
            chosen += rng.choice(others, size=count - len(chosen), replace=False).tolist()
            break
        chosen.append(int(rng.choice(len(lengths), p=nearest / total)))
    return np.array(chosen)


def choose(state: PoolState, count: int) -> ChosenItems:
    """Candidates by k-means++; the score is the length of the gradient."""
    residual, inputs = gradients(state)
    chosen = seeding(residual, inputs, count, state.rng)
    lengths = np.sqrt((residual[chosen] ** 2).sum(axis=1) * (inputs[chosen] ** 2).sum(axis=1))
    return ChosenItems(state.candidates[chosen], lengths)
