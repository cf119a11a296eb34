"""Pilot groups: templates are chosen on them, and everything that is reported is of the other groups.

Which templates bring a model's scores closest to what people say? The more ways of asking are tried, the
better the best of them fits by chance. So the choice is made on pilot groups with a few people each, from at
most two templates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from tiltmeter.analyses.compare_people.matching import Matching, find_group
from tiltmeter.analyses.compare_people.matrices import Source
from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.core.types import Array
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.people.people import People
from tiltmeter.data.people.ratings import Ratings
from tiltmeter.stats.correlations.correlation import kendall_rows

PILOT = ("Asian", "Black", "Hispanic", "immigrant")
PEOPLE = 5
"""How many annotators of each pilot group count."""
MORE = 1e-12
"""How much a second template must raise tau: more than rounding does."""


class Choice(NamedTuple):
    """One or two templates, and Kendall's tau on the pilot groups."""

    templates: tuple[int, ...]
    """The positions of the chosen templates, the better one first."""
    tau: float
    tried: int
    """Templates and pairs of them that have a tau."""


@dataclass(frozen=True, slots=True)
class Pilot:
    """On which groups templates were chosen, by how many people, and which."""

    groups: tuple[str, ...]
    people: tuple[int, ...]
    """How many were drawn for each; 0 where only means are known, which were used then."""
    templates: tuple[str, ...]
    """The names of the chosen templates."""
    tau: float
    """Kendall's tau of the chosen templates on the pilot groups."""
    tried: int


def pilot_rows(
    source: Source,
    matching: Matching,
    pilot: tuple[str, ...] | None,
    *,
    lists: GroupFile | None,
    aliases: Mapping[str, str],
) -> tuple[list[int], str]:
    """Which of the matched groups are pilot groups, and a note where there is no pilot.

    `pilot` names groups: () is no pilot, None the usual ones, where they are there.

    Raises:
        BadInput: There are no templates to choose from, or no groups would be left.
        UnknownName: There is no such group.
    """
    if pilot == ():
        return [], ""
    if source.layers is None or len(source.templates) < 2:  # noqa: PLR2004
        if pilot is None:
            return [], f"{source.name}: it has no templates to choose from, so no pilot is made."
        raise BadInput(
            f"{source.name} has no templates for a pilot to choose from",
            "give --pilot none, or a run with two templates or more",
        )
    rows = []
    for name in pilot or PILOT:
        group = find_group(name, matching.groups, lists, aliases)
        if group is not None:
            rows.append(matching.groups.index(group))
        elif pilot is not None:
            raise UnknownName("group that both have", name, matching.groups)
    rows = sorted(set(rows))
    if len(rows) == len(matching.groups):
        if pilot is None:
            return [], f"{source.name}: no group would be left to report on, so no pilot is made."
        raise BadInput("every group is a pilot group", "leave some out, to report on")
    if rows:
        return rows, ""
    return [], f"{source.name}: it has none of {', '.join(PILOT)}, so no pilot is made."


def choose_on_pilot(
    source: Source,
    people: People,
    matching: Matching,
    layers: Array,
    rows: Sequence[int],
    *,
    seed: int,
) -> Pilot:
    """Choose templates on pilot groups; nothing of the other groups is handed on.

    Raises:
        BadInput: No template can be compared with the pilot's people.
    """
    places = [matching.people_rows[row] for row in rows]
    rng = np.random.default_rng([seed, 1])
    ratings, counts = pilot_people(people.ratings, people.values, places, rng)
    try:
        choice = choose_templates(layers[:, list(rows)], ratings[:, list(matching.people_columns)])
    except Undefined as why:
        raise BadInput(f"{source.name}: {why}", "give other pilot groups, or --pilot none") from why
    return Pilot(
        tuple(matching.groups[row] for row in rows),
        counts,
        tuple(source.templates[t] for t in choice.templates),
        choice.tau,
        choice.tried,
    )


def choose_templates(scores: Array, ratings: Array) -> Choice:
    """The template, or the two whose mean, with the highest tau over all cells of the pilot groups.

    Every template and every pair of templates is tried; a second one is taken only if it gives more,
    and of equals the first. Nothing but pilot groups is seen here.

    `scores` have shape (templates, groups, pairs), `ratings` (groups, pairs); NaN where there is none.

    Raises:
        Undefined: No template has a tau.
    """
    singles = _taus(scores, ratings)
    if not np.isfinite(singles).any():
        raise Undefined("no template has scores that can be compared with the pilot’s people")
    best = int(np.nanargmax(singles))
    chosen: tuple[int, ...] = (best,)
    tau = float(singles[best])
    couples = list(combinations(range(len(scores)), 2))
    tried = int(np.isfinite(singles).sum())
    for start in range(0, len(couples), 4096):
        some = couples[start : start + 4096]
        first, second = (np.array(places) for places in zip(*some, strict=True))
        taus = _taus((scores[first] + scores[second]) / 2, ratings)
        tried += int(np.isfinite(taus).sum())
        if np.isfinite(taus).any() and np.nanmax(taus) > tau + MORE:
            at = int(np.nanargmax(taus))
            better_first = sorted(some[at], key=lambda t: -np.nan_to_num(singles[t], nan=-2.0))
            chosen, tau = tuple(better_first), float(taus[at])
    return Choice(chosen, tau, tried)


def pilot_people(
    ratings: Ratings | None,
    means: Array,
    rows: Sequence[int],
    rng: np.random.Generator,
    *,
    people: int = PEOPLE,
) -> tuple[Array, tuple[int, ...]]:
    """Mean ratings by a few people, drawn at random for each pilot group, and how many were drawn.

    Where only means are known, these, with 0 people drawn.
    """
    if ratings is None:
        return means[list(rows)], tuple(0 for _ in rows)
    means_by_group, counts = np.full((len(rows), len(ratings.pairs)), np.nan), []
    for i, row in enumerate(rows):
        asked = np.flatnonzero(np.isfinite(ratings.values[:, row]).any(axis=1))
        drawn = rng.choice(asked, size=min(people, len(asked)), replace=False)
        values = ratings.values[drawn, row]  # (people, pairs)
        given = np.isfinite(values).sum(axis=0)
        np.divide(np.nansum(values, axis=0), given, out=means_by_group[i], where=given > 0)
        counts.append(len(drawn))
    return np.round(means_by_group, 9), tuple(counts)


def _taus(scores: Array, ratings: Array) -> Array:
    rows = scores.reshape(len(scores), -1)
    return kendall_rows(rows, np.broadcast_to(ratings.ravel(), rows.shape))
