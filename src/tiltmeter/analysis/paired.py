"""Two results on the same items: which records belong together, and what their estimates say of both."""

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.analysis.installed_study import decimals_of
from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.results import Card, Estimate, Result
from tiltmeter.core.study import Condition
from tiltmeter.core.text import counted
from tiltmeter.core.types import Column, Integers
from tiltmeter.data.memory.lazy_sequence import Selection
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.run.columns import NOTHING_COUNTS, Columns, TextRanks, columns_of
from tiltmeter.run.folder_names import folder_name
from tiltmeter.stats.bootstrap import count_of_clusters


def check(a: Result, b: Result) -> None:
    """Whether the two are of one study and count ties alike.

    Raises:
        BadInput: They are not.
    """
    for what, of_a, of_b, way_out in (
        ("studies", a.card.study, b.card.study, "compare results of the same study"),
        (
            "ways to count ties",
            a.card.ties,
            b.card.ties,
            "run one again with --ties as of the other",
        ),
    ):
        if of_a != of_b:
            raise BadInput(f"{_both(a, b)} have different {what}: {of_a!r} and {of_b!r}", way_out)


@dataclass(frozen=True, slots=True)
class CommonItems:
    """Which records of two results are about the same items: places, in the order of the items' ids."""

    a: Integers
    b: Integers


def matched(a: Result, b: Result) -> CommonItems:
    """The items that both have.

    Raises:
        BadInput: There is none, or they are not about the same data.
    """
    theirs, ids = TextNumbers(), TextRanks()
    for place, record in enumerate(b.records):
        theirs[record.item] = place
    mine, yours = array("q"), array("q")
    for place, record in enumerate(a.records):
        other = theirs.get(record.item)
        if other is not None:
            mine.append(place)
            yours.append(other)
            ids.append(record.item)
    if not mine:
        raise BadInput(
            f"{_both(a, b)} have no item in common",
            "compare results of the same study on the same data",
        )
    order = np.argsort(ids.ranks(), kind="stable")
    common = CommonItems(*(np.frombuffer(rows, dtype=np.int64)[order] for rows in (mine, yours)))
    _same_data(a, b, common)
    return common


def _same_data(a: Result, b: Result, common: CommonItems) -> None:
    """The same file; or, for scores that came in files of their own, the same texts."""
    if a.card.data["sha256"] == b.card.data["sha256"] != "":
        return
    mine, yours = _text_marks(a)[common.a], _text_marks(b)[common.b]
    other = np.flatnonzero((mine != yours) | (mine == 0))
    if len(other):
        first = a.records[int(common.a[other[0]])].item
        raise BadInput(
            f"{_both(a, b)} have different data: "
            f"{len(other):,} of {len(mine):,} items with the same id ({first!r} is one) "
            "are not known to have the same text",
            "compare results of the same study on the same data",
        )


def _text_marks(result: Result) -> Integers:
    """A number for each record that tells its texts from others; 0 where it has none."""
    # Python's hashes differ between processes; these never leave this one.
    marks = (hash(tuple(sorted(r.texts.items()))) if r.texts else 0 for r in result.records)
    return np.fromiter(marks, np.int64, len(result.records))


@dataclass(frozen=True, slots=True)
class PairedColumns:
    """Both results' scores of their common items, a row an item; labels and clusters are those of A."""

    a: Columns
    b: Columns
    left_out: int
    """Results on items that only one of the two scored."""

    @property
    def clusters(self) -> Integers:
        """Of each row; all differ where items are independent."""
        return self.a.clusters

    @property
    def alone(self) -> bool:
        """Whether every item is its own cluster."""
        return count_of_clusters(self.clusters) == len(self.clusters)

    def read(
        self, names: Iterable[str], rows: Integers, *, optional: Sequence[str] = ()
    ) -> tuple[list[Column], list[Column]]:
        """The columns of these names in these rows, of A and of B; `optional` as of `Columns.column`.

        Raises:
            Undefined: There are no rows, or some have no such score or label.
        """
        if not len(rows):
            raise Undefined(NOTHING_COUNTS)
        names, rows = tuple(names), self._without_copy(rows)
        scores = self.a.scores.keys() | self.b.scores.keys()
        of_a = [self.a.column(name, rows, optional=optional) for name in names]
        of_b = [
            self.b.column(name, rows, optional=optional) if name in scores else label
            for name, label in zip(names, of_a, strict=True)
        ]
        return of_a, of_b

    def meets(self, where: Mapping[str, Condition]) -> npt.NDArray[np.bool_]:
        """Whether each item meets the conditions, those on scores with the scores of both."""
        of_scores = {name: condition for name, condition in where.items() if name in self.b.scores}
        return self.a.meets(where) & self.b.meets(of_scores)

    def tied(self, rows: Integers) -> int:
        """Items on which either result has a tie."""
        return int((self.a.tied[rows] | self.b.tied[rows]).sum())

    def _without_copy(self, rows: Integers) -> Any:
        """The rows; all of them in their order as a slice, which copies no column."""
        is_all = len(rows) == len(self.a) and bool((rows[:-1] < rows[1:]).all())
        return slice(None) if is_all else rows


