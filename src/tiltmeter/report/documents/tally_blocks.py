"""Which label was given for each right one, as tables, and what was written instead, by frequency."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from tiltmeter.core.results import Record, Result
from tiltmeter.core.text import visible
from tiltmeter.core.types import Groups
from tiltmeter.core.views import Tally
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, PAGE, Block, Column, On, Section, Table, Text
from tiltmeter.report.text import counted, raised, subset

FEW = 4
"""The terminal shows no more tables than this of one result."""
LONGEST = 80
"""Characters of a reply that are shown."""
LISTED = 200
"""Replies that are listed; the records have all."""
NO_LABEL = "none known"


@dataclass(slots=True)
class LabelTable:
    """How often each label was given for each right one."""

    groups: Groups
    options: tuple[str, ...]
    cells: Counter[tuple[int, str]] = field(default_factory=Counter)
    """By right label (-1 for none) and column: a label, or one of `Tally.otherwise`."""

    @property
    def rows(self) -> list[int]:
        """Right labels that occur, none of them last."""
        found = {row for row, _ in self.cells}
        return [*sorted(found - {-1}), *sorted(found & {-1})]

    def total(self, row: int) -> int:
        """How many records have this right label."""
        return sum(n for (label, _), n in self.cells.items() if label == row)


@dataclass(slots=True)
class Tallied:
    """What the records of a result add up to."""

    tables: dict[tuple[tuple[str, str], ...], LabelTable] = field(default_factory=dict)
    """By the values of `Tally.by`, and by options where these differ."""
    replies: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By what it is (one of `Tally.otherwise`) and the reply without the spaces around it."""


def tallied(records: Iterable[Record], view: Tally) -> Tallied:
    """Count the records; those without the scores of the view are left out."""
    found = Tallied()
    for record in records:
        if view.rows not in record.scores or view.columns not in record.scores:
            continue
        groups = {axis: record.groups[axis] for axis in view.by if axis in record.groups}
        named = record.texts.get(view.options, "")
        key = (*groups.items(), ("options", named))
        table = found.tables.setdefault(key, LabelTable(groups, tuple(named.split("\n"))))
        given = int(record.scores[view.columns])
        other = next((name for name in view.otherwise if record.scores.get(name)), "")
        if given < 0 and other:
            found.replies[other, record.said.strip()] += 1
        column = table.options[given] if 0 <= given < len(table.options) else other
        table.cells[int(record.scores[view.rows]), column] += 1
    return found


def tally_sections(
    result: Result, view: Tally, key: str, *, level: int = 2, show_text: bool = True
) -> list[Section]:
    """The tables of a result, and its replies without a label; none where no record has a label.

    Args:
        result: Of one model.
        view: What its study wants counted.
        key: Makes anchors unique in the document.
        level: Of the headings.
        show_text: False leaves out what the model wrote.
    """
    found = tallied(result.records, view)
    if not found.tables:
        return []
    on = BOTH if len(found.tables) <= FEW else PAGE
    tables: list[Block] = [
        _table(table, view, result, on=on) for _, table in sorted(found.tables.items())
    ]
    sections = [Section(f"{key}-tally", heading(view), tables, level=level)]
    if found.replies:
        title = f"{raised(view.called)} without a label"
        blocks = _replies(found.replies, view, title, show_text=show_text)
        sections.append(Section(f"{key}-unlabelled", title, blocks, level=level, on=PAGE))
    return sections


def heading(view: Tally) -> str:
    """What the tables show: "Reply by right label"."""
    return f"{raised(view.titles[1])} by {view.titles[0]}"


def _table(table: LabelTable, view: Tally, result: Result, *, on: On) -> Table:
    where = subset(table.groups, result.card.labels) if table.groups else ""
    titles = dict(zip(view.otherwise, view.otherwise_titles, strict=True))
    given = [*table.options, *(name for name in view.otherwise if _any(table, name))]
    of = TableRows(table.rows)

    def column(name: str) -> Column:
        return of.counts(visible(titles.get(name, name)), lambda row: table.cells[row, name])

    columns = [
        of.words(
            raised(view.titles[0]),
            lambda row: visible(table.options[row]) if row >= 0 else NO_LABEL,
        ),
        *map(column, given),
        of.counts("all", table.total),
    ]
    title = heading(view)
    return Table(
        f"{title}, {where}" if where else title,
        columns,
        on=on,
        name=f"tally-{where}" if where else "tally",
    )


def _any(table: LabelTable, name: str) -> bool:
    return any(n for (_, column), n in table.cells.items() if column == name)


def _replies(
    replies: Counter[tuple[str, str]], view: Tally, title: str, *, show_text: bool
) -> list[Block]:
    """How many there are, and each with its number, the most frequent first."""
    different, total = len(replies), sum(replies.values())
    told = f"{counted(total, view.called)} without a label, {different:,} of them different."
    if not show_text:
        return [Text(f"{told} What the model wrote was left out of this file.")]
    titles = dict(zip(view.otherwise, view.otherwise_titles, strict=True))
    ordered = sorted(replies.items(), key=lambda one: (-one[1], one[0]))[:LISTED]
    of = TableRows(ordered)
    columns = [
        of.words("What the model wrote", lambda one: shortened(one[0][1]) or "(nothing)"),
        of.words("What it is", lambda one: titles[one[0][0]]),
        of.counts("Times", lambda one: one[1]),
    ]
    rest = f" The {LISTED} most frequent are listed." if different > LISTED else ""
    return [Text(f"{told}{rest}"), Table(title, columns, folded=True, on=PAGE, name="unlabelled")]


def shortened(text: str) -> str:
    r"""A reply on one line, cut where it is long, with whatever acts on a screen spelled out.

    >>> shortened("a" * 90)[-3:], shortened("two\nlines")
    ('aa…', 'two lines')
    """
    line = " ".join(text.split())
    return visible(line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…")
