"""Alignment of matrices with what people say: everything that `compare-people` computes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from tiltmeter.analyses.compare_people import alignment_numbers as numbers
from tiltmeter.analyses.compare_people.matching import empty_cells, match
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.analyses.compare_people.noise_ceiling import SPLITS, ceiling
from tiltmeter.analyses.compare_people.pilot import Pilot, choose_on_pilot, pilot_rows
from tiltmeter.analyses.compare_people.quantities import PILOT_TAU, POOLED, TRIED, difference
from tiltmeter.analyses.compare_people.slices import slice_estimates
from tiltmeter.core.analysis import RESERVED
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.types import Array, Groups
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.people.people import People
from tiltmeter.derived.people.annotators import check_columns, unstated
from tiltmeter.derived.people.cell_means import CellMeans, of_people
from tiltmeter.metrics.alignment import K

MATRIX, FIRST, SECOND = "matrix", "first", "second"
"""Axes: of several matrices which, and which two are compared."""
CHOSEN = "chosen"
"""The verdict of templates that the pilot chose."""
ONLY_MEANS = (
    "Only means are known, not individual ratings: there is no noise ceiling, and a pilot "
    "takes the means of all."
)


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user may ask for."""

    k: int = K
    pilot: tuple[str, ...] | None = None
    """Names of groups; () for none; None for the usual ones, where they are there."""
    with_pilot: bool = False
    """Whether results include the pilot groups."""
    by: tuple[tuple[str, ...], ...] = ()
    """Columns of the table of people; several in one entry are crossed."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    splits: int = SPLITS


@dataclass(frozen=True, slots=True)
class Alignment:
    """One matrix held against the people."""

    source: Source
    groups: tuple[str, ...]
    """The groups that are reported on, by people's names: without pilot groups, unless they are wanted."""
    pairs: tuple[str, ...]
    scores: Array
    """The matrix's scores, shape (groups, pairs), turned as people's are; NaN where there is none."""
    mean_ratings: Array
    """People's mean ratings from 0 to 100, of the same shape."""
    estimates: tuple[Estimate, ...]
    at: Groups = field(default_factory=dict)
    """Where its estimates stand among those of several matrices; {} of a single one."""
    pilot: Pilot | None = None
    left_out: tuple[str, ...] = ()
    """What is not compared, and why."""
    turned: tuple[str, ...] = ()
    """Pairs that the matrix has the other way round."""
    renamed: tuple[tuple[str, str], ...] = ()
    """(the matrix's name, people's), where they differ."""

    def find(self, name: str, groups: Groups | None = None) -> Estimate | None:
        """The estimate of this name and subset; of all groups where none is given."""
        wanted = {**self.at, **(groups or {})}
        return next((e for e in self.estimates if e.name == name and e.groups == wanted), None)

    def subset(self, group: str) -> Groups:
        """A group by the matrix's own axis: {"group": "sailors"}."""
        return {self.source.view.rows: group}

    @property
    def subsets(self) -> list[Groups]:
        """Each of the groups by that axis."""
        return [self.subset(group) for group in self.groups]

    @property
    def all_templates(self) -> Groups:
        """The subset of numbers that average all templates, not the chosen ones."""
        return {self.source.view.layer_names: "all"}


@dataclass(frozen=True, slots=True)
class Alignments:
    """Every matrix held against the people, what people say, and how the matrices differ."""

    people: People
    wanted: Wanted
    parts: tuple[Alignment, ...]
    means: CellMeans
    """What all people say of each cell."""
    compared: tuple[Estimate, ...] = ()
    """The differences between each two matrices, by FIRST and SECOND."""
    notes: tuple[str, ...] = ()

    @property
    def axes(self) -> tuple[str, str]:
        """The axes of groups and of pairs, named as in the first matrix."""
        view = self.parts[0].source.view
        return view.rows, view.columns

    @property
    def groups(self) -> tuple[str, ...]:
        """All groups that some matrix reports on."""
        return tuple(dict.fromkeys(group for part in self.parts for group in part.groups))

    def axis(self, column: str) -> str:
        """The axis of a column about annotators: the column's name, unless another axis has it."""
        taken = {*RESERVED, MATRIX, FIRST, SECOND, *self.axes}
        taken |= {axis for p in self.parts for axis in (p.source.view.layers, *p.all_templates)}
        return f"annotator_{column}" if column in taken else column


