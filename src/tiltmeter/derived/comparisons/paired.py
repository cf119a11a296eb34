"""Two results on the same items: which records belong together, and what their estimates say of both."""

from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import lcm
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.measures import Measure
from tiltmeter.core.records import Record
from tiltmeter.core.results import Card, Result
from tiltmeter.core.text import counted
from tiltmeter.core.types import Column, Integers
from tiltmeter.data.memory.lazy_sequence import Selection
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.derived.installed_study import decimals_of
from tiltmeter.run.asking.manner import manners_apart
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.measuring.answered_rows import answered_rows
from tiltmeter.run.measuring.columns import NOTHING_COUNTS, Columns, TextRanks, columns_of

NO_ANSWERS = "there is no item that both answer"


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
class PairedItems:
    """Where the items of either of two results have their records, in the order of the items' ids."""

    a: Integers
    """The place of each item's record in A, -1 where it has none; shape (items,)."""
    b: Integers
    repeats: Integers | None = None
    """Which of the rows of its item each is, from 0, where items have several replies."""

    @property
    def common(self) -> npt.NDArray[np.bool_]:
        """Whether both have a record of each item."""
        return np.asarray((self.a >= 0) & (self.b >= 0), dtype=np.bool_)


def matched(a: Result, b: Result) -> PairedItems:
    """The items of two results, with the place of each one's record.

    Of an item with several replies each has a row. Where the two have different numbers of replies to it, the
    replies of both take turns until all count equally.

    Raises:
        BadInput: They have none in common, or are not about the same data.
    """
    if len({result.card.counts.get("repeats", 1) for result in (a, b)}) > 1:
        items = _matched_replies(a, b)
        _same_data(a, b, items)
        return items
    theirs, ids = TextNumbers(), TextRanks()
    for place, record in enumerate(b.records):
        theirs[record.item] = place
    mine, yours, repeats = array("q"), array("q"), array("q")
    alone = np.ones(len(b.records), dtype=np.bool_)
    for place, record in enumerate(a.records):
        other = theirs.get(record.item)
        mine.append(place)
        yours.append(-1 if other is None else other)
        repeats.append(record.repeat)
        ids.append(record.item)
        if other is not None:
            alone[other] = False
    if alone.all():
        raise _nothing_common(a, b)
    for place in map(int, np.flatnonzero(alone)):
        mine.append(-1)
        yours.append(place)
        repeats.append(b.records[place].repeat)
        ids.append(b.records[place].item)
    order = np.argsort(ids.ranks(), kind="stable")
    rows = [np.frombuffer(some, dtype=np.int64)[order] for some in (mine, yours, repeats)]
    items = PairedItems(rows[0], rows[1], rows[2] if rows[2].any() else None)
    _same_data(a, b, items)
    return items


def _matched_replies(a: Result, b: Result) -> PairedItems:
    """The replies to the items of two results, in the order of the items' ids."""
    places: dict[str, tuple[list[int], list[int]]] = {}
    for side, result in enumerate((a, b)):
        for place, record in enumerate(result.records):
            places.setdefault(record.first, ([], []))[side].append(place)
    if not any(mine and yours for mine, yours in places.values()):
        raise _nothing_common(a, b)
    rows = [
        (mine[k % len(mine)] if mine else -1, yours[k % len(yours)] if yours else -1, k)
        for _, (mine, yours) in sorted(places.items())
        for k in range(lcm(len(mine) or 1, len(yours) or 1))
    ]
    return PairedItems(*np.array(rows, dtype=np.int64).T)


def _nothing_common(a: Result, b: Result) -> BadInput:
    return BadInput(
        f"{_both(a, b)} have no item in common",
        "compare results of the same study on the same data",
    )


def _same_data(a: Result, b: Result, items: PairedItems) -> None:
    """Whether two results are of the same file or, for scores from files of their own, of the same texts.

    Wordings of one name have to be the same template as well.
    """
    marks_a, marks_b = (_wording_marks(result.card) for result in (a, b))
    if apart := [name for name in marks_a if marks_b.get(name, marks_a[name]) != marks_a[name]]:
        raise BadInput(
            f"{_both(a, b)} have different wordings of the name {apart[0]!r}",
            "give the wordings of one of them another name, or ask both in the same",
        )
    if a.card.data["sha256"] == b.card.data["sha256"] != "":
        return
    places_a, places_b = items.a[items.common], items.b[items.common]
    mine, yours = _text_marks(a)[places_a], _text_marks(b)[places_b]
    other = np.flatnonzero((mine != yours) | (mine == 0))
    if len(other):
        first = a.records[int(places_a[other[0]])].item
        raise BadInput(
            f"{_both(a, b)} have different data: "
            f"{len(other):,} of {counted(len(mine), 'items')} with the same id ({first!r} is one) "
            "are not known to have the same text",
            "compare results of the same study on the same data",
        )


