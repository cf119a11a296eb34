"""Numbers to correlate: of runs, of tables of the user's, of tables that papers print."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import TypeAlias

from tiltmeter.analysis.joined_names import measure_name
from tiltmeter.analysis.points import NAMED, Observation, Origin, Over
from tiltmeter.core.analysis import Input, once
from tiltmeter.core.category_names import CATEGORY, usual_name
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Card, Estimate, Result
from tiltmeter.data.published import published
from tiltmeter.run.folder import read, why_no_run
from tiltmeter.run.folder_names import folder_name

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
    """Of which subset, by axis and value; () is all items."""

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


def read_results(inputs: Sequence[Input]) -> tuple[list[tuple[Path, Result]], list[str]]:
    """Results that were given, in order, and those of the folders that were named; notes as of `read_runs`.

    A result that was given stands with the name that its folder would have.

    Raises:
        BadInput: As `read_runs`.
    """
    folders = [Path(given) for given in inputs if not isinstance(given, Result)]
    runs, notes = read_runs(folders)
    by_folder = dict(runs)
    results = [
        (Path(folder_name(given)), given) if isinstance(given, Result)
        else (Path(given), by_folder.get(Path(given)))
        for given in inputs
    ]  # fmt: skip
    return [(folder, result) for folder, result in results if result is not None], notes


def all_results(inputs: Sequence[Input]) -> list[Result]:
    """Results that were given, and those of the folders that were named, in order.

    Raises:
        BadInput: A folder holds no finished run, or a damaged one.
    """
    return [given if isinstance(given, Result) else read(Path(given)) for given in inputs]


def read_runs(folders: Sequence[Path]) -> tuple[list[tuple[Path, Result]], list[str]]:
    """Finished runs among these folders, and a note for each that holds something else.

    Where runs are named, comparisons are left out.

    Raises:
        BadInput: A folder is not there, or a run is damaged; or none of them holds a run.
    """
    reasons = [(folder, why_no_run(folder)) for folder in folders]
    runs = [
        (folder, read(folder))
        for folder, why in reasons
        if not why or not folder.exists()  # which `read` refuses
    ]
    notes = [f"{folder.name} is {why}: left out." for folder, why in reasons if why]
    compared = [folder for folder, result in runs if result.card.compares_runs]
    if len(compared) < len(runs):  # the runs that they compare are meant, as by `runs/*`
        runs = [(folder, result) for folder, result in runs if folder not in compared]
        notes += [
            f"{folder.name} is a comparison of runs, not a run: left out." for folder in compared
        ]
    if folders and not runs:
        raise BadInput(
            f"none of these holds a finished run: {' '.join(notes[:NAMED]).rstrip('.')}",
            "give run folders",
        )
    return runs, notes


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
    observations: list[Observation] = []
    for at, (folder, result) in enumerate(runs):
        others = {
            usual_name(label)
            for i, some in enumerate(by) if i != at for f in some for label in _all(f)
        } | {usual_name(label) for label in labels}  # fmt: skip
        of_run = []
        for want, families in zip(wants, by[at], strict=True):
            axis: tuple[str, ...] = ()
            if over != "models":
                axis = (result.card.categories,)
                if axes or not several or axis not in families:
                    axis = _chosen(families, axes, over, others, result.card)
                if not axis:
                    continue
            of_run += [*_over_axis(folder, result, want, families.get(axis, ()), axis)]
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
    """All estimates of the name, by the axes that they are over beside those that are wanted; () is none."""
    fixed = dict(want.groups)
    families: Families = {}
    for e in result.estimates:
        free = tuple(axis for axis in e.groups if axis not in fixed)
        if e.name == _name(result, want) and fixed.items() <= dict(e.groups).items():
            families.setdefault(free, []).append(e)
    return families


def _all(families: Families) -> Iterator[str]:
    """Every group that these are about."""
    return (_label(e, axis) for axis, some in families.items() for e in some if axis)


def _label(e: Estimate, axis: tuple[str, ...]) -> str:
    return ", ".join(e.groups[name] for name in axis)


def _chosen(
    families: Families, axes: Sequence[str], over: Over, others: Collection[str], card: Card
) -> tuple[str, ...]:
    """The axis, or crossing of axes, to take; () where there is none."""
    for text in axes:
        for axis in families:
            if _names(text, axis, card):
                return axis
    candidates = [] if axes else [f for f in families if len(f) == 1 or (f and over == "cells")]

    def rank(axis: tuple[str, ...]) -> tuple[int, int]:
        shared = sum(usual_name(_label(e, axis)) in others for e in families[axis])
        return shared, len(families[axis])

    return max(candidates, key=rank, default=())


def _over_axis(
    folder: Path, result: Result, want: Wanted, estimates: Sequence[Estimate], axis: tuple[str, ...]
) -> Iterator[Observation]:
    """A number for each of these estimates over the axis; over () it is the one of all items."""
    by = f", by {' and '.join(axis)}" if axis else ""
    facts = (("by", ", ".join(axis)),) if axis else ()
    card = result.card
    part = "".join(f", {name}: {value}" for name, value in want.groups)
    for e in estimates:
        study = e.study or card.study
        quantity = f"{study} {e.name}{part}"
        yield Observation(
            card.model_name or e.model, _label(e, axis), measure_name(quantity, card, [card.rule]), e.value,
            f"study {study}, data {card.data['name']}{by}", str(folder), (*_facts(card), *facts),
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


def renamed(observations: Sequence[Observation], aliases: Mapping[str, str]) -> list[Observation]:
    """With the second name of each alias in place of the first, of models and of groups.

    Raises:
        BadInput: No model and no group has the first name.
    """
    there = {name for o in observations for name in (o.model, o.group) if name}
    for name in aliases:
        if name not in there:
            near = get_close_matches(name, there, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "it is a name as its source spells it"
            raise BadInput(f"--alias: no model and no group is named {name!r}", hint)
    return [
        replace(o, model=aliases.get(o.model, o.model), group=aliases.get(o.group, o.group))
        for o in observations
    ]


def of_published(name: str, over: Over) -> list[Observation]:
    """The numbers of a table that a paper prints.

    Raises:
        UnknownName: There is no such table.
        BadInput: It has no points of this kind.
    """
    table = published(name)
    there = {
        "models": any(n.model for n in table.numbers),
        "groups": any(n.group for n in table.numbers),
    }
    lacks = [kind for kind, has in there.items() if over in {kind, "cells"} and not has]
    if lacks:
        others = [kind for kind, has in there.items() if has]
        way_out = f"leave it out, or take --over {others[0]}" if others else "leave it out"
        raise BadInput(f"the published table {name} is not about {lacks[0]}", way_out)
    return [
        Observation(
            n.model, n.group, n.measure, float(n.printed), table.source, name, (("table", name),)
        )
        for n in table.numbers
        if (n.model or over == "groups") and (n.group or over == "models")
    ]
