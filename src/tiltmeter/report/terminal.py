"""Prints a document in the terminal: wrapped, never too wide, and in ASCII where nothing else is possible."""

import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from rich.console import Console
from rich.text import Text as Line

from tiltmeter.core.text import counted, visible
from tiltmeter.report import document as doc
from tiltmeter.report.few_items import FEW
from tiltmeter.report.plots.scale import scale_of
from tiltmeter.report.row_remarks import said_briefly
from tiltmeter.report.text_table import (
    GAP,
    TextColumn,
    axis,
    bar,
    fitting,
    in_parts,
    lines,
    total,
    with_room_for_groups,
)
from tiltmeter.report.value_marks import MARKS

WIDEST = 120
"""The longest line that is easy to read, however wide the terminal is."""
LONGEST_BAR, SHORTEST_BAR = 41, 13
BAR_DROP = 3
"""The `drop` of the column of bars: it is left out after columns with a higher number, before lower ones."""
STYLES = {"plain": "", "headline": "bold", "note": "", "warning": ""}

_ASCII = str.maketrans("─├┤│┼●○◆–−×…’“”\u00a0", '-||||*o#--x.\'"" ')
_HELD = "\ue000"
"""A stand-in for no-break spaces, at which rich would wrap lines as at any other space."""
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


class Sheet:
    """Prints to a console, keeping lines short, and in ASCII where the output's encoding has nothing else."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = min(console.width, WIDEST)

    def say(self, text: str, style: str = "") -> None:
        """Print a paragraph; nothing if the text is empty."""
        if text:
            for line in self.wrapped(text, self.width):
                line.stylize(style)
                self.line(line)

    def line(self, text: Line) -> None:
        """Print one line without wrapping it; the caller keeps it short enough."""
        text.plain = self.plain(text.plain).replace("\u00a0", " ").replace(_HELD, " ")
        self.console.print(text, no_wrap=True, overflow="ignore", crop=False, highlight=False)

    def heading(self, text: str) -> None:
        """Print an empty line and then a heading."""
        self.gap()
        self.say(text, style="bold underline")

    def gap(self) -> None:
        """Print an empty line."""
        self.console.print()

    def facts(self, facts: Mapping[str, str]) -> None:
        """Print facts, with their names on the left and the texts wrapped beside them."""
        kept = {name: text for name, text in facts.items() if text}
        indent = max(map(len, kept), default=0) + GAP
        for name, text in kept.items():
            for i, line in enumerate(self.wrapped(text, max(self.width - indent, 1))):
                start = (name if i == 0 else "").ljust(indent)
                self.line(Line.assemble((start, "dim"), line))

    def wrapped(self, text: str, width: int) -> list[Line]:
        """The text in lines of at most `width`, never broken at a no-break space, as before a unit."""
        held = self.plain(text.replace("\u00a0", _HELD))
        lines = Line(held).wrap(self.console, width, overflow="fold")
        for line in lines:
            line.rstrip()
        return list(lines)

    def addresses(self, files: Mapping[str, str | Path]) -> None:
        """Print the paths of files with what they are; a path is never broken over lines."""
        # A path that is broken over lines cannot be copied: these alone may be wider.
        for name, path in files.items():
            text = Line.assemble((f"{name}: ", "dim"), visible(str(path)))
            self.console.print(text, soft_wrap=True, highlight=False)

    def plain(self, text: str) -> str:
        """The text in characters that the output's encoding has."""
        if not self.console.options.ascii_only:
            return text
        known = text.translate(_ASCII).translate(_RAISED)
        pieces = known.split(_HELD)
        return _HELD.join(p.encode("ascii", "backslashreplace").decode("ascii") for p in pieces)


def print_document(
    document: doc.Document, console: Console, *, files: Mapping[str, str | Path] | None = None
) -> None:
    """Print the finding, the sections and blocks that are for the terminal, and then the paths of `files`.

    No line is wider than the console, except for paths.
    """
    sheet = Sheet(console)
    for paragraph in document.paragraphs():
        print_block(sheet, paragraph)
    last: doc.Block | None = None
    begun = False
    for section in document.sections:
        blocks = _notes_once([b for b in map(printed, section.shown("terminal")) if b is not None])
        if begun and blocks and not section.title and isinstance(blocks[0], doc.Text):
            sheet.gap()
            last = None
        begun = begun or bool(blocks)
        # A section that begins with a titled table goes under that title.
        if blocks and section.title and not _has_heading(blocks[0]):
            sheet.heading(visible(section.title))
            last = None
        for block in blocks:
            under_table = isinstance(last, doc.Table) and not _has_heading(block)
            under_heading = last is None and section.title
            if under_table or (isinstance(block, doc.Facts) and not under_heading):
                sheet.gap()
            print_block(sheet, block)
            last = block
    if files:
        sheet.gap()
        sheet.addresses(files)


def plain_text(document: doc.Document) -> str:
    """The document as text, as a wide terminal shows it, without colours."""
    out = io.StringIO()
    # In a notebook, rich would show each line as an output of the cell instead of writing it to the file.
    console = Console(
        file=out, width=WIDEST, color_system=None, highlight=False, force_jupyter=False
    )
    print_document(document, console)
    return out.getvalue()


