"""Estimates from columns: each measure over each subset of items, and contrasts between subsets."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, estimated
from tiltmeter.core.measures import CONTROL_AXES, EVERY, Infer, Measure
from tiltmeter.core.results import Note
from tiltmeter.core.samples import Sample, rng_of
from tiltmeter.core.text import counted
from tiltmeter.core.types import Integers, Ties
from tiltmeter.core.wordings import AXIS as WORDING
from tiltmeter.metrics.default_inference import bootstrapped
from tiltmeter.run.measuring.columns import Columns
from tiltmeter.run.measuring.contrasts import contrasts
from tiltmeter.run.measuring.over_wordings import (
    has_variant,
    like_these,
    variance_shares,
    wordings_of,
)
from tiltmeter.run.measuring.repeat_intervals import Repeated
from tiltmeter.stats.hypothesis_tests.exact_tests import benjamini_hochberg, holm
from tiltmeter.stats.resampling.bootstrap import count_of_clusters

ONE_CLUSTER = "no test: all replies are to items of one cluster"
ADJUSTMENTS = {"Holm": holm, "Benjamini–Hochberg": benjamini_hochberg}
MOST_GROUPS = 40
"""The maximum number of values of a user's axis that is reported value by value."""
LEAST_ITEMS = 2
"""The minimum average number of items per value of such an axis: with fewer, values name single items."""


def estimates(
    measures: Sequence[Measure], columns: Columns, ties: Ties, seed: int, *, fixed: bool = False
) -> Iterator[Estimate]:
    """Yields the estimates of each measure, for each crossing of group axes that it is reported over.

    `fixed` says whether the design of the data fixed the number of items with each label.
    """
    reported = [
        of_axis
        for m in measures
        if columns.has_parts_of(m) and {*columns.scores, *columns.axes} >= {*m.needs}
        for of_axis in _of_each_axis(m, measures, columns)
    ]
    apart = iter(contrasts([m for m in reported if m.contrast is not None], columns, seed))
    for m in reported:
        if m.contrast is not None:
            yield from next(apart)
            continue
        crossings = list(_expanded(m, measures, columns))
        counted = columns.of_measure(m)
        for axes in crossings:
            subsets = list(counted.subsets_of(m, axes))
            differing = _differing(axes, [key for key, _ in subsets])
            if len(differing) < len(axes) > 1 and differing in crossings:
                continue  # crossing with an axis that has a single value would repeat the other axes
            for key, rows in subsets:
                groups = {**dict(zip(axes, key, strict=True)), **m.at}
                metric = partial(m.metric, ties=ties) if m.uses_ties else m.metric
                rng = rng_of(seed, m.name)
                sample = Sample(metric, (), counted.units(m.units, rows), rng, fixed)
                whole = _one(m, counted, rows, groups, sample, seed)
                yield whole
                if axes == crossings[0] and has_variant(m):
                    yield from like_these(m, whole, _values(m, counted, rows, sample))
    yield from _shares(reported, columns, ties)


def _values(m: Measure, columns: Columns, rows: Any, sample: Sample) -> dict[str, float]:
    """The value of a measure in each wording that has one."""
    values = {}
    for wording, some in wordings_of(columns, np.arange(len(columns))[rows]):
        try:
            read = [
                columns.column(name, some, numbered=m.numbered, optional=m.optional)
                for name in m.columns
            ]
            values[wording] = sample.metric(*read)
        except Undefined:
            continue
    return {wording: value for wording, value in values.items() if np.isfinite(value)}


def _shares(measures: Sequence[Measure], columns: Columns, ties: Ties) -> Iterator[Estimate]:
    """What the variance is from, of one measure whose rows differ: the first that leans, else the first."""
    candidates = [m for m in measures if () in m.over and has_variant(m) and m.contrast is None]
    for m in sorted(candidates, key=lambda m: m.meaning.role != "lean"):
        shares = [*variance_shares(m, columns, ties)]
        if any(e.value is not None for e in shares):
            yield from shares
            return


def _expanded(
    m: Measure, measures: Sequence[Measure], columns: Columns
) -> Iterator[tuple[str, ...]]:
    """The crossings that `m` is reported over, with EVERY replaced by each axis that no measure names."""
    over = m.over
    described = m.meaning.bounds or m.meaning.variant_of
    if () in over and not described and columns.wordings(slice(None)) is not None:
        over = (*over, (WORDING,))
    for axes in columns.crossings(over, m.of_several):
        names = _every_axis(measures, columns) if EVERY[0] in axes else [""]
        for name in names:
            yield tuple(name if axis == EVERY[0] else axis for axis in axes)


def _every_axis(measures: Sequence[Measure], columns: Columns) -> list[str]:
    """The axes that EVERY stands for: those that no measure names and that can be reported by value."""
    apart = {*CONTROL_AXES, WORDING}
    named = apart | {axis for m in measures for axes in m.over for axis in axes}
    return [
        name
        for name, axis in sorted(columns.axes.items())
        if name not in named and len(axis.labels) > 1 and not _why_left_out(columns, name)
    ]


def _of_each_axis(m: Measure, measures: Sequence[Measure], columns: Columns) -> Iterator[Measure]:
    """The measure itself or, if EVERY is one of its columns, one per axis, over the items that have it."""
    (each,) = EVERY
    if each not in m.columns:
        yield m
        return
    for name in _every_axis(measures, columns):
        yield replace(
            m,
            columns=tuple(name if column == each else column for column in m.columns),
            where={**m.where, name: tuple(columns.axes[name].labels)},
            at={key: name if value == each else value for key, value in m.at.items()},
            contrast=m.contrast and replace(m.contrast, axis=name),
        )


