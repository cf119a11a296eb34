"""Lays out a plain-text table in a given width: columns are left out before anything wraps."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from math import ceil

from rich.cells import cell_len, set_cell_size
from rich.text import Text

from tiltmeter.core.estimates import Estimate
from tiltmeter.report.few_items import shown_significant
from tiltmeter.report.plots.scale import Scale

GAP = 2
LEAST_NAME = 14
"""How many letters of a name are kept, at least, before columns are left out."""
CLEAR_MARK, UNCLEAR_MARK, UNTESTED_MARK = "●", "○", "◆"


@dataclass(frozen=True, slots=True)
class TextColumn:
    """One column: its heading, and one cell for each row."""

    heading: str
    cells: Sequence[str]
    right: bool = True
    """Whether cells are aligned right, as numbers are, or left, as names are."""
    drop: int = 0
    """Columns with higher numbers are left out first; 0 means never."""
    bold: Sequence[bool] = ()
    """Which cells are bold; () for none."""
    gap: int = GAP
    """How many spaces separate the column from the one before it."""
    group: str = ""
    """The heading over this column and its neighbours with the same `group`; "" for none."""
    least: int = 0
    """The least width, such as the column's share of a long `group`."""

    @property
    def width(self) -> int:
        """The width in terminal cells, in which wide characters count twice."""
        return max(self.least, *(cell_len(text) for text in (self.heading, *self.cells)))


def shortened(text: str, width: int) -> str:
    """The text cut in its middle, where names differ least, to at most `width` terminal cells.

    >>> shortened("male and female names × career", 15)
    'male an…career'
    """
    if cell_len(text) <= width:
        return text
    tail = (width - 1) // 2
    start = set_cell_size(text, max(width - 1 - tail, 0)).rstrip()
    end = len(text)
    while end > 0 and cell_len(text[end - 1 :]) <= tail:
        end -= 1
    return f"{start}…{text[end:].lstrip()}" if width > 0 else ""


def with_room_for_groups(columns: Sequence[TextColumn]) -> list[TextColumn]:
    """The columns, wide enough that the headings over several of them fit.

    >>> columns = [TextColumn(name, ["1"], group="both of them") for name in "ab"]
    >>> [column.width for column in with_room_for_groups(columns)]
    [5, 5]
    """
    roomy: list[TextColumn] = []
    for group, alike in groupby(columns, key=lambda c: c.group):
        members = list(alike)
        gaps = sum(c.gap for c in members[1:])
        share = ceil((cell_len(group) - gaps) / len(members)) if group else 0
        roomy += [replace(c, least=max(c.least, share)) for c in members]
    return roomy


def fitting(columns: Sequence[TextColumn], width: int) -> list[TextColumn]:
    """The columns that fit into `width`, if the first is shortened as far as its names remain distinct."""
    kept = list(columns)
    least = _least_name(columns[0])
    while total(kept) - kept[0].width + least > width:
        droppable = [c.drop for c in kept if c.drop]
        if not droppable:
            break
        kept = [c for c in kept if c.drop != max(droppable)]
    return kept


def in_parts(columns: Sequence[TextColumn], width: int) -> list[list[TextColumn]]:
    """The columns in as many parts as are needed for each to fit into `width`.

    Every part begins with the columns that name the rows; columns under one heading stay together if a part
    has room for them.
    """
    names = list(takewhile(lambda c: not c.right, columns))
    numbers = columns[len(names) :]
    if not names:
        return [list(columns)]
    room = width + names[0].width - _least_name(names[0])
    if total(columns) <= room:
        return [list(columns)]
    together: list[list[TextColumn]] = []
    for group, alike in groupby(numbers, key=lambda c: c.group):
        members = list(alike)
        whole = group and total([*names, *members]) <= room
        together += [members] if whole else [[column] for column in members]
    parts = [names]
    for added in together:
        if len(parts[-1]) > len(names) and total([*parts[-1], *added]) > room:
            parts.append(names)
        parts[-1] = [*parts[-1], *added]
    return parts


def _least_name(names: TextColumn) -> int:
    """The least width of the names at which two different ones do not become the same."""
    different = len(set(names.cells))
    usual = min(names.width, LEAST_NAME)
    widths = range(usual, names.width)
    return next(
        (w for w in widths if len({shortened(n, w) for n in names.cells}) == different), names.width
    )


def total(columns: Sequence[TextColumn]) -> int:
    """The width of the columns with the gaps between them, in terminal cells."""
    return sum(c.width for c in columns) + sum(c.gap for c in columns[1:])


