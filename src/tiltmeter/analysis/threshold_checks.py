"""Whether thresholds are about what will be measured: found out before a model is loaded.

They are checked against what studies declare before anything is loaded, and against their items afterwards.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from tiltmeter.analysis.compare import compared_over
from tiltmeter.analysis.thresholds import Threshold
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.items import Dataset
from tiltmeter.core.study import EVERY, Measure
from tiltmeter.run.jobs import Job
from tiltmeter.run.measure import reported

Declared: TypeAlias = Mapping[str, Sequence[Measure]]
"""Measures by the name of their study."""


def check_declared(
    thresholds: Sequence[Threshold],
    studies: Declared,
    *,
    differences: bool = False,
    collection: Collection[str] = (),
) -> None:
    """See that the studies report measures of these names, and over such subsets.

    With `differences`, those between two results are known as well.

    Raises:
        UnknownName: There is no such study or measure, or it is reported over no such axis.
        BadInput: It is not reported over all items, or cannot have that value.
    """
    for limit in thresholds:
        if limit.name in collection and not limit.groups and not limit.study:
            continue
        if limit.study and limit.study not in studies:
            raise UnknownName("study measured here", limit.study, studies)
        over: dict[str, set[tuple[str, ...]]] = {}
        for study in [limit.study] if limit.study else studies:
            for each in _reported(studies[study], differences=differences):
                over.setdefault(each.name, set()).add(each.axes)
                if each.name == limit.name:
                    limit.check_range(each.unit, each.neutral)
        if limit.name not in over:
            raise UnknownName("measure", limit.name, [*over, *collection])
        reported = over[limit.name]
        axes = {axis for crossing in reported for axis in crossing if crossing != EVERY}
        if not limit.groups and () not in reported:
            example = ",".join(f"{axis}=…" for axis in min(reported))
            raise BadInput(
                f"{limit.source}: {limit.name} is not reported over all items",
                f"name a subset: {limit.name}:{example}",
            )
        unknown = [axis for axis in limit.groups if axis not in axes and EVERY not in reported]
        if unknown:
            raise UnknownName(f"axis of {limit.name}", unknown[0], axes)


class _Reported(NamedTuple):
    """A measure over a crossing of axes."""

    name: str
    unit: str
    neutral: float | None
    axes: tuple[str, ...]


def _reported(measures: Iterable[Measure], *, differences: bool) -> Iterator[_Reported]:
    for m in measures:
        yield from (_Reported(m.name, m.unit, m.neutral, axes) for axes in m.over)
        if differences and (by := m.comparison) is not None:
            name, unit = by.name_of(m.name), by.unit_of(m.unit)
            yield from (_Reported(name, unit, by.neutral, axes) for axes in compared_over(m, by))


def check_jobs(thresholds: Sequence[Threshold], jobs: Sequence[Job]) -> None:
    """The same for jobs that are planned: under their rule and convention, with their items.

    Raises:
        UnknownName, BadInput: As `check_declared` and `check_items`.
    """
    for job in jobs if thresholds else ():
        measures = [m for member in job.plan.members for m in reported(job.study, member.chosen)]
        if not job.plan.ensemble:  # whose own rule no measure is limited to
            check_declared(thresholds, {job.study.name: measures})
        check_items(thresholds, job.items, _axes(measures))


def check_rows(
    thresholds: Sequence[Threshold], rows: Sequence[tuple[str, Sequence[Measure], Dataset[Any]]]
) -> None:
    """The same for several studies: a subset must be in the items of one that reports the measure.

    Raises:
        UnknownName: No item of any of them has the axis, or the value.
    """
    for limit in thresholds:
        refusals = []
        for study, measures, items in rows:
            if limit.study not in {"", study} or all(m.name != limit.name for m in measures):
                continue
            try:
                check_items([limit], items, _axes(measures))
            except UnknownName as refusal:
                refusals.append(refusal)
            else:
                break
        else:
            if refusals:
                raise refusals[0]


def _axes(measures: Iterable[Measure]) -> set[str]:
    return {axis for m in measures for crossing in m.over for axis in crossing}


def check_items(
    thresholds: Sequence[Threshold], items: Dataset[Any], declared: Collection[str] = ()
) -> None:
    """See that the items have the axes and the values that subsets are named by.

    `declared` are axes that the study names itself: a rule may know them where the items do not.

    Raises:
        UnknownName: No item has the axis, or the value.
    """
    axes = {axis for item in items.items for axis in getattr(item, "groups", ())}
    for axis, value in dict.fromkeys(pair for limit in thresholds for pair in limit.groups.items()):
        if axis not in axes and axis not in declared:
            raise UnknownName("axis of the items", axis, axes)
        values = {
            str(item.groups[axis]) for item in items.items if axis in getattr(item, "groups", {})
        }
        if values and value not in values:
            raise UnknownName(f"value of {axis}", value, values)
