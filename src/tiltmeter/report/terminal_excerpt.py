"""The part of a document that a terminal shows unless all of it is asked for: about a screenful.

Paragraphs and facts stay. Tables fill the lines that are left, the most important first (`Section.rank`); a
table that does not fit is cut, and one of which too little would be left is only named.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from tiltmeter.core.text import counted, visible
from tiltmeter.report import document as doc
from tiltmeter.report.terminal import print_document, printed

LINES = 38
"""How many lines an excerpt has, or a few more."""
LEAST_ROOM = 16
"""Lines for tables, however many the paragraphs take."""
MAIN_ROWS = 14
"""How many rows the most important table has in any case."""
LEAST_ROWS = 4
"""A table of which fewer rows would fit is not shown."""
LEAST_LEFT_OUT = 3
"""If more rows than this rest on too few items, and others do not, they are only counted."""
SLACK, SMALL = 4, 9
"""How many lines too many a table may take that has so many at most."""
MOST_NOTES = 3
"""How many notes a table has."""
MOST_NAMED = 2
"""How many tables are named that are not shown."""
KEPT_FILES = ("page", "pictures", "folder")
"""The files that are named; pictures are only there where they were asked for."""
LONG_LIST = 12
"""A list with more lines than this counts as a table."""


def print_result(
    document: doc.Document,
    console: Console,
    *,
    files: Mapping[str, str | Path] | None = None,
    everything: bool = False,
) -> None:
    """Print a result: an excerpt that says what it leaves out, or with `everything` the whole document."""
    if everything:
        print_document(document, console, files=files)
        return
    kept = {name: path for name, path in (files or {}).items() if name in KEPT_FILES}
    print_document(excerpt(document, console.width), console, files=kept)


@dataclass(slots=True)
class _Part:
    """Blocks of a section that are shown together: a table with the paragraphs about it, or no table."""

    section: int
    """The place of its section in the document."""
    order: int
    """How many tables come before it in its section."""
    blocks: list[doc.Block]

    @property
    def table(self) -> doc.Table | None:
        return next((block for block in self.blocks if isinstance(block, doc.Table)), None)

    @property
    def is_list(self) -> bool:
        """Whether it is a list of lines, which may be long."""
        return any(isinstance(block, doc.Lines) for block in self.blocks)

    @property
    def left_out(self) -> int:
        """How many rows of its table are left out, those of few items aside."""
        return self.table.left_out[1] if self.table else 0

    def cut(self, rows: int) -> "_Part":
        """The part with so many rows of its table."""
        cut = [_cut(b, rows) if isinstance(b, doc.Table) else b for b in self.blocks]
        return replace(self, blocks=cut)


def excerpt(document: doc.Document, width: int, most: int = LINES) -> doc.Document:
    """The document with what fits into about `most` lines of a terminal of this width.

    Rows that rest on too few items are counted, as far as other rows are left.
    """
    sections = [_in_brief(section) for section in document.sections if section.brief]
    parts = [part for place, section in enumerate(sections) for part in _parts(place, section)]

    def height(part: _Part) -> int:
        return _height(sections[part.section], part, width)

    room = most - _lines(replace(document, sections=[]), width)
    optional, shown = [], {}
    for at, part in enumerate(parts):
        lines = height(part)
        asked = part.table is not None and part.table.asked
        if not asked and (part.table is not None or (part.is_list and lines > LONG_LIST)):
            optional.append(at)
        else:
            shown[at] = part
            room -= lines
    room = max(room, LEAST_ROOM)

    def rank(at: int) -> tuple[bool, int]:
        ranked = sections[parts[at].section].rank
        return ranked > 0 and parts[at].order > 0, ranked

    for place, at in enumerate(sorted(optional, key=rank)):
        fits = _fitting(parts[at], room, height)
        if place == 0 and (fits is None or fits.left_out):
            fits = parts[at].cut(MAIN_ROWS)
        if fits is not None:
            shown[at] = fits
            room -= height(fits)
    kept = [
        replace(
            section,
            blocks=[
                b for at in sorted(shown) if parts[at].section == place for b in shown[at].blocks
            ],
        )
        for place, section in enumerate(sections)
    ]
    if names := [_name(parts[at], sections) for at in optional if at not in shown]:
        after = 1 + max(parts[at].section for at in optional)
        kept.insert(after, doc.Section("unlisted", "", [doc.Text(_not_listed(names))]))
    return replace(document, sections=kept)


def _in_brief(section: doc.Section) -> doc.Section:
    """The section with what the terminal prints of it, with tables of their usual length."""
    blocks: list[doc.Block] = []
    for block in map(printed, section.shown("terminal")):
        if block is None:
            continue
        blocks.append(_of_usual_length(block) if isinstance(block, doc.Table) else block)
    return replace(section, blocks=blocks, on=doc.TERMINAL)


def _of_usual_length(table: doc.Table) -> doc.Table:
    """The table without rows that rest on too few items, and with no more rows and notes than usual."""
    enough = [row for row in range(table.rows) if not (table.too_few and table.too_few[row])]
    small = table.rows - len(enough)
    if enough and small > LEAST_LEFT_OUT:
        table = replace(table.of_rows(enough), left_out=(small, 0))
    table = replace(table, most_notes=MOST_NOTES)
    # One row more than the limit is shown rather than counted.
    return _cut(table, table.most) if table.rows > table.most + 1 else table


def _cut(table: doc.Table, rows: int) -> doc.Table:
    if table.rows <= rows:
        return table
    small, further = table.left_out
    marked = [row for row in range(table.rows) if _is_marked(table, row)]
    first = sorted([*marked, *(row for row in range(table.rows) if row not in marked)][:rows])
    return replace(table.of_rows(first), left_out=(small, further + table.rows - rows))


def _is_marked(table: doc.Table, row: int) -> bool:
    """Whether a row stands out, as one that is significant or has a verdict: it is shown before others."""
    strong = bool(table.strong) and table.strong[row]
    return strong or any(bool(c.tones) and bool(c.tones[row]) for c in table.columns)


def _parts(place: int, section: doc.Section) -> list[_Part]:
    """The blocks of a section by table: paragraphs go with the table behind them, the last ones before."""
    parts = [_Part(place, 0, [])]
    for block in section.blocks:
        if isinstance(block, doc.Table) and parts[-1].table is not None:
            parts.append(_Part(place, len(parts), []))
        parts[-1].blocks.append(block)
    return [part for part in parts if part.blocks]


def _fitting(part: _Part, room: int, height: Callable[[_Part], int]) -> _Part | None:
    """The part as far as it fits into so many lines; None where too little of it would be left.

    A small table may take a few lines more, rather than be named in one of them.
    """
    lines = height(part)
    if lines <= room or lines <= min(room + SLACK, SMALL):
        return part
    rows = part.table.rows if part.table else 0
    cuts = map(part.cut, range(rows - 1, LEAST_ROWS - 1, -1))
    return next((cut for cut in cuts if height(cut) <= room), None)


def _name(part: _Part, sections: Sequence[doc.Section]) -> str:
    table = part.table
    return visible((table.title if table else "") or sections[part.section].title)


def _not_listed(names: Sequence[str]) -> str:
    named = [name for name in dict.fromkeys(names) if name]
    more = len(named) - MOST_NAMED
    words = "; ".join(named[:MOST_NAMED]) + (f"; and {more:,} more" if more > 0 else "")
    tables = counted(len(named), "tables")
    return f"{tables} not shown: {words}. --all prints everything; the page has it too."


def _height(section: doc.Section, part: _Part, width: int) -> int:
    """The lines that a part takes with the empty line before it, and the heading of its section."""
    title = section.title if part.order == 0 else ""
    alone = replace(section, title=title, blocks=part.blocks)
    return _lines(doc.Document("", "", [], [alone]), width) + (0 if part.table else 1)


def _lines(document: doc.Document, width: int) -> int:
    out = io.StringIO()
    print_document(document, Console(file=out, width=width, color_system=None, force_jupyter=False))
    return out.getvalue().count("\n")
