"""The noise ceiling: how well people agree with each other, and so how well anything can with them.

Means of 20 people vary with who was asked, so that even the right answer does not correlate with them
perfectly. Two halves of the people say how far: whatever agrees with all of them much less than the
halves with each other has room left; whatever reaches the halves has hardly any.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.analyses.compare_people.quantities import (
    MEAN,
    POOLED,
    one_person,
    precision_at,
    reachable,
    split_half,
)
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.types import Array, Groups
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.metrics.alignment import precision_rows
from tiltmeter.stats.correlations.correlation import kendall_rows

OF_SPLITS = "middle of random splits"
"""How intervals of halves are made."""
SPLITS = 1000
MOST_POOLED = 200
"""Splits whose tau over all cells is computed: it takes all pairs of cells."""
FEWEST = 4
"""People a group needs for halves of two."""


@dataclass(frozen=True, slots=True)
class Halves:
    """Means of two random halves of the people of each group, split after split."""

    groups: tuple[str, ...]
    first: Array
    """Shape (splits, groups, pairs); NaN where a half has nobody who rated, or too few were asked."""
    second: Array
    people: Array
    """How many were asked about each group, shape (groups,)."""

    def taus(self) -> Array:
        """Kendall's tau-b between the halves within each group, (splits, groups); NaN where undefined."""
        first, second = self._rows()
        return kendall_rows(first, second).reshape(self.first.shape[:2])

    def pooled(self) -> Array:
        """Kendall's tau-b between the halves over all cells, of at most MOST_POOLED splits."""
        some = (self.first[:MOST_POOLED], self.second[:MOST_POOLED])
        first, second = (half.reshape(len(half), -1) for half in some)
        return kendall_rows(first, second)

    def precisions(self, k: int) -> Array:
        """Precision at k of either half against the other, averaged; (splits, groups)."""
        first, second = self._rows()
        both = (precision_rows(first, second, k=k) + precision_rows(second, first, k=k)) / 2
        return both.reshape(self.first.shape[:2])

    def _rows(self) -> tuple[Array, Array]:
        pairs = self.first.shape[-1]
        return self.first.reshape(-1, pairs), self.second.reshape(-1, pairs)


def halves(ratings: Ratings, rng: np.random.Generator, *, splits: int = SPLITS) -> Halves:
    """Split the people of each group in two at random, again and again.

    Of an odd number one half has one more. Groups are split one by one: the same people rated several,
    and need not be on one side in all of them.
    """
    _, groups, pairs = ratings.values.shape
    first, second = (np.full((splits, groups, pairs), np.nan) for _ in range(2))
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
        first[:, g], second[:, g] = _means(values, sides), _means(values, ~sides)
    return Halves(ratings.groups, first, second, people)


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
    others = np.round(others, 9)  # as in `_means`
    taus = kendall_rows(ratings.values.reshape(-1, pairs), others.reshape(-1, pairs))
    precisions = precision_rows(ratings.values.reshape(-1, pairs), others.reshape(-1, pairs), k=k)
    return taus.reshape(n, groups), precisions.reshape(n, groups)