def align(
    sources: Sequence[Source], people: People, wanted: Wanted, *, lists: GroupFile | None = None
) -> Alignments:
    """Hold each matrix against the people.

    Raises:
        BadInput: A matrix and the people have nothing in common, or no test groups would be left.
        UnknownName: There is no such pilot group, or no such column.
    """
    check_columns(people, wanted.by)
    notes = [*people.notes, *([ONLY_MEANS] if people.ratings is None else [])]
    notes += unstated(people, wanted.by)
    ceilings = _Ceilings(people, wanted)
    alignments: list[Alignment] = []
    for source in _on_one_axis(sources):
        part, note = _align(source, people, wanted, lists)
        notes += [note] if note else []
        notes += source.matrix.notes
        at = {MATRIX: source.name} if len(sources) > 1 else {}
        part = replace(part, estimates=(*part.estimates, *ceilings.of(part)))
        alignments.append(replace(part, at=at))
    compared = [e for a, b in combinations(alignments, 2) for e in _compared(a, b, wanted)]
    made = Alignments(
        people, wanted, tuple(alignments), of_people(people), tuple(compared),
        tuple(dict.fromkeys(notes)),
    )  # fmt: skip
    return replace(made, parts=tuple(_with_slices(part, made) for part in alignments))


def _on_one_axis(sources: Sequence[Source]) -> list[Source]:
    """The matrices with their groups and pairs on the axes of the first one."""
    first = sources[0].view
    return [
        replace(
            source,
            matrix=replace(
                source.matrix, view=replace(source.view, rows=first.rows, columns=first.columns)
            ),
        )
        for source in sources
    ]


def _placed(estimates: Iterable[Estimate], at: Groups) -> tuple[Estimate, ...]:
    return tuple(replace(e, groups={**at, **e.groups}) for e in estimates)


class _Ceilings:
    """Noise ceilings, each computed once: it takes a while, and several matrices may share one."""

    def __init__(self, people: People, wanted: Wanted) -> None:
        self._ratings, self._wanted = people.ratings, wanted
        self._known: dict[object, list[Estimate]] = {}

    def of(self, aligned: Alignment) -> list[Estimate]:
        if self._ratings is None:
            return []
        there, wanted = np.isfinite(aligned.scores), self._wanted
        cells = aligned.groups, aligned.pairs, aligned.source.view.rows, there.tobytes()
        if cells not in self._known:
            part = self._ratings.part(aligned.groups, aligned.pairs).only(there)
            self._known[cells] = ceiling(
                part, aligned.subsets, k=wanted.k, seed=wanted.seed, splits=wanted.splits
            )
        return self._known[cells]


