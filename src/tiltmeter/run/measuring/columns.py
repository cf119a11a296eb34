"""Records as columns, from which estimates are computed; they take a few bytes per record."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.measures import ARM, BASE_ARM, CLUSTER, GROUP_ARM, ITEM, Condition, Measure
from tiltmeter.core.records import Record
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.core.wordings import AXIS as WORDING
from tiltmeter.stats.resampling.bootstrap import clustered

ASIDE = ("tokens_", "raw_")
"""Prefixes of scores that are not compared with others: token counts and the raw parts of scores."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The labels of all records on one axis, such as "gender"."""

    labels: Sequence[str]
    """The distinct labels in order."""
    codes: npt.NDArray[np.int32]
    """The index of each record's label in `labels`, -1 if it has none; shape (n,)."""


NOTHING_COUNTS = "no item is one of those that it counts"
_NO_LABELS = Axis((), np.full(1, -1, dtype=np.int32))


@dataclass(frozen=True, slots=True)
class Columns:
    """The records as columns, with one row per record in the order of the records."""

    scores: dict[str, Array]
    """The scores by name, rounded as they are compared; NaN where a record has no such score."""
    axes: dict[str, Axis]
    clusters: Integers
    """The number of each record's cluster; an item without one is a cluster of its replies. Clusters are
    numbered in the order of their names, sorted as text."""
    has_clusters: bool
    tied: npt.NDArray[np.bool_]
    """Whether two of the record's compared scores are equal."""
    items: Integers | None = None
    """The number of each record's item, where some item has several replies. An item in another wording is
    another item."""
    questions: Integers | None = None
    """The number of each record's item whatever its wording, where items have several."""

    def __len__(self) -> int:
        return len(self.tied)

    def column(
        self, name: str, rows: Any, *, numbered: bool = False, optional: Sequence[str] = ()
    ) -> Column:
        """The scores or labels with this name in these rows.

        Args:
            name: The name of a score or an axis, `CLUSTER` or `ITEM`.
            rows: The rows, as anything that indexes an array.
            numbered: Whether to return the codes of labels, which are in the order of the labels.
            optional: Names of scores that are returned as NaN if no record has them.

        Raises:
            Undefined: There are no records, or some of the rows have no such score or label.
        """
        if not len(self):
            raise Undefined(NOTHING_COUNTS)
        if name == CLUSTER:
            clusters: Integers = self.clusters[rows]
            return clusters
        if name == ITEM:
            items: Integers = (np.arange(len(self)) if self.items is None else self.items)[rows]
            return items
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
        """Whether each record has a finite number in all these columns of scores; shape (n,)."""
        there = np.ones(len(self), dtype=np.bool_)
        for name in names:
            scores = self.scores.get(name)
            there &= np.False_ if scores is None else np.isfinite(scores)
        return there

    def units(self, axes: Sequence[str], rows: Any) -> Integers:
        """The number of each row's independent unit; see `Measure.units`.

        The first of these axes with more than one label among the rows, none missing, gives the units;
        without one, the clusters do.
        """
        for name in axes:
            if name in self.axes:
                codes: Integers = self.axes[name].codes[rows].astype(np.int64)
                if len(codes) and 0 <= codes.min() < codes.max():
                    return codes
        clusters: Integers = self.clusters[rows]
        return clusters

    def repeats(self, rows: Any) -> Integers | None:
        """Which reply to its item each row is, from 0; None if no item has several in all columns."""
        if self.items is None:
            return None
        chosen: Integers = self.scores["repeat"][rows].astype(np.int64)
        return chosen

    def wordings(self, rows: Any) -> Integers | None:
        """The number of each row's wording in the axis of wordings; None if these rows have one wording."""
        axis = self.axes.get(WORDING)
        if axis is None or self.questions is None:
            return None
        codes: Integers = axis.codes[rows].astype(np.int64)
        return codes if len(codes) and 0 <= codes.min() < codes.max() else None

    def layers(self, rows: Any) -> Integers | None:
        """Which of the rows of an item each row is, by repeat and wording; None if no item has several."""
        repeats, wordings = self.repeats(rows), self.wordings(rows)
        if repeats is None or wordings is None:
            return repeats if wordings is None else wordings
        return wordings * (int(repeats.max()) + 1) + repeats

    def of_measure(self, measure: Measure) -> "Columns":
        """The columns of the records that a measure counts, in their order."""
        counted = self.counted_by(measure)
        return self if counted.all() else self.taken(np.flatnonzero(counted))

    def has_parts_of(self, measure: Measure) -> bool:
        """Whether the data have the clusters and the labels that the measure is not reported without."""
        return (self.has_clusters or not measure.clustered) and self.has_labels_of(measure)

    def has_labels_of(self, measure: Measure) -> bool:
        """Whether the data have the labels that the measure is not reported without."""
        return all(
            name in self.axes and label in self.axes[name].labels
            for name, label in measure.needs_labels.items()
        )

    def counted_by(self, measure: Measure) -> npt.NDArray[np.bool_]:
        """Whether each record is one that a measure counts; shape (n,).

        It meets all its conditions, and is in no control arm unless the measure reads arms. Where the items
        that are edited are an arm of their own, that is the only one that other measures count.
        """
        met = self._meets(measure.where)
        if measure.reads_arms:
            return met
        arms = self.axes.get(ARM, _NO_LABELS)
        if BASE_ARM in arms.labels:
            return met & np.isin(arms.codes, [-1, arms.labels.index(BASE_ARM)])
        return met & ~self._is_of_arm(controls=True)

    def _is_of_arm(self, *, controls: bool) -> npt.NDArray[np.bool_]:
        """Whether each record is in a control arm or, without `controls`, in the group arm."""
        if ARM not in self.axes:
            return np.full(len(self), not controls)
        axis = self.axes[ARM]
        wanted = [
            code
            for code, label in enumerate(axis.labels)
            if (label not in {GROUP_ARM, BASE_ARM} if controls else label == GROUP_ARM)
        ]
        return np.isin(axis.codes, wanted if controls else [-1, *wanted])

    def _meets(self, conditions: Mapping[str, Condition]) -> npt.NDArray[np.bool_]:
        """Whether each record meets all conditions: it has one of the scores or labels that each names."""
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
        """All columns, with only these rows in this order."""
        return Columns(
            {name: column[rows] for name, column in self.scores.items()},
            {name: Axis(axis.labels, axis.codes[rows]) for name, axis in self.axes.items()},
            self.clusters[rows],
            self.has_clusters,
            self.tied[rows],
            None if self.items is None else self.items[rows],
            None if self.questions is None else self.questions[rows],
        )

    def crossings(
        self, over: Sequence[tuple[str, ...]], of_several: Sequence[str]
    ) -> list[tuple[str, ...]]:
        """The crossings, each once, without the axes of `of_several` that have a single value here."""
        alone = {a for a in of_several if a in self.axes and len(self.axes[a].labels) == 1}
        return [*dict.fromkeys(tuple(a for a in axes if a not in alone) for axes in over)]

    def subsets_of(
        self, measure: Measure, axes: Sequence[str]
    ) -> Iterator[tuple[tuple[str, ...], Any]]:
        """Yields the labels and the rows of each subset that a measure is reported over, in order.

        If it reads arms, these are subsets of the group arm, with all rows of the other arms.
        """
        if not (measure.reads_arms and axes):
            yield from self.subsets(axes)
            return
        own = self._is_of_arm(controls=False)
        others, mine = np.flatnonzero(~own), np.flatnonzero(own)
        for key, rows in self.taken(mine).subsets(axes):
            yield key, np.sort(np.concatenate([mine[rows], others]))

    def subsets(self, axes: Sequence[str]) -> Iterator[tuple[tuple[str, ...], Any]]:
        """Yields the labels and the rows of each combination of labels that occurs, in order."""
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
    """The records as columns; they are read once.

    Args:
        records: The records.
        names: The names of the scores to read; those that no record has are left out.
        decimals: The decimals to which `round` rounds scores before they are compared; None: not rounded.
    """
    wanted = {name: array("d") for name in dict.fromkeys(names)}
    axes: dict[str, tuple[dict[str, int], array[int]]] = {}
    seen, clusters, tied, has_clusters = 0, TextRanks(), bytearray(), False
    items, is_repeated = TextRanks(), False
    questions, is_crossed = TextRanks(), False
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
        # The prefixes keep an item's id from being taken for the name of a cluster.
        clusters.append(f"c {record.cluster}" if record.cluster else f"i {record.first}")
        if "repeat" in values:
            items.append(record.first)
            is_repeated = is_repeated or values["repeat"] > 0
        if wording := record.groups.get(WORDING):
            # An axis of this name in a file of the user's tells items apart that have no such ids.
            questions.append(question := record.first.removesuffix(f"@{wording}"))
            is_crossed = is_crossed or question != record.first
        seen += 1
    scores = {name: np.frombuffer(column, dtype=np.float64) for name, column in wanted.items()}
    return Columns(
        {name: column for name, column in scores.items() if not np.isnan(column).all()},
        {name: _axis(labels, codes, seen) for name, (labels, codes) in axes.items()},
        clusters.ranks(),
        has_clusters,
        np.frombuffer(tied, dtype=np.bool_),
        items.ranks() if is_repeated and len(items) == seen else None,
        questions.ranks() if is_crossed and len(questions) == seen else None,
    )


