"""What single people said: annotators × groups × pairs of traits."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput
from tiltmeter.core.text import decimal_number
from tiltmeter.core.types import Array

FEWEST = 3
"""Ratings that must be equal one by one before a column is called a copy of another."""


class RatingScale(NamedTuple):
    """From the left trait to the right one."""

    low: float
    high: float

    def percent(self, rating: float) -> float:
        """Where a rating stands: 0 at the low end, 50 in the middle, 100 at the high end.

        >>> RatingScale(1, 7).percent(4), RatingScale(-50, 50).percent(-25)
        (50.0, 25.0)
        """
        return 100 * (rating - self.low) / (self.high - self.low)

    def __str__(self) -> str:
        """As a person writes it."""
        return f"{self.low:g} to {self.high:g}".replace("-", "−")


PERCENT = RatingScale(0.0, 100.0)


@dataclass(frozen=True, slots=True)
class Ratings:
    """Single ratings, each from 0 (left trait) to 100 (right trait)."""

    annotators: tuple[str, ...]
    groups: tuple[str, ...]
    pairs: tuple[str, ...]
    values: Array
    """Shape (annotators, groups, pairs); NaN where an annotator did not rate."""
    about: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """What a table says of its annotators: by column, a value for each."""
    varying: tuple[str, ...] = ()
    """Further columns, whose values differ within an annotator."""

    def without(self, cells: Sequence[tuple[str, str]]) -> "Ratings":
        """The same ratings, with these (group, pair) taken out."""
        values = self.values.copy()
        for group, pair in cells:
            values[:, self.groups.index(group), self.pairs.index(pair)] = np.nan
        return replace(self, values=values)

    def part(self, groups: Sequence[str], pairs: Sequence[str]) -> "Ratings":
        """Of these groups and pairs only, in this order; all annotators are kept."""
        rows = [self.groups.index(group) for group in groups]
        columns = [self.pairs.index(pair) for pair in pairs]
        values = self.values[:, rows][:, :, columns]
        return replace(self, groups=tuple(groups), pairs=tuple(pairs), values=values)

    def only(self, cells: npt.NDArray[np.bool_]) -> "Ratings":
        """With the ratings of the cells that are True in (groups, pairs), and no others."""
        return replace(self, values=np.where(cells, self.values, np.nan))

    def of(self, column: str, value: str) -> "Ratings":
        """Of the annotators who have this value in a column."""
        kept = [i for i, own in enumerate(self.about[column]) if own == value]
        about = {name: tuple(own[i] for i in kept) for name, own in self.about.items()}
        names = tuple(self.annotators[i] for i in kept)
        return replace(self, annotators=names, values=self.values[kept], about=about)

    def slice(self, about: Mapping[str, str]) -> "Ratings":
        """Of the annotators who have these values in these columns."""
        found = self
        for column, value in about.items():
            found = found.of(column, value)
        return found

    def values_of(self, columns: Sequence[str]) -> list[dict[str, str]]:
        """Each value of a column, or each combination of values that an annotator has, in order."""
        found = sorted(set(zip(*(self.about[column] for column in columns), strict=True)))
        return [dict(zip(columns, values, strict=True)) for values in found]


def scale_named(text: str) -> RatingScale:
    """The scale that "LOW:HIGH" says.

    >>> scale_named("1:7")
    RatingScale(low=1.0, high=7.0)
    """
    low, high = (decimal_number(end) for end in text.partition(":")[::2])
    if low is None or high is None or not -math.inf < low < high < math.inf:
        raise BadInput(f"{text!r} is not a scale", "write LOW:HIGH, such as 1:7 or -50:50")
    return RatingScale(low, high)


def means(ratings: Ratings) -> tuple[Array, Array]:
    """Mean and number of ratings of each cell, shapes (groups, pairs); NaN where nobody rated.

    Means are rounded to nine decimals, so that the middle of a scale is exactly 50.
    """
    counts = np.isfinite(ratings.values).sum(axis=0).astype(np.float64)
    sums = np.nansum(ratings.values, axis=0)
    found = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=found, where=counts > 0)
    return np.asarray(found.round(9), dtype=np.float64), counts


def copies(ratings: Ratings) -> list[tuple[str, tuple[str, ...]]]:
    """Pairs of traits of a group that everybody rated alike: (group, the pairs), each set once.

    Three ratings or more that are not all the same number. People do not answer so: in all likelihood
    one column was written over the others.
    """
    found = []
    for g, group in enumerate(ratings.groups):
        columns: dict[bytes, list[str]] = {}
        for p, pair in enumerate(ratings.pairs):
            column = ratings.values[:, g, p]
            given = column[np.isfinite(column)]
            if len(given) >= FEWEST and np.ptp(given) > 0:
                columns.setdefault(column.tobytes(), []).append(pair)
        found += [(group, tuple(pairs)) for pairs in columns.values() if len(pairs) > 1]
    return found
