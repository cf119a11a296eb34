"""Estimates from columns: each measure over each subset it is reported for."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Inference, Note, estimated
from tiltmeter.core.samples import Sample
from tiltmeter.core.study import EVERY, Infer, Measure
from tiltmeter.core.types import Ties
from tiltmeter.metrics.default_inference import bootstrapped
from tiltmeter.run.columns import Axis, Columns
from tiltmeter.run.contrasts import contrasts, rng_of
from tiltmeter.stats.significance import benjamini_hochberg, holm

ADJUSTMENTS = {"Holm": holm, "Benjamini–Hochberg": benjamini_hochberg}
MOST_GROUPS = 40
"""An axis of the user's with more values than this is not reported value by value."""
LEAST_ITEMS = 2
"""Nor is one with fewer items than this a value, on average: its values are names of single items."""


def estimates(
    measures: Sequence[Measure], columns: Columns, ties: Ties, seed: int
) -> Iterator[Estimate]:
    """Each measure, at each crossing of group axes that it is reported over."""
    reported = [m for m in measures if columns.has_clusters or not m.clustered]
    apart = iter(contrasts([m for m in reported if m.contrast is not None], columns, seed))
    for m in reported:
        if m.contrast is not None:
            yield from next(apart)
            continue
        crossings = list(_expanded(m, measures, columns))
        counted = columns.where(m.where)
        for axes in crossings:
            found = list(counted.subsets(axes))
            differing = _differing(axes, [key for key, _ in found])
            if len(differing) < len(axes) > 1 and differing in crossings:
                continue  # a crossing with an axis on which all are alike repeats the other axes
            for key, rows in found:
                yield _one(m, counted, rows, dict(zip(axes, key, strict=True)), ties, seed)


def _expanded(
    m: Measure, measures: Sequence[Measure], columns: Columns
) -> Iterator[tuple[str, ...]]:
    """The axes that `m` is reported over, with EVERY replaced by those no measure names."""
    named = {axis for other in measures for axes in other.over for axis in axes}
    for axes in columns.crossings(m.over, m.of_several):
        if axes != EVERY:
            yield axes
            continue
        for name in sorted(columns.axes.keys() - named):
            if len(columns.axes[name].labels) > 1 and not _why_left_out(columns.axes[name]):
                yield (name,)


def axes_left_out(measures: Sequence[Measure], columns: Columns) -> list[Note]:
    """A note for each axis of the data's own that no result is given for, and why."""
    if not any(EVERY in m.over for m in measures):
        return []
    named = {axis for m in measures for axes in m.over for axis in axes}
    others = [(name, columns.axes[name]) for name in sorted(columns.axes.keys() - named)]
    return [
        Note("axes", f"No results by {name.replace('_', ' ')}: {why}.")
        for name, axis in others
        if (why := _why_left_out(axis))
    ]


def _why_left_out(axis: Axis) -> str:
    """Why an axis of the data's own is not reported value by value; "" where it is."""
    kinds, items = len(axis.labels), int((axis.codes >= 0).sum())
    if kinds > MOST_GROUPS:
        return f"it has {kinds:,} values; axes with more than {MOST_GROUPS} are not reported"
    if kinds > 1 and items < LEAST_ITEMS * kinds:
        return f"it has {kinds:,} values for {items:,} items, so most occur only once"
    return ""


def _differing(axes: tuple[str, ...], keys: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The axes on which these are not all alike; all axes where there is nothing to be alike."""
    if not keys:
        return axes
    return tuple(
        axis
        for axis, labels in zip(axes, zip(*keys, strict=True), strict=True)
        if len({*labels}) > 1
    )


def _one(
    m: Measure, columns: Columns, rows: Any, groups: dict[str, str], ties: Ties, seed: int
) -> Estimate:
    rng = rng_of(seed, m.name, groups)
    metric: Callable[..., float] = partial(m.metric, ties=ties) if m.uses_ties else m.metric
    value, sure = None, Inference(None, None)
    try:
        read = [columns.column(name, rows, numbered=m.numbered) for name in m.columns]
        value = metric(*read)
        brought: Infer = getattr(m.metric, "infer", bootstrapped)
        sure = (m.infer or brought)(Sample(metric, read, columns.clusters[rows], rng))
        why = sure.why
    except Undefined as undefined:
        why = str(undefined) if value is None else f"no interval: {undefined}"
    tied = columns.tied[rows] if not m.compares else _ties_in(m, columns, rows)
    n = len(tied)
    rests_on = m.rests_on or getattr(m.metric, "rests_on", None)
    if value is not None and rests_on is not None:
        n = rests_on([columns.column(name, rows) for name in m.columns])
    return estimated(
        m.name, value, sure, n=n, neutral=m.neutral, unit=m.unit, why=why, groups=groups,
        tied=int(tied.sum()), meaning=m.meaning,
    )  # fmt: skip


def _ties_in(m: Measure, columns: Columns, rows: Any) -> npt.NDArray[np.bool_]:
    """Which items have two equal scores among those that the measure compares."""
    equal = [columns.scores[a][rows] == columns.scores[b][rows] for a, b in m.compares]
    return np.asarray(np.any(equal, axis=0), dtype=np.bool_)


def adjusted(estimates: Sequence[Estimate], measures: Sequence[Measure] = ()) -> list[Estimate]:
    """Corrected within each family: the estimates of one name over one set of axes.

    As `Measure.adjustment` says; by Holm where no measure has that name.
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
            out[i] = replace(estimates[i], p_adjusted=p, adjustment="" if p is None else way)
    return out
