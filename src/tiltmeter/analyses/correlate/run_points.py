"""Numbers to correlate that come from runs: which estimates of a run stand for its points."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from tiltmeter.analyses.correlate.joined_names import measure_name
from tiltmeter.analyses.correlate.points import Observation, Origin, Over
from tiltmeter.core.analysis import once
from tiltmeter.core.data.category_names import CATEGORY, usual_name
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.derived.comparisons.comparable_numbers import tokens_of

LISTED = 12
"""How many names of estimates a message quotes."""
Families: TypeAlias = dict[tuple[str, ...], list[Estimate]]
"""Estimates of one name by the axes that they are over."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which estimate stands for a run."""

    name: str = ""
    """"" is the study's headline."""
    groups: tuple[tuple[str, str], ...] = ()
    """The subset, by axis and value; () is all items."""

    def __str__(self) -> str:
        axes = ",".join(f"{axis}={value}" for axis, value in self.groups)
        return f"{self.name}:{axes}" if axes else self.name or "headline"


def wanted(text: str) -> Wanted:
    """What --measure says: NAME, or NAME:AXIS=VALUE,AXIS=VALUE.

    Raises:
        BadInput: It is neither.

    >>> str(wanted("rate:domain=gender")), wanted("rate").groups
    ('rate:domain=gender', ())
    """
    name, colon, rest = text.partition(":")
    pairs = [part.partition("=") for part in rest.split(",")] if colon else []
    if not name.strip() or any(not (axis.strip() and value.strip()) for axis, _, value in pairs):
        raise BadInput(
            f"--measure {text!r} is not NAME or NAME:AXIS=VALUE", "write rate:domain=race"
        )
    groups = tuple((axis.strip(), value.strip()) for axis, _, value in pairs)
    return Wanted(name.strip(), groups)


def of_runs(
    runs: Sequence[tuple[Path, Result]],
    over: Over,
    measures: Sequence[Wanted] = (),
    axes: Sequence[str] = (),
    labels: Collection[str] = (),
) -> list[Observation]:
    """The estimates that stand for each run.

    Args:
        runs: Each with the folder it was read from.
        over: Over models it is one estimate for each of `measures`; over groups and cells all of that
            name over one axis, or one crossing of axes.
        measures: By default the headline. A run need not have all of them, but one.
        axes: Over groups and cells; "a,b" is a crossing, "category" the axis that the study declares, and of
            several the first that a run has is taken. By default the categories, where runs are of several
            studies; else that with the most values that another run, or `labels`, has too, and among these
            that with the most values; over groups crossings are left out.
        labels: Names of groups that other sources have.

    Raises:
        BadInput: A run is given twice, or has none of these estimates; or no run has an axis.
    """
    once([folder for folder, _ in runs], "give each run folder once")
    wants = measures or [Wanted()]
    by = [[_families(result, want) for want in wants] for _, result in runs]
    _check_axes([(r.card, f) for (_, r), some in zip(runs, by, strict=True) for f in some], axes)
    several = len({result.card.study for _, result in runs}) > 1
    shared = _shared(by, labels) if over != "models" else ()
    observations: list[Observation] = []
    splits: dict[
        str, str
    ] = {}  # how models split texts into tokens, each by the first model that does
    for (folder, result), of_wants in zip(runs, by, strict=True):
        of_run = []
        for want, families in zip(wants, of_wants, strict=True):
            axis: tuple[str, ...] = ()
            if over != "models":
                axis = (result.card.categories,)
                if axes or not several or axis not in families:
                    axis = _chosen(families, axes, over, shared, result.card)
                if not axis:
                    continue
            chosen = families.get(axis, ())
            split = tokens_of(result) if any(e.meaning.by_token for e in chosen) else ""
            first = splits.setdefault(split, f"as {result.card.model_name} splits") if split else ""
            of_run += [*_over_axis(folder, result, want, chosen, axis, first)]
        if not of_run:
            raise _no_such(folder, result, over, wants, axes)
        observations += of_run
    return observations


def _name(result: Result, want: Wanted) -> str:
    """The name that is wanted; by default the headline's or, without one, that of a number by category."""
    categories = [result.card.categories]
    by_category = (e for e in result.estimates if [*e.groups] == categories)
    head = result.headline or next(by_category, None)
    return want.name or (head.name if head else "")


def _check_axes(families: Sequence[tuple[Card, Families]], axes: Sequence[str]) -> None:
    """Refuse an axis that selects nothing in any run."""
    there = dict.fromkeys(axis for _, some in families for axis in some if axis)
    for text in axes:
        if there and not any(_names(text, axis, c) for c, some in families for axis in some):
            listed = [",".join(axis) for axis in there]
            near = get_close_matches(text, listed, n=1)
            raise BadInput(
                f"no run has a number by {text}; the axes are: {'; '.join(listed[:LISTED])}",
                f"did you mean {near[0]!r}?" if near else "name one of these with --axis",
            )