def lines(
    columns: Sequence[TextColumn], width: int, strong: Sequence[bool], *, partial: bool = False
) -> list[Text]:
    """The lines of the heading and the rows, none wider than `width`.

    Args:
        columns: All of the same length.
        width: In terminal cells.
        strong: Which rows are bold.
        partial: Whether this is a part of a table; its rows without a number here are then left out.
    """
    widths = _widths(columns, width)
    heading = [c.heading for c in columns]
    rows = [[c.cells[i] for c in columns] for i in range(len(strong))]
    # Of nested names an outer one is shown only once, in a row that has to stay.
    names = len(list(takewhile(lambda c: not c.right, columns)))
    partial = partial and names == 1
    shown = []
    if any(c.group for c in columns):
        shown.append(Text(_groups(columns, widths)[:width].rstrip(), style="bold"))
    if any(heading):
        shown.append(Text(_laid(heading, columns, widths)[:width], style="bold"))
    for i, (row, stands_out) in enumerate(zip(rows, strong, strict=True)):
        if not any(row) or (partial and not any(row[names:])):
            continue
        laid = _laid(row, columns, widths)
        shown.append(Text(set_cell_size(laid, min(width, cell_len(laid))).rstrip()))
        if stands_out:
            shown[-1].stylize("bold")
        for at, column in enumerate(columns):
            if column.bold and column.bold[i]:
                start = len(_laid(row[:at], columns, widths[:at]))
                shown[-1].stylize("bold", start, len(_laid(row[: at + 1], columns, widths)))
    return shown


def _widths(columns: Sequence[TextColumn], width: int) -> list[int]:
    """The width of each column.

    If there is too little room, the names are shortened as far as they stay distinct, then the longest texts,
    then the names again.
    """
    widths = [column.width for column in columns]
    over = max(0, total(columns) - width)
    cut = min(over, widths[0] - _least_name(columns[0]))
    widths[0], over = widths[0] - cut, over - cut
    texts = [i for i, column in enumerate(columns) if i and not column.right]
    while over and texts:
        longest = max(texts, key=widths.__getitem__)
        if widths[longest] <= LEAST_NAME:
            break
        widths[longest], over = widths[longest] - 1, over - 1
    widths[0] = max(1, widths[0] - over)
    return widths


def _laid(cells: Sequence[str], columns: Sequence[TextColumn], widths: Sequence[int]) -> str:
    padded: list[str] = []
    for text, column, width in zip(cells, columns, widths, strict=False):
        cut = shortened(text, width)
        room = " " * (width - cell_len(cut))
        gap = " " * column.gap if padded else ""
        padded.append(gap + (room + cut if column.right else cut + room))
    return "".join(padded).rstrip()


def _groups(columns: Sequence[TextColumn], widths: Sequence[int]) -> str:
    """The line of headings over several columns, each in the middle of a rule over its columns."""
    line, at = "", 0
    for group, alike in groupby(enumerate(columns), key=lambda place: place[1].group):
        members = [i for i, _ in alike]
        gap = columns[members[0]].gap if at else 0
        span = sum(widths[i] for i in members) + sum(columns[i].gap for i in members[1:])
        text = shortened(group, span)
        room = span - cell_len(text)
        if group and len(members) > 1 and room >= 4:  # noqa: PLR2004  # a dash and a blank at each side
            text = f" {text} "
            before = (room - 2) // 2
            text = "─" * before + text + "─" * (room - 2 - before)
        line += " " * gap + " " * (span - cell_len(text)) + text
        at += span
    return line


def bar(estimate: Estimate, scale: Scale, width: int) -> str:
    """One row of a forest plot in characters: interval, value as a mark, neutral value as a vertical line.

    >>> from tiltmeter.core.results import Estimate
    >>> scale = Scale(0, 100, 50, (0, 50, 100))
    >>> bar(Estimate("r", 75, 60, 90, 0.01, 9, neutral=50, unit="%"), scale, 21)
    '          │ ├──●──┤'
    """
    cells = [" "] * width
    if estimate.low is not None and estimate.high is not None:
        left, right = _cell(estimate.low, scale, width), _cell(estimate.high, scale, width)
        cells[left : right + 1] = "─" * (right - left + 1)
        cells[left], cells[right] = "├", "┤"
    middle = _cell(scale.neutral, scale, width)
    cells[middle] = "┼" if cells[middle] == "─" else cells[middle].replace(" ", "│")
    if estimate.value is not None:
        sure = shown_significant(estimate)
        mark = {True: CLEAR_MARK, False: UNCLEAR_MARK, None: UNTESTED_MARK}[sure]
        cells[_cell(estimate.value, scale, width)] = mark
    return "".join(cells).rstrip()


def axis(scale: Scale, width: int) -> str:
    """The heading of a column of bars: both ends of the scale, and the neutral value in its place.

    >>> axis(Scale(20, 80, 50, (20, 50, 80)), 15)
    '20    50     80'
    """
    left, middle, right = (f"{x:g}" for x in (scale.low, scale.neutral, scale.high))
    if scale.low not in scale.ticks:  # an axis that begins at its neutral value
        left = ""
    middle = "" if scale.neutral == scale.high else middle
    start = max(len(left) + 1, _cell(scale.neutral, scale, width) - len(middle) // 2)
    text = left.ljust(start) + middle
    return (text + right.rjust(width - len(text))).replace("-", "−")


def _cell(value: float, scale: Scale, width: int) -> int:
    return round(scale.at(value, 0, width - 1))
