"""The first measure without one value of an axis at a time, such as a template."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.measures import Measure
from tiltmeter.core.scope import LeftOut
from tiltmeter.core.study import Study
from tiltmeter.core.types import Ties
from tiltmeter.run.measuring.columns import Columns
from tiltmeter.stats.resampling.jackknife import jackknife_error

MOST_ROWS = 30_000_000
"""The most rows that are read in all: with many items of many templates it would take minutes."""


def left_out(
    study: Study[Any],
    measures: Sequence[Measure],
    estimates: Sequence[Estimate],
    columns: Columns,
    ties: Ties,
    data: Dataset[Any],
) -> LeftOut | None:
    """What the first measure over all items comes to without each value of the axis that the study declares.

    None where it declares none, the data have fewer than two values, or nothing covers all items.

    Args:
        study: The study, whose scope names the axis.
        measures: The measures that are reported.
        estimates: Their estimates.
        columns: The records.
        ties: What a tie counts as.
        data: The items, for the plain names of the values.
    """
    axis = columns.axes.get(study.scope.left_out)
    head = next((e for e in estimates if not e.groups and e.value is not None), None)
    m = next((m for m in measures if head is not None and m.name == head.name), None)
    if axis is None or head is None or head.value is None or m is None:
        return None
    counted = columns.of_measure(m)
    codes = counted.axes[study.scope.left_out].codes
    present = [code for code in np.unique(codes) if code >= 0]
    if len(present) < 2 or len(present) * len(codes) > MOST_ROWS:  # noqa: PLR2004
        return None
    metric = partial(m.metric, ties=ties) if m.uses_ties else m.metric
    without: dict[str, float] = {}
    for code in present:
        rows = np.flatnonzero(codes != code)
        try:
            read = [
                counted.column(name, rows, numbered=m.numbered, optional=m.optional)
                for name in m.columns
            ]
            without[axis.labels[code]] = float(metric(*read))
        except Undefined:
            continue
    if len(without) < 2:  # noqa: PLR2004
        return None
    farthest = max(without, key=lambda name: abs(without[name] - head.value))  # type: ignore[operator]
    return LeftOut(
        m.name, study.scope.left_out, len(without), min(without.values()), max(without.values()),
        jackknife_error(np.array([*without.values()])),
        data.labels.get(study.scope.left_out, {}).get(farthest, farthest), without[farthest],
    )  # fmt: skip
