"""How far predicted label distributions are from those of people: divergences, proper scores, correlation.

All functions take arrays of shape (items, K) and return one number per item, or one for all items where they
say so. `shares` are the shares of the K labels among an item's votes, `predicted` the predicted
probabilities. Entropies are in nats.

>>> first, second = np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]])
>>> js_nats(first, second).round(6).item()
0.215762
>>> bool(np.isclose(js_nats(first, first[:, ::-1]), np.log(2)).item())
True
"""

from collections.abc import Iterator
from itertools import combinations, pairwise
from math import comb

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Integers

BLOCK = 2_000_000
"""Cells of the largest array that the noise floor makes."""
MOST_OUTCOMES = 100_000
"""The maximum number of possible counts of votes for which the noise floor is summed exactly; beyond it, it
is estimated by random draws."""
DRAWS = 10_000


def entropy(shares: Array) -> Array:
    """Shannon entropy in nats, from 0 (one label) to ln K (all labels equally often).

    >>> entropy(np.array([[0.5, 0.5], [1.0, 0.0]])).round(6).tolist()
    [0.693147, 0.0]
    """
    return np.asarray(_minus_x_log_x(shares).sum(axis=-1), dtype=np.float64)


def js_nats(shares: Array, predicted: Array) -> Array:
    """Jensen–Shannon divergence in nats: 0 if equal, ln 2 if no label is shared.

    The mean of the Kullback–Leibler divergences from both distributions to their mean (Lin 1991,
    doi:10.1109/18.61115). Against the empirical distribution of few votes even the true distribution
    scores above 0: see `js_floor`.
    """
    between = entropy((shares + predicted) / 2)
    # Rounding may leave equal distributions a little below 0.
    return np.maximum(between - (entropy(shares) + entropy(predicted)) / 2, 0.0)


def total_variation(shares: Array, predicted: Array) -> Array:
    """Half the sum of absolute differences, from 0 to 1.

    >>> total_variation(np.array([[1.0, 0.0]]), np.array([[0.75, 0.25]])).tolist()
    [0.25]
    """
    return np.asarray(np.abs(shares - predicted).sum(axis=-1) / 2, dtype=np.float64)