def _wording_marks(card: Card) -> dict[str, str]:
    """By wording what tells its template from others; "" for the study's own."""
    marks = dict.fromkeys(filter(None, str(card.data.get("wordings", "")).split(", ")), "")
    templates = filter(None, str(card.data.get("wording_templates", "")).split(", "))
    return marks | {name: mark for name, _, mark in (text.rpartition(" ") for text in templates)}


def _text_marks(result: Result) -> Integers:
    """A number for each record that tells its texts from others; 0 where it has none."""
    # Python's hashes differ between processes; these never leave this one.
    marks = (hash(tuple(sorted(r.texts.items()))) if r.texts else 0 for r in result.records)
    return np.fromiter(marks, np.int64, len(result.records))


@dataclass(frozen=True, slots=True)
class Answered:
    """The rows of paired columns in which two results answer what a measure needs; numbers of rows."""

    both: Integers
    """The rows that both answer, the only ones that a comparison may be over."""
    only_a: Integers
    only_b: Integers


@dataclass(frozen=True, slots=True)
class PairedColumns:
    """The scores of both results, a row for each item that either has.

    Labels and clusters are those of A; where A has no record of the item, those of B.
    """

    a: Columns
    """NaN where A has no such score."""
    b: Columns
    """The columns of B, with the axes and clusters of A."""
    _ids: Callable[[Integers], list[str]]
    repeats: Integers | None = None
    """The number of replies to an item, as in `PairedItems`."""

    @property
    def clusters(self) -> Integers:
        """The cluster of each row; all differ where items are independent."""
        return self.a.clusters

    def read(
        self, names: Iterable[str], rows: Integers, *, optional: Sequence[str] = ()
    ) -> tuple[list[Column], list[Column]]:
        """The columns of these names in these rows, of A and of B; `optional` as of `Columns.column`.

        Raises:
            Undefined: There are no rows, or some have no such score or label.
        """
        if not len(rows):
            raise Undefined(NO_ANSWERS)
        names, rows = tuple(names), self._without_copy(rows)
        of_a = [self.a.column(name, rows, optional=optional) for name in names]
        of_b = [
            self.b.column(name, rows, optional=optional) if name in self.b.scores else label
            for name, label in zip(names, of_a, strict=True)
        ]
        return of_a, of_b

    def answered(self, measure: Measure, *, further: Sequence[str] = ()) -> Answered:
        """In which rows both results, or one, have what a measure needs, and `further` scores.

        This decides for every comparison which items it is over.
        """
        of_a, of_b = (answered_rows(measure, c, further=further) for c in (self.a, self.b))
        return Answered(*map(np.flatnonzero, (of_a & of_b, of_a & ~of_b, of_b & ~of_a)))

    def why_nothing(self, measure: Measure, answered: Answered) -> str:
        """Why there is no item to compare in a measure; "" where there is one."""
        if len(answered.both):
            return ""
        if not (self.a.counted_by(measure) & self.b.counted_by(measure)).any():
            return NOTHING_COUNTS
        alone = len(answered.only_a) + len(answered.only_b)
        return NO_ANSWERS if alone else "neither of the two has an answer"

    def ids(self, rows: Integers) -> list[str]:
        """The ids of the items of these rows."""
        return self._ids(rows)

    def tied(self, rows: Integers) -> int:
        """Items on which either result has a tie."""
        return int((self.a.tied[rows] | self.b.tied[rows]).sum())

    def _without_copy(self, rows: Integers) -> Any:
        """The rows as an index that copies no column where they are all rows in order."""
        is_all = len(rows) == len(self.a) and bool((rows[:-1] < rows[1:]).all())
        return slice(None) if is_all else rows


HeldColumns: TypeAlias = dict[tuple[int, frozenset[str]], Columns]
"""All columns of results, by the result's `id` and the columns' names; the results must live as long."""


def pair_up(
    a: Result, b: Result, names: Iterable[str], read: HeldColumns | None = None
) -> PairedColumns:
    """Two results paired by item: the named columns, rounded as the results' conventions say.

    Where one result is paired with several, `read` keeps the columns for the next pairs.

    Raises:
        BadInput: The results have no item in common, are not about the same data, or their study is not
            installed here.
    """
    names = tuple(names)
    items = matched(a, b)
    of_a = _columns_at(a, items.a, (b, items.b), names, read)
    of_b = _columns_at(b, items.b, (a, items.a), names, read)

    def ids(rows: Integers) -> list[str]:
        both = zip(items.a[rows].tolist(), items.b[rows].tolist(), strict=True)
        return [a.records[i].item if i >= 0 else b.records[j].item for i, j in both]

    every = {*of_a.scores, *of_b.scores}
    scores_a, scores_b = (
        {n: c.scores[n] if n in c.scores else np.full(len(c), np.nan) for n in sorted(every)}
        for c in (of_a, of_b)
    )
    first = replace(of_a, scores=scores_a)
    second = replace(of_b, scores=scores_b, axes=of_a.axes, clusters=of_a.clusters)
    return PairedColumns(first, second, ids, items.repeats)


