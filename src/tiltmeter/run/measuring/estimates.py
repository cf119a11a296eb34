"""Estimates from columns: each measure over each subset of items, and contrasts between subsets."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, combinations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, estimated
from tiltmeter.core.measures import ARM, EVERY, SEVERAL, Contrast, Infer, Measure
from tiltmeter.core.results import Note
from tiltmeter.core.samples import ContrastSample, Sample, TwoSides, rng_of
from tiltmeter.core.types import Integers, Ties
from tiltmeter.metrics.default_inference import bootstrapped
from tiltmeter.run.measuring.columns import Columns
from tiltmeter.run.measuring.repeat_intervals import Repeated
from tiltmeter.stats.hypothesis_tests.exact_tests import benjamini_hochberg, holm
from tiltmeter.stats.resampling.bootstrap import count_of_clusters

REST = "the others"
EVERY_PAIR = "every pair"
ONE_CLUSTER = "no test: all replies are to items of one cluster"
MOST_PAIRS = 1_000
"""The maximum number of pairs of values that are compared: nobody reads more, and after adjustment for so
many comparisons hardly any p-value could be small."""


def contrasts(measures: Sequence[Measure], columns: Columns, seed: int) -> list[list[Estimate]]:
    """The estimates of each measure's contrast: the difference of two sides, in each subset reported.

    Measures with the same sides and columns are computed together and share intermediate results.
    """
    families: dict[object, list[int]] = {}
    for i, m in enumerate(measures):
        families.setdefault(_family(m), []).append(i)
    estimates: list[list[Estimate]] = [[] for _ in measures]
    for members in families.values():
        first = measures[members[0]]
        counted = columns.of_measure(first)
        whole = np.arange(len(counted))
        for axes in columns.crossings(first.over, first.of_several):
            for key, rows in counted.subsets(axes):
                within = dict(zip(axes, key, strict=True))
                if why := _too_many(_contrast(first), counted, whole[rows]):
                    groups = {**within, _contrast(first).axis: EVERY_PAIR}
                    for i in members:
                        estimates[i].append(
                            _difference(measures[i], why, len(whole[rows]), groups, seed)
                        )
                for name, a, b in sides_of(_contrast(first), counted, whole[rows]):
                    groups = {**within, _contrast(first).axis: name}
                    made = _opposed(first, counted, (a, b), seed)
                    repeats = counted.repeats(np.concatenate([a, b]))
                    for i in members:
                        estimates[i].append(
                            _difference(measures[i], made, len(a) + len(b), groups, seed, repeats)
                        )
    return estimates


def _contrast(m: Measure) -> Contrast:
    if m.contrast is None:
        raise TypeError(f"{m.name} has no contrast")
    return m.contrast


def _family(m: Measure) -> tuple[object, ...]:
    """A key that is equal for measures with the same two sides and the same columns."""
    c = _contrast(m)
    of_contrast = (c.axis, c.against_rest, c.background, c.named_by_first, c.several)
    return *of_contrast, m.over, m.of_several, m.columns, repr(m.where)


def sides_of(
    contrast: Contrast, columns: Columns, rows: Integers
) -> Iterator[tuple[str, Integers, Integers]]:
    """Yields the name of each comparison and the rows of its two sides; nothing if there are too many."""
    axis = columns.axes.get(contrast.axis)
    if axis is None:
        return
    codes = axis.codes[rows]
    present = [code for code in np.unique(codes) if code >= 0]
    rows_by_label = {axis.labels[code]: rows[codes == code] for code in present}
    if len(rows_by_label) < 2:  # noqa: PLR2004
        return
    groups = {label: mine for label, mine in rows_by_label.items() if label != contrast.background}
    if contrast.against_rest:
        for label, mine in groups.items():
            others = [theirs for other, theirs in rows_by_label.items() if other != label]
            rest = np.concatenate(others)
            rest = rest[_stands_for_others(contrast, columns, rest, label)]
            name = label if contrast.named_by_first else f"{label} − {REST}"
            yield name, mine, rest
        return
    if not _too_many(contrast, columns, rows):
        for (label, mine), (other, theirs) in combinations(groups.items(), 2):
            yield f"{label} − {other}", mine, theirs


def _too_many(contrast: Contrast, columns: Columns, rows: Integers) -> str:
    """The reason why the values of the axis are not compared in pairs; "" if they are."""
    axis = columns.axes.get(contrast.axis)
    if axis is None or contrast.against_rest:
        return ""
    present = {axis.labels[code] for code in np.unique(axis.codes[rows]) if code >= 0}
    values = len(present - {contrast.background})
    if (pairs := comb(values, 2)) <= MOST_PAIRS:
        return ""
    return f"{values:,} values make {pairs:,} pairs, and at most {MOST_PAIRS:,} are compared"


def _stands_for_others(
    contrast: Contrast, columns: Columns, rows: Integers, value: str
) -> npt.NDArray[np.bool_]:
    """Whether each row belongs to "the others": items that do not have the value, each counted once.

    An item with several values has a row for each of them; the row of its first value stands for the item.
    """
    several = columns.axes.get(contrast.several)
    if several is None:
        return np.ones(len(rows), dtype=np.bool_)
    axis = columns.axes[contrast.axis]
    lists = [label.split(SEVERAL) for label in several.labels]
    number = {label: code for code, label in enumerate(axis.labels)}
    without = np.array([value not in values for values in lists])
    first = np.array([number.get(values[0], -1) for values in lists])
    codes = several.codes[rows]
    once = axis.codes[rows] == first[codes]
    return np.asarray((codes < 0) | (without[codes] & once), dtype=np.bool_)


def _opposed(
    m: Measure, columns: Columns, sides: tuple[Integers, Integers], seed: int
) -> TwoSides | str:
    """Both sides of a contrast, or the reason why they lack the measure's columns."""
    try:
        a, b = (
            [columns.column(name, rows, optional=m.optional) for name in m.columns]
            for rows in sides
        )
    except Undefined as undefined:
        return str(undefined)
    of_a, of_b = (columns.clusters[rows] for rows in sides)
    return TwoSides(a, of_a, b, of_b, (seed,))


