"""The noise ceiling as estimates: how well people agree with each other."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analysis.people.alignment_numbers import estimate
from tiltmeter.analysis.people.meanings import MEAN, PERSON, POOLED, REACH, SPLIT, precision_name
from tiltmeter.analysis.people.noise_ceiling import Halves, halves, one_by_one, reachable, summary
from tiltmeter.core.results import Estimate
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
    found = _of_halves(made, taus, precisions, k)
    for name, per_person, neutral in (
        (MEAN, single, 0.0),
        (precision_name(k), single_precision, 0.5),
    ):
        means = mean_over(per_person, axis=0)
        found.append(_single(f"{name}_{PERSON}", means[np.isfinite(means)], neutral))
    for g, subset in enumerate(subsets):
        found += _ceiling_of(subset, taus[:, g], precisions[:, g], int(made.people[g]), k)
        own = single[:, g][np.isfinite(single[:, g])]
        found.append(_single(f"{POOLED}_{PERSON}", own, groups=subset))
    return found


def _of_halves(made: Halves, taus: Array, precisions: Array, k: int) -> list[Estimate]:
    """Over all groups; n is the number of groups."""
    several = [
        _split(f"{POOLED}_{SPLIT}", made.pooled(), 0.0, len(made.groups)),
        _split(f"{MEAN}_{SPLIT}", mean_over(taus, axis=1), 0.0, len(made.groups)),
        _split(
            f"{precision_name(k)}_{SPLIT}", mean_over(precisions, axis=1), 0.5, len(made.groups)
        ),
    ]
    whole = several[0].value
    each = [reachable(float(np.nanmean(own))) for own in taus.T if np.isfinite(own).any()]
    reached = [value for value in each if value is not None]
    mean = float(np.mean(reached)) if reached and len(reached) == len(each) else None
    for name, value in ((POOLED, None if whole is None else reachable(whole)), (MEAN, mean)):
        why = (
            "" if value is not None else "two halves of the annotators do not agree in every group"
        )
        several.append(replace(estimate(f"{name}_{REACH}", len(made.groups)), value=value, why=why))
    return several


def _ceiling_of(
    subset: Groups, taus: Array, precisions: Array, people: int, k: int
) -> list[Estimate]:
    """Of one group; n is the number of people."""
    split = replace(_split(f"{POOLED}_{SPLIT}", taus, 0.0, people), groups=subset)
    reach = None if split.value is None else reachable(split.value)
    why = "" if reach is not None else (split.why or "two halves of the people do not agree")
    return [
        split,
        replace(estimate(f"{POOLED}_{REACH}", people, groups=subset), value=reach, why=why),
        replace(_split(f"{precision_name(k)}_{SPLIT}", precisions, 0.5, people), groups=subset),
    ]


def _split(name: str, values: Array, neutral: float, n: int) -> Estimate:
    made = estimate(name, n, neutral)
    defined = values[np.isfinite(values)]
    if not len(defined):
        return replace(made, why="too few annotators to split, or too few pairs of traits")
    value, low, high = summary(defined)
    return replace(made, value=value, low=low, high=high, interval=OF_SPLITS)


def _single(
    name: str, values: Array, neutral: float = 0.0, groups: Groups | None = None
) -> Estimate:
    made = estimate(name, len(values), neutral, groups)
    if not len(values):
        return replace(made, why="no annotator rated enough pairs of traits")
    return replace(made, value=float(values.mean()))


def mean_over(values: Array, *, axis: int) -> Array:
    """Means of what is there; NaN where nothing is."""
    there = np.isfinite(values)
    counts, sums = there.sum(axis=axis), np.nansum(values, axis=axis)
    found = np.full(np.shape(sums), np.nan)
    np.divide(sums, counts, out=found, where=counts > 0)
    return np.asarray(found, dtype=np.float64)
