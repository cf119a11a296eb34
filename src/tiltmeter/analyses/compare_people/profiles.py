"""What people and the matrices say of each group, cell by cell, and which pairs are at either end."""

from collections.abc import Iterator, Sequence
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.analyses.compare_people.alignment import MATRIX, Alignment, Alignments
from tiltmeter.analyses.compare_people.quantities import POOLED
from tiltmeter.core.errors import UnknownName
from tiltmeter.core.records import Record
from tiltmeter.core.types import Array, Groups
from tiltmeter.derived.people.cell_means import mean_record
from tiltmeter.metrics.alignment import end_weights, right_shares

End: TypeAlias = Literal["top", "bottom", ""]
"""Where a pair is in an order: among the k highest (nearest to the right trait), the k lowest, neither."""
CELL = "cell"
"""Records of what people and a matrix say of a group and a pair of traits."""
SCORE, AGREE = "score", "people_agree"
"""Scores: the matrix's; of pairs at an end of its order, 1 where people put them on that side, else 0."""
PEOPLE_END, MATRIX_END = "people_end", "matrix_end"
"""Texts: the ends of both orders."""
PILOT_GROUP, CHOSEN_TEMPLATE = "pilot group", "chosen template"
"""Records of the groups on which templates were chosen, and of the templates that were."""


def closest_first(made: Alignments) -> list[str]:
    """The groups that a matrix reports on, by tau of the first matrix that has them."""

    def closeness(group: str) -> float:
        part = next(part for part in made.parts if group in part.groups)
        tau = part.find(POOLED.name, part.subset(group))
        return -2.0 if tau is None or tau.value is None else tau.value

    return sorted(made.groups, key=closeness, reverse=True)


def chosen(made: Alignments, names: Sequence[str]) -> list[str]:
    """The groups that a user names.

    Raises:
        UnknownName: No matrix and the people have such a group in common.
    """
    lower = {group.casefold(): group for group in made.groups}
    for name in names:
        if name.casefold() not in lower:
            raise UnknownName("group", name, made.groups)
    return [lower[name.casefold()] for name in dict.fromkeys(names)]


def pilot_records(made: Alignments) -> Iterator[Record]:
    """The groups on which templates were chosen, with how many people were drawn, and the templates."""
    for part in made.parts:
        if part.pilot is None:
            continue
        view, name = part.source.view, part.source.name
        for group, people in zip(part.pilot.groups, part.pilot.people, strict=True):
            groups = {MATRIX: name, view.rows: group}
            yield Record(group, {"people": float(people)}, groups, kind=PILOT_GROUP)
        for template in part.pilot.templates:
            groups = {MATRIX: name, view.layers: template}
            yield Record(template, {}, groups, kind=CHOSEN_TEMPLATE)


def cell_records(made: Alignments) -> Iterator[Record]:
    """A record for each matrix, group and pair of traits; pairs in people's order, the highest first."""
    means, k = made.means, made.wanted.k
    for group in made.groups:
        matrices = [part for part in made.parts if group in part.groups]
        row = means.groups.index(group)
        columns = {pair: means.pairs.index(pair) for part in matrices for pair in part.pairs}
        pairs = sorted(
            columns, key=lambda pair: -np.nan_to_num(means.values[row, columns[pair]], nan=-1.0)
        )
        ratings = means.values[row, [columns[pair] for pair in pairs]]
        people_ends = _ends(ratings - 50, ratings, k)[0]
        for part in matrices:
            scores = _scores(part, group, pairs)
            ends, agrees = _ends(scores, ratings, k)
            for i, pair in enumerate(pairs):
                groups = {MATRIX: part.source.name, **_cell(made, group, pair)}
                record = mean_record(means, row, columns[pair], groups, CELL)
                of_matrix = {SCORE: scores[i], AGREE: agrees[i]}
                known = {
                    name: float(value) for name, value in of_matrix.items() if np.isfinite(value)
                }
                texts = {PEOPLE_END: people_ends[i], MATRIX_END: ends[i]}
                yield Record(
                    record.item, {**record.scores, **known}, groups,
                    texts={**record.texts, **{name: text for name, text in texts.items() if text}}, kind=CELL,
                )  # fmt: skip


def _cell(made: Alignments, group: str, pair: str) -> Groups:
    rows, columns = made.axes
    return {rows: group, columns: pair}


def _scores(part: Alignment, group: str, pairs: Sequence[str]) -> Array:
    """A matrix's scores of these pairs; NaN where it has none."""
    known = dict(zip(part.pairs, part.scores[part.groups.index(group)], strict=True))
    return np.array([known.get(pair, np.nan) for pair in pairs])


def _ends(scores: Array, ratings: Array, k: int) -> tuple[list[End], Array]:
    """Which pairs are at either end among those that both have, and whether people agree (1, 0, NaN)."""
    both = np.flatnonzero(np.isfinite(scores) & np.isfinite(ratings))
    ends: list[End] = [""] * len(scores)
    agrees = np.full(len(scores), np.nan)
    if len(both) >= 2 * k:
        top, bottom = end_weights(scores[both], k)
        right = right_shares(ratings[both])
        for place, high, low, share in zip(both, top, bottom, right, strict=True):
            if high or low:
                ends[place] = "top" if high >= low else "bottom"
                agrees[place] = share >= 0.5 if high >= low else share <= 0.5  # noqa: PLR2004
    return ends, agrees
