"""What people and the matrices say of one group: every pair of traits, and which are at either end."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.types import Array
from tiltmeter.metrics.alignment import end_weights, right_shares

End: TypeAlias = Literal["top", "bottom", ""]
"""Where a pair is in an order: among the k highest (nearest to the right trait), the k lowest, neither."""


@dataclass(frozen=True, slots=True)
class Opinion:
    """One order of a group's pairs of traits: people's or a matrix's."""

    name: str
    values: Array
    """One for each pair of the profile; NaN where there is none."""
    ends: tuple[End, ...]
    agrees: tuple[bool | None, ...]
    """Of pairs at an end: whether people put them on that side of the middle; else None."""

    def at_end(self, end: End) -> list[int]:
        """The pairs at this end, the outermost first."""
        found = [i for i, own in enumerate(self.ends) if own == end]
        return sorted(found, key=lambda i: self.values[i], reverse=end == "top")


@dataclass(frozen=True, slots=True)
class GroupProfile:
    """One group."""

    group: str
    pairs: tuple[str, ...]
    """In people's order, the one nearest to its right trait first."""
    people: Opinion
    matrices: tuple[Opinion, ...]
    row: int
    """Of the group in `Alignments.means`."""
    columns: tuple[int, ...]
    """Of the pairs there."""


def profiles(made: Alignments) -> list[GroupProfile]:
    """Of every group that a matrix reports on."""
    groups = dict.fromkeys(group for one in made.parts for group in one.groups)
    return [profile(made, group) for group in groups]


def chosen(made: Alignments, names: Sequence[str]) -> list[GroupProfile]:
    """Of the groups that a user names.

    Raises:
        UnknownName: No matrix and the people have such a group in common.
    """
    known = dict.fromkeys(group for one in made.parts for group in one.groups)
    lower = {group.casefold(): group for group in known}
    for name in names:
        if name.casefold() not in lower:
            raise UnknownName("group", name, known)
    return [profile(made, lower[name.casefold()]) for name in dict.fromkeys(names)]


def profile(made: Alignments, group: str) -> GroupProfile:
    """Of one group."""
    means, k = made.means, made.wanted.k
    parts = [one for one in made.parts if group in one.groups]
    pairs = dict.fromkeys(pair for one in parts for pair in one.pairs)
    row = means.groups.index(group)
    rated = sorted(
        pairs, key=lambda pair: -np.nan_to_num(means.values[row, means.pairs.index(pair)], nan=-1.0)
    )
    columns = tuple(means.pairs.index(pair) for pair in rated)
    ratings = means.values[row, list(columns)]
    return GroupProfile(
        group,
        tuple(rated),
        _opinion("people", ratings - 50, ratings, k, shown=ratings),
        tuple(_opinion(one.source.name, _scores(one, group, rated), ratings, k) for one in parts),
        row,
        columns,
    )  # fmt: skip


def _scores(one: Alignment, group: str, pairs: Sequence[str]) -> Array:
    """A matrix's scores of these pairs."""
    own = dict(zip(one.pairs, one.scores[one.groups.index(group)], strict=True))
    return np.array([own.get(pair, np.nan) for pair in pairs])


def _opinion(
    name: str, scores: Array, ratings: Array, k: int, *, shown: Array | None = None
) -> Opinion:
    """The pairs at either end among those that people and the matrix have."""
    both = np.flatnonzero(np.isfinite(scores) & np.isfinite(ratings))
    ends: list[End] = [""] * len(scores)
    agrees: list[bool | None] = [None] * len(scores)
    if len(both) >= 2 * k:
        top, bottom = end_weights(scores[both], k)
        right = right_shares(ratings[both])
        for place, high, low, share in zip(both, top, bottom, right, strict=True):
            if high or low:
                ends[place] = "top" if high >= low else "bottom"
                agrees[place] = bool(share >= 0.5 if high >= low else share <= 0.5)  # noqa: PLR2004
    return Opinion(name, scores if shown is None else shown, tuple(ends), tuple(agrees))
