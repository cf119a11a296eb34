"""The document of a result: sections and blocks, independent of where they are shown.

A builder in `report/documents` makes one from a result; `terminal` prints it, `html` makes a page of it,
`tables` writes its tables as CSV, JSON, LaTeX or Markdown. Text is plain and may come from other people's
files: the renderers escape it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias, TypeVar

from markupsafe import Markup

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import visible
from tiltmeter.report.plots.scale import Scale

T = TypeVar("T")
Place: TypeAlias = Literal["terminal", "page"]
On: TypeAlias = frozenset[Place]
BOTH: On = frozenset({"terminal", "page"})
PAGE: On = frozenset({"page"})
TERMINAL: On = frozenset({"terminal"})
FILES_ONLY: On = frozenset()
"""The places of a column that is neither printed nor on the page, only in table files."""
Tone: TypeAlias = Literal["", "better", "worse"]
Value: TypeAlias = str | int | float | bool | None
Json: TypeAlias = "Value | Sequence[Json] | Mapping[str, Json]"


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph; on the page, web addresses and DOIs in it become links."""

    text: str
    kind: Literal["plain", "headline", "note", "warning"] = "plain"
    on: On = BOTH


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: raw values for files, and formatted cells for readers."""

    title: str
    values: Sequence[Value]
    show: Callable[[Value], str] = str
    """Formats a value for readers; the cell of a missing value is empty."""
    number: bool = True
    drop: int = 0
    """When the terminal is too narrow, columns with higher numbers are left out first; 0 means never."""
    tones: Sequence[Tone] = ()
    on: On = BOTH
    name: str = ""
    """The name of the column in files; "" for its title."""
    shown: Sequence[str] = ()
    """The formatted cells, where the values alone are not enough to format them; () to use `show`."""
    bold: Sequence[bool] = ()
    """Which cells are bold; () for none."""
    below: Sequence[str] = ()
    """A second line of each cell for readers, such as the interval under a number; () for none."""
    in_files: bool = True
    """Whether CSV and JSON have the column; an interval in words is left out, as they have its two ends."""
    group: str = ""
    """The heading over this column and its neighbours with the same `group`; "" for none."""

    @property
    def heading(self) -> str:
        """The title with the group before it, for output with a single line of headings."""
        return ", ".join(text for text in (self.group, self.title) if text)

    @property
    def cells(self) -> list[str]:
        """The cells as text for readers."""
        if self.shown:
            return list(self.shown)
        return ["" if value is None else self.show(value) for value in self.values]


@dataclass(frozen=True, slots=True)
class Bars:
    """A forest plot drawn in characters at the right of a table, for the terminal."""

    estimates: Sequence[Estimate | None]
    """One estimate for each row; None leaves the row without a bar."""
    scale: Scale | None = None
    """The axis, which several tables may share; None fits it to these estimates."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of columns of equal length, the first of which names the rows."""

    title: str
    columns: Sequence[Column]
    strong: Sequence[bool] = ()
    """Which rows are emphasized; () for none."""
    depths: Sequence[int] = ()
    """How far each row is indented: 1 for a part of the row above it; () for none."""
    notes: Sequence[str] = ()
    """Remarks about single rows, shown under the table."""
    remarks: Sequence[tuple[str, Sequence[str]]] = ()
    """For each row its name and remarks about it, which the terminal says instead of `notes`, behind `brief`;
    () to show `notes` there too."""
    brief: Sequence[str] = ()
    """Notes that the terminal has before the remarks."""
    file_notes: Sequence[str] = ()
    """Further notes for Markdown and LaTeX, where the text around the table in the document is missing."""
    bars: Bars | None = None
    most: int = 20
    """How many rows an excerpt in the terminal shows; all other places have all."""
    files_only: Sequence[bool] = ()
    """Which rows the page leaves out, as its notes say; () for none. Files have all rows."""
    too_few: Sequence[bool] = ()
    """Which rows rest on too few items to say anything; an excerpt only says how many. () for none."""
    most_notes: int | None = None
    """How many notes the terminal prints; None for all."""
    left_out: tuple[int, int] = (0, 0)
    """How many rows an excerpt has left out: of those with too few items, and of others."""
    folded: bool = False
    """Whether the table is collapsed on the page until the reader opens it."""
    asked: bool = False
    """Whether an option asks for this very table, so that an excerpt has it, however long the rest is."""
    on: On = BOTH
    name: str = ""
    """The name of its file, such as "categories"; "" to make it from the title."""
    label: str = ""
    """Its label in LaTeX; "" to make it from the title."""

    @property
    def rows(self) -> int:
        """The number of rows, which is the same in all columns."""
        return len(self.columns[0].values) if self.columns else 0

    def of_rows(self, rows: Sequence[int]) -> "Table":
        """The table with only these rows, in this order."""

        def chosen(values: Sequence[T]) -> Sequence[T]:
            return [values[row] for row in rows] if values else values

        columns = [
            replace(
                c, values=chosen(c.values), shown=chosen(c.shown), tones=chosen(c.tones),
                bold=chosen(c.bold), below=chosen(c.below),
            )
            for c in self.columns
        ]  # fmt: skip
        bars = self.bars and replace(self.bars, estimates=chosen(self.bars.estimates))
        return replace(
            self, columns=columns, strong=chosen(self.strong), depths=chosen(self.depths),
            too_few=chosen(self.too_few), files_only=chosen(self.files_only), bars=bars,
            remarks=chosen(self.remarks),
        )  # fmt: skip

    def of_page(self) -> "Table":
        """The table with the rows that the page has."""
        if not any(self.files_only):
            return self
        return self.of_rows([row for row in range(self.rows) if not self.files_only[row]])

    def in_single_lines(self) -> "Table":
        """The table with second lines of cells as rows of their own, for output whose cells have one line."""
        lines = [
            (row, second)
            for row in range(self.rows)
            for second in (False, True)
            if not second or any(c.below and c.below[row] for c in self.columns)
        ]
        if len(lines) == self.rows:
            return self

        def shown(column: Column) -> list[str]:
            cells, below = column.cells, column.below or [""] * self.rows
            return [below[row] if second else cells[row] for row, second in lines]

        def first_only(marks: Sequence[bool]) -> list[bool]:
            return [marks[row] and not second for row, second in lines] if marks else []

        columns = [
            replace(
                c, shown=shown(c), values=[None if second else c.values[row] for row, second in lines],
                tones=[c.tones[row] for row, _ in lines] if c.tones else (), bold=first_only(c.bold),
                below=(),
            )
            for c in self.columns
        ]  # fmt: skip
        repeated = self.of_rows([row for row, _ in lines])
        return replace(repeated, columns=columns, strong=first_only(self.strong))

    def kept(self, place: Place) -> list[Column]:
        """The columns that are shown in this place, without those whose cells are all empty."""
        return [c for c in self.columns if place in c.on and any(c.cells)]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing in a wide and a narrow layout; the page shows the one that fits, exports use the wide one."""

    name: str
    """The name of its file and the beginning of its anchors, such as "forest"."""
    wide: Markup
    narrow: Markup
    caption: str
    table: Table | None = None
    """The numbers of the picture, shown under it on the page."""
    on: On = PAGE
    """Where the picture is shown; the terminal prints its table instead."""


@dataclass(frozen=True, slots=True)
class Panels:
    """Small pictures side by side, each in its wide layout."""

    pictures: Sequence[Picture]
    on: On = PAGE


@dataclass(frozen=True, slots=True)
class Facts:
    """Facts by name; those without a value are left out."""

    facts: Mapping[str, Json]
    on: On = BOTH


def fact(value: object) -> str:
    """A fact as text for readers; "" for None.

    >>> fact({"rule": "aul", "items": 1508, "gated": False}), fact(None)
    ('rule: aul; items: 1,508; gated: no', '')
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, Mapping):
        return "; ".join(f"{visible(str(k))}: {fact(v)}" for k, v in value.items())
    if isinstance(value, list | tuple):
        return "; ".join(map(fact, value))
    return visible(str(value))


