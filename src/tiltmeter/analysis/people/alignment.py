"""Alignment of groups × traits with what people say: everything that `compare-people` computes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from tiltmeter.analysis.people import alignment_numbers as numbers
from tiltmeter.analysis.people.ceiling_numbers import ceiling
from tiltmeter.analysis.people.matching import Matching, find_group, match
from tiltmeter.analysis.people.models_compared import between, differences
from tiltmeter.analysis.people.noise_ceiling import SPLITS
from tiltmeter.analysis.people.sources import Source
from tiltmeter.analysis.people.template_choice import PILOT, choose_templates, pilot_people
from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Array
from tiltmeter.data.group_lists import GroupFile
from tiltmeter.data.people import People
from tiltmeter.data.ratings import means
from tiltmeter.metrics.alignment import K

LISTED = 6
"""How many empty cells are named before they are only counted."""
ALL = {"templates": "all"}
"""The subset that says: the mean over all templates, not over the chosen ones."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a user may ask for."""

    k: int = K
    pilot: tuple[str, ...] | None = None
    """Names of groups; () for none; None for the usual ones, where they are there."""
    by: str = ""
    """A column of the table of people."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    splits: int = SPLITS


@dataclass(frozen=True, slots=True)
class Pilot:
    """How templates were chosen."""

    groups: tuple[str, ...]
    people: tuple[int, ...]
    """How many were drawn for each; 0 where only means are known, which were used then."""
    templates: tuple[str, ...]
    """The chosen ones."""
    tau: float
    """Of them, on the pilot groups."""
    tried: int


@dataclass(frozen=True, slots=True)
class Subset:
    """The people who have one value in a column."""

    value: str
    people: int
    estimates: tuple[Estimate, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    """One matrix and the people."""

    source: Source
    groups: tuple[str, ...]
    """Those reported on, by people's names: without pilot groups."""
    pairs: tuple[str, ...]
    scores: Array
    """The matrix's, shape (groups, pairs), turned as people's are; NaN where there is none."""
    said: Array
    """People's, from 0 to 100."""
    estimates: tuple[Estimate, ...]
    pilot: Pilot | None = None
    by_template: tuple[Estimate, ...] = ()
    subsets: tuple[Subset, ...] = ()
    left_out: tuple[str, ...] = ()
    """What is not compared, and why."""
    turned: tuple[str, ...] = ()
    """Pairs that the matrix has the other way round."""
    renamed: tuple[tuple[str, str], ...] = ()
    """(the matrix's name, people's), where they differ."""

    def find(self, name: str, **groups: str) -> Estimate | None:
        """The estimate of this name and subset."""
        return next((e for e in self.estimates if e.name == name and e.groups == groups), None)


@dataclass(frozen=True, slots=True)
class Alignments:
    """All that was asked for."""

    people: People
    wanted: Wanted
    parts: tuple[Alignment, ...]
    compared: tuple[Estimate, ...] = ()
    """Of every two matrices; `model` says which."""
    notes: tuple[str, ...] = ()


def align(
    sources: Sequence[Source],
    people: People,
    wanted: Wanted,
    *,
    lists: GroupFile | None = None,
) -> Alignments:
    """Hold each matrix against the people.

    Args:
        sources: At least one matrix.
        people: What people say.
        wanted: How.
        lists: Whose groups and pairs have further names.

    Raises:
        BadInput: A matrix and the people have nothing in common, or no test groups would be left.
        UnknownName: There is no such pilot group, or no such column.
    """
    column = _column(people, wanted.by)
    notes = list(people.notes)
    if people.ratings is None:
        notes.append(
            "Only means are known, not what single people said: there is no noise ceiling, and a pilot "
            "takes the means of all."
        )
    found: list[Alignment] = []
    kept: dict[object, list[Estimate]] = {}
    for source in sources:
        one, told = _align(source, people, wanted, lists)
        notes += told
        there = np.isfinite(one.scores)
        cells = one.groups, one.pairs, there.tobytes()
        if people.ratings is not None and cells not in kept:
            part = people.ratings.part(one.groups, one.pairs).only(there)
            kept[cells] = ceiling(part, k=wanted.k, seed=wanted.seed, splits=wanted.splits)
        estimates = (*one.estimates, *kept.get(cells, ()))
        subsets = _subsets(one, people, column, wanted) if column else ()
        named = tuple(replace(e, model=source.name) for e in estimates)
        found.append(replace(one, estimates=named, subsets=subsets))
    compared = [e for a, b in combinations(found, 2) for e in _compared(a, b, wanted)]
    return Alignments(people, wanted, tuple(found), tuple(compared), tuple(dict.fromkeys(notes)))


