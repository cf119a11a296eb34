"""Entropies of few votes, and ridge regression from features to them.

The plug-in entropy of N votes is at most ln min(N, K) and on average lower than that of the distribution the
votes are drawn from. Two entropies can be compared only if both are of the same number of votes. All are in
nats.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from tiltmeter.active.oracle import SimulatedOracle
from tiltmeter.active.votes import VotePool
from tiltmeter.core.types import Array, Integers
from tiltmeter.metrics.distributions import entropy

RIDGES: Final = tuple(float(10.0**e) for e in np.arange(-2, 3.5, 0.5))
ITEMS: Final = (25, 50, 100, 200, 400)
VOTES_EACH: Final = (2, 3, 5, 10)
"""Budgets that `entropy_budgets` compares."""
BUDGETS: Final = 505
"""Distinguishes its random numbers from others with the same seed."""


@dataclass(frozen=True, slots=True)
class RidgeEntropy:
    """Predicts the plug-in entropy of `votes` votes, in nats, between 0 and ln min(votes, K)."""

    weights: Array
    """Weight of each feature, shape (d,)."""
    centre: Array
    mean: float
    """Mean entropy of the training items."""
    votes: int
    highest: float

    def __call__(self, features: Array) -> Array:
        """Predicted plug-in entropies of items with these features, in nats, shape (items,)."""
        entropies = (features - self.centre) @ self.weights + self.mean
        return np.clip(entropies, 0.0, self.highest)


class EntropyErrors(NamedTuple):
    """How well entropies of held-out items are predicted; None if none of them has N votes."""

    mse: float | None
    """Mean squared error, in nats²."""
    skill: float | None
    """1 is perfect; 0 or less is no better than the mean, so that DAAL uses |H − constant|. None also if
    all held-out items have the mean entropy."""


def fit_entropy(features: Array, counts: Integers, votes: int) -> RidgeEntropy:
    """Train on items with several votes each.

    Args:
        features: Shape (items, d).
        counts: Votes for each label, shape (items, K).
        votes: N, the number of votes whose entropy is predicted, as in `entropy_targets`.

    The ridge penalty has the lowest leave-one-out error, which has a closed form.
    """
    target, n, highest = entropy_targets(counts, votes)
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
    return RidgeEntropy(weights, centre, float(target.mean()), n, highest)


class EntropyTargets(NamedTuple):
    """What a predictor of human entropy learns."""

    entropies: Array
    """Expected plug-in entropy of `votes` votes on each item, in nats, shape (items,)."""
    votes: int
    """N, or the number of votes of the item with the fewest where that is less."""
    highest: float
    """The highest entropy that so many votes can have."""


def entropy_targets(counts: Integers, votes: int) -> EntropyTargets:
    """What is to be predicted of items with these counts, shape (items, K), about N votes.

    Items may have more than N votes. If one has fewer, N is lowered to its number.
    """
    n = min(votes, int(counts.sum(axis=1).min()))
    highest = float(np.log(max(min(n, counts.shape[1]), 1)))
    return EntropyTargets(expected_entropy_of_some(counts, n), n, highest)


def entropy_errors(predicted: Array, counts: Integers, votes: int, mean: float) -> EntropyErrors:
    """Compare predictions with the expected plug-in entropy of so many votes of held-out items.

    Items with fewer votes are left out. `mean` is the mean entropy of the items that were trained on.
    """
    enough = counts.sum(axis=1) >= votes
    if not enough.any():
        return EntropyErrors(None, None)
    truth = expected_entropy_of_some(counts[enough], votes)
    mse = float(np.mean((predicted[enough] - truth) ** 2))
    mse_of_mean = float(np.mean((mean - truth) ** 2))
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
            predicted = predictor(test_features)
            errors = entropy_errors(predicted, test.counts, predictor.votes, predictor.mean)
            together = _correlation(predicted, truth)
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


# ---- Entropies of few votes


def plug_in_entropy(counts: Integers) -> Array:
    """The entropy of the shares of labels among votes, shape (items,); NaN for items without votes.

    >>> plug_in_entropy(np.array([[1, 1], [3, 0]])).round(6).tolist()
    [0.693147, 0.0]
    """
    totals = counts.sum(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        return np.where(totals[:, 0] > 0, entropy(counts / totals), np.nan)


def expected_entropy(probabilities: Array, votes: int) -> Array:
    """The expected plug-in entropy of so many votes drawn from each distribution, shape (items,).

    Exact: Σ_k Σ_c Bin(c; N, p_k) (−c/N ln c/N), because the expectation of a sum needs the marginal
    distribution of each label's count only.

    >>> expected_entropy(np.array([[0.5, 0.5]]), 3).round(6).tolist()
    [0.477386]
    """
    from scipy.stats import binom  # noqa: PLC0415  (slow to import)

    entropies = np.zeros(len(probabilities))
    for count, term in _terms(votes):
        entropies += term * binom.pmf(count, votes, probabilities).sum(axis=1)
    return entropies


def expected_entropy_of_some(counts: Integers, votes: int) -> Array:
    """The expected plug-in entropy of so many of an item's votes, drawn without replacement, shape (items,).

    Makes items with different numbers of votes comparable. Of items with fewer votes, all are used.

    >>> expected_entropy_of_some(np.array([[2, 2]]), 2).round(6).tolist()  # 2/3 of the pairs differ
    [0.462098]
    """
    from scipy.stats import hypergeom  # noqa: PLC0415

    totals = counts.sum(axis=1)
    entropies = np.nan_to_num(plug_in_entropy(counts))
    many = totals >= votes
    if many.any():
        some = counts[many]
        entropies[many] = sum(
            term * hypergeom.pmf(count, totals[many, None], some, votes).sum(axis=1)
            for count, term in _terms(votes)
        )
    return entropies


def _terms(votes: int) -> list[tuple[int, float]]:
    """The counts that add to a plug-in entropy of so many votes, and what each adds."""
    return [(c, float(-(c / votes) * np.log(c / votes))) for c in range(1, votes)]
