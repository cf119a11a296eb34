"""Parts of one result held against each other, such as two groups, or two ways to ask."""

import zlib
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Inference, estimated
from tiltmeter.core.samples import ContrastSample
from tiltmeter.core.study import SEVERAL, Contrast, Measure
from tiltmeter.core.two_sides import TwoSides
from tiltmeter.core.types import Groups, Integers
from tiltmeter.run.columns import Columns

REST = "the others"
EVERY_PAIR = "every pair"
MOST_PAIRS = 1_000
"""More pairs of values than anybody reads; after adjustment hardly a p of theirs could be small."""


def contrasts(measures: Sequence[Measure], columns: Columns, seed: int) -> list[list[Estimate]]:
    """For each measure: one part less the other, within each subset that it is reported over.

    Measures of the same two sides and columns are computed one after the other, with what they share.
    """
    families: dict[object, list[int]] = {}
    for i, m in enumerate(measures):
        families.setdefault(_family(m), []).append(i)
    estimates: list[list[Estimate]] = [[] for _ in measures]
    for members in families.values():
        first = measures[members[0]]
        counted = columns.where(first.where)
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
                    made = _opposed(first, counted, (a, b), groups, seed)
                    for i in members:
                        estimates[i].append(
                            _difference(measures[i], made, len(a) + len(b), groups, seed)
                        )
    return estimates


def _contrast(m: Measure) -> Contrast:
    if m.contrast is None:
        raise TypeError(f"{m.name} has no contrast")
    return m.contrast


def _family(m: Measure) -> tuple[object, ...]:
    """Equal for measures of the same two sides and columns."""
    c = _contrast(m)
    of_contrast = (c.axis, c.against_rest, c.background, c.named_by_first, c.several)
    return *of_contrast, m.over, m.of_several, m.columns, repr(m.where)


def sides_of(
    contrast: Contrast, columns: Columns, rows: Integers
) -> Iterator[tuple[str, Integers, Integers]]:
    """What is compared, by name, and the rows of both sides; nothing where that makes too many pairs."""
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
    """Why the values of the axis are not compared two by two; "" where they are."""
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
    """Which rows are one of the others: items that do not have the value, each of them once."""
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
    m: Measure,
    columns: Columns,
    sides: tuple[Integers, Integers],
    groups: dict[str, str],
    seed: int,
) -> TwoSides | str:
    """Both sides; or why they have no such columns."""
    try:
        a, b = ([columns.column(name, rows) for name in m.columns] for rows in sides)
    except Undefined as undefined:
        return str(undefined)
    of_a, of_b = (columns.clusters[rows] for rows in sides)
    return TwoSides(a, of_a, b, of_b, (seed, _number("", groups)))


def rng_of(seed: int, name: str, groups: Groups) -> np.random.Generator:
    """Draws that depend on what is estimated, and on nothing else that is."""
    return np.random.default_rng([seed, _number(name, groups)])


def _number(name: str, groups: Groups) -> int:
    # Python's own hash of a text differs from process to process.
    return zlib.crc32(repr((name, sorted(groups.items()))).encode())


def _difference(
    m: Measure, sides: TwoSides | str, n: int, groups: dict[str, str], seed: int
) -> Estimate:
    value, sure, why = None, Inference(None, None), ""
    if isinstance(sides, str):
        why = sides
    else:
        try:
            sample = ContrastSample(m.metric, sides, rng_of(seed, m.name, groups))
            value, sure = _contrast(m).by(sample)
            why = sure.why
        except Undefined as undefined:
            why = str(undefined)
    return estimated(
        m.name, value, sure, n=n, neutral=m.neutral, unit=m.unit, why=why, groups=groups,
        meaning=m.meaning,
    )  # fmt: skip