def _align(
    source: Source, people: People, wanted: Wanted, lists: GroupFile | None
) -> tuple[Alignment, list[str]]:
    found = match(
        source.matrix.groups, source.matrix.pairs, people.groups, people.pairs,
        lists=lists, aliases=wanted.aliases, name=source.name,
    )  # fmt: skip
    said = found.of_people(people.values)
    layers = _layers(source, found)
    pilot, notes = None, []
    rows, why = _pilot_rows(source, found, wanted, lists)
    if why:
        notes.append(why)
    test = [i for i in range(len(found.groups)) if i not in rows]
    scores = found.of_matrix(source.matrix.values, middle=source.middle)
    estimates: list[Estimate] = []
    if rows and layers is not None:
        pilot = _pilot(source, people, found, layers, rows, wanted)
        chosen = [source.templates.index(name) for name in pilot.templates]
        every = numbers.overall(scores[test], said[test], k=wanted.k, seed=wanted.seed)
        estimates += [replace(e, groups=ALL) for e in every]
        scores = layers[chosen].mean(axis=0)
    groups = tuple(found.groups[i] for i in test)
    scores, said = scores[test], said[test]
    estimates = [
        *numbers.overall(scores, said, k=wanted.k, seed=wanted.seed),
        *estimates,
        *numbers.by_group(groups, scores, said, k=wanted.k, seed=wanted.seed),
    ]
    templates: list[Estimate] = []
    if layers is not None and len(layers) > 1:
        templates = numbers.by_template(source.templates, layers[:, test], said, seed=wanted.seed)
    return Alignment(
        source,
        groups,
        found.pairs,
        scores,
        said,
        tuple(estimates),
        pilot,
        tuple(replace(e, model=source.name) for e in templates),
        left_out=(*found.excluded, *_empty(groups, found.pairs, scores, said, source.name)),
        turned=tuple(p for p, turned in zip(found.pairs, found.turned, strict=True) if turned),
        renamed=found.renamed,
    ), notes


def _layers(source: Source, found: Matching) -> Array | None:
    """Scores by template, (templates, groups, pairs) of what is on both sides."""
    if source.layers is None:
        return None
    return found.of_matrix(source.layers.values, middle=source.middle)


def _pilot_rows(
    source: Source, found: Matching, wanted: Wanted, lists: GroupFile | None
) -> tuple[list[int], str]:
    """Which of the matched groups are pilot groups, and what to say where there is no pilot."""
    if wanted.pilot == ():
        return [], ""
    if source.layers is None or len(source.templates) < 2:  # noqa: PLR2004
        if wanted.pilot is None:
            return [], f"{source.name}: it has no templates to choose from, so there is no pilot."
        raise BadInput(
            f"{source.name} has no templates for a pilot to choose from",
            "give --pilot none, or a run of group_traits with two templates or more",
        )
    rows = []
    for name in wanted.pilot or PILOT:
        group = find_group(name, found.groups, lists, wanted.aliases)
        if group is not None:
            rows.append(found.groups.index(group))
        elif wanted.pilot is not None:
            raise UnknownName("group that both have", name, found.groups)
    rows = sorted(set(rows))
    if len(rows) == len(found.groups):
        if wanted.pilot is None:
            return [], f"{source.name}: no group would be left beside a pilot, so there is none."
        raise BadInput("every group is a pilot group", "leave some out, to report on")
    why = (
        "" if rows else f"{source.name}: none of {', '.join(PILOT)} is there, so there is no pilot."
    )
    return rows, why


def _pilot(
    source: Source,
    people: People,
    found: Matching,
    layers: Array,
    rows: Sequence[int],
    wanted: Wanted,
) -> Pilot:
    """Choose templates on pilot groups; nothing of the other groups is handed on."""
    places = [found.people_rows[row] for row in rows]
    rng = np.random.default_rng([wanted.seed, 1])
    said, counts = pilot_people(people.ratings, people.values, places, rng)
    try:
        choice = choose_templates(layers[:, list(rows)], said[:, list(found.people_columns)])
    except Undefined as why:
        raise BadInput(f"{source.name}: {why}", "give other pilot groups, or --pilot none") from why
    return Pilot(
        tuple(found.groups[row] for row in rows),
        counts,
        tuple(source.templates[t] for t in choice.templates),
        choice.tau,
        choice.tried,
    )