def _names(text: str, axis: tuple[str, ...], card: Card) -> bool:
    """Whether --axis names these axes: "category" also means the axis that the study declares."""
    return sorted(axis) == sorted(map(str.strip, text.split(","))) or (
        text == CATEGORY and axis == (card.categories,)
    )


def _families(result: Result, want: Wanted) -> Families:
    """The estimates of the wanted name and subset, by the axes that split them further; () for none."""
    fixed = dict(want.groups)
    name = _name(result, want)
    families: Families = {}
    for e in result.estimates:
        free = tuple(axis for axis in e.groups if axis not in fixed)
        if e.name == name and fixed.items() <= dict(e.groups).items():
            families.setdefault(free, []).append(e)
    return families


def _shared(by: Sequence[Sequence[Families]], labels: Collection[str]) -> Collection[str]:
    """The usual names of groups that two runs have, or that are among `labels`."""
    runs = Counter(
        name for of_run in by for name in {usual_name(label) for f in of_run for label in _all(f)}
    )
    return {name for name, count in runs.items() if count > 1} | {*map(usual_name, labels)}


def _all(families: Families) -> Iterator[str]:
    """The labels of all groups in these estimates."""
    return (_label(e, axis) for axis, some in families.items() for e in some if axis)


def _label(e: Estimate, axis: tuple[str, ...]) -> str:
    return ", ".join(e.groups[name] for name in axis)


def _chosen(
    families: Families, axes: Sequence[str], over: Over, shared: Collection[str], card: Card
) -> tuple[str, ...]:
    """The axis, or crossing of axes, to take; () where there is none."""
    for text in axes:
        for axis in families:
            if _names(text, axis, card):
                return axis
    candidates = [] if axes else [f for f in families if len(f) == 1 or (f and over == "cells")]

    def rank(axis: tuple[str, ...]) -> tuple[int, int]:
        common = sum(usual_name(_label(e, axis)) in shared for e in families[axis])
        return common, len(families[axis])

    return max(candidates, key=rank, default=())


def _over_axis(
    folder: Path, result: Result, want: Wanted, estimates: Sequence[Estimate], axis: tuple[str, ...],
    tokens: str,
) -> Iterator[Observation]:  # fmt: skip
    """A number for each of these estimates over the axis; over () it is the one of all items.

    `tokens` says in words how the model splits texts into tokens, for numbers that depend on it.
    """
    by = f", by {' and '.join(axis)}" if axis else ""
    facts = {"by": ", ".join(axis), "tokens": tokens}
    card = result.card
    part = "".join(f", {name}: {value}" for name, value in want.groups)
    for e in estimates:
        study = e.study or card.study
        quantity = f"{study} {e.name}{part}"
        yield Observation(
            card.model_name or e.model, _label(e, axis), measure_name(quantity, card, [card.rule]), e.value,
            f"study {study}, data {card.data['name']}{by}", str(folder),
            (*_facts(card), *((name, fact) for name, fact in facts.items() if fact)),
            Origin(result, e), quantity,
        )  # fmt: skip


def _facts(card: Card) -> tuple[tuple[str, str], ...]:
    """What makes a number of the same study, rule and convention another measure."""
    digest = str(card.data.get("sha256") or "")[:8]
    facts = {"data": str(card.data["name"]), "of": digest, "ties": card.ties, **card.settings}
    return tuple(facts.items())


def _no_such(
    folder: Path, result: Result, over: Over, measures: Sequence[Wanted], axes: Sequence[str]
) -> BadInput:
    by = f" by {' or by '.join(axes)}" if axes else " by group" if over != "models" else ""
    wants = " nor ".join(str(want) for want in measures)
    whole = [e.name for e in result.estimates if not e.groups]
    kinds = Counter((e.name, *e.groups) for e in result.estimates if e.groups)
    by_axis = [f"{name} by {', '.join(of)}" for name, *of in kinds]
    if over != "models":
        there, way_out = by_axis, "name one of these with --measure and --axis"
    elif whole:
        there, way_out = whole, "name one of these with --measure"
    else:  # no number over all items: single ones can stand for a run
        there = [
            str(Wanted(e.name, tuple(e.groups.items())))
            for e in result.estimates
            if len(e.groups) == 1
        ]
        way_out = f"name one of these with --measure, or take --over groups ({'; '.join(by_axis)})"
    some = ", ".join(there[:LISTED])
    more = f" and {len(there) - LISTED} more" if len(there) > LISTED else ""
    lacks = "number over all items" if wants == str(Wanted()) and not by else f"{wants}{by}"
    return BadInput(
        f"the run has no {lacks}; it has {f'{some}{more}' or 'no numbers of that kind'}",
        way_out,
        file=str(folder),
    )
