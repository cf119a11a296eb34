"""The noise ceiling as estimates: how well people agree with each other."""

from collections.abc import Sequence

import numpy as np

from tiltmeter.analysis.people import noise_ceiling
from tiltmeter.analysis.people.noise_ceiling import Halves, halves, one_by_one, summary
from tiltmeter.analysis.people.quantities import (
    MEAN,
    POOLED,
    one_person,
    precision_at,
    reachable,
    split_half,
)
from tiltmeter.core.analysis import Quantity
from tiltmeter.core.results import Estimate, Inference
from tiltmeter.core.types import Array, Groups
from tiltmeter.data.people.ratings import Ratings

OF_SPLITS = "middle of random splits"


def ceiling(
    ratings: Ratings, subsets: Sequence[Groups], *, k: int, seed: int, splits: int
) -> list[Estimate]:
    """How well people agree with each other: halves, one person with the rest, what is reachable.

    `subsets` name each group of the ratings by its axis.
    """
    rng = np.random.default_rng([seed, 6])
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
    """Over all groups; n is the number of groups."""
    n = len(made.groups)
    whole = _split(POOLED, made.pooled(), n)
    each = [
        noise_ceiling.reachable(float(np.nanmean(own))) for own in taus.T if np.isfinite(own).any()
    ]
    known = [value for value in each if value is not None]
    mean = float(np.mean(known)) if known and len(known) == len(each) else None
    pooled = None if whole.value is None else noise_ceiling.reachable(whole.value)
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
    """Of one group; n is the number of people."""
    split = _split(POOLED, taus, people, subset)
    reach = None if split.value is None else noise_ceiling.reachable(split.value)
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
    return split_half(of).at(value, inference, n=n, groups=groups)


def _single(of: Quantity, values: Array, groups: Groups | None = None) -> Estimate:
    if not len(values):
        why = "no annotator rated enough pairs of traits"
        return one_person(of).at(None, why=why, groups=groups)
    return one_person(of).at(float(values.mean()), n=len(values), groups=groups)


def mean_over(values: Array, *, axis: int) -> Array:
    """Means of what is there; NaN where nothing is."""
    there = np.isfinite(values)
    counts, sums = there.sum(axis=axis), np.nansum(values, axis=axis)
    found = np.full(np.shape(sums), np.nan)
    np.divide(sums, counts, out=found, where=counts > 0)
    return np.asarray(found, dtype=np.float64)
