"""A plain table that fits the width there is: columns are left out before anything wraps."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size
from rich.text import Text

GAP = 2


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its heading, and a cell a row."""

    heading: str
    cells: Sequence[str]
    right: bool = True
    """Numbers stand to the right, names to the left."""
    drop: int = 0
    """The higher, the sooner it is left out; 0 is never left out."""

    @property
    def width(self) -> int:
        """In terminal cells, so that wide letters count twice."""
        return max(cell_len(text) for text in (self.heading, *self.cells))


def fitting(columns: Sequence[Column], width: int, *, name_least: int = 14) -> list[Column]:
    """The columns that stand beside each other in `width`; the first may shrink to `name_least`."""
    kept = list(columns)
    while total(kept) - kept[0].width + name_least > width:
        droppable = [c for c in kept if c.drop]
        if not droppable:
            break
        kept.remove(max(droppable, key=lambda c: c.drop))
    return kept


def total(columns: Sequence[Column]) -> int:
    """Cells that the columns take with the gaps between them."""
    return sum(c.width for c in columns) + GAP * (len(columns) - 1)


def lines(columns: Sequence[Column], width: int, bold: Sequence[bool]) -> list[Text]:
    """The heading and the rows, none wider than `width`; `bold` says which rows stand out."""
    over = max(0, total(columns) - width)
    widths = [max(1, columns[0].width - over), *(c.width for c in columns[1:])]
    heading = [c.heading for c in columns]
    rows = [[c.cells[i] for c in columns] for i in range(len(bold))]
    shown = [Text(_laid(heading, columns, widths)[:width], style="bold")]
    for row, stands_out in zip(rows, bold, strict=True):
        laid = _laid(row, columns, widths)
        shown.append(Text(set_cell_size(laid, min(width, cell_len(laid))).rstrip()))
        if stands_out:
            shown[-1].stylize("bold")
    return shown


def _laid(cells: Sequence[str], columns: Sequence[Column], widths: Sequence[int]) -> str:
    padded = []
    for text, column, width in zip(cells, columns, widths, strict=True):
        cut = text if cell_len(text) <= width else set_cell_size(text, width - 1) + "…"
        room = " " * (width - cell_len(cut))
        padded.append(room + cut if column.right else cut + room)
    return (" " * GAP).join(padded).rstrip()
