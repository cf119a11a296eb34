"""What a command found: a document of sections and blocks, which knows no screen.

A builder in `report/documents` makes one from a result; `terminal` prints it, `html` makes a page of it,
`tables` writes its tables as CSV, JSON, LaTeX or Markdown. Text is plain and may be foreign: the renderers
escape it.
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
"""Of a column that only table files have."""
Tone: TypeAlias = Literal["", "better", "worse"]
Value: TypeAlias = str | int | float | bool | None
Json: TypeAlias = "Value | Sequence[Json] | Mapping[str, Json]"


@dataclass(frozen=True, slots=True)
class Text:
    """A paragraph. Web addresses and DOIs become links on the page."""

    text: str
    kind: Literal["plain", "headline", "note", "warning"] = "plain"
    on: On = BOTH


@dataclass(frozen=True, slots=True)
class Column:
    """One column of a table: raw values for files, and how a person reads them."""

    title: str
    values: Sequence[Value]
    show: Callable[[Value], str] = str
    """Of a value that is there; where there is none the cell is empty."""
    number: bool = True
    drop: int = 0
    """In a terminal too narrow for all columns, the higher, the sooner it is left out; 0 is never."""
    tones: Sequence[Tone] = ()
    on: On = BOTH
    name: str = ""
    """In files; "" is the title."""
    shown: Sequence[str] = ()
    """The cells as a person reads them, where `show` cannot make them of the values alone; () for `show`."""
    bold: Sequence[bool] = ()
    """Which cells stand out; () for none."""
    in_files: bool = True
    """Whether CSV and JSON have it; they have no need of an interval in words beside its two ends."""
    group: str = ""
    """The heading over this column and those beside it that have the same; "" for none."""

    @property
    def heading(self) -> str:
        """The title with its group, where there is one line of headings."""
        return ", ".join(text for text in (self.group, self.title) if text)

    @property
    def cells(self) -> list[str]:
        """As a person reads them."""
        if self.shown:
            return list(self.shown)
        return ["" if value is None else self.show(value) for value in self.values]


@dataclass(frozen=True, slots=True)
class Bars:
    """A forest plot in letters at the end of a table's rows, for the terminal."""

    estimates: Sequence[Estimate | None]
    """One a row; None leaves the row without."""
    scale: Scale | None = None
    """To share an axis between tables; None fits these estimates."""


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of equal length, the first of which names the rows."""

    title: str
    columns: Sequence[Column]
    strong: Sequence[bool] = ()
    """Which rows stand out; () for none."""
    depths: Sequence[int] = ()
    """How far each row is indented: 1 for a part of the row above it; () for none."""
    notes: Sequence[str] = ()
    """What there is to know of single rows, under the table."""
    brief: Sequence[str] = ()
    """The same in fewer lines, for the terminal; () for the notes themselves."""
    file_notes: Sequence[str] = ()
    """What stands beside the table in its document, for Markdown and LaTeX, which take the table alone."""
    bars: Bars | None = None
    most: int = 20
    """Rows that the terminal shows; the files and the page have all."""
    too_few: Sequence[bool] = ()
    """Which rows rest on too few items to say anything; the terminal only counts them. () for none."""
    folded: bool = False
    """On the page it opens when the reader asks."""
    on: On = BOTH
    name: str = ""
    """In files: "categories"; "" is made of the title."""

    @property
    def rows(self) -> int:
        """The number of rows; all columns have as many."""
        return len(self.columns[0].values) if self.columns else 0

    def of_rows(self, rows: Sequence[int]) -> "Table":
        """Only these rows, in this order."""

        def chosen(values: Sequence[T]) -> Sequence[T]:
            return [values[row] for row in rows] if values else values

        columns = [
            replace(
                c, values=chosen(c.values), shown=chosen(c.shown), tones=chosen(c.tones), bold=chosen(c.bold)
            )
            for c in self.columns
        ]  # fmt: skip
        bars = self.bars and replace(self.bars, estimates=chosen(self.bars.estimates))
        return replace(
            self, columns=columns, strong=chosen(self.strong), depths=chosen(self.depths),
            too_few=chosen(self.too_few), bars=bars,
        )  # fmt: skip

    def kept(self, place: Place) -> list[Column]:
        """The columns that are shown there; those without a single value are not."""
        return [c for c in self.columns if place in c.on and any(c.cells)]


@dataclass(frozen=True, slots=True)
class Picture:
    """A drawing in two layouts, between which the page's width decides; the first is exported."""

    name: str
    """For files: "forest"."""
    wide: Markup
    narrow: Markup
    caption: str
    table: Table | None = None
    """The same numbers, under the picture on the page."""
    on: On = PAGE
    """In the terminal its table stands for it."""


