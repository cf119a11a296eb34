r"""How a table fits a page of LaTeX: its letters, the widths of its columns, and its parts."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise, takewhile
from typing import NamedTuple

from tiltmeter.report.columns import column_groups
from tiltmeter.report.document import Column
from tiltmeter.report.latex.letters import BOLD, lines, piece_width, text_width

TEXT_WIDTH, TEXT_HEIGHT = 343, 550
"""The size of the text on a page of LaTeX's article class, in points; 2 of its width are left for errors."""
BETWEEN = 2
"""The space between rows that may have several lines, in points."""
ABOVE = 55
"""The height of a caption of two lines and of the rules of a table, in points."""


class LetterSize(NamedTuple):
    """A size of letters, with widths in points."""

    command: str
    """What sets it; "" for the size of the text."""
    gap: float
    """At each side of a column."""
    em: float
    """By how much the widths of letters are multiplied."""
    below: str
    """What sets the size of second lines of cells, which are intervals."""
    em_below: float
    line_height: float

    @property
    def line(self) -> list[str]:
        """The line of LaTeX that sets it; [] for the size of the text."""
        return [rf"{self.command}\setlength{{\tabcolsep}}{{{self.gap}pt}}"] if self.command else []


SIZES = (
    LetterSize("", 6, 10.0, r"\footnotesize", 8.5, 12.0),
    LetterSize(r"\footnotesize", 3, 8.5, r"\scriptsize", 8.0, 9.5),
    LetterSize(r"\scriptsize", 2, 8.0, r"\tiny", 7.0, 8.0),
)
"""The sizes to try in turn."""
SMALLEST = SIZES[-1]
WIDEST = 200
"""Columns of words get no more points while others need them."""
TWO_SIDED = re.compile(r"(.*\d) \(\+([\d.,]+) −([\d.,]+)\)([*‡§]*)")
"""A number with the distances to the two ends of its interval, which stand above each other in LaTeX."""
NAMES_SHARE = 0.55
"""Where the columns that name the rows would take more of the width, parts repeat the first of them only."""


class Part(NamedTuple):
    """Columns that stand beside each other."""

    columns: Sequence[Column]
    broken: dict[int, float]
    """The places of columns whose words are broken into lines, with their widths in points."""

    @property
    def spaced(self) -> bool:
        """Whether rows need some room between them, since one of several lines seems to go on in the next."""
        return bool(self.broken) or any(any(c.below) for c in self.columns)

    def pages(
        self,
        rows: Sequence[int],
        size: LetterSize,
        notes: Sequence[str] = (),
        *,
        has_notes: bool = False,
    ) -> list[Sequence[int]]:
        """The rows that fit on each page, the last of which also has room for the notes.

        With `has_notes` the others have a line that says where these are.

        >>> part = Part([Column("n", list(range(50)))], {})
        >>> part.pages(range(50), SIZES[0]), part.pages(range(40), SIZES[0], ["a note"] * 9)
        ([range(0, 40), range(40, 50)], [range(0, 7), range(7, 40)])
        """
        heading = max((len(c.title.split()) for c in self.columns), default=1)
        room = TEXT_HEIGHT - ABOVE - heading * size.line_height
        room -= SIZES[1].line_height * has_notes  # a line that says where they are
        heights = [self._height(row, size) for row in rows]
        starts, high = [0], 0.0
        for at, height in enumerate(heights):
            high += height
            if high > room and at > starts[-1]:
                starts.append(at)
                high = height
        noted = SIZES[1].line_height * sum(len(lines(n, TEXT_WIDTH / SIZES[1].em)) for n in notes)
        last = starts[-1]
        while last + 1 < len(rows) and sum(heights[last:]) + noted > room:
            last += 1
        starts += [last] * (last > starts[-1])
        return [rows[a:b] for a, b in pairwise([*starts, max(len(rows), 1)])]

    def _height(self, row: int, size: LetterSize) -> float:
        broken = (
            len(
                lines(self.columns[at].cells[row], width / size.em / _weight(self.columns[at], row))
            )
            for at, width in self.broken.items()
        )
        high = max([1, *broken]) + any(c.below and c.below[row] for c in self.columns)
        return high * size.line_height + BETWEEN * self.spaced

    def rows_with_numbers(self) -> Sequence[int]:
        """The rows in which some of the columns has something besides names."""
        rows = range(len(self.columns[0].values))
        cells = [c.cells for c in self.columns[len(leading_words(self.columns)) or 1 :]]
        return [row for row in rows if any(of[row] for of in cells)] or rows

    def naming(self, rows: Sequence[int]) -> "Part":
        """The part with outer names, which only the first of their rows show, in the first of these rows."""
        outer = leading_words(self.columns)[:-1]
        columns = [
            replace(column, shown=_first_of_each(column.cells, rows)) if column in outer else column
            for column in self.columns
        ]
        return Part(columns, self.broken)


def _first_of_each(names: Sequence[str], rows: Sequence[int]) -> list[str]:
    """The names where those of rows that are left out stand in the first row of theirs that is kept.

    >>> _first_of_each(["a", "", "b", "", ""], [1, 3, 4])
    ['a', 'a', 'b', 'b', '']
    """
    shown, name, last, kept = [*names], "", None, {*rows}
    for row, own in enumerate(names):
        name = own or name
        if row in kept:
            shown[row] = own or (name if last != name else "")
            last = name
    return shown