def _column(people: People, by: str) -> str:
    """The column that --by names."""
    if not by:
        return ""
    if people.unlinked:
        raise BadInput(f"{people.name}: {people.unlinked}", "leave --by out")
    if people.ratings is None:
        raise BadInput(
            f"{people.name} has means only, so people cannot be told apart by {by!r}",
            "give a table with a row a rating: annotator, group, pair, rating, and that column",
        )
    if by in people.ratings.varying:
        raise BadInput(
            f"the column {by!r} has several values for one annotator",
            "give each annotator one value",
            file=people.name,
        )
    if by not in people.ratings.about:
        raise UnknownName("column about annotators", by, people.ratings.about)
    return by


def _subsets(one: Alignment, people: People, column: str, wanted: Wanted) -> tuple[Subset, ...]:
    """The same scores held against the people of each value of a column."""
    if people.ratings is None:
        return ()
    ratings = people.ratings.part(one.groups, one.pairs)
    found = []
    for value in sorted(set(ratings.about[column])):
        some = ratings.of(column, value)
        said = means(some)[0]
        asked = int(np.isfinite(some.values).any(axis=(1, 2)).sum())
        made = numbers.overall(one.scores, said, k=wanted.k, seed=wanted.seed)[:3]
        named = [replace(e, groups={column: value}, model=one.source.name) for e in made]
        found.append(Subset(value, asked, tuple(named)))
    by_measure = [numbers.adjusted(own) for own in zip(*(s.estimates for s in found), strict=True)]
    return tuple(
        replace(subset, estimates=tuple(own[i] for own in by_measure))
        for i, subset in enumerate(found)
    )


def _compared(first: Alignment, second: Alignment, wanted: Wanted) -> list[Estimate]:
    """Of two matrices, on the groups and pairs that both have."""
    named = f"{first.source.name} − {second.source.name}"
    groups = [group for group in first.groups if group in second.groups]
    pairs = [pair for pair in first.pairs if pair in second.pairs]
    if not groups or not pairs:
        made = numbers.estimate(f"{numbers.POOLED}_difference", 0)
        return [replace(made, model=named, why="they have no group or no pair in common")]
    parts = []
    for one in (first, second):
        at = np.ix_([one.groups.index(g) for g in groups], [one.pairs.index(p) for p in pairs])
        parts.append((one.scores[at], one.said[at]))
    (mine, said), (other, _) = parts
    found = differences(mine, other, said, k=wanted.k, seed=wanted.seed)
    agreement = between(mine, other, seed=wanted.seed)
    both = f"{first.source.name}, {second.source.name}"
    return [
        *(replace(e, model=named) for e in found),
        *(replace(e, model=both) for e in agreement),
    ]


def _empty(
    groups: Sequence[str], pairs: Sequence[str], scores: Array, said: Array, name: str
) -> list[str]:
    """Cells of groups and pairs that both have, without a number on one side."""
    told = []
    for lost, whose in ((~np.isfinite(scores), name), (~np.isfinite(said), "people")):
        whole_rows = np.asarray(lost.all(axis=1), dtype=np.bool_)
        whole_columns = np.asarray(lost.all(axis=0), dtype=np.bool_)
        for kind, names, whole in (("group", groups, whole_rows), ("pair", pairs, whole_columns)):
            gone = [name for name, is_gone in zip(names, whole, strict=True) if is_gone]
            if gone:
                counted = f"{len(gone)} {kind}{'s have' if len(gone) > 1 else ' has'}"
                told.append(f"{counted} no number of {whose} at all: {', '.join(gone)}.")
        rest = lost & ~whole_rows[:, None] & ~whole_columns
        cells = [f"{groups[i]}, {pairs[j]}" for i, j in zip(*np.nonzero(rest), strict=True)]
        if cells:
            more = f"; and {len(cells) - LISTED} more" if len(cells) > LISTED else ""
            counted = (
                f"{len(cells)} {'further ' if told else ''}cell{'s' if len(cells) > 1 else ''}"
            )
            shown = "; ".join(cells[:LISTED])
            told.append(f"{counted} of {lost.size} without a number of {whose}: {shown}{more}.")
    return told