def axes_left_out(measures: Sequence[Measure], columns: Columns) -> list[Note]:
    """Notes on the user's own axes for which no results are reported, with the reason."""
    if not any({*EVERY} & {*m.columns, *chain(*m.over)} for m in measures):
        return []
    apart = {*CONTROL_AXES, WORDING}
    axes_of_measures = apart | {axis for m in measures for axes in m.over for axis in axes}
    others = sorted(columns.axes.keys() - axes_of_measures)
    return [
        Note("axes", f"No results by {name.replace('_', ' ')}: {why}.")
        for name in others
        if (why := _why_left_out(columns, name))
    ]


def _why_left_out(columns: Columns, name: str) -> str:
    """The reason why a user's own axis is not reported value by value; "" if it is."""
    axis = columns.axes[name]
    labelled = np.flatnonzero(axis.codes >= 0)
    kinds, items = len(axis.labels), len(labelled)
    if columns.items is not None:
        items = count_of_clusters(columns.items[labelled])
    if kinds > MOST_GROUPS:
        return (
            f"it has {counted(kinds, 'values')}; axes with more than {MOST_GROUPS} are not reported"
        )
    if kinds > 1 and items < LEAST_ITEMS * kinds:
        return f"it has {counted(kinds, 'values')} for {counted(items, 'items')}, so most occur only once"
    return ""


def _differing(axes: tuple[str, ...], keys: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The axes on which these keys differ; all axes if there are no keys."""
    if not keys:
        return axes
    return tuple(
        axis
        for axis, labels in zip(axes, zip(*keys, strict=True), strict=True)
        if len({*labels}) > 1
    )


def _one(
    m: Measure, columns: Columns, rows: Any, groups: dict[str, str], sample: Sample, seed: int
) -> Estimate:
    value, sure = None, Inference(None, None)
    try:
        read = [
            columns.column(name, rows, numbered=m.numbered, optional=m.optional)
            for name in m.columns
        ]
        value = sample.metric(*read)
        brought: Infer = getattr(m.metric, "infer", bootstrapped)
        sample = replace(sample, columns=read)
        sure = (m.infer or brought)(sample)
        if (layers := columns.layers(rows)) is not None and not m.samples_replies:
            sure = _over_layers(m, sample, layers, columns.repeats(rows), value, sure, seed)
        why = sure.why
    except Undefined as undefined:
        why = str(undefined) if value is None else f"no interval: {undefined}"
        why = why if len(columns) else f"there are no {m.meaning.counts}"
    tied = columns.tied[rows] if not m.compares else _ties_in(m, columns, rows)
    n = len(tied)
    rests_on = m.rests_on or getattr(m.metric, "rests_on", None)
    if value is not None and rests_on is not None:
        n = rests_on([columns.column(name, rows, optional=m.optional) for name in m.columns])
    return estimated(
        m.name, value, sure, n=n, neutral=m.neutral, unit=m.unit, why=why, groups=groups,
        tied=int(tied.sum()), meaning=m.meaning,
    )  # fmt: skip


def _over_layers(
    m: Measure, sample: Sample, layers: Integers, repeats: Integers | None, value: float,
    sure: Inference, seed: int,
) -> Inference:  # fmt: skip
    """The uncertainty of a number that rests on several replies to each item: in wordings, or repeats."""
    brought: Infer = getattr(m.metric, "infer", bootstrapped)

    def by(rows: Integers) -> tuple[float, Inference]:
        columns, clusters = [c[rows] for c in sample.columns], sample.clusters[rows]
        part = replace(sample, columns=columns, clusters=clusters, rng=rng_of(seed, m.name))
        return part.value, (m.infer or brought)(part)

    if count_of_clusters(sample.clusters) == 1 and sure.p is not None:
        # With one cluster, tests take its rows as independent, which replies to one item are not.
        sure = sure._replace(p=None, test="", why="; ".join(filter(None, (sure.why, ONE_CLUSTER))))
    sure = Repeated(sample.columns, layers, by).inference(value, sure)
    if repeats is None:
        return sure
    repeated = Repeated(sample.columns, repeats, by)
    return repeated.crossed(value, sure, sample.clusters, sample.metric, m.unit)


def _ties_in(m: Measure, columns: Columns, rows: Any) -> npt.NDArray[np.bool_]:
    """Whether each row has two equal scores among those that the measure compares; shape (n,)."""
    equal = [columns.scores[a][rows] == columns.scores[b][rows] for a, b in m.compares]
    return np.asarray(np.any(equal, axis=0), dtype=np.bool_)


def adjusted(estimates: Sequence[Estimate], measures: Sequence[Measure] = ()) -> list[Estimate]:
    """The estimates with p-values adjusted within each family: one model, one name and one set of axes.

    The method is that of `Measure.adjustment`, or Holm's if no measure has the name.
    """
    ways = {m.name: m.adjustment for m in measures}
    families: dict[tuple[str, ...], list[int]] = {}
    for i, e in enumerate(estimates):
        if e.groups:
            families.setdefault((e.model, e.name, *sorted(e.groups)), []).append(i)
    out = list(estimates)
    for (_, name, *_), members in families.items():
        way = ways.get(name, "Holm")
        corrected = ADJUSTMENTS[way]([estimates[i].p for i in members])
        for i, p in zip(members, corrected, strict=True):
            if p is not None:
                out[i] = replace(estimates[i], p_adjusted=p, adjustment=way)
    return out
