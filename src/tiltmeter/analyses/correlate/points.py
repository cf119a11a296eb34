"""Numbers from many sources, laid out as points (models, groups, cells) by measures."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.types import Array
from tiltmeter.core.views import HIGH, LOW

Over: TypeAlias = Literal["models", "groups", "cells"]
"""What the points are: a model each; a group of people (or any subset) each; each group of each model."""
POINT = "point"
"""The kind of the records with all numbers of one point."""
NAMED = 4
"""The most names of either side that a message quotes where nothing matches."""


class Origin(NamedTuple):
    """Where in a run a number comes from."""

    result: Result
    estimate: Estimate


@dataclass(frozen=True, slots=True)
class Observation:
    """One number, and all that it is a number of."""

    model: str
    """"" where it is about no model."""
    group: str
    """"" where it is about all."""
    measure: str
    """With rule and convention, where it has them."""
    value: float | None
    source: str
    """For the reader: a run's study, a file, a paper's table."""
    where: str
    """For messages: which run, or which file and line."""
    facts: tuple[tuple[str, str], ...] = ()
    """What else tells its measure from others of the same name: data, ties and settings, by name."""
    origin: Origin | None = None
    quantity: str = ""
    """The measure of a run's number without rule and convention."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure that is a column of points, with a name that tells it from all others."""

    name: str
    """The name of the column; no other column of the same points has it."""
    source: str


@dataclass(frozen=True, slots=True)
class Points:
    """A table of numbers with a row for each point and a column for each measure."""

    over: Over
    labels: tuple[str, ...]
    measures: tuple[Measured, ...]
    values: Array
    """Shape (points, measures); NaN where there is none."""
    origins: Mapping[tuple[int, int], Origin]
    """Where numbers of runs come from, by row and column."""
    models: tuple[str, ...] = ()
    """The model of each point; "" over groups."""
    groups: tuple[str, ...] = ()
    """The group of each point; "" over models."""
    apart: tuple[str, ...] = ()
    """Which measures of one name were not taken as one, and why."""
    notes: tuple[str, ...] = ()
    """What was joined and what has no number."""

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the measures, as they are printed."""
        return tuple(measure.name for measure in self.measures)

    def shared(self, one: int, other: int) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """Which points two measures have in common, shape (points,)."""
        both = np.isfinite(self.values[:, [one, other]])
        return np.asarray(both.all(axis=1))


def points_of(
    observations: Sequence[Observation],
    over: Over,
    *,
    apart: Sequence[str] = (),
    notes: Sequence[str] = (),
) -> Points:
    """Lay the numbers out; a measure keeps its name where no other has it, else says what differs.

    Raises:
        BadInput: There are fewer than two measures, a number is given twice, or a source has no points of
            this kind.
    """
    for observation in observations:
        if (over != "groups" and not observation.model) or (
            over != "models" and not observation.group
        ):
            lacks = "model" if over != "groups" and not observation.model else "group"
            others = {"groups": observation.group, "models": observation.model}
            ways = ["leave it out", *(f"or use --over {kind}" for kind in others if others[kind])]
            raise BadInput(
                f"{observation.measure!r} is not about a {lacks}, so it is not a point over {over}",
                ", ".join(ways),
                file=observation.where,
            )
    several = len({each.model for each in observations}) > 1
    kept: dict[tuple[str, str], Observation] = {}
    for observation, column in zip(
        observations, _columns(observations, over, several), strict=True
    ):
        row = _row(observation, over)
        if (row, column) in kept:
            before = kept[row, column].where
            raise BadInput(
                f"{column} of {row} is given twice, in {before} and in {observation.where}",
                "leave one out",
            )
        kept[row, column] = observation
    labels, columns = (tuple(dict.fromkeys(key[i] for key in kept)) for i in (0, 1))
    values = np.full((len(labels), len(columns)), np.nan)
    origins = {}
    for (label, column), observation in kept.items():
        at = labels.index(label), columns.index(column)
        values[at] = np.nan if observation.value is None else observation.value
        if observation.origin is not None:
            origins[at] = observation.origin
    sources = {column: observation.source for (_, column), observation in kept.items()}
    of = {label: observation for (label, _), observation in kept.items()}
    points = Points(
        over,
        labels,
        tuple(Measured(column, sources[column]) for column in columns),
        values,
        origins,
        tuple(of[label].model if over != "groups" else "" for label in labels),
        tuple(of[label].group if over != "models" else "" for label in labels),
        tuple(apart),
    )
    _check(points)
    return replace(points, notes=(*notes, *_missing(points)))


def point_records(points: Points) -> Iterator[Record]:
    """A record for each point, with its measures and the ends of their intervals."""
    for row, label in enumerate(points.labels):
        scores: dict[str, float] = {}
        for column, name in enumerate(points.names):
            if np.isfinite(points.values[row, column]):
                scores[name] = float(points.values[row, column])
            source = points.origins.get((row, column))
            if source and source.estimate.low is not None and source.estimate.high is not None:
                scores[LOW.format(name)] = source.estimate.low
                scores[HIGH.format(name)] = source.estimate.high
        axes = {"model": points.models, "group": points.groups}
        groups = {axis: of[row] for axis, of in axes.items() if of and of[row]}
        yield Record(label, scores, groups, kind=POINT)


def _row(observation: Observation, over: Over) -> str:
    if over == "models":
        return observation.model
    return observation.group if over == "groups" else f"{observation.model}: {observation.group}"


def _columns(observations: Sequence[Observation], over: Over, several: bool) -> list[str]:  # noqa: FBT001
    """The name of each observation's column: its measure, and whatever tells it from others of that name."""
    names = []
    for observation in observations:
        more = observation.group if over == "models" else ""
        if over == "groups" and several:
            more = observation.model
        names.append(f"{observation.measure}, {more}" if more else observation.measure)
    kinds: dict[str, list[dict[str, str]]] = {}
    for name, observation in zip(names, observations, strict=True):
        facts = dict(observation.facts)
        if facts not in kinds.setdefault(name, []):
            kinds[name].append(facts)
    return [
        name
        if len(kinds[name]) == 1
        else f"{name} [{_differing(dict(observation.facts), kinds[name])}]"
        for name, observation in zip(names, observations, strict=True)
    ]


