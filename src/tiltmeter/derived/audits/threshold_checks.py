"""Whether thresholds are about what will be measured: found out before a model is loaded.

They are checked against what studies declare before anything is loaded, and against their items afterwards.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.estimates import Meaning
from tiltmeter.core.measures import EVERY, Measure
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.study import Study
from tiltmeter.derived.audits.threshold_text import (
    Labels,
    address,
    axis_keys,
    printed_key,
    value_keys,
)
from tiltmeter.derived.audits.thresholds import SHARED, Threshold
from tiltmeter.derived.comparisons.compare import compared_over, further_numbers
from tiltmeter.derived.comparisons.measured_difference import difference_meaning
from tiltmeter.run.jobs import Job
from tiltmeter.run.measuring.contrasts import EVERY_PAIR
from tiltmeter.run.measuring.measure import reported

Declared: TypeAlias = Mapping[str, Sequence[Measure]]
"""The declared measures, by the name of their study."""
_ANY = EVERY[0]


def check_declared(
    thresholds: Sequence[Threshold],
    studies: Declared,
    *,
    differences: bool = False,
    collection: Collection[Quantity] = (),
) -> None:
    """Raise BadInput if a study does not report measures of these names, or not over such subsets.

    With `differences`, those between two results are known as well; `collection` are numbers that the command
    itself reports, of all studies or of each.

    Raises:
        UnknownName: There is no such study or measure, or it is reported over no such axis.
        BadInput: It is not reported over all items, or not over these axes together, or cannot have that
            value.
    """
    for limit in thresholds:
        if limit.says.claim and not differences:
            raise BadInput(
                f"{limit.source}: there is nothing that it could be equivalent to",
                "compare with something: --against of an audit, or tiltmeter compare",
            )
        own = [q for q in collection if limit.is_about_measure(q.name, q.meaning)]
        for q in own:
            limit.check_range(q.unit, q.meaning)
        mine = [name for name in studies if limit.is_about_study(name)]
        if limit.study and not mine:
            # The label of one run of a study, "bbq (limit 5)", is known once its profile is read.
            mine = [name for name in studies if name == limit.study.partition(" (")[0]]
        if limit.study and not mine:
            raise UnknownName("study measured here", limit.study, studies)
        declared = [one for name in mine for one in _reported(studies[name], differences)]
        places = [one for one in declared if limit.is_about_measure(one.name, one.meaning)]
        for one in places:
            limit.check_range(one.unit, one.meaning)
        if not places and not own:
            names = [one.name for one in declared] + [q.name for q in collection]
            raise UnknownName("measure", limit.name, {*names})
        if not own:
            _check_axes(limit, places)


@dataclass(frozen=True, slots=True)
class _Reported:
    """A measure, and the axes that its estimates are reported over."""

    name: str
    unit: str
    meaning: Meaning
    axes: tuple[str, ...]
    """Of a crossing, of a contrast, and of its fixed coordinates; "*" is any one that no measure names."""
    optional: frozenset[str] = frozenset()
    """Those of `axes` that a subset may lack, where the data have one value only."""

    def fits(self, named: Collection[str]) -> bool:
        """Whether an estimate may have just these axes, given by their keys."""
        needed = {printed_key(axis.replace("_", " ")) for axis in self.axes if axis != _ANY}
        may_lack = {printed_key(axis.replace("_", " ")) for axis in self.optional}
        others = len({*named} - needed)
        return needed - may_lack <= {*named} and others == self.axes.count(_ANY)

    @property
    def address(self) -> str:
        """How a threshold would name a subset of this measure."""
        return address(self.name, {"AXIS" if axis == _ANY else axis: "…" for axis in self.axes})


def _check_axes(limit: Threshold, places: Sequence[_Reported]) -> None:
    """See that the measure is reported over the axes of a threshold, together.

    Raises:
        UnknownName: Over one of them it is never.
        BadInput: Not over just these.
    """
    if limit.says.printed:  # it names values, not axes
        return
    known = {axis for one in places for axis in one.axes}
    given = [axis for axis in limit.groups if axis in known or axis not in SHARED]
    named = {printed_key(axis.replace("_", " ")): axis for axis in given}
    if any(one.fits(named) for one in places):
        return
    if not named:
        subset = min((one for one in places), key=lambda one: (len(one.axes), one.axes))
        raise BadInput(
            f"{limit.source}: {limit.name} is not reported over all items",
            f"name a subset: {subset.address}",
        )
    keys = {printed_key(axis.replace("_", " ")) for axis in known}
    unknown = [axis for key, axis in named.items() if key not in keys]
    if unknown and _ANY not in known:
        raise UnknownName(f"axis of {limit.name}", unknown[0], known)
    together = dict.fromkeys(one.address for one in places)
    raise BadInput(
        f"{limit.source}: {limit.name} is not reported by {' and '.join(named.values())} alone",
        f"write one of {'; '.join(together)}",
    )


def _reported(measures: Iterable[Measure], differences: bool) -> Iterator[_Reported]:  # noqa: FBT001
    for m in measures:
        yield from _places(m, m.name, m.unit, m.meaning, m.over)
        if differences and (by := m.comparison) is not None:
            meaning = difference_meaning(m, by)
            name, unit = by.name_of(m.name), by.unit_of(m.unit)
            # The study's categories may be any single axis that the measure is reported over.
            axes = [""] + [each[0] for each in m.over if len(each) == 1]
            over = dict.fromkeys(place for axis in axes for place in compared_over(m, by, axis))
            yield from _places(m, name, unit, meaning, over)


def _places(
    m: Measure, name: str, unit: str, meaning: Meaning, over: Iterable[tuple[str, ...]]
) -> Iterator[_Reported]:
    # A contrast of parts has the axis of its parts; cells of a table have coordinates of their own.
    further = (m.contrast.axis,) if m.contrast is not None else tuple(m.at)
    for axes in over:
        yield _Reported(name, unit, meaning, (*axes, *further), frozenset(m.of_several))


def check_jobs(thresholds: Sequence[Threshold], jobs: Sequence[Job]) -> None:
    """Check thresholds against planned jobs: the measures of their rule and convention, and their items.

    Several jobs are compared, so that their differences are known too.

    Raises:
        UnknownName, BadInput: As `check_declared` and `check_items`.
    """
    for job in jobs if thresholds else ():
        measures = [m for member in job.plan.members for m in reported(job.study, member.chosen)]
        if not job.plan.ensemble:  # whose own rule no measure is limited to
            check_compared(thresholds, job.study, measures, models=len(jobs))
        check_items(thresholds, job.items, measures)


def check_compared(
    thresholds: Sequence[Threshold], study: Study[Any], measures: Sequence[Measure], *, models: int
) -> None:
    """Check thresholds against one study of so many models, which are compared if there are several.

    Raises:
        UnknownName, BadInput: As `check_declared`.
    """
    several = models > 1
    numbers = further_numbers(study.views) if several else ()
    check_declared(thresholds, {study.name: measures}, differences=several, collection=[*numbers])


def check_rows(
    thresholds: Sequence[Threshold], rows: Sequence[tuple[str, Sequence[Measure], Dataset[Any]]]
) -> None:
    """Check thresholds against several studies: one that reports the measure must have the subset's items.

    Raises:
        UnknownName: No item of any of them has the axis, or the value.
    """
    for limit in thresholds:
        refusals = []
        for study, measures, items in rows:
            if not limit.is_about_study(study) or not _measures_of(limit, measures):
                continue
            try:
                check_items([limit], items, measures)
            except UnknownName as refusal:
                refusals.append(refusal)
            else:
                break
        else:
            if refusals:
                raise refusals[0]


def _measures_of(limit: Threshold, measures: Iterable[Measure]) -> list[Measure]:
    """The measures that a threshold names."""
    return [m for m in measures if limit.is_about_measure(m.name, m.meaning)]


def check_items(
    thresholds: Sequence[Threshold], items: Dataset[Any], measures: Sequence[Measure]
) -> None:
    """Raise BadInput if the items lack an axis or a value that a threshold names.

    An axis that a measure names may come from its rule: its values are known only afterwards, and
    `thresholds.judge` looks them up, as it does those of fixed coordinates.

    Raises:
        UnknownName: No item has the axis, or the value.
    """
    values: dict[str, set[str]] = {}
    for item in items.items:
        for axis, value in getattr(item, "groups", {}).items():
            values.setdefault(axis, set()).add(str(value))
    named = {axis for m in measures for axes in m.over for axis in axes}
    for limit in thresholds:
        mine = _measures_of(limit, measures)
        fixed = {axis for m in mine for axis in m.at}
        apart = {m.contrast.axis for m in mine if m.contrast is not None}
        if not fixed and not apart - {_ANY} - values.keys():
            _check_printed(limit, values, items.labels)
        for axis, value in limit.groups.items():
            if axis in {*SHARED, *fixed}:
                continue
            here = next((a for a in values if printed_key(axis) in axis_keys(a, items.labels)), "")
            if not here and axis not in named | apart:
                raise UnknownName("axis of the items", axis, values)
            known = values.get(here, set())
            keys = {key for one in known for key in value_keys(here, one, items.labels)}
            # Parts that are held against each other are printed as "A − B".
            first = value.partition(" − ")[0] if apart & {here, _ANY} else value
            if (
                known
                and first != EVERY_PAIR
                and not {printed_key(value), printed_key(first)} & keys
            ):
                raise UnknownName(f"value of {here}", value, known)


def _check_printed(limit: Threshold, values: Mapping[str, set[str]], labels: Labels) -> None:
    """See that each part of a subset that is named as it is printed, "Black × male", is in the items.

    Raises:
        UnknownName: One part is not.
    """
    printed = limit.says.printed
    known = {
        key for axis, of in values.items() for one in of for key in value_keys(axis, one, labels)
    }
    if not printed or printed_key(printed) in known | {"all"} or " − " in printed:
        return
    for part in printed.split(" × "):
        # "bias type: age" has the axis in front
        if not {printed_key(part), printed_key(part.rpartition(": ")[2])} & known:
            everything = {one for of in values.values() for one in of}
            raise UnknownName("value of an axis of the items", part, everything)