@dataclass(frozen=True, slots=True)
class Code:
    """A command that reproduces the result."""

    text: str
    on: On = PAGE


@dataclass(frozen=True, slots=True)
class Lines:
    """A list with one line for each entry."""

    lines: Sequence[str]
    title: str = ""
    folded: bool = False
    on: On = PAGE


@dataclass(frozen=True, slots=True)
class Sentence:
    """One text of an item, with its name and its words, marked where they differ from the other texts."""

    called: str
    pieces: Sequence[tuple[str, bool]]
    """The text in pieces, each with whether it differs."""
    preferred: bool = False
    folded: bool = False
    """Whether it is collapsed on the page until the reader opens it, though the item's texts are shown."""


@dataclass(frozen=True, slots=True)
class Item:
    """One item with its texts, which are hidden until the reader opens them."""

    id: str
    label: str
    """What the item is about, such as its bias type."""
    value: str
    """How strong the preference is, formatted with its unit."""
    sentences: Sequence[Sentence] = ()
    """The texts of the item; () where they are left out of the document."""


@dataclass(frozen=True, slots=True)
class Items:
    """A list of items, in the order of their strength."""

    title: str
    items: Sequence[Item]
    called: str = "items"
    on: On = PAGE


Block: TypeAlias = Text | Table | Picture | Panels | Facts | Code | Lines | Items


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading; the terminal prints no heading where `title` is ""."""

    id: str
    """The section's anchor on the page, unique in the document."""
    title: str
    blocks: Sequence[Block]
    level: int = 2
    on: On = BOTH
    rank: int = 0
    """Which tables an excerpt in the terminal has first: those of the lowest rank, and of ranked sections the
    first table of each before second ones. 0 is all in their order."""
    folded: bool = False
    """Whether the section is collapsed on the page until the reader opens it."""
    parts: str = ""
    """The words under which the page collapses the sections below this one; "" to show them."""
    brief: bool = True
    """Whether an excerpt in the terminal has it, as far as there is room."""

    def shown(self, place: Place) -> list[Block]:
        """The blocks that are shown in this place; [] where the section is not shown there."""
        return [block for block in self.blocks if place in block.on] if place in self.on else []


