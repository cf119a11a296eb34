"""Pilot groups: templates are chosen on them, and everything that is reported is of the other groups."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.analysis.people.matching import Matching, find_group
from tiltmeter.analysis.people.sources import Source
from tiltmeter.analysis.people.template_choice import PILOT, choose_templates, pilot_people
from tiltmeter.core.errors import BadInput, Undefined, UnknownName
from tiltmeter.core.types import Array
from tiltmeter.data.groups.group_file import GroupFile
from tiltmeter.data.people.people import People


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


def pilot_rows(
    source: Source,
    matching: Matching,
    pilot: tuple[str, ...] | None,
    *,
    lists: GroupFile | None,
    aliases: Mapping[str, str],
) -> tuple[list[int], str]:
    """Which of the matched groups are pilot groups, and a note where there is no pilot.

    Args:
        source: The matrix.
        matching: Groups that the matrix and the people both have.
        pilot: Names of groups; () for no pilot; None for the usual ones, where they are there.
        lists: Whose groups have further names.
        aliases: More of them.

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
