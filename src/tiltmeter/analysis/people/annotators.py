"""Slices of annotators: the same scores held against the people of each gender or race."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from tiltmeter.analysis.people import alignment_numbers as numbers
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Array, Groups
from tiltmeter.data.people.people import People
from tiltmeter.data.people.ratings import Ratings, means

OVERALL = 3
"""Pooled tau, mean tau and precision are given of a slice; too few rated for more."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The annotators who have one value in a column, or one in each of several columns."""

    about: Groups
    """{"race": "Asian", "gender": "Woman"}."""
    people: int
    """How many of them rated."""
    raters: tuple[int, ...]
    """How many of them rated each group."""
    estimates: tuple[Estimate, ...]
    """Over all groups; adjusted over the slices of the same columns."""
    by_group: tuple[Estimate, ...]
    """Tau and precision of each group; adjusted over the groups of the slice."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Which columns it is by."""
        return tuple(self.about)


def check_columns(people: People, by: Sequence[tuple[str, ...]]) -> None:
    """Whether slices by these columns can be had.

    Raises:
        BadInput: Single people are not known, or a column has several values for one of them.
        UnknownName: There is no such column.
    """
    for columns in by:
        for column in columns:
            _check_column(people, column)
        if len(set(columns)) < len(columns):
            raise BadInput(f"--by {','.join(columns)} names a column twice", "name each once")
    if len(set(by)) < len(by):
        raise BadInput("--by is given twice with the same columns", "give each once")


def _check_column(people: People, column: str) -> None:
    if people.unlinked:
        raise BadInput(f"{people.name}: {people.unlinked}", "leave --by out")
    if people.ratings is None:
        raise BadInput(
            f"{people.name} has only means, so results by {column!r} cannot be computed",
            "give a table with one row per rating: annotator, group, pair, rating, and that column",
        )
    if column in people.ratings.varying:
        raise BadInput(
            f"the column {column!r} has several values for one annotator",
            "give each annotator one value",
            file=people.name,
        )
    if column not in people.ratings.about:
        raise UnknownName("column about annotators", column, people.ratings.about)


def slices_of(
    scores: Array,
    ratings: Ratings,
    by: Sequence[tuple[str, ...]],
    subsets: Sequence[Groups],
    *,
    k: int,
    seed: int,
) -> list[Slice]:
    """Each value of each column, and each combination of values where columns are crossed.

    Args:
        scores: The matrix's, shape (groups, pairs).
        ratings: Of the same groups and pairs.
        by: Columns; several in one entry are crossed.
        subsets: Name each group by its axis.
        k: Of precision at k.
        seed: Of resampling.
    """
    return [
        slice_
        for columns in by
        for slice_ in _by(scores, ratings, columns, subsets, k=k, seed=seed)
    ]


def _by(
    scores: Array,
    ratings: Ratings,
    columns: tuple[str, ...],
    subsets: Sequence[Groups],
    *,
    k: int,
    seed: int,
) -> list[Slice]:
    found = []
    for about in ratings.values_of(columns):
        some = ratings.slice(about)
        mean_ratings = means(some)[0]
        rated = np.isfinite(some.values).sum(axis=2) > 0  # (annotators, groups)
        overall = numbers.overall(scores, mean_ratings, k=k, seed=seed)[:OVERALL]
        groups = numbers.by_group(subsets, scores, mean_ratings, k=k, seed=seed)
        found.append(
            Slice(
                about,
                int(np.count_nonzero(rated.sum(axis=1))),
                tuple(int(count) for count in np.count_nonzero(rated, axis=0)),
                tuple(replace(e, groups=about) for e in overall),
                tuple(replace(e, groups={**e.groups, **about}) for e in groups),
            )
        )
    by_measure = [numbers.adjusted(own) for own in zip(*(s.estimates for s in found), strict=True)]
    return [
        replace(slice_, estimates=tuple(own[i] for own in by_measure))
        for i, slice_ in enumerate(found)
    ]