def _difference(
    m: Measure, sides: TwoSides | str, n: int, groups: dict[str, str], seed: int,
    repeats: Integers | None = None,
) -> Estimate:  # fmt: skip
    value, sure, why = None, Inference(None, None), ""
    if isinstance(sides, str):
        why = sides
    else:
        try:
            sample = ContrastSample(m.metric, sides, rng_of(seed, m.name))
            value, sure = _contrast(m).by(sample)
            if repeats is not None and not m.samples_replies:
                sure = _contrast_over_repeats(m, sample, repeats, value, sure, seed)
            why = sure.why
        except Undefined as undefined:
            why = str(undefined)
    return estimated(
        m.name, value, sure, n=n, neutral=m.neutral, unit=m.unit, why=why, groups=groups,
        meaning=m.meaning,
    )  # fmt: skip


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
        if columns.has_parts_of(m) and columns.scores.keys() >= {*m.needs}
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
                yield _one(m, counted, rows, groups, sample, seed)


def _expanded(
    m: Measure, measures: Sequence[Measure], columns: Columns
) -> Iterator[tuple[str, ...]]:
    """The crossings that `m` is reported over, with EVERY replaced by each axis that no measure names."""
    for axes in columns.crossings(m.over, m.of_several):
        names = _every_axis(measures, columns) if EVERY[0] in axes else [""]
        for name in names:
            yield tuple(name if axis == EVERY[0] else axis for axis in axes)


def _every_axis(measures: Sequence[Measure], columns: Columns) -> list[str]:
    """The axes that EVERY stands for: those that no measure names and that can be reported by value."""
    named = {ARM, *(axis for m in measures for axes in m.over for axis in axes)}
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
    axes_of_measures = {axis for m in measures for axes in m.over for axis in axes}
    others = sorted(columns.axes.keys() - axes_of_measures - {ARM})
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
        return f"it has {kinds:,} values; axes with more than {MOST_GROUPS} are not reported"
    if kinds > 1 and items < LEAST_ITEMS * kinds:
        return f"it has {kinds:,} values for {items:,} items, so most occur only once"
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
        if (repeats := columns.repeats(rows)) is not None and not m.samples_replies:
            sure = _over_repeats(m, sample, repeats, value, sure, seed)
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


def _over_repeats(
    m: Measure, sample: Sample, repeats: Integers, value: float, sure: Inference, seed: int
) -> Inference:
    """The uncertainty of a number that rests on several replies to each item."""
    brought: Infer = getattr(m.metric, "infer", bootstrapped)

    def by(rows: Integers) -> tuple[float, Inference]:
        columns, clusters = [c[rows] for c in sample.columns], sample.clusters[rows]
        part = replace(sample, columns=columns, clusters=clusters, rng=rng_of(seed, m.name))
        return part.value, (m.infer or brought)(part)

    if count_of_clusters(sample.clusters) == 1 and sure.p is not None:
        # With one cluster, tests take its rows as independent, which replies to one item are not.
        sure = sure._replace(p=None, test="", why="; ".join(filter(None, (sure.why, ONE_CLUSTER))))
    repeated = Repeated(sample.columns, repeats, by)
    sure = repeated.inference(value, sure)
    return repeated.crossed(value, sure, sample.clusters, sample.metric, m.unit)


def _contrast_over_repeats(
    m: Measure, sample: ContrastSample, repeats: Integers, value: float, sure: Inference, seed: int
) -> Inference:
    """The uncertainty of a difference; `repeats` has the rows of the first side, then those of the second."""
    sides = sample.sides
    first = len(sides.clusters_a)
    both = [
        np.concatenate([np.asarray(a), np.asarray(b)])
        for a, b in zip(sides.a, sides.b, strict=True)
    ]
    clusters = np.concatenate([sides.clusters_a, sides.clusters_b])

    def by(rows: Integers) -> tuple[float, Inference]:
        a, b = rows[rows < first], rows[rows >= first]
        columns = ([column[some] for column in both] for some in (a, b))
        of_a, of_b = columns
        part = TwoSides(of_a, clusters[a], of_b, clusters[b], (seed,))
        return _contrast(m).by(ContrastSample(m.metric, part, rng_of(seed, m.name)))

    return Repeated(both, repeats, by).inference(value, sure)


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
            out[i] = replace(estimates[i], p_adjusted=p, adjustment="" if p is None else way)
    return out