def log_loss(shares: Array, predicted: Array) -> Array:
    """Mean over an item's votes of −ln of the probability predicted for the vote; at least 0, in nats.

    A proper score: no prediction has a lower expected value than the true distribution. Infinite if a vote
    had probability 0.

    >>> log_loss(np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]])).round(6).tolist()
    [0.693147]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(shares > 0, -shares * np.log(predicted), 0.0)
    return np.asarray(terms.sum(axis=-1), dtype=np.float64)


def excess_log_loss(shares: Array, predicted: Array) -> Array:
    """Log loss less the entropy of the votes; from 0, in nats.

    The Kullback–Leibler divergence from votes to prediction. Log loss itself never falls below the entropy
    of the votes, so only the excess says how much there is to gain. Against few votes even the true
    distribution scores above 0, as it does in `js_nats`.

    >>> excess_log_loss(np.array([[0.5, 0.5]]), np.array([[0.5, 0.5]])).tolist()
    [0.0]
    """
    return np.maximum(log_loss(shares, predicted) - entropy(shares), 0.0)


def brier(shares: Array, predicted: Array) -> Array:
    """Mean over an item's votes of the squared distance from the prediction to the vote, from 0 to 2.

    >>> brier(np.array([[1.0, 0.0]]), np.array([[0.5, 0.5]])).tolist()
    [0.5]
    """
    scores = 1 - 2 * (shares * predicted).sum(axis=-1) + (predicted**2).sum(axis=-1)
    return np.asarray(scores, dtype=np.float64)


def wasserstein(shares: Array, predicted: Array) -> Array:
    """Earth mover's distance between distributions over ordered labels, in steps of the scale, to K − 1.

    >>> wasserstein(np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 0.0, 1.0]])).tolist()
    [2.0]
    """
    return np.asarray(np.abs(np.cumsum(shares - predicted, axis=-1)).sum(axis=-1), dtype=np.float64)


def entropy_correlation(shares: Array, predicted: Array) -> float:
    """Pearson correlation over items between the entropies of votes and of predictions.

    Raises:
        Undefined: One of the two does not vary.
    """
    ours, theirs = entropy(predicted), entropy(shares)
    if np.ptp(ours) < 1e-12 or np.ptp(theirs) < 1e-12:  # noqa: PLR2004 (rounding)
        raise Undefined("all items have the same entropy")
    return float(np.corrcoef(ours, theirs)[0, 1])


def majority_accuracy(shares: Array, predicted: Array) -> float:
    """The share of items whose most probable predicted label is a most frequent one; from 0 to 1.

    Of labels that are equally frequent, either is right.

    >>> majority_accuracy(np.array([[0.5, 0.5], [1.0, 0.0]]), np.array([[0.1, 0.9], [0.1, 0.9]]))
    0.5
    """
    truth, labels = _labels(shares, predicted)
    return float(np.mean(truth == labels))


def majority_macro_f1(shares: Array, predicted: Array) -> float:
    """Mean over labels of the F1 of predicting the most frequent label; from 0 to 1.

    Labels that are neither most frequent nor predicted for any item are left out; ties as in
    `majority_accuracy`.

    >>> majority_macro_f1(np.array([[1.0, 0.0], [0.0, 1.0]]), np.array([[0.9, 0.1], [0.9, 0.1]])).__round__(6)
    0.333333
    """
    truth, labels = _labels(shares, predicted)
    k = shares.shape[-1]
    right = np.bincount(truth[truth == labels], minlength=k)
    either = np.bincount(truth, minlength=k) + np.bincount(labels, minlength=k)
    return float(np.mean(2 * right[either > 0] / either[either > 0]))


def js_floor(truth: Array, votes: Integers) -> Array:
    """Expected Jensen–Shannon divergence, in nats, from a distribution to so many votes drawn from it.

    What the true distribution itself scores, and so about the lowest value that a model can reach. Exact, by
    summing over all possible counts, or the mean of 10,000 draws where more than 100,000 counts are possible.

    Args:
        truth: Distributions, shape (items, K). If only their votes are known, the shares of those: the
            floor is then a little too low.
        votes: Votes on each item, shape (items,).

    >>> js_floor(np.full((4, 5), 0.2), np.array([3, 5, 10, 25])).round(2).tolist()
    [0.23, 0.15, 0.07, 0.02]
    """
    floors = np.zeros(len(truth))
    # Labels of probability 0 get no votes: with them left out there are far fewer counts to sum over.
    chosen = (truth > 0).sum(axis=1)
    for n, labels in np.unique(np.stack([votes, chosen], axis=1)[votes > 0], axis=0).tolist():
        rows = np.flatnonzero((votes == n) & (chosen == labels))
        shares = -np.sort(-truth[rows], axis=1)[:, :labels]
        if comb(n + labels - 1, n) > MOST_OUTCOMES:
            random = np.random.default_rng(0)
            for row, share in zip(rows, shares, strict=True):
                counts = random.multinomial(n, share / share.sum(), DRAWS)
                floors[row] = js_nats(counts / n, share).mean()
            continue
        outcomes = _outcomes(n, labels)  # (outcomes, labels)
        size = max(1, BLOCK // outcomes.size)
        for start in range(0, len(rows), size):
            some = shares[start : start + size]
            weights = _multinomial(outcomes, some)  # (rows, outcomes)
            far = js_nats(outcomes[None] / n, some[:, None])  # (rows, outcomes)
            floors[rows[start : start + size]] = (weights * far).sum(axis=1)
    return floors


def _multinomial(outcomes: Integers, truth: Array) -> Array:
    """Probability of each outcome under each distribution without zeros, shape (distributions, outcomes)."""
    n = int(outcomes[0].sum())
    log_factorial = np.concatenate([[0.0], np.cumsum(np.log(np.arange(1, n + 1)))])
    ways = log_factorial[n] - log_factorial[outcomes].sum(axis=1)
    return np.asarray(np.exp(ways + np.log(truth) @ outcomes.T), dtype=np.float64)


def _outcomes(votes: int, labels: int) -> Integers:
    """All ways to give so many votes to so many labels, shape (ways, labels).

    >>> _outcomes(2, 2).tolist()
    [[0, 2], [1, 1], [2, 0]]
    """

    def ways() -> Iterator[list[int]]:
        for bars in combinations(range(votes + labels - 1), labels - 1):
            edges = (-1, *bars, votes + labels - 1)
            yield [right - left - 1 for left, right in pairwise(edges)]

    return np.array(list(ways()), dtype=np.int64)


def _labels(shares: Array, predicted: Array) -> tuple[Integers, Integers]:
    """The most frequent label (of several, the predicted one if it is among them), and the predicted one."""
    labels = predicted.argmax(axis=-1)
    best = shares.max(axis=-1)
    rows = np.arange(len(shares))
    return np.where(shares[rows, labels] >= best, labels, shares.argmax(axis=-1)), labels


def _minus_x_log_x(x: Array) -> Array:
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(x > 0, -x * np.log(x), 0.0)
