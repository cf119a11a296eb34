"""What people of one culture say by group and trait: ratings, split into their two poles or left signed.

A rating s runs from −50 (left trait) to 50 (right trait). Its left pole is max(−s, 0) and its right pole
max(s, 0): how far the rater goes towards each trait. Means over raters are the published aggregates of
Sotnikova 2023, chapter 5.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.types import Array
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.stats.confidence_intervals.intervals import student_half_width

Unit: TypeAlias = Literal["poles", "pairs"]
MIDDLE = 50.0
MIN_RATERS = 4
"""Cells with fewer raters are missing by default."""


@dataclass(frozen=True, slots=True)
class HumanCells:
    """Ratings of one culture by group and column: a pole, or a pair of poles."""

    name: str
    groups: tuple[str, ...]
    columns: tuple[str, ...]
    """Traits ("cold", "warm"), or with `unit="pairs"` pairs ("cold - warm")."""
    scores: Array
    """The scores of single raters, shape (raters, groups, columns); NaN where a rater did not rate."""
    min_raters: int = MIN_RATERS

    @property
    def counts(self) -> Array:
        """Raters of each cell, shape (groups, columns)."""
        return np.asarray(np.isfinite(self.scores).sum(axis=0), dtype=np.float64)

    @property
    def enough(self) -> Array:
        """True for cells with at least `min_raters` raters, shape (groups, columns)."""
        return np.asarray(self.counts >= max(self.min_raters, 1))

    @property
    def means(self) -> Array:
        """Mean over raters, shape (groups, columns); NaN where too few rated."""
        sums = np.nansum(self.scores, axis=0)
        return np.where(self.enough, sums / np.maximum(self.counts, 1), np.nan)

    def half_widths(self) -> Array:
        """Half of each mean's 95 % interval, by Student's t over raters; NaN where there is none."""
        squares = np.nansum((self.scores - self.means) ** 2, axis=0)
        return student_half_width(squares, np.where(self.enough, self.counts, 0))

    def part(self, groups: Sequence[str], columns: Sequence[str]) -> "HumanCells":
        """The cells of these groups and columns, in this order."""
        rows = [self.groups.index(group) for group in groups]
        places = [self.columns.index(column) for column in columns]
        scores = self.scores[:, rows][:, :, places]
        return replace(self, groups=tuple(groups), columns=tuple(columns), scores=scores)

    def raters_of(self, group: int) -> Array:
        """Scores of those who rated a group, shape (raters, columns)."""
        rated = np.isfinite(self.scores[:, group]).any(axis=1)
        return self.scores[rated, group]


def human_cells(
    ratings: Ratings, *, name: str = "", unit: Unit = "poles", min_raters: int = MIN_RATERS
) -> HumanCells:
    """Split each rating into its two poles, or leave it signed.

    Args:
        ratings: From 0 (left trait) to 100 (right trait).
        name: Of the culture or language.
        unit: "poles", two columns for each pair, each from 0 to 50; "pairs", one from −50 to 50, above
            0 towards the right trait.
        min_raters: Cells with fewer raters are missing.

    Raises:
        BadInput: A pair is not named "left - right", or two poles have one name.

    >>> one = Ratings(("a", "b"), ("men",), ("cold - warm",), np.array([[[40.0]], [[80.0]]]))
    >>> cells = human_cells(one, min_raters=1)
    >>> cells.columns, cells.means.tolist()
    (('cold', 'warm'), [[5.0, 15.0]])
    >>> human_cells(one, unit="pairs", min_raters=1).means.tolist()
    [[10.0]]
    """
    signed = ratings.values - MIDDLE
    if unit == "pairs":
        return HumanCells(name, ratings.groups, ratings.pairs, signed, min_raters)
    columns = [pole for pair in ratings.pairs for pole in poles_of(pair)]
    if len(set(columns)) < len(columns):
        twice = next(pole for pole in columns if columns.count(pole) > 1)
        raise BadInput(f"{twice!r} is a trait of two pairs", "rename it in one of them")
    # A rating counts for the pole that it is nearer to, and as 0 for the other.
    scores = np.stack([np.maximum(-signed, 0), np.maximum(signed, 0)], axis=-1)
    scores = scores.reshape(*signed.shape[:2], -1)
    return HumanCells(name, ratings.groups, tuple(columns), scores, min_raters)


def poles_of(pair: str) -> tuple[str, str]:
    """The two traits of "left - right".

    Raises:
        BadInput: It is not written so.

    >>> poles_of("low status - high status")
    ('low status', 'high status')
    """
    left, _, right = pair.partition(" - ")
    if not left or not right:
        raise BadInput(f"the pair {pair!r} does not name two traits", 'write it as "left - right"')
    return left, right
