"""Records as columns: what estimates are computed from, a few bytes a record."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.measures import CLUSTER, Condition
from tiltmeter.core.records import Record
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.stats.resampling.bootstrap import clustered

ASIDE = ("tokens_", "raw_")
"""Scores that begin so are not compared: how many tokens there were, what scores were made of."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What the records say of themselves under one name."""

    labels: Sequence[str]
    """The labels in order; codes number them from 0."""
    codes: npt.NDArray[np.int32]
    """The number of each record's label, -1 where it has none; shape (n,)."""


NOTHING_COUNTS = "no item is one of those that it counts"
_NO_LABELS = Axis((), np.full(1, -1, dtype=np.int32))


@dataclass(frozen=True, slots=True)
class Columns:
    """All records, one row each, in their order."""

    scores: dict[str, Array]
    """By name, as they are compared; NaN where a record has none."""
    axes: dict[str, Axis]
    clusters: Integers
    """Equal where the cluster is; a record that stands alone has a number of its own. They count
    clusters in the order of their names, as texts would be sorted."""
    has_clusters: bool
    tied: npt.NDArray[np.bool_]
    """Whether two candidates that are compared score alike."""

    def __len__(self) -> int:
        return len(self.tied)

    def column(
        self, name: str, rows: Any, *, numbered: bool = False, optional: Sequence[str] = ()
    ) -> Column:
        """The scores, or the labels, of that name in these rows.

        Args:
            name: Of a score or an axis, or `CLUSTER`.
            rows: Which.
            numbered: Whether labels are given as their numbers, which have the order of the labels.
            optional: Names of scores that are NaN where no record has them.

        Raises:
            Undefined: There are no records, or some rows have no such label.
        """
        if not len(self):
            raise Undefined(NOTHING_COUNTS)
        if name == CLUSTER:
            clusters: Integers = self.clusters[rows]
            return clusters
        if name in self.scores:
            chosen: Array = self.scores[name][rows]
            return chosen
        axis = self.axes.get(name)
        if axis is None and name in optional:
            return np.full(len(self.clusters[rows]), np.nan)
        if axis is None or (axis.codes[rows] < 0).any():
            raise Undefined(f"some items have no {name}")
        if numbered:
            numbers: Integers = axis.codes[rows].astype(np.int64)
            return numbers
        labels: Labels = np.array(axis.labels)[axis.codes[rows]]
        return labels

    def has(self, names: Iterable[str]) -> npt.NDArray[np.bool_]:
        """Whether each record has a finite number in all these columns of scores, shape (n,)."""
        there = np.ones(len(self), dtype=np.bool_)
        for name in names:
            scores = self.scores.get(name)
            there &= np.False_ if scores is None else np.isfinite(scores)
        return there

    def units(self, axes: Sequence[str], rows: Any) -> Integers:
        """What is independent among these rows: as `Measure.units`."""
        for name in axes:
            if name in self.axes:
                codes: Integers = self.axes[name].codes[rows].astype(np.int64)
                if len(codes) and 0 <= codes.min() < codes.max():
                    return codes
        clusters: Integers = self.clusters[rows]
        return clusters

    def where(self, conditions: Mapping[str, Condition]) -> "Columns":
        """The records that meet all conditions, in their order."""
        return self.taken(np.flatnonzero(self.meets(conditions))) if conditions else self

    def meets(self, conditions: Mapping[str, Condition]) -> npt.NDArray[np.bool_]:
        """Whether each record has one of the scores or labels that each condition names."""
        met = np.ones(len(self), dtype=np.bool_)
        for name, condition in conditions.items():
            wanted = condition if isinstance(condition, tuple) else (condition,)
            if name in self.scores:
                met &= np.isin(self.scores[name], wanted)
            else:
                axis = self.axes.get(name, _NO_LABELS)
                met &= np.isin(axis.codes, [i for i, x in enumerate(axis.labels) if x in wanted])
        return met

    def taken(self, rows: Integers) -> "Columns":
        """All columns with only these rows, in this order."""
        return Columns(
            {name: column[rows] for name, column in self.scores.items()},
            {name: Axis(axis.labels, axis.codes[rows]) for name, axis in self.axes.items()},
            self.clusters[rows],
            self.has_clusters,
            self.tied[rows],
        )

    def crossings(
        self, over: Sequence[tuple[str, ...]], of_several: Sequence[str]
    ) -> list[tuple[str, ...]]:
        """These crossings without the axes of `of_several` that have a single value here; none twice."""
        alone = {a for a in of_several if a in self.axes and len(self.axes[a].labels) == 1}
        return [*dict.fromkeys(tuple(a for a in axes if a not in alone) for axes in over)]

    def subsets(self, axes: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
        """For each combination of labels that occurs, in order: the labels, and the rows."""
        if not axes:
            yield (), slice(None)
            return
        if any(axis not in self.axes for axis in axes):
            return
        crossed = [self.axes[axis] for axis in axes]
        inside = np.flatnonzero(np.all([axis.codes >= 0 for axis in crossed], axis=0))
        kinds = np.zeros(len(inside), dtype=np.int64)
        for axis in crossed:
            kinds = kinds * len(axis.labels) + axis.codes[inside]
        which, count = clustered(kinds)
        bounds = np.cumsum(np.bincount(which, minlength=count))
        for rows in np.split(inside[np.argsort(which, kind="stable")], bounds[:-1]):
            if len(rows):
                yield tuple(axis.labels[axis.codes[rows[0]]] for axis in crossed), rows


def columns_of(
    records: Iterable[Record], names: Iterable[str], *, decimals: int | None = None
) -> Columns:
    """Read the records once.

    Args:
        records: At least one.
        names: The scores that are wanted; those that no record has are left out.
        decimals: Scores are rounded so before they are compared, as Python rounds; None: not.
    """
    wanted = {name: array("d") for name in dict.fromkeys(names)}
    axes: dict[str, tuple[dict[str, int], array[int]]] = {}
    seen, clusters, tied, has_clusters = 0, TextRanks(), bytearray(), False
    is_compared = cache(lambda name: not name.startswith(ASIDE))
    for record in records:
        values = record.scores
        if decimals is not None:
            values = {name: round(value, decimals) for name, value in values.items()}
        for name, column in wanted.items():
            column.append(values.get(name, np.nan))
        compared = [value for name, value in values.items() if is_compared(name)]
        tied.append(len(compared) > len(set(compared)))
        for name, label in record.groups.items():
            labels, codes = axes.setdefault(name, ({}, array("i")))
            codes.extend([-1] * (seen - len(codes)))
            codes.append(labels.setdefault(label, len(labels)))
        has_clusters = has_clusters or bool(record.cluster)
        # No item's id is taken for a cluster's name.
        clusters.append(f"c {record.cluster}" if record.cluster else f"i {record.item}")
        seen += 1
    scores = {name: np.frombuffer(column, dtype=np.float64) for name, column in wanted.items()}
    return Columns(
        {name: column for name, column in scores.items() if not np.isnan(column).all()},
        {name: _axis(labels, codes, seen) for name, (labels, codes) in axes.items()},
        clusters.ranks(),
        has_clusters,
        np.frombuffer(tied, dtype=np.bool_),
    )


def _axis(labels: dict[str, int], codes: "array[int]", n: int) -> Axis:
    """Labels in order, whatever order they came in: whole numbers by their size, others as texts."""
    codes.extend([-1] * (n - len(codes)))
    whole = all(map(str.isdecimal, labels))
    ordered = sorted(labels, key=lambda label: (int(label) if whole else 0, label))
    places = np.empty(len(labels) + 1, dtype=np.int32)
    places[[labels[label] for label in ordered]] = np.arange(len(labels))
    places[-1] = -1
    return Axis(ordered, places[np.frombuffer(codes, dtype=np.int32)])


class TextRanks:
    """Very many texts of which only the order is wanted: their bytes one after the other."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("q", [0])

    def append(self, text: str) -> None:
        """Append a text to the column."""
        # bytes of UTF-8 are in the order of the characters, and half a character is no error here
        self._bytes += text.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._bytes))

    def ranks(self) -> Integers:
        """Of each text the number of different ones before it in order."""
        import pyarrow as pa  # noqa: PLC0415  (slow to import)
        from pyarrow import compute  # noqa: PLC0415

        buffers = [None, pa.py_buffer(self._ends), pa.py_buffer(self._bytes)]
        texts = pa.Array.from_buffers(pa.large_binary(), len(self._ends) - 1, buffers)
        ranks = compute.rank(texts, sort_keys="ascending", tiebreaker="dense")
        return np.from_dlpack(ranks).astype(np.int64) - 1  # pyarrow's own way imports pandas
