"""Contrasts: the difference between the items with one value of an axis and those with another."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, estimated
from tiltmeter.core.measures import SEVERAL, Contrast, Measure
from tiltmeter.core.samples import ContrastSample, TwoSides, rng_of
from tiltmeter.core.text import counted
from tiltmeter.core.types import Integers
from tiltmeter.core.wordings import AXIS as WORDING
from tiltmeter.run.measuring.columns import Columns
from tiltmeter.run.measuring.over_wordings import has_variant, like_these, wordings_of
from tiltmeter.run.measuring.repeat_intervals import Repeated

REST = "the others"
EVERY_PAIR = "every pair"
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
                    layers = counted.layers(np.concatenate([a, b]))
                    apart = _by_wording(first, counted, a, b, seed) if not within else {}
                    for i in members:
                        m, n = measures[i], len(a) + len(b)
                        estimate = _difference(m, made, n, groups, seed, layers)
                        estimates[i] += [estimate, *_over_wordings(m, estimate, apart, seed)]
    return estimates


def _by_wording(
    m: Measure, columns: Columns, a: Integers, b: Integers, seed: int
) -> dict[str, TwoSides | str]:
    """Both sides of a contrast in each of several wordings that both have."""
    others = dict(wordings_of(columns, b))
    return {
        wording: _opposed(m, columns, (rows, others[wording]), seed)
        for wording, rows in wordings_of(columns, a)
        if wording in others
    }


def _over_wordings(
    m: Measure, whole: Estimate, apart: dict[str, TwoSides | str], seed: int
) -> Iterator[Estimate]:
    """The number in each of several wordings, and in wordings like these."""
    if len(apart) < 2:  # noqa: PLR2004
        return
    values = {}
    for wording, sides in apart.items():
        n = 0 if isinstance(sides, str) else len(sides.clusters_a) + len(sides.clusters_b)
        estimate = _difference(m, sides, n, {WORDING: wording, **whole.groups}, seed)
        yield estimate
        if estimate.value is not None:
            values[wording] = estimate.value
    if has_variant(m):
        yield from like_these(m, whole, values)


def _contrast(m: Measure) -> Contrast:
    if m.contrast is None:
        raise TypeError(f"{m.name} has no contrast")
    return m.contrast


def _family(m: Measure) -> tuple[object, ...]:
    """A key that is equal for measures with the same two sides and the same columns."""
    c = _contrast(m)
    of_contrast = (c.axis, c.against_rest, c.background, c.named_by_first, c.against, c.several)
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
    if contrast.against:
        reference = groups.pop(contrast.against, None)
        for label, mine in groups.items() if reference is not None else ():
            yield f"{label} − {contrast.against}", mine, reference
        return
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
    if axis is None or contrast.against_rest or contrast.against:
        return ""
    present = {axis.labels[code] for code in np.unique(axis.codes[rows]) if code >= 0}
    values = len(present - {contrast.background})
    if (pairs := comb(values, 2)) <= MOST_PAIRS:
        return ""
    return (
        f"{counted(values, 'values')} make {counted(pairs, 'pairs')}, and at most {MOST_PAIRS:,} "
        "are compared"
    )


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
    layers: Integers | None = None,
) -> Estimate:  # fmt: skip
    value, sure, why = None, Inference(None, None), ""
    if isinstance(sides, str):
        why = sides
    else:
        try:
            sample = ContrastSample(m.metric, sides, rng_of(seed, m.name))
            value, sure = _contrast(m).by(sample)
            if layers is not None and not m.samples_replies:
                sure = _contrast_over_layers(m, sample, layers, value, sure, seed)
            why = sure.why
        except Undefined as undefined:
            why = str(undefined)
    return estimated(
        m.name, value, sure, n=n, neutral=m.neutral, unit=m.unit, why=why, groups=groups,
        meaning=m.meaning,
    )  # fmt: skip


def _contrast_over_layers(
    m: Measure, sample: ContrastSample, layers: Integers, value: float, sure: Inference, seed: int
) -> Inference:
    """The uncertainty of a difference; `layers` has the rows of the first side, then those of the second."""
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

    return Repeated(both, layers, by).inference(value, sure)
