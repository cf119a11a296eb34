"""Parts of one result held against each other on the same clusters, such as two ways to ask."""

import zlib
from collections.abc import Iterator
from itertools import combinations

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Inference
from tiltmeter.core.study import Contrast, Measure
from tiltmeter.core.types import Integers
from tiltmeter.run.columns import Columns

REST = "the others"


def contrasts(m: Measure, contrast: Contrast, columns: Columns, seed: int) -> Iterator[Estimate]:
    """The measure of one part less that of the other, within each subset that it is reported over."""
    whole = np.arange(len(columns))
    for axes in m.over:
        for key, rows in columns.subsets(axes):
            within = dict(zip(axes, key, strict=True))
            for name, a, b in sides_of(contrast, columns, whole[rows]):
                yield _difference(
                    m, contrast, columns, (a, b), {**within, contrast.axis: name}, seed
                )


def sides_of(
    contrast: Contrast, columns: Columns, rows: Integers
) -> Iterator[tuple[str, Integers, Integers]]:
    """What is compared, by name, and the rows of both sides."""
    axis = columns.axes.get(contrast.axis)
    if axis is None:
        return
    codes = axis.codes[rows]
    present = [code for code in np.unique(codes) if code >= 0]
    parts = {axis.labels[code]: rows[codes == code] for code in present}
    if len(parts) < 2:  # noqa: PLR2004
        return
    groups = {label: mine for label, mine in parts.items() if label != contrast.background}
    if contrast.against_rest:
        for label, mine in groups.items():
            others = [theirs for other, theirs in parts.items() if other != label]
            name = label if contrast.named_by_first else f"{label} − {REST}"
            yield name, mine, np.concatenate(others)
        return
    for (label, mine), (other, theirs) in combinations(groups.items(), 2):
        yield f"{label} − {other}", mine, theirs


def _difference(
    m: Measure,
    contrast: Contrast,
    columns: Columns,
    sides: tuple[Integers, Integers],
    groups: dict[str, str],
    seed: int,
) -> Estimate:
    rng = np.random.default_rng([seed, zlib.crc32(repr((m.name, sorted(groups.items()))).encode())])
    value, sure, why = None, Inference(None, None), ""
    try:
        a, b = ([columns.column(name, rows) for name in m.columns] for rows in sides)
        of_a, of_b = (columns.clusters[rows] for rows in sides)
        value, sure = contrast.by(m.metric, a, of_a, b, of_b, rng)
        why = sure.why
    except Undefined as undefined:
        why = str(undefined)
    return Estimate(
        m.name,
        value,
        sure.low,
        sure.high,
        sure.p,
        sum(map(len, sides)),
        m.neutral,
        m.unit,
        why,
        groups,
        interval=sure.interval,
        test=sure.test,
        level=sure.level,
        meaning=m.meaning,
    )
