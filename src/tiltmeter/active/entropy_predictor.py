"""f_ent: ridge regression from features to the entropy of an item's votes, trained once on few items."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from tiltmeter.active.entropy import expected_entropy_of_some, plug_in_entropy
from tiltmeter.active.oracle import SimulatedOracle
from tiltmeter.active.votes import VotePool
from tiltmeter.core.types import Array, Integers

RIDGES: Final = tuple(float(10.0**e) for e in np.arange(-2, 3.5, 0.5))
ITEMS: Final = (25, 50, 100, 200, 400)
VOTES_EACH: Final = (2, 3, 5, 10)
"""Budgets that `entropy_budgets` compares."""
BUDGETS: Final = 505
"""Distinguishes its random numbers from others with the same seed."""


@dataclass(frozen=True, slots=True)
class EntropyPredictor:
    """Predicts the plug-in entropy of `votes` votes, in nats, between 0 and ln min(votes, K)."""

    weights: Array
    """Weight of each feature, shape (d,)."""
    centre: Array
    mean: float
    """Mean entropy of the training items."""
    votes: int
    highest: float

    def __call__(self, features: Array) -> Array:
        """Predicted entropies, shape (items,)."""
        entropies = (features - self.centre) @ self.weights + self.mean
        return np.clip(entropies, 0.0, self.highest)


class EntropyErrors(NamedTuple):
    """How well entropies of held-out items are predicted; None if none of them has N votes."""

    mse: float | None
    """Mean squared error, in nats²."""
    skill: float | None
    """1 is perfect; 0 or less is no better than the mean, so that DAAL uses |H − constant|. None also if
    all held-out items have the mean entropy."""


def fit_entropy(features: Array, counts: Integers, votes: int) -> EntropyPredictor:
    """Train on items with several votes each.

    Args:
        features: Shape (items, d).
        counts: Votes for each label, shape (items, K).
        votes: N, the number of votes whose entropy is predicted. Items may have more; the target is the
            expected plug-in entropy of N of them. If one has fewer, N is lowered to its number.

    The ridge penalty has the lowest leave-one-out error, which has a closed form.
    """
    n = min(votes, int(counts.sum(axis=1).min()))
    target = expected_entropy_of_some(counts, n)
    centre = features.mean(axis=0)
    left, values, right = np.linalg.svd(features - centre, full_matrices=False)
    along = left.T @ (target - target.mean())  # (rank,)
    errors = []
    for ridge in RIDGES:
        kept = values**2 / (values**2 + ridge)
        fitted = left @ (kept * along)
        leverage = (left**2) @ kept + 1 / len(target)
        errors.append(
            np.mean(((target - target.mean() - fitted) / (1 - np.minimum(leverage, 0.999))) ** 2)
        )
    ridge = RIDGES[int(np.argmin(errors))]
    weights = right.T @ (values / (values**2 + ridge) * along)
    highest = float(np.log(max(min(n, counts.shape[1]), 1)))
    return EntropyPredictor(weights, centre, float(target.mean()), n, highest)


def entropy_errors(predictor: EntropyPredictor, features: Array, counts: Integers) -> EntropyErrors:
    """Compare predictions with the expected plug-in entropy of N votes of held-out items.

    Items with fewer than N votes are left out.
    """
    enough = counts.sum(axis=1) >= predictor.votes
    if not enough.any():
        return EntropyErrors(None, None)
    truth = expected_entropy_of_some(counts[enough], predictor.votes)
    mse = float(np.mean((predictor(features[enough]) - truth) ** 2))
    mse_of_mean = float(np.mean((predictor.mean - truth) ** 2))
    return EntropyErrors(mse, 1 - mse / mse_of_mean if mse_of_mean else None)


@dataclass(frozen=True, slots=True)
class EntropyBudget:
    """What f_ent is worth with one budget and one seed."""

    seed: int
    items: int
    votes_each: int
    mse: float | None
    """Against the expected plug-in entropy of as many votes, in nats²; None as in `EntropyErrors`."""
    skill: float | None
    correlation: float | None
    """With the plug-in entropy of all votes of the held-out items: comparable between numbers of votes.
    None if predictions or entropies do not vary."""


def entropy_budgets(
    train: VotePool, features: Array, test: VotePool, test_features: Array, seed: int
) -> list[EntropyBudget]:
    """Train f_ent with budgets of several sizes, as far as the pool has items with so many votes.

    Votes of the training items are bought in the order of the simulated oracle, and the seed decides which.
    Features have shape (items, d).
    """
    order = np.random.default_rng([seed, BUDGETS]).permutation(len(train.items))
    totals, truth = train.counts.sum(axis=1), plug_in_entropy(test.counts)
    budgets = []
    for votes in VOTES_EACH:
        enough = order[totals[order] >= votes]
        counts = _bought(train, enough[: max(ITEMS)], votes, seed)
        for items in (n for n in ITEMS if n <= len(enough)):
            some = enough[:items]
            predictor = fit_entropy(features[some], counts[some], votes)
            errors = entropy_errors(predictor, test_features, test.counts)
            together = _correlation(predictor(test_features), truth)
            budgets.append(EntropyBudget(seed, items, votes, *errors, together))
    return budgets


def _correlation(predicted: Array, truth: Array) -> float | None:
    if np.ptp(predicted) == 0 or np.ptp(truth) == 0:
        return None
    return float(np.corrcoef(predicted, truth)[0, 1])


def _bought(train: VotePool, items: Integers, votes: int, seed: int) -> Integers:
    oracle = SimulatedOracle(train, seed)
    counts = np.zeros_like(train.counts)
    for item in items:
        for _ in range(votes):
            counts[item, oracle.ask(int(item)).label] += 1
    return counts
