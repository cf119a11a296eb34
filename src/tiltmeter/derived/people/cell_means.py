"""What people say of each cell (a group and a pair of traits), with how sure the mean is."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.core.types import Array, Groups
from tiltmeter.data.people.people import People
from tiltmeter.data.people.ratings import Ratings, means
from tiltmeter.stats.confidence_intervals.intervals import student_half_width

NOBODY, SINGLE = "nobody rated it", "no interval: one person rated it"
EQUAL = "no interval: all ratings are equal"
UNKNOWN = "no interval: only means are known"
RATERS = quantity("raters", "People who rated", "people", counts="people", decimals=0)
WARNING = (
    "This page says how groups of people are stereotyped, by people and by models. Nothing on it says that "
    "this is true."
)
MEAN, LOW, HIGH, COUNT = "mean", "low", "high", "n"
"""Scores of a record: people's mean from 0 to 100, its interval, and how many people rated."""
WHY = "why"
"""The text that says why there is no mean or no interval."""


@dataclass(frozen=True, slots=True)
class CellMeans:
    """Mean ratings from 0 to 100 of some people; all arrays have shape (groups, pairs)."""

    groups: tuple[str, ...]
    pairs: tuple[str, ...]
    values: Array
    """NaN where nobody rated."""
    counts: Array
    """Ratings in each mean; NaN where they are not known."""
    half_widths: Array
    """Half the interval; NaN where there is none."""
    about: Groups = field(default_factory=dict)
    """What these people have in common: {"race": "Asian"}; empty for all people."""
    people: int = 0
    """How many of these people rated anything."""

    def interval(self, row: int, column: int) -> tuple[float, float] | None:
        """The two ends within the scale; None where there is no interval."""
        half = float(self.half_widths[row, column])
        if np.isnan(half):
            return None
        value = float(self.values[row, column])
        return max(0.0, value - half), min(100.0, value + half)

    def why(self, row: int, column: int) -> str:
        """Why the cell has no mean or no interval; "" where it has both."""
        if np.isnan(self.values[row, column]):
            return NOBODY
        if not np.isnan(self.half_widths[row, column]):
            return ""
        count = self.counts[row, column]
        if np.isnan(count):
            return UNKNOWN
        return SINGLE if count == 1 else EQUAL


def of_people(people: People, about: Groups | None = None) -> CellMeans:
    """The means of all people; `about` is what is known of all of them."""
    place = about or {}
    if people.ratings is None:
        nothing = np.full(people.values.shape, np.nan)
        return CellMeans(people.groups, people.pairs, people.values, people.counts, nothing, place)
    made = _of(people.ratings, place)
    known = np.isfinite(made.values)
    counts = np.where(known, made.counts, np.nan)
    return replace(made, values=people.values, counts=counts)


def of_slices(
    ratings: Ratings, by: Sequence[tuple[str, ...]], about: Groups | None = None
) -> list[CellMeans]:
    """The means of the people of each slice: one for each value or combination of values.

    `about` is what is known of all of them besides.
    """
    return [
        _of(ratings.slice(of), {**(about or {}), **of})
        for columns in by
        for of in ratings.values_of(columns)
    ]


def _of(ratings: Ratings, about: Groups) -> CellMeans:
    values, counts = means(ratings)
    squares = np.nansum((ratings.values - values) ** 2, axis=0)
    rated = int(np.isfinite(ratings.values).any(axis=(1, 2)).sum())
    return CellMeans(
        ratings.groups, ratings.pairs, values, counts, student_half_width(squares, counts), about, rated
    )  # fmt: skip


def mean_record(means: CellMeans, row: int, column: int, groups: Groups, kind: str) -> Record:
    """The mean of one cell with its interval, how many people rated it, and why something is missing."""
    numbers = {MEAN: means.values[row, column], COUNT: means.counts[row, column]}
    scores = {name: float(value) for name, value in numbers.items() if np.isfinite(value)}
    if interval := means.interval(row, column):
        scores |= {LOW: interval[0], HIGH: interval[1]}
    why = means.why(row, column)
    texts = {WHY: why} if why else {}
    return Record(", ".join(groups.values()), scores, groups, texts=texts, kind=kind)
