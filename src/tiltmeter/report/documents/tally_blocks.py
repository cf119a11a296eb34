"""Tables of given labels by right labels, and the replies without a label by frequency."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TypeAlias

from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Tally
from tiltmeter.core.text import counted, raised, visible
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import PAGE, Block, Column, Section, Table, Text
from tiltmeter.report.text import subset

LONGEST = 80
"""How many characters of a reply are shown."""
LISTED = 200
"""How many replies are listed; the records have all."""
MOST_OPTIONS = 40
"""With more options a table has a row for each pair of labels that occurs: nearly all cells would be 0."""
NO_LABEL = "none known"
Part: TypeAlias = tuple[tuple[str, str], ...]
"""A part of the records: those with these values along the axes of `Tally.by`, as pairs of (axis, value)."""


@dataclass(frozen=True, slots=True)
class TallyRow:
    """One row of a table: a part of the records, or one right label within it."""

    part: Part
    label: str
    counts: Counter[str]
    """How often each column occurs: a label, or one of `Tally.otherwise`."""
    depth: int


@dataclass(slots=True)
class Tallied:
    """The counts of a result's records."""

    tables: dict[tuple[str, ...], dict[Part, dict[int, Counter[str]]]] = field(default_factory=dict)
    """How often each column occurs, by options, part and the place of the right label (−1 for none known)."""
    replies: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How often each reply without a label occurs, by kind (one of `Tally.otherwise`) and stripped text."""


def tallied(records: Iterable[Record], view: Tally) -> Tallied:
    """Count the given labels; records without the scores that the view names are left out."""
    tally = Tallied()
    for record in records:
        if view.rows not in record.scores or view.columns not in record.scores:
            continue
        options = _options_in(record.texts.get(view.options, ""))
        part = tuple((axis, record.groups[axis]) for axis in view.by if axis in record.groups)
        given = int(record.scores[view.columns])
        other = next((name for name in view.otherwise if record.scores.get(name)), "")
        if given < 0 and other:
            tally.replies[other, record.said.strip()] += 1
        column = options[given] if 0 <= given < len(options) else other
        labels = tally.tables.setdefault(options, {}).setdefault(part, {})
        labels.setdefault(int(record.scores[view.rows]), Counter())[column] += 1
    return tally


@lru_cache(maxsize=64)
def _options_in(lines: str) -> tuple[str, ...]:
    return tuple(lines.split("\n"))


def tally_sections(
    result: Result, view: Tally, key: str, *, show_text: bool = True
) -> list[Section]:
    """A table for each list of options, and a list of the replies without a label.

    Without `show_text`, what the model wrote is left out. [] where no record has labels.
    """
    counts = tallied(result.records, view)
    sections = []
    for at, (options, rows) in enumerate(sorted(counts.tables.items())):
        labels = f": {_listed(options)}" if len(counts.tables) > 1 else ""
        title = f"{raised(view.titles[1])} by {view.titles[0]}{labels}"
        name = f"tally-{at + 1}"
        shape = _table if len(options) <= MOST_OPTIONS else _pairs
        table = shape(title, options, _rows(options, rows, result), view, name)
        sections.append(Section(f"{key}-{name}", title, [table]))
    if counts.replies:
        title = f"{raised(view.called)} without a label"
        blocks = _replies(counts.replies, view, title, show_text=show_text)
        sections.append(Section(f"{key}-unlabelled", title, blocks, on=PAGE))
    return sections


def _listed(options: Sequence[str]) -> str:
    shown = ", ".join(map(visible, options[:MOST_OPTIONS]))
    rest = len(options) - MOST_OPTIONS
    return f"{shown} and {rest:,} more" if rest > 0 else shown


def _rows(
    options: tuple[str, ...], parts: Mapping[Part, Mapping[int, Counter[str]]], result: Result
) -> list[TallyRow]:
    """The rows: each part followed by its right labels; items without a known label come last."""
    rows = []
    for part, labels in sorted(parts.items()):
        if part:
            whole = sum(labels.values(), Counter[str]())
            name = subset(dict(part), result.card.labels, with_axis=False)
            rows.append(TallyRow(part, name, whole, 0))
        for at in sorted(labels, key=lambda at: (at < 0, at)):
            name = visible(options[at]) if at >= 0 else NO_LABEL
            rows.append(TallyRow(part, name, labels[at], 1 if part else 0))
    return rows


def _table(
    title: str, options: tuple[str, ...], rows: Sequence[TallyRow], view: Tally, name: str
) -> Table:
    titles = dict(zip(view.otherwise, view.otherwise_titles, strict=True))
    given = [*options, *(name for name in view.otherwise if any(row.counts[name] for row in rows))]
    of = TableRows(rows)

    def column(label: str) -> Column:
        return of.counts(visible(titles.get(label, label)), lambda row: row.counts[label])

    columns = [
        of.words(raised(view.titles[0]), lambda row: row.label),
        *map(column, given),
        of.counts("all", lambda row: row.counts.total()),
    ]
    depths = [row.depth for row in rows]
    return Table(title, columns, depths=depths, name=name)


def _pairs(
    title: str, options: tuple[str, ...], rows: Sequence[TallyRow], view: Tally, name: str
) -> Table:
    """The pairs of a right and a given label, the most frequent first; the page has some of them."""
    titles = dict(zip(view.otherwise, view.otherwise_titles, strict=True))
    part_names = {row.part: row.label for row in rows if row.part and not row.depth}
    pairs = [
        (row, given, times)
        for row in rows
        if row.depth or not row.part
        for given, times in row.counts.items()
    ]
    pairs.sort(key=lambda pair: -pair[2])
    of = TableRows(pairs)
    columns = [
        of.words(raised(view.titles[0]), lambda pair: pair[0].label),
        of.words(raised(view.titles[1]), lambda pair: visible(titles.get(pair[1], pair[1]))),
        of.counts("times", lambda pair: pair[2]),
    ]
    if part_names:
        parts = of.words("of", lambda pair: part_names[pair[0].part], name="part")
        columns.insert(1, parts)
    number = f"Of {counted(len(options), 'labels')}, pairs that do not occur are left out."
    if len(pairs) > LISTED:
        number += f" The page has the {LISTED} most frequent of {len(pairs):,}; files have all."
    return Table(
        title,
        columns,
        notes=[number],
        files_only=[at >= LISTED for at in range(len(pairs))],
        name=name,
    )


def _replies(
    replies: Counter[tuple[str, str]], view: Tally, title: str, *, show_text: bool
) -> list[Block]:
    """A sentence on how many replies have no label, and a table of them, the most frequent first."""
    different, total = len(replies), sum(replies.values())
    summary = f"{counted(total, view.called)} without a label, {different:,} of them different."
    if not show_text:
        return [Text(f"{summary} What the model wrote was left out of this file.")]
    titles = dict(zip(view.otherwise, view.otherwise_titles, strict=True))
    ordered = sorted(replies.items(), key=lambda one: (-one[1], one[0]))[:LISTED]
    of = TableRows(ordered)
    columns = [
        of.words("What the model wrote", lambda one: shortened(one[0][1]) or "(nothing)"),
        of.words("What it is", lambda one: titles[one[0][0]]),
        of.counts("Times", lambda one: one[1]),
    ]
    rest = f" The {LISTED} most frequent are listed." if different > LISTED else ""
    return [
        Text(f"{summary}{rest}"),
        Table(title, columns, folded=True, on=PAGE, name="unlabelled"),
    ]


def shortened(text: str) -> str:
    r"""A reply on one line, cut to `LONGEST` characters, with control characters spelled out.

    >>> shortened("a" * 90)[-3:], shortened("two\nlines")
    ('aa…', 'two lines')
    """
    line = " ".join(text.split())
    return visible(line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…")