def reachable_tau(tau: float) -> float | None:
    """What knowing everybody's mean would give against all these people, from tau between two halves.

    Were scores normal, tau would be r by sin(π tau / 2) (Greiner 1909; Kruskal 1958,
    doi:10.1080/01621459.1958.10501481). Two halves that correlate by r make a whole of the reliability
    2r / (1 + r) (Spearman 1910, Brown 1910), and no score correlates with it by more than the root of
    that; which is made a tau again. An extrapolation: scores are not quite normal. None where the
    halves do not agree, tau ≤ 0.

    >>> round(reachable_tau(0.5), 3), reachable_tau(1.0)
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
    # Equal means differ in their last digits by the order of sums, and tau counts ties.
    return np.round(quotients(weights @ np.nan_to_num(values), weights @ given), 9)


def quotients(sums: Array, counts: Array) -> Array:
    """Sums divided by counts; NaN where nothing was counted."""
    means = np.full(np.shape(sums), np.nan)
    np.divide(sums, counts, out=means, where=counts > 0)
    return means


def ceiling(
    ratings: Ratings, subsets: Sequence[Groups], *, k: int, seed: int, splits: int
) -> list[Estimate]:
    """How well people agree with each other: halves, one person with the rest, what is reachable.

    `subsets` name each group of the ratings by its axis.
    """
    rng = np.random.default_rng([seed, 6])  # shared with nothing else that is drawn
    made = halves(ratings, rng, splits=splits)
    taus, precisions = made.taus(), made.precisions(k)
    single, single_precision = one_by_one(ratings, k)
    estimates = _of_halves(made, taus, precisions, k)
    for of, per_person in ((MEAN, single), (precision_at(k), single_precision)):
        means = mean_over(per_person, axis=0)
        estimates.append(_single(of, means[np.isfinite(means)]))
    for g, subset in enumerate(subsets):
        estimates += _ceiling_of(subset, taus[:, g], precisions[:, g], int(made.people[g]), k)
        known = single[:, g][np.isfinite(single[:, g])]
        estimates.append(_single(POOLED, known, subset))
    return estimates


def _of_halves(made: Halves, taus: Array, precisions: Array, k: int) -> list[Estimate]:
    """What two halves of the people reach over all groups; n is the number of groups."""
    n = len(made.groups)
    whole = _split(POOLED, made.pooled(), n)
    each = [
        reachable_tau(float(np.nanmean(of_group)))
        for of_group in taus.T
        if np.isfinite(of_group).any()
    ]
    known = [value for value in each if value is not None]
    mean = float(np.mean(known)) if known and len(known) == len(each) else None
    pooled = None if whole.value is None else reachable_tau(whole.value)
    why = "two halves of the annotators do not agree in every group"
    return [
        whole,
        _split(MEAN, mean_over(taus, axis=1), n),
        _split(precision_at(k), mean_over(precisions, axis=1), n),
        *(
            reachable(of).at(value, n=n, why="" if value is not None else why)
            for of, value in ((POOLED, pooled), (MEAN, mean))
        ),
    ]


def _ceiling_of(
    subset: Groups, taus: Array, precisions: Array, people: int, k: int
) -> list[Estimate]:
    """What two halves of the people reach in one group; n is the number of people."""
    split = _split(POOLED, taus, people, subset)
    reach = None if split.value is None else reachable_tau(split.value)
    why = "" if reach is not None else (split.why or "two halves of the people do not agree")
    return [
        split,
        reachable(POOLED).at(reach, n=people, why=why, groups=subset),
        _split(precision_at(k), precisions, people, subset),
    ]


def _split(of: Quantity, values: Array, n: int, groups: Groups | None = None) -> Estimate:
    defined = values[np.isfinite(values)]
    if not len(defined):
        why = "too few annotators to split, or too few pairs of traits"
        return split_half(of).at(None, n=n, why=why, groups=groups)
    value, low, high = summary(defined)
    inference = Inference(low, high, interval=OF_SPLITS)
    if not low <= value <= high:  # the mean is that of a few splits that differ from all others
        why = f"no interval: {low:.3g} in nearly all splits, and their mean is off that"
        inference = Inference(None, None, why=why)
    return split_half(of).at(value, inference, n=n, groups=groups)


def _single(of: Quantity, values: Array, groups: Groups | None = None) -> Estimate:
    if not len(values):
        why = "no annotator rated enough pairs of traits"
        return one_person(of).at(None, why=why, groups=groups)
    return one_person(of).at(float(values.mean()), n=len(values), groups=groups)


def mean_over(values: Array, *, axis: int) -> Array:
    """Means of the known values along an axis; NaN where there are none."""
    return quotients(np.nansum(values, axis=axis), np.isfinite(values).sum(axis=axis))