def _differing(facts: Mapping[str, str], kinds: Iterable[Mapping[str, str]]) -> str:
    """The facts in which measures of one name differ, in words."""
    names = [k for k in facts if len({kind.get(k, "") for kind in kinds}) > 1]
    if len({kind.get("data") for kind in kinds}) == len({kind.get("of") for kind in kinds}):
        names = [k for k in names if k != "of"]  # names are enough
    return ", ".join(f"{key} {facts[key]}" for key in names) or "without further facts"


def _check(points: Points) -> None:
    point = points.over.removesuffix("s")
    if len(points.measures) < 2:  # noqa: PLR2004
        raise BadInput(
            f"there is one measure, {points.names[0]}, of {len(points.labels)} "
            f"{point if len(points.labels) == 1 else points.over}: nothing to correlate it with",
            "add runs of another study, another --measure, a --table or a --published table",
        )


def check_shared(points: Points, pairs: Sequence[tuple[int, int]]) -> None:
    """Refuse measures of which no pair has a point in common.

    Raises:
        BadInput: There is no such pair; the message says what each has, and which measures stay apart.
    """
    if any(points.shared(*pair).any() for pair in pairs):
        return
    point = points.over.removesuffix("s")
    quoted = [f"{m.name}: {_quoted(points, i)}" for i, m in enumerate(points.measures[:NAMED])]
    raise BadInput(
        f"no two measures have a {point} in common ({'; '.join(quoted)})"
        + "".join(f". {sentence.rstrip('.')}" for sentence in points.apart),
        f"give results of the same {points.over} with the same spelling (see --alias)",
    )


def _quoted(points: Points, column: int) -> str:
    there = np.flatnonzero(np.isfinite(points.values[:, column]))
    labels = ", ".join(repr(points.labels[i]) for i in there[:NAMED])
    return labels + (", …" if len(there) > NAMED else "") if len(there) else "no number"


def _missing(points: Points) -> Iterable[str]:
    """Which measures lack which points, one line for those that lack the same."""
    lacking: dict[tuple[int, ...], list[str]] = {}
    for i, name in enumerate(points.names):
        there = np.flatnonzero(~np.isfinite(points.values[:, i])).tolist()
        if there:
            lacking.setdefault(tuple(there), []).append(name)
    for rows, names in lacking.items():
        some = ", ".join(points.labels[j] for j in rows[:NAMED])
        remain = f"{len(points.labels) - len(rows)} of {len(points.labels)} {points.over} remain"
        more = ", …" if len(rows) > NAMED else "."
        yield f"{'; '.join(names)}: {remain}, no value for {some}{more}"
