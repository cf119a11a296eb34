"""The numbers of single items behind a measure, for several runs over the items that all of them answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import cast

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.measures import Measure, RowValues
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.text import counted, listed
from tiltmeter.core.types import Array, Integers, Ties
from tiltmeter.derived.comparisons.comparable_numbers import rules_alike
from tiltmeter.derived.comparisons.paired import check, matched
from tiltmeter.derived.installed_study import decimals_of, measures_of
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.measuring.answered_rows import answered_rows
from tiltmeter.run.measuring.columns import Columns, columns_of

CELLS = 1_000_000_000
"""The most rows that a metric may be given in all, where it is computed anew without each item."""


@dataclass(frozen=True, slots=True)
class ItemValues:
    """A number for each item and run, whose mean over the items is the run's value of a measure."""

    measure: Measure
    table: Array
    """Shape (runs, items); of an item with several replies their mean."""
    items: Sequence[str]
    """The ids of the items, in the order of the first run."""
    clusters: Integers
    """The number of each item's cluster, or of the item where it stands alone; shape (items,)."""
    has_clusters: bool
    records: Sequence[Record]
    """The first run's first record of each item, with its texts and labels."""
    answered: Sequence[int]
    """How many items each run answers."""
    in_any: int
    """How many items at least one run answers."""
    of_logarithm: bool
    """Whether the mean is the logarithm of the measure."""
    by_leaving_out: bool
    """Whether the numbers are what the measure changes by when an item is left out (pseudo-values)."""


def check_alike(results: Sequence[Result], rerun: str) -> None:
    """Whether several results are of one study, on the same data, scored and counted in the same way.

    Args:
        results: Two or more.
        rerun: What to do about runs that are not, as the end of an error.

    Raises:
        BadInput: They are not; or two have no item in common.
    """
    first = results[0]
    for other in results[1:]:
        check(first, other)
        for what, of_a, of_b in (
            (
                "rules, whose numbers do not mean the same",
                rules_alike(first.card),
                rules_alike(other.card),
            ),
            ("conventions", {first.card.convention}, {other.card.convention}),
        ):
            if not of_a & of_b:
                names = " and ".join(_names([first, other]))
                raise BadInput(
                    f"{names} have different {what}: {', '.join(sorted(of_a))} and {', '.join(sorted(of_b))}",
                    rerun,
                )
        matched(first, other)


def item_values(results: Sequence[Result], name: str) -> ItemValues:
    """The numbers of the items that all results answer, for a measure that the study reports over all items.

    Where the measure is a mean over rows (`Measure.mean_of`), an item's number is its share of the mean. Of
    any other metric it is the jackknife's pseudo-value: n times the value less n − 1 times the value without
    the item (Tukey 1958), which is the same for a mean.

    Raises:
        BadInput: The study does not report the measure, or as a contrast only, or is not installed here.
        Undefined: No item is answered by all, or the measure has no value without some item.
    """
    measures = [_measure(result.card, name) for result in results]
    read = [_Run.of(result, m) for result, m in zip(results, measures, strict=True)]
    common = set.intersection(*(set(run.rows) for run in read))
    if not common:
        raise Undefined("no item is answered by all of these runs")
    items = [item for item in read[0].rows if item in common]
    values = measures[0].mean_of or getattr(measures[0].metric, "mean_of", None)
    ties = cast("Ties", results[0].card.ties or "half")
    if values is None:
        replies = sum(len(run.rows[item]) for run in read for item in items)
        if replies * len(items) > CELLS:
            raise BadInput(
                f"{name} is no mean over items, so it takes too long to find what each of "
                f"{counted(len(items), 'items')} adds",
                "name a measure that is one with --measure, or measure a sample with --limit",
            )
        table = [run.pseudo_values(items, ties) for run in read]
    else:
        table = [run.means(items, values, ties) for run in read]
    kept = np.asarray(np.isfinite(table).all(axis=0))
    if not kept.any():
        raise Undefined("no item is answered by all of these runs")
    items = [item for item, there in zip(items, kept, strict=True) if there]
    rows = [read[0].rows[item][0] for item in items]
    return ItemValues(
        measures[0], np.array(table)[:, kept], items, read[0].columns.clusters[rows],
        read[0].columns.has_clusters, [results[0].records[row] for row in rows],
        [len(run.rows) for run in read], len(set().union(*(run.rows for run in read))),
        bool(values and values.of_logarithm), values is None,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Run:
    measure: Measure
    columns: Columns
    rows: Mapping[str, list[int]]
    """Of each item that it answers the places of its records."""

    @classmethod
    def of(cls, result: Result, measure: Measure) -> "_Run":
        columns = columns_of(result.records, measure.reads, decimals=decimals_of(result.card))
        answered, rows = answered_rows(measure, columns), dict[str, list[int]]()
        for place, record in enumerate(result.records):
            if answered[place]:
                rows.setdefault(record.first, []).append(place)
        return cls(measure, columns, rows)

    def means(self, items: Sequence[str], values: RowValues, ties: Ties) -> Array:
        """The mean of each item's rows, NaN where none has a number; shape (items,)."""
        rows, codes = self._of(items)
        each = values.of(self._read(rows), ties)
        known = np.isfinite(each)
        sums, sizes = (
            np.bincount(codes[known], weights=weights, minlength=len(items))
            for weights in (each[known], np.ones(int(known.sum())))
        )
        means = np.divide(sums, sizes, out=np.full(len(items), np.nan), where=sizes > 0)
        return np.asarray(means)

    def pseudo_values(self, items: Sequence[str], ties: Ties) -> Array:
        """What each item adds to the measure, shape (items,)."""
        rows, codes = self._of(items)
        metric = self.measure.metric
        metric = partial(metric, ties=ties) if self.measure.uses_ties else metric
        columns, n = self._read(rows), len(items)
        if n == 1:
            raise Undefined("there is one item")
        whole = metric(*columns)
        without = [metric(*(column[codes != item] for column in columns)) for item in range(n)]
        return np.asarray(n * whole - (n - 1) * np.array(without))

    def _of(self, items: Sequence[str]) -> tuple[Integers, Integers]:
        """The rows of these items, and the number of each one's item."""
        places = [self.rows[item] for item in items]
        sizes = [len(some) for some in places]
        rows = np.array([row for some in places for row in some], dtype=np.int64)
        return rows, np.repeat(np.arange(len(items)), sizes)

    def _read(self, rows: Integers) -> list[Array]:
        m = self.measure
        read = (
            self.columns.column(name, rows, numbered=m.numbered, optional=m.optional)
            for name in m.columns
        )
        return cast("list[Array]", [*read])


def _measure(card: Card, name: str) -> Measure:
    over_all = [m for m in measures_of(card) if () in m.over and m.contrast is None]
    for measure in over_all:
        if measure.name == name and not measure.at:
            return measure
    names = listed([*dict.fromkeys(m.name for m in over_all if not m.at)])
    raise BadInput(
        f"{card.study} has no number {name!r} over all items under the rule {card.rule}",
        f"it has {names}",
    )


def _names(results: Sequence[Result]) -> list[str]:
    names = [result.card.model_name for result in results]
    return names if len(set(names)) == len(names) else [folder_name(r) for r in results]