@dataclass(frozen=True, slots=True)
class Panels:
    """Small pictures beside each other, each in its first layout."""

    pictures: Sequence[Picture]
    on: On = PAGE


@dataclass(frozen=True, slots=True)
class Facts:
    """Names, and what there is to say of each; those without a value are left out."""

    facts: Mapping[str, Json]
    on: On = BOTH


def fact(value: object) -> str:
    """What is known of something, as a person reads it; "" where nothing is.

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
    """A command that makes the same result again."""

    text: str
    on: On = PAGE


@dataclass(frozen=True, slots=True)
class Lines:
    """A list, one line each."""

    lines: Sequence[str]
    title: str = ""
    folded: bool = False
    on: On = PAGE


@dataclass(frozen=True, slots=True)
class Sentence:
    """One text of an item: what it is called, and the words, marked where they differ from the others."""

    called: str
    pieces: Sequence[tuple[str, bool]]
    """Text, and whether it differs."""
    preferred: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """An item to look at; its texts are hidden until the reader asks for them."""

    id: str
    label: str
    """What it is about."""
    value: str
    """How surely, how far: as a person reads it."""
    sentences: Sequence[Sentence] = ()
    """() where the texts are left out of the document."""


@dataclass(frozen=True, slots=True)
class Items:
    """Items to look at, in order."""

    title: str
    items: Sequence[Item]
    called: str = "items"
    on: On = PAGE


Block: TypeAlias = Text | Table | Picture | Panels | Facts | Code | Lines | Items


@dataclass(frozen=True, slots=True)
class Section:
    """Blocks under a heading; the terminal shows none where `title` is ""."""

    id: str
    """An anchor on the page, unique in the document."""
    title: str
    blocks: Sequence[Block]
    level: int = 2
    on: On = BOTH
    folded: bool = False
    """On the page it opens when the reader asks."""

    def shown(self, place: Place) -> list[Block]:
        """The blocks that are shown there; none where the section is not."""
        return [block for block in self.blocks if place in block.on] if place in self.on else []


@dataclass(frozen=True, slots=True)
class Document:
    """All there is to say."""

    title: str
    subtitle: str
    """What it is of: the models, the file."""
    finding: Sequence["str | Text"]
    """Paragraphs, the headline first; a `Text` says itself which it is."""
    sections: Sequence[Section]
    meaning: str = ""
    """What the finding means, for someone who was not there."""
    limits: str = ""
    """What it does not show."""
    warning: str = ""
    """Of the data: shown before anything that quotes them."""
    leading: Sequence[Picture] = ()
    """Pictures that belong to the finding."""
    files: Sequence[str] = field(default=())
    """Names of files that lie beside the page."""

    def blocks(self) -> Iterator[Block]:
        """All of them, in order."""
        yield from self.leading
        for section in self.sections:
            yield from section.blocks

    def paragraphs(self) -> list[Text]:
        """The finding, each paragraph of its kind."""
        return [
            p if isinstance(p, Text) else Text(p, "plain" if i else "headline")
            for i, p in enumerate(self.finding)
        ]

    def tables(self) -> Iterator[Table]:
        """All tables, those under pictures too, in order."""
        for block in self.blocks():
            if isinstance(block, Table):
                yield block
            elif isinstance(block, Picture) and block.table is not None:
                yield block.table

    def pictures(self) -> list[Picture]:
        """All pictures in order, those of panels among them."""
        drawn: list[Picture] = []
        for block in self.blocks():
            if isinstance(block, Panels):
                drawn += block.pictures
            elif isinstance(block, Picture):
                drawn.append(block)
        return drawn