HeldColumns: TypeAlias = dict[tuple[int, frozenset[str]], Columns]
"""All columns of results, by the result's `id` and the columns' names; the results must live as long."""


def pair_up(
    a: Result, b: Result, names: Iterable[str], read: HeldColumns | None = None
) -> PairedColumns:
    """The columns of these names, as the results' conventions round them; records are unrounded.

    Where one result is paired with several, `read` keeps the columns for the next pairs.

    Raises:
        BadInput: The results have no item in common, are not about the same data, or their study is not
            installed here.
    """
    names = tuple(names)
    both = matched(a, b)
    of_a, of_b = _columns_at(a, both.a, names, read), _columns_at(b, both.b, names, read)
    return PairedColumns(of_a, of_b, len(a.records) + len(b.records) - 2 * len(both.a))


def _columns_at(
    result: Result, places: Integers, names: Sequence[str], read: HeldColumns | None
) -> Columns:
    """The columns of the records at these places, in their order; the records are read in their own."""
    kept, order = np.unique(places, return_inverse=True)
    key = id(result), frozenset(names)
    if read is not None and key in read and len(kept) == len(result.records):
        return read[key].taken(order)
    records = Selection(result.records, kept)
    columns = columns_of(records, names, decimals=decimals_of(result.card))
    if read is not None and len(kept) == len(result.records):
        read[key] = columns
    return columns.taken(order)


def between(a: Result, b: Result, e: Estimate) -> Estimate:
    """An estimate of A less B with the names of both."""

    def joined(of_a: str, of_b: str) -> str:
        return of_a if of_a == of_b else f"{of_a} − {of_b}"

    return replace(
        e, model=" − ".join(names(a, b)), study=a.card.study, rule=joined(a.card.rule, b.card.rule),
        convention=joined(a.card.convention, b.card.convention), ties=a.card.ties,
    )  # fmt: skip


def note(a: Result, b: Result, left_out: int) -> str:
    """What a reader of the differences should know: other rules, other files, items left out."""
    notes = []
    if a.card.rule != b.card.rule:
        notes.append(f"scored by different rules, {a.card.rule} and {b.card.rule}")
    if a.card.convention != b.card.convention:
        notes.append(f"by different conventions, {a.card.convention} and {b.card.convention}")
    if apart := _settings_apart(a.card, b.card):
        notes.append(f"with different settings: {'; '.join(map(' and '.join, apart))}")
    precisions = [card.model.get("precision") for card in (a.card, b.card)]
    if all(precisions) and len(set(precisions)) > 1:
        notes.append(f"in different precisions, {' and '.join(map(str, precisions))}")
    if a.card.data["sha256"] != b.card.data["sha256"]:
        notes.append("from two files whose common items have the same texts")
    if left_out:
        results = counted(left_out, "results")
        notes.append(f"left out: {results} on items that only one of them scored")
    return "; ".join(notes)


def _both(a: Result, b: Result) -> str:
    """Both results by their models, or by their folders if these are of one name."""
    names = _name(a), _name(b)
    return " and ".join(names if names[0] != names[1] else map(folder_name, (a, b)))


def _name(result: Result) -> str:
    return result.card.model_name or result.card.study


def names(a: Result, b: Result) -> tuple[str, str]:
    """The models' names, with what tells them apart where one model was scored in two ways."""
    cards = (a.card, b.card)
    name_a, name_b = _name(a), _name(b)
    if name_a == name_b and a.card.rule != b.card.rule:
        name_a, name_b = (f"{_name(a)} ({card.rule})" for card in cards)
    if name_a == name_b and a.card.convention != b.card.convention:
        name_a, name_b = (f"{_name(a)} ({card.convention})" for card in cards)
    apart = _settings_apart(*cards)
    if name_a == name_b and apart:
        name_a, name_b = (f"{_name(a)} ({', '.join(side)})" for side in zip(*apart, strict=True))
    precision_a, precision_b = (card.model.get("precision") for card in cards)
    if name_a == name_b and precision_a != precision_b:
        name_a, name_b = (f"{_name(a)} ({precision})" for precision in (precision_a, precision_b))
    return name_a, name_b


def _settings_apart(a: Card, b: Card) -> list[tuple[str, str]]:
    """Settings in which two results differ, each as both have it: [("prior mask", "prior noun")]."""
    names = [n for n in {**a.settings, **b.settings} if a.settings.get(n) != b.settings.get(n)]
    return [
        (
            f"{name} {a.settings.get(name) or 'not set'}",
            f"{name} {b.settings.get(name) or 'not set'}",
        )
        for name in names
    ]