def _axis(labels: dict[str, int], codes: "array[int]", n: int) -> Axis:
    """The axis with its labels sorted: numerically if all are whole numbers, otherwise as text."""
    codes.extend([-1] * (n - len(codes)))
    whole = all(map(str.isdecimal, labels))
    ordered = sorted(labels, key=lambda label: (int(label) if whole else 0, label))
    # The last place belongs to the code -1, which indexes it from the end.
    places = np.empty(len(labels) + 1, dtype=np.int32)
    places[[labels[label] for label in ordered]] = np.arange(len(labels))
    places[-1] = -1
    return Axis(ordered, places[np.frombuffer(codes, dtype=np.int32)])


class TextRanks:
    """A column of very many texts of which only the ranks are needed, kept compactly as one run of bytes."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("q", [0])

    def __len__(self) -> int:
        return len(self._ends) - 1

    def append(self, text: str) -> None:
        """Append a text to the column."""
        # UTF-8 sorts by bytes as by code points, and "surrogatepass" lets lone surrogates through.
        self._bytes += text.encode("utf-8", "surrogatepass")
        self._ends.append(len(self._bytes))

    def ranks(self) -> Integers:
        """The dense rank of each text, shape (n,): the number of distinct texts that sort before it."""
        import pyarrow as pa  # noqa: PLC0415  (slow to import)
        from pyarrow import compute  # noqa: PLC0415

        buffers = [None, pa.py_buffer(self._ends), pa.py_buffer(self._bytes)]
        texts = pa.Array.from_buffers(pa.large_binary(), len(self._ends) - 1, buffers)
        ranks = compute.rank(texts, sort_keys="ascending", tiebreaker="dense")
        return np.from_dlpack(ranks).astype(np.int64) - 1  # pyarrow's own way imports pandas
