"""The noise ceiling: how well people agree with each other, and so how well anything can with them.

Means of 20 people vary with who was asked, so that even the right answer does not correlate with them
perfectly. Two halves of the people say how far: whatever agrees with all of them much less than the
halves with each other has room left; whatever reaches the halves has hardly any.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.types import Array
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.metrics.alignment import precision_rows
from tiltmeter.stats.correlation import kendall_rows

SPLITS = 1000
POOLED = 200
"""Splits whose tau over all cells is computed: it takes all pairs of cells."""
FEWEST = 4
"""People a group needs for halves of two."""


@dataclass(frozen=True, slots=True)
class Halves:
    """Means of two random halves of the people of each group, split after split."""

    groups: tuple[str, ...]
    one: Array
    """Shape (splits, groups, pairs); NaN where a half has nobody who rated, or too few were asked."""
    other: Array
    people: Array
    """How many were asked about each group, shape (groups,)."""

    def taus(self) -> Array:
        """Kendall's tau-b between the halves within each group, (splits, groups); NaN where undefined."""
        one, other = (half.reshape(-1, half.shape[-1]) for half in (self.one, self.other))
        return kendall_rows(one, other).reshape(self.one.shape[:2])

    def pooled(self) -> Array:
        """Kendall's tau-b between the halves over all cells, of at most POOLED splits."""
        some = (self.one[:POOLED], self.other[:POOLED])
        one, other = (half.reshape(len(half), -1) for half in some)
        return kendall_rows(one, other)

    def precisions(self, k: int) -> Array:
        """Precision at k of either half against the other, averaged; (splits, groups)."""
        one, other = (half.reshape(-1, half.shape[-1]) for half in (self.one, self.other))
        both = (precision_rows(one, other, k=k) + precision_rows(other, one, k=k)) / 2
        return both.reshape(self.one.shape[:2])


def halves(ratings: Ratings, rng: np.random.Generator, *, splits: int = SPLITS) -> Halves:
    """Split the people of each group in two at random, again and again.

    Of an odd number one half has one more. Groups are split one by one: the same people rated several,
    and need not be on one side in all of them.
    """
    _, groups, pairs = ratings.values.shape
    one, other = (np.full((splits, groups, pairs), np.nan) for _ in range(2))
    people = np.zeros(groups)
    for g in range(groups):
        asked = np.flatnonzero(np.isfinite(ratings.values[:, g]).any(axis=1))
        people[g] = len(asked)
        if len(asked) < FEWEST:
            continue
        values = ratings.values[asked, g]  # (people, pairs)
        sides = np.zeros((splits, len(asked)), dtype=bool)
        sides[:, : len(asked) // 2] = True
        sides = rng.permuted(sides, axis=1)
        one[:, g], other[:, g] = _means(values, sides), _means(values, ~sides)
    return Halves(ratings.groups, one, other, people)


def one_by_one(ratings: Ratings, k: int) -> tuple[Array, Array]:
    """Each person against the mean of all others: Kendall's tau and precision at k.

    Returns:
        Two arrays of shape (annotators, groups); NaN where a person rated too little, or alike.
    """
    counts = np.isfinite(ratings.values).sum(axis=0)
    sums = np.nansum(ratings.values, axis=0)
    others = np.full(ratings.values.shape, np.nan)
    left = sums - np.nan_to_num(ratings.values)
    np.divide(left, counts - 1, out=others, where=(counts > 1) & np.isfinite(ratings.values))
    n, groups, pairs = ratings.values.shape
    others = np.round(others, 9)
    taus = kendall_rows(ratings.values.reshape(-1, pairs), others.reshape(-1, pairs))
    precisions = precision_rows(ratings.values.reshape(-1, pairs), others.reshape(-1, pairs), k=k)
    return taus.reshape(n, groups), precisions.reshape(n, groups)


def reachable(tau: float) -> float | None:
    """What knowing everybody's mean would give against all these people, from tau between two halves.

    Were scores normal, tau would be r by sin(π tau / 2) (Greiner 1909; Kruskal 1958,
    doi:10.1080/01621459.1958.10501481). Two halves that correlate by r make a whole of the reliability
    2r / (1 + r) (Spearman 1910, Brown 1910), and no score correlates with it by more than the root of
    that; which is made a tau again. An extrapolation: scores are not quite normal. None where the
    halves do not agree, tau ≤ 0.

    >>> round(reachable(0.5), 3), reachable(1.0)
    (0.728, 1.0)
    """
    r = float(np.sin(np.pi * tau / 2))
    if r <= 0:
        return None
    return float(2 / np.pi * np.arcsin(min(1.0, np.sqrt(2 * r / (1 + r)))))


def summary(values: Array) -> tuple[float, float, float]:
    """The mean over splits, and between which two values 95 % of the splits lie.

    >>> summary(np.array([0.0, 0.5, 1.0]))
    (0.5, 0.025, 0.975)
    """
    low, high = np.nanquantile(values, [0.025, 0.975])
    return float(np.nanmean(values)), float(low), float(high)


def _means(values: Array, sides: Array) -> Array:
    """Mean of the people of a side, (splits, pairs); NaN where none of them rated."""
    given = np.isfinite(values).astype(np.float64)
    weights = sides.astype(np.float64)
    counts, sums = weights @ given, weights @ np.nan_to_num(values)
    found = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=found, where=counts > 0)
    return np.round(found, 9)
