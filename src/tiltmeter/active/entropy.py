"""Entropies of few votes, and what to expect of them.

The plug-in entropy of N votes is at most ln min(N, K) and on average lower than that of the distribution the
votes are drawn from. Two entropies can be compared only if both are of the same number of votes. All are in
nats.
"""

import numpy as np

from tiltmeter.core.types import Array, Integers
from tiltmeter.metrics.distributions import entropy


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