def _align(
    source: Source, people: People, wanted: Wanted, lists: GroupFile | None
) -> tuple[Alignment, str]:
    """One matrix without ceiling and slices, and a note where there is no pilot."""
    matching = match(
        source.matrix.rows, source.matrix.columns, people.groups, people.pairs,
        lists=lists, aliases=wanted.aliases, name=source.name,
    )  # fmt: skip
    layers = None
    if source.layers is not None:  # (templates, groups, pairs)
        layers = matching.of_matrix(source.layers.values, middle=source.middle)
    rows, note = pilot_rows(source, matching, wanted.pilot, lists=lists, aliases=wanted.aliases)
    test = [i for i in range(len(matching.groups)) if wanted.with_pilot or i not in rows]
    scores = matching.of_matrix(source.matrix.values, middle=source.middle)[test]
    aligned = Alignment(
        source,
        tuple(matching.groups[i] for i in test),
        matching.pairs,
        scores,
        matching.of_people(people.values)[test],
        (),
        turned=tuple(
            pair for pair, turned in zip(matching.pairs, matching.turned, strict=True) if turned
        ),
        renamed=matching.renamed,
    )
    averaged: list[Estimate] = []
    if rows and layers is not None:
        pilot = choose_on_pilot(source, people, matching, layers, rows, seed=wanted.seed)
        averaged = [
            *_placed(_overall(aligned, wanted), aligned.all_templates),
            PILOT_TAU.at(pilot.tau, n=len(pilot.groups)), TRIED.at(pilot.tried),
        ]  # fmt: skip
        chosen = [source.templates.index(name) for name in pilot.templates]
        aligned = replace(aligned, pilot=pilot, scores=layers[chosen].mean(axis=0)[test])
    templates = [] if layers is None else _by_template(aligned, layers[:, test], wanted)
    return replace(
        aligned,
        estimates=(*_overall(aligned, wanted), *averaged, *_by_group(aligned, wanted), *templates),
        left_out=(
            *matching.excluded,
            *empty_cells(
                aligned.groups, aligned.pairs, aligned.scores, aligned.mean_ratings, source.name
            ),
        ),
    ), note


def _overall(aligned: Alignment, wanted: Wanted) -> list[Estimate]:
    return numbers.overall(aligned.scores, aligned.mean_ratings, k=wanted.k, seed=wanted.seed)


def _by_group(aligned: Alignment, wanted: Wanted) -> list[Estimate]:
    both = aligned.scores, aligned.mean_ratings
    return [
        *numbers.by_group(aligned.subsets, *both, k=wanted.k, seed=wanted.seed),
        *numbers.by_end(aligned.subsets, *both, k=wanted.k),
    ]


def _by_template(aligned: Alignment, layers: Array, wanted: Wanted) -> list[Estimate]:
    """Pooled tau of each of several templates by itself, (templates, groups, pairs)."""
    if len(layers) < 2:  # noqa: PLR2004
        return []
    source, chosen = aligned.source, aligned.pilot.templates if aligned.pilot else ()
    taus = numbers.adjusted([
        numbers.pooled(
            scores, aligned.mean_ratings, seed=wanted.seed, groups={source.view.layers: name}
        )
        for name, scores in zip(source.templates, layers, strict=True)
    ])  # fmt: skip
    return [
        replace(e, verdict=CHOSEN if name in chosen else "")
        for name, e in zip(source.templates, taus, strict=True)
    ]


def _with_slices(part: Alignment, made: Alignments) -> Alignment:
    """The alignment with slices of the annotators added, and all estimates in their place."""
    people, wanted = made.people, made.wanted
    sliced: list[Estimate] = []
    if people.ratings is not None and wanted.by:
        axes = {column: made.axis(column) for columns in wanted.by for column in columns}
        ratings = people.ratings.part(part.groups, part.pairs)
        sliced += slice_estimates(
            part.scores, ratings, wanted.by, part.subsets, axes, k=wanted.k, seed=wanted.seed
        )
    return replace(part, estimates=_placed((*part.estimates, *sliced), part.at))


def _compared(first: Alignment, second: Alignment, wanted: Wanted) -> tuple[Estimate, ...]:
    """The differences between two matrices on the groups and pairs that both have."""
    at = {FIRST: first.source.name, SECOND: second.source.name}
    groups = [group for group in first.groups if group in second.groups]
    pairs = [pair for pair in first.pairs if pair in second.pairs]
    if not groups or not pairs:
        why = "they have no group or no pair in common"
        return (difference(POOLED).at(None, why=why, groups=at),)
    cells = []
    for side in (first, second):
        place = np.ix_([side.groups.index(g) for g in groups], [side.pairs.index(p) for p in pairs])
        cells.append((side.scores[place], side.mean_ratings[place]))
    (mine, mean_ratings), (other, _) = cells
    apart = numbers.differences(mine, other, mean_ratings, k=wanted.k, seed=wanted.seed)
    return _placed([*apart, *numbers.between(mine, other, seed=wanted.seed)], at)