def printed(block: doc.Block) -> doc.Block | None:
    """The block that the terminal prints for a block: the table of a picture; None for nothing."""
    if isinstance(block, doc.Picture):
        return block.table
    if isinstance(block, doc.Facts) and not any(map(doc.fact, block.facts.values())):
        return None
    return None if isinstance(block, doc.Items | doc.Panels) else block


def _has_heading(block: doc.Block) -> bool:
    return isinstance(block, doc.Table) and bool(block.title)


def _notes_once(blocks: Sequence[doc.Block]) -> list[doc.Block]:
    """The blocks of a section, with notes that several tables share only under the last of them."""
    known: set[str] = set()
    shown: list[doc.Block] = []
    for block in reversed(blocks):
        if isinstance(block, doc.Table):
            notes = [note for note in _notes(block) if note not in known]
            known.update(notes)
            shown.append(replace(block, notes=notes, brief=(), remarks=()))
        else:
            shown.append(block)
    return shown[::-1]


def _notes(table: doc.Table) -> list[str]:
    """The notes under a table; those that explain a mark only where a row with it is printed."""
    notes = [*table.notes]
    if table.brief or table.remarks:
        names, remarks = [name for name, _ in table.remarks], [texts for _, texts in table.remarks]
        notes = [*table.brief, *said_briefly(names, remarks)]
    missing = tuple(
        mark for mark in MARKS if not any(mark in cell for c in table.columns for cell in c.cells)
    )
    kept = [note for note in notes if not (missing and note.startswith(missing))]
    return kept[: table.most_notes]


def print_block(sheet: Sheet, block: doc.Block) -> None:
    """Print one block; items, pictures and panels are only for the page."""
    match block:
        case doc.Text():
            sheet.say(visible(block.text), STYLES[block.kind])
        case doc.Code():
            sheet.say(visible(block.text))
        case doc.Facts():
            sheet.facts({visible(name): doc.fact(value) for name, value in block.facts.items()})
        case doc.Lines():
            sheet.say(visible(block.title))
            for line in block.lines:
                sheet.say(visible(line))
        case doc.Table():
            _print_table(sheet, block)
        case doc.Picture() | doc.Items() | doc.Panels():
            pass


def _print_table(sheet: Sheet, table: doc.Table) -> None:
    table = table.in_single_lines()
    if table.title:
        sheet.heading(visible(table.title))
    columns = [
        TextColumn(
            visible(c.title), [visible(x) for x in c.cells], c.number, c.drop, c.bold, group=visible(c.group)
        )
        for c in table.kept("terminal")
    ]  # fmt: skip
    if not columns:
        return
    columns = with_room_for_groups(columns)
    if total(columns) > sheet.width:
        columns = [*map(_nearer, columns)]
    if table.depths:
        names = [f"{'  ' * d}{n}" for n, d in zip(columns[0].cells, table.depths, strict=False)]
        columns[0] = TextColumn(columns[0].heading, names, right=False)
    strong = list(table.strong) or [False] * table.rows
    kept = _with_bars(columns, table, sheet.width)
    parts = in_parts(kept, sheet.width)
    for i, part in enumerate(parts):
        if i:
            sheet.gap()
        for line in lines(part, sheet.width, strong, partial=len(parts) > 1):
            sheet.line(line)
    if any(table.left_out):
        sheet.say(rows_left_out(*table.left_out))
    _print_notes(sheet, _notes(table))


def rows_left_out(small: int, further: int) -> str:
    """A line on rows that an excerpt leaves out: some with too few items, and others.

    >>> rows_left_out(17, 0), rows_left_out(0, 3)
    ('17 rows with n below 5, too few to say, are not listed: --all.', '… and 3 more: --all.')
    """
    few = f"{counted(small, 'rows')} with n below {FEW}"
    if not further:
        return f"{few}, too few to say, are not listed: --all."
    return f"… and {further:,} more{f', and {few}' if small else ''}: --all."


def _print_notes(sheet: Sheet, notes: Sequence[str]) -> None:
    if notes:
        sheet.gap()
    for note in notes:
        sheet.say(visible(note))


def _nearer(column: TextColumn) -> TextColumn:
    """The column with a smaller gap before it if it is an interval, which saves room before columns go."""
    is_interval = column.right and any(" to " in cell for cell in column.cells)
    return replace(column, gap=1) if is_interval else column


def _with_bars(columns: Sequence[TextColumn], table: doc.Table, width: int) -> list[TextColumn]:
    """The columns that fit, followed by bars as wide as the remaining room allows."""
    known = [e for e in (table.bars.estimates if table.bars else ()) if e is not None]
    if table.bars is None or not known:
        return fitting(columns, width)
    scale = table.bars.scale or scale_of(known)
    shown = table.bars.estimates

    def drawn(wide: int) -> TextColumn:
        bars = ["" if e is None else bar(e, scale, wide).ljust(wide) for e in shown]
        return TextColumn(axis(scale, wide), bars, right=False, drop=BAR_DROP)

    kept = fitting([*columns, drawn(SHORTEST_BAR)], width)
    if kept[-1].drop == BAR_DROP and kept[-1] not in columns:
        room = width - total(kept[:-1]) - GAP
        kept[-1] = drawn(min(max(room, SHORTEST_BAR), LONGEST_BAR))
    return kept