def _columns_at(
    result: Result,
    places: Integers,
    other: tuple[Result, Integers],
    names: Sequence[str],
    read: HeldColumns | None,
) -> Columns:
    """The columns of the records at these places, in their order; the records are read in their own.

    Where there is none (-1), a record without scores stands in, with the labels that the other result has.
    """
    there = places >= 0
    kept, order = np.unique(places[there], return_inverse=True)
    rows = np.empty(len(places), dtype=np.int64)
    rows[there] = order
    rows[~there] = len(kept) + np.arange(len(places) - there.sum())
    key = id(result), frozenset(names)
    is_whole = len(kept) == len(result.records) and bool(there.all())
    if read is not None and key in read and is_whole:
        return read[key].taken(rows)
    others, lacking = other[0].records, other[1][~there]
    records = chain(
        Selection(result.records, kept),
        (_without_answer(record) for record in Selection(others, lacking)),
    )
    columns = columns_of(records, names, decimals=decimals_of(result.card))
    if read is not None and is_whole:
        read[key] = columns
    return columns.taken(rows)


def _without_answer(record: Record) -> Record:
    """The record without scores, except that which says to which reply it belongs."""
    kept = {name: record.scores[name] for name in ("repeat",) if name in record.scores}
    return replace(record, scores=kept)


def between(a: Result, b: Result, e: Estimate) -> Estimate:
    """An estimate of A less B, or of A divided by B, with the names of both."""
    sign = " ÷ " if e.neutral == 1 else " − "  # of a ratio, 1 is no difference

    def joined(of_a: str, of_b: str) -> str:
        return of_a if of_a == of_b else f"{of_a} − {of_b}"

    return replace(
        e, model=sign.join(names(a, b)), study=a.card.study, rule=joined(a.card.rule, b.card.rule),
        convention=joined(a.card.convention, b.card.convention), ties=a.card.ties,
    )  # fmt: skip


def note(a: Result, b: Result) -> str:
    """What a reader of the differences should know: other rules, settings, precisions or files."""
    notes = []
    if a.card.rule != b.card.rule:
        notes.append(f"scored by different rules, {a.card.rule} and {b.card.rule}")
    if a.card.convention != b.card.convention:
        notes.append(f"by different conventions, {a.card.convention} and {b.card.convention}")
    if apart := _settings_apart(a.card, b.card):
        notes.append(f"with different settings: {'; '.join(map(' and '.join, apart))}")
    if manners := manners_apart(a.card.model, b.card.model):
        notes.append(f"asked in different ways: {'; '.join(map(' and '.join, manners))}")
    if thoughts := _thoughts_apart(a.card, b.card):
        notes.append(thoughts)
    if common := _common_wordings(a.card, b.card):
        notes.append(common)
    repeats = [card.counts.get("repeats", 1) for card in (a.card, b.card)]
    if len(set(repeats)) > 1:
        notes.append(f"from {' and '.join(f'{times:,}' for times in repeats)} replies to an item")
    precisions = [card.model.get("precision") for card in (a.card, b.card)]
    if all(precisions) and len(set(precisions)) > 1:
        notes.append(f"in different precisions, {' and '.join(map(str, precisions))}")
    if a.card.data["sha256"] != b.card.data["sha256"]:
        notes.append("from two files whose common items have the same texts")
    return "; ".join(notes)


def _thoughts_apart(a: Card, b: Card) -> str:
    """How many replies each model thought about, where only one of them thinks; otherwise ""."""
    counts = [card.replies for card in (a, b)]
    if None in counts:
        return ""
    shares = [replies.share("thoughts") for replies in counts if replies]
    if bool(shares[0]) == bool(shares[1]):
        return ""
    first, second = (f"{100 * share:.0f} %" for share in shares)
    return f"written after a thought in {first} and {second} of the replies"


def _both(a: Result, b: Result) -> str:
    """Both results by their models, or by their folders if these are of one name."""
    names = _name(a), _name(b)
    return " and ".join(names if names[0] != names[1] else map(folder_name, (a, b)))


def _common_wordings(a: Card, b: Card) -> str:
    """In which wordings two results are compared, where they were asked in different ones."""
    wordings = [str(card.data.get("wordings", "")) for card in (a, b)]
    if wordings[0] == wordings[1]:
        return ""
    of_a, of_b = (text.split(", ") if text else [] for text in wordings)
    common = [name for name in of_a if name in of_b]
    return f"in the wordings of both only: {', '.join(common) if common else 'the standard one'}"


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
    manners = manners_apart(a.card.model, b.card.model)
    if name_a == name_b and manners:
        name_a, name_b = (f"{_name(a)} ({', '.join(side)})" for side in zip(*manners, strict=True))
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
