"""How far measures agree with themselves: halves of the items of runs, split again and again."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from tiltmeter.analyses.correlate.points import Origin, Points
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.measures import Measure
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card
from tiltmeter.core.samples import rng_of
from tiltmeter.core.types import Integers
from tiltmeter.derived.installed_study import decimals_of, measures_of
from tiltmeter.run.files.folder import numbers_only
from tiltmeter.run.measuring.columns import Columns, columns_of
from tiltmeter.stats.correlations.reliability import split_half

Known = TypeVar("Known")
OF = "of"
"""The axis that names the measure whose reliability it is."""
RELIABILITY = quantity("reliability", "Split-half reliability", counts="points", decimals=2)
SPLITS, FEWER = 50, 10
"""How often items are split; fewer times where there are more points than MANY."""
MANY = 200
ROUGH = 10
"""A reliability over fewer points than this is said to be rough."""


@dataclass(frozen=True, slots=True)
class _Cells:
    """One point's items: columns to compute from, and which item or cluster each row is of."""

    value: Callable[[Integers], float]
    """The measure on these rows."""
    rows: Integers
    units: Integers
    """The number of the item or cluster of each of `rows`."""
    present: Integers
    """The items or clusters that occur in `units`, sorted, which are split into halves."""


def reliability(points: Points, column: int, *, seed: int = 0) -> Estimate | None:
    """Split-half reliability of one measure over its points; None where it has no records at all.

    The items (whole clusters, where the data have them) of every point are split at random, the same way
    for all points that have them, and the measure is computed anew from either half. What is
    reported is `stats.correlations.reliability.split_half` of these. It has no value, and `why` says why,
    where some points have no records, there are fewer than three, or a half has no value.
    """
    rows = np.flatnonzero(np.isfinite(points.values[:, column]))
    origins = [points.origins.get((int(row), column)) for row in rows]
    if not any(origin.result.records for origin in origins if origin):
        return None
    value, why = None, f"rough: only {len(rows)} {points.over}"
    try:
        value = _reliability([o for o in origins if o], len(rows), points, column, seed)
        if value <= 0:
            why = f"halves of the items do not agree over these {len(rows)} {points.over}"
        elif len(rows) >= ROUGH:
            why = ""
    except Undefined as undefined:
        why = str(undefined)
    return RELIABILITY.at(value, n=len(rows), why=why, groups={OF: points.names[column]})


def _reliability(
    origins: Sequence[Origin], points: int, table: Points, column: int, seed: int
) -> float:
    if len(origins) < points:
        raise Undefined(
            f"{points - len(origins)} of its {points} {table.over} have no records of items"
        )
    if points < 3:  # noqa: PLR2004
        raise Undefined(f"it needs at least three {table.over}, there are {points}")
    cells = _cells(origins)
    units = 1 + max(int(cell.units.max()) for cell in cells)
    rng = rng_of(seed, f"{RELIABILITY.name} of {table.names[column]}")
    first, second = (np.empty((FEWER if points > MANY else SPLITS, points)) for _ in range(2))
    for split in range(len(first)):
        ranks = rng.permutation(units)
        for i, cell in enumerate(cells):
            half = _first_half(cell, ranks)
            first[split, i] = cell.value(cell.rows[half])
            second[split, i] = cell.value(cell.rows[~half])
    return split_half(first, second)


def _first_half(cell: _Cells, ranks: Integers) -> npt.NDArray[np.bool_]:
    """Which rows are of the half of a point's units that rank first, shape (rows,)."""
    there = ranks[cell.present]
    if len(there) < 2:  # noqa: PLR2004
        raise Undefined("a point has one item, or one cluster of items, which cannot be halved")
    middle = len(there) // 2
    half: npt.NDArray[np.bool_] = ranks[cell.units] < np.partition(there, middle)[middle]
    return half


def _cells(origins: Sequence[Origin]) -> list[_Cells]:
    """The rows of each point; a run that several points come from is read once."""
    read: dict[int, tuple[Columns, Integers]] = {}
    names: dict[str, int] = {}
    cells = []
    for origin in origins:
        result, card = origin.result, origin.result.card
        measure = _measure(card, origin.estimate.name)
        if id(result) not in read:
            decimals = _known(decimals_of, card)
            records = [*numbers_only(result.records)]
            columns = columns_of(records, measure.reads, decimals=decimals)
            read[id(result)] = columns, _units(records, names)
        columns, units = read[id(result)]
        rows = _rows(columns, origin, measure)
        of_rows = units[rows]
        value = partial(_value, measure, card, columns)
        cells.append(_Cells(value, rows, of_rows, np.unique(of_rows)))
    return cells


def _value(measure: Measure, card: Card, columns: Columns, rows: Integers) -> float:
    read = [columns.column(name, rows) for name in measure.columns]
    how = {"ties": card.ties} if measure.uses_ties else {}
    return measure.metric(*read, **how)


def _rows(columns: Columns, origin: Origin, measure: Measure) -> Integers:
    """The records of the estimate's subset that the measure counts."""
    chosen = columns.counted_by(measure)
    for name, label in origin.estimate.groups.items():
        axis = columns.axes.get(name)
        if axis is None or label not in axis.labels:
            raise Undefined(f"no record has {name} {label!r}")
        chosen &= axis.codes == axis.labels.index(label)
    return np.flatnonzero(chosen)


def _units(records: Sequence[Record], names: dict[str, int]) -> Integers:
    """The number of each record's cluster, or item where it has none, by their names in all runs."""
    keys = (f"c {r.cluster}" if r.cluster else f"i {r.item}" for r in records)
    return np.fromiter((names.setdefault(key, len(names)) for key in keys), dtype=np.int64)


def _measure(card: Card, name: str) -> Measure:
    measure = next((m for m in _known(measures_of, card) if m.name == name), None)
    if measure is None:
        raise Undefined(f"the study {card.study} has no measure {name!r} to compute from halves")
    return measure


def _known(what: Callable[[Card], Known], card: Card) -> Known:
    """What the study of a result knows; Undefined where that cannot be known here."""
    try:
        return what(card)
    except BadInput as error:
        raise Undefined(str(error)) from error