class Fit(NamedTuple):
    """How a table fits the width of a page."""

    size: LetterSize
    stacked: bool
    """Whether the headings of columns have one word on each line."""
    parts: Sequence[Part]

    @property
    def whole(self) -> bool:
        """Whether all columns stand beside each other as they are."""
        return len(self.parts) == 1 and not self.parts[0].broken


def fit(columns: Sequence[Column]) -> Fit:
    r"""The largest letters with which the columns fit; else broken words; else parts.

    Every part begins with the columns that name the rows; an interval stays with its value.

    >>> name, ends = Column("model", ["of x " * 9], number=False), Column("interval", ["y" * 38])
    >>> found = fit([name, ends])
    >>> found.size.command, found.stacked, len(found.parts)
    ('\\footnotesize', False, 1)
    >>> [len(part.columns) for part in fit([name, ends, ends]).parts]
    [2, 2]
    >>> [len(part.broken) for part in fit([name, ends, name]).parts]
    [2]
    >>> fit([name, *[Column("a heading of words", ["1"])] * 8]).stacked
    True
    """
    for size in SIZES:
        for stacked in (False, True) if size.command else (False,):
            if _width(columns, size, stacked=stacked) <= TEXT_WIDTH:
                return Fit(size, stacked, [Part(columns, {})])
    for stacked in (False, True):
        if sum(_least(columns, stacked=stacked)) <= TEXT_WIDTH:
            return Fit(SMALLEST, stacked, [_broken(columns, stacked=stacked)])
    return Fit(SMALLEST, stacked=True, parts=[_broken(p, stacked=True) for p in _parts(columns)])


def leading_words(columns: Sequence[Column]) -> list[Column]:
    """The columns that name the rows: those of words before the first of numbers."""
    return list(takewhile(lambda c: not c.number, columns))


def _parts(columns: Sequence[Column]) -> Iterator[list[Column]]:
    """The columns in parts that fit the width, each with those that name the rows."""
    names = leading_words(columns)
    if len(names) == len(columns) or sum(_least(names, stacked=True)) > NAMES_SHARE * TEXT_WIDTH:
        names = names[:1]
    part = names
    for beside in _kept_together(columns[len(names) :]):
        together = [*part, *beside]
        if part != names and sum(_least(together, stacked=True)) > TEXT_WIDTH:
            yield part
            together = [*names, *beside]
        part = together
    yield part


def _kept_together(columns: Sequence[Column]) -> list[list[Column]]:
    """The columns in groups: each with those after it that only make sense beside it, such as intervals."""
    together: list[list[Column]] = []
    for column in columns:
        if together and not column.in_files:
            together[-1].append(column)
        else:
            together.append([column])
    return together


def _broken(columns: Sequence[Column], *, stacked: bool) -> Part:
    """The columns with the room that is left given to those of words that want it."""
    least = _least(columns, stacked=stacked)
    whole = [column_width(c, SMALLEST, stacked=stacked) for c in columns]
    wants = [
        max(0.0, min(w, WIDEST) + 2 * SMALLEST.gap - n) for w, n in zip(whole, least, strict=True)
    ]
    spare = max(0.0, TEXT_WIDTH - sum(least))
    share = min(1.0, spare / sum(wants)) if sum(wants) else 0.0
    widths = [n + share * want - 2 * SMALLEST.gap for n, want in zip(least, wants, strict=True)]
    return Part(
        columns,
        {
            at: width
            for at, (c, width) in enumerate(zip(columns, widths, strict=True))
            if not c.number and width < whole[at]
        },
    )


def _least(columns: Sequence[Column], *, stacked: bool) -> list[float]:
    """The least widths of columns in the smallest letters, with their gaps, when words are broken."""
    return [
        2 * SMALLEST.gap
        + (
            column_width(c, SMALLEST, stacked=stacked)
            if c.number
            else SMALLEST.em
            * max(
                piece_width(c.title),
                *(piece_width(cell) * _weight(c, row) for row, cell in enumerate(c.cells)),
            )
        )
        for c in columns
    ]


def _width(columns: Sequence[Column], size: LetterSize, *, stacked: bool = False) -> float:
    """The width of a table in points; a heading over several columns may be wider than these."""
    widths = [column_width(c, size, stacked=stacked) + 2 * size.gap for c in columns]
    groups = column_groups(columns)
    firsts = accumulate((count for _, count in groups), initial=0)
    over = (
        text_width(title) * size.em + 2 * size.gap - sum(widths[first : first + count])
        for (title, count), first in zip(groups, firsts, strict=False)
    )
    return sum(widths) + sum(max(0.0, more) for more in over)


def column_width(column: Column, size: LetterSize, *, stacked: bool) -> float:
    """The width of a column none of whose cells are broken."""
    heading = column.title.split() if stacked else [column.title]
    cells = (_cell_width(cell) * _weight(column, row) for row, cell in enumerate(column.cells))
    above = max((*map(text_width, heading), *cells), default=0.0) * size.em
    return max(above, max(map(text_width, column.below), default=0.0) * size.em_below)


def _weight(column: Column, row: int) -> float:
    """How much wider the letters of a cell are because they are bold."""
    return BOLD if column.bold and column.bold[row] else 1.0


def _cell_width(cell: str) -> float:
    """The width of a cell; distances to the ends of an interval are above each other and smaller."""
    if two := TWO_SIDED.fullmatch(cell):
        return text_width(two[1]) + 0.17 + 0.8 * (0.78 + max(map(text_width, (two[2], two[3]))))
    return text_width(cell)
