"""The rows that have what a measure needs: only over these may two results be compared in the measure."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from tiltmeter.core.measures import CLUSTER, ITEM, Measure
from tiltmeter.core.types import Column
from tiltmeter.run.measuring.columns import Columns


def answered_rows(
    measure: Measure, columns: Columns, *, further: Sequence[str] = ()
) -> npt.NDArray[np.bool_]:
    """Whether each row meets the measure's conditions and has what its metric needs; shape (n,).

    A row needs a finite number in every column of scores that is not optional, those in `further` included;
    among these rows the metric decides which have an answer (`Measure.answered`). Missing labels are not
    considered: labels belong to the items, and an item without one makes the measure undefined, in a single
    result as in a comparison.
    """
    required = [
        name
        for name in (*measure.columns, *further)
        if name not in {CLUSTER, ITEM, *columns.axes} and name not in measure.optional
    ]
    there = columns.counted_by(measure) & columns.has(required)
    decide: Callable[[Sequence[Column]], npt.NDArray[np.bool_]] | None
    decide = measure.answered or getattr(measure.metric, "answered", None)
    rows = np.flatnonzero(there)
    if decide is not None and len(rows) and _labelled(measure, columns, rows):
        there[rows] = decide(
            [columns.column(name, rows, optional=measure.optional) for name in measure.columns]
        )
    return there


def _labelled(measure: Measure, columns: Columns, rows: npt.NDArray[np.int64]) -> bool:
    """Whether all these rows have the labels that the measure reads."""
    axes = [columns.axes[name] for name in measure.columns if name in columns.axes]
    return all(bool((axis.codes[rows] >= 0).all()) for axis in axes)
