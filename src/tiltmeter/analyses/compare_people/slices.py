"""Slices of annotators: the same scores held against the people of each gender or race."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.analyses.compare_people import alignment_numbers as numbers
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.types import Array, Groups
from tiltmeter.data.people.ratings import Ratings, means
from tiltmeter.derived.people.cell_means import RATERS

OVERALL = 3
"""Pooled tau, mean tau and precision are given of a slice; too few rated for more."""


def slice_estimates(
    scores: Array,
    ratings: Ratings,
    by: Sequence[tuple[str, ...]],
    subsets: Sequence[Groups],
    axes: Mapping[str, str],
    *,
    k: int,
    seed: int,
) -> Iterator[Estimate]:
    """Agreement with the people of each value of each column, and of each combination where crossed.

    Over all groups p is adjusted over the slices of the same columns, by group over the groups of a slice.
    `subsets` name each group of the ratings by its axis, `axes` the axis of each column.
    """
    for columns in by:
        overall: list[list[Estimate]] = []
        others: list[Estimate] = []
        for about in ratings.values_of(columns):
            some = ratings.slice(about)
            place = {axes[column]: value for column, value in about.items()}
            mean_ratings = means(some)[0]
            rated = np.isfinite(some.values).sum(axis=2) > 0  # (annotators, groups)
            whole = numbers.overall(scores, mean_ratings, k=k, seed=seed)[:OVERALL]
            overall.append([replace(e, groups=place) for e in whole])
            groups = numbers.by_group(subsets, scores, mean_ratings, k=k, seed=seed)
            others.append(RATERS.at(int(np.count_nonzero(rated.sum(axis=1))), groups=place))
            others += [replace(e, groups={**e.groups, **place}) for e in groups]
            others += [
                RATERS.at(int(count), groups={**subset, **place})
                for subset, count in zip(subsets, np.count_nonzero(rated, axis=0), strict=True)
            ]
        for of_measure in zip(*overall, strict=True):
            yield from numbers.adjusted(of_measure)
        yield from others