@dataclass(frozen=True, slots=True)
class Document:
    """Everything that is shown of a result, from the headline to how to reproduce it."""

    title: str
    subtitle: str
    """What the document is about: the models, or the file."""
    finding: Sequence["str | Text"]
    """The finding in paragraphs, the headline first; a `Text` has its own kind."""
    sections: Sequence[Section]
    meaning: str = ""
    """What the finding means, for readers who do not know the study."""
    limits: str = ""
    """What the finding does not show."""
    warning: str = ""
    """A content warning about the data, shown before anything that quotes them."""
    leading: Sequence[Picture] = ()
    """Pictures shown directly below the finding."""
    begins_with_picture: bool = False
    """Whether the page shows the first picture of the sections below the finding, if none is `leading`."""
    files: Sequence[str] = field(default=())
    """The names of the files beside the page, which the page links."""

    def blocks(self) -> Iterator[Block]:
        """All blocks of the document, in order."""
        yield from self.leading
        for section in self.sections:
            yield from section.blocks

    def paragraphs(self) -> list[Text]:
        """The finding as paragraphs, with the kind of each."""
        return [
            p if isinstance(p, Text) else Text(p, "plain" if i else "headline")
            for i, p in enumerate(self.finding)
        ]

    def tables(self) -> Iterator[Table]:
        """All tables in order, including those under pictures."""
        for block in self.blocks():
            if isinstance(block, Table):
                yield block
            elif isinstance(block, Picture) and block.table is not None:
                yield block.table

    def pictures(self) -> list[Picture]:
        """All pictures in order, including those in panels."""
        drawn: list[Picture] = []
        for block in self.blocks():
            if isinstance(block, Panels):
                drawn += block.pictures
            elif isinstance(block, Picture):
                drawn.append(block)
        return drawn
