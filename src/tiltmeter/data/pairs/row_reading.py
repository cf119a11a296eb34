"""Reading the rows of a table as pairs: which column holds what, and every reason why a row is no pair."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import Problem
from tiltmeter.core.reading.typed_values import made
from tiltmeter.core.results import notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.places import package_table
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.table import TableRow
from tiltmeter.data.files.tables import has_columns, read_table
from tiltmeter.data.memory.spool import Spool
from tiltmeter.data.memory.text_numbers import TextNumbers
from tiltmeter.data.pairs.sentences import complaint, normal

GROUP_COLUMNS: tuple[str, ...] = (
    "bias_type", "language", "occupation", "target", "domain", "template", "gender", "type",
    "split", "answer",
)  # fmt: skip
"""Columns that become group axes of the same name; so does every column `group_…`, without the prefix."""


def axes_of(columns: Sequence[str]) -> dict[str, str]:
    """The columns that are group axes, and the axes' names.

    >>> axes_of(["sent_more", "bias_type", "group_region", "note"])
    {'bias_type': 'bias_type', 'group_region': 'region'}
    """
    axes = {name: name for name in columns if name in GROUP_COLUMNS}
    for name in columns:
        axis = name.removeprefix("group_")
        if axis not in {name, "", "check", "direction"} and axis not in axes.values():
            axes[name] = axis
    return axes


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of one kind of file. The defaults are those of CrowS-Pairs and of users' files."""

    more: str = "sent_more"
    less: str = "sent_less"
    direction: tuple[str, ...] = ("stereo_antistereo", "direction")
    """The first of these that is there says "stereo" or "antistereo"."""
    ids: tuple[str, ...] = ("id", "")
    """The first of these that is there names the pair, else the row's index from 0 does. "" is a
    column without a name, as the published files have it."""
    cluster: str = "cluster"
    """The column, if it is there, that says what pairs of one origin have in common: a writer, a
    template. Intervals by clusters allow for it."""


@dataclass(frozen=True, slots=True)
class PublishedFile:
    """How one published file is read, and what is known to be wrong with it."""

    file: str
    layout: Layout = Layout()
    encoding: str = ""
    clusters: str = ""
    known_bad: tuple[str, ...] = ()
    """Ids of rows that have no defined score: left out, counted and listed on every run."""
    notes: tuple[str, ...] = ()


PUBLISHED: Mapping[str, PublishedFile] = {
    name: made(PublishedFile, table)
    for name, table in package_table("pairs/published.toml").items()
}
DIRECTIONS = ("stereo", "antistereo")
HUB_CLASSES = {
    "stereo_antistereo": DIRECTIONS,
    "bias_type": (
        "race-color", "socioeconomic", "gender", "disability", "nationality", "sexual-orientation",
        "physical-appearance", "religion", "age",
    ),
}  # fmt: skip
"""What numbers mean in these columns of CrowS-Pairs as the Hugging Face hub has it, from 0."""


@dataclass(slots=True)
class RowReading:
    """The pairs of one file so far, and what is wrong with its other rows."""

    file: str
    layout: Layout
    columns: tuple[str, ...]
    notes: list[str] = field(default_factory=list)
    pairs: Spool[Pair] = field(default_factory=lambda: Spool(Pair))
    problems: list[Problem] = field(default_factory=list)
    seen: TextNumbers = field(default_factory=TextNumbers)
    """The line on which each id was first seen."""
    keeps_spaces: bool = False
    """Whether texts keep the spaces at their ends."""
    numbered: int = 0
    """Rows whose direction and category were numbers, as on the hub."""
    spaced: int = 0
    """Texts with spaces at their ends."""
    id_column: str | None = field(init=False)
    direction_column: str | None = field(init=False)
    axes: Mapping[str, str] = field(init=False)
    """The group axis of each column that is one."""

    def __post_init__(self) -> None:
        """Find the columns for ids and directions, and those that are group axes."""
        # Only the first column may go unnamed and still mean something: others are left by spreadsheets.
        known = {*filter(None, self.columns), *self.columns[:1]}
        self.id_column = next((name for name in self.layout.ids if name in known), None)
        self.direction_column = next((n for n in self.layout.direction if n in self.columns), None)
        self.axes = axes_of(self.columns)

    def add(self, index: int, row: TableRow) -> None:
        """Take a row in, as a pair or as the problems it has."""
        if row.problem is not None:
            self.problems.append(replace(row.problem, item=str(index)))
            return
        row = self._with_class_names(row)
        before = len(self.problems)
        name = "" if self.id_column is None else label_of(row.cells.get(self.id_column))
        where = Problem("", file=self.file, line=row.line, item=name or str(index))
        if self.id_column is not None:
            self._check_id(name, where)
        texts = self._texts(row.cells, where)
        groups = self._groups(row.cells, where)
        if len(self.problems) == before:
            cell = row.cells.get(self.layout.cluster)
            cluster = "" if cell is None else str(cell)
            self.pairs.append(Pair(where.item, *texts, groups, cluster, f"{self.file}:{row.line}"))

    def _with_class_names(self, row: TableRow) -> TableRow:
        """The row with words for the hub's numbers of classes, where both of its columns have numbers."""
        names = {}
        for column, classes in HUB_CLASSES.items():
            number = label_of(row.cells.get(column))
            if not (number.isdecimal() and int(number) < len(classes)):
                return row
            names[column] = classes[int(number)]
        self.numbered += 1
        return row._replace(cells={**row.cells, **names})

    @property
    def clusters(self) -> str:
        """What pairs of one cluster have in common; "" where no pair has a cluster."""
        return self.layout.cluster if any(pair.cluster for pair in self.pairs) else ""

    def dataset(self, about: Dataset[Any]) -> Dataset[Pair]:
        """The pairs with what is known of their file, and with notes on what was read."""
        notes = notes_of("data", self.notes)
        if self.numbered:
            text = "Numbers of stereo_antistereo and bias_type are read as on the Hugging Face hub"
            meaning = ", ".join(f"{n} {name}" for n, name in enumerate(DIRECTIONS))
            notes += notes_of(
                "data", [f"{text} ({meaning}; …) in {counted(self.numbered, 'rows')}."]
            )
        if self.spaced:
            verb = "kept" if self.keeps_spaces else "removed"
            some = f"{self.spaced:,} sentence{'s' if self.spaced > 1 else ''}"
            notes += notes_of("oddity", [f"Spaces at the ends of {some} were {verb}."])
        return replace(about, items=self.pairs, invalid=self.problems, notes=notes)

    def _complain(self, where: Problem, reason: str, way_out: str, column: str) -> None:
        self.problems.append(replace(where, reason=reason, way_out=way_out, field=column))

    def _check_id(self, name: str, where: Problem) -> None:
        label = self.id_column or "the unnamed first column"
        before = self.seen.get(name)
        if not name:
            self._complain(where, f"{label} is empty", "give each row an id of its own", label)
        elif before is None:
            self.seen[name] = where.line or 0
        else:
            reason = f"{label} {name!r} is also on line {before}"
            self._complain(where, reason, "give each row its own", label)

    def _texts(self, cells: Mapping[str, Any], where: Problem) -> tuple[str, str]:
        texts = []
        for column in (self.layout.more, self.layout.less):
            if column not in cells:
                reason = f"{column} is missing (found: {', '.join(cells) or 'nothing'})"
                self._complain(where, reason, "add it, or remove the row", column)
                continue
            if wrong := complaint(cells[column]):
                self._complain(where, f"{column} {wrong[0]}", wrong[1], column)
                continue
            bare = cells[column].strip()
            self.spaced += bare != cells[column]
            texts.append(cells[column] if self.keeps_spaces else bare)
        if len(texts) < 2:  # noqa: PLR2004
            return "", ""
        if normal(texts[0]) == normal(texts[1]):
            names = f"{self.layout.more} and {self.layout.less}"
            way_out = "a pair needs a difference: correct it, or remove the row"
            same = texts[0] == texts[1]
            how = "identical" if same else "identical but for what nobody sees"
            self._complain(where, f"{names} are {how}", way_out, self.layout.less)
        return texts[0], texts[1]

    def _groups(self, cells: Mapping[str, Any], where: Problem) -> dict[str, str]:
        groups = {}
        for column, axis in self.axes.items():
            cell = cells.get(column)
            if isinstance(cell, list | dict):
                reason = f"{column} is not one label but a list or an object"
                self._complain(where, reason, "give one label", column)
            elif label := label_of(cell):
                groups[axis] = label
        if (stated := self.direction_column) is not None:
            way = label_of(cells.get(stated))
            if way in DIRECTIONS:
                groups["direction"] = way
            else:
                self._complain(where, *_no_direction(stated, way), stated)
        return groups


def read_pair_rows(
    path: Path, encoding: str, layout: Layout, *, keeps_spaces: bool = False
) -> RowReading:
    """All rows of a file, as pairs or as problems; texts without the spaces at their ends, unless kept."""
    known = (*layout.ids, *layout.direction, *GROUP_COLUMNS)
    required = (layout.more, layout.less)
    known = tuple(filter(None, known))
    way_out = f"name yours with --map {layout.more}=COLUMN --map {layout.less}=COLUMN"
    table = read_table(
        path, encoding=encoding, required=required, known=known, way_out=way_out,
        texts=[*required, *layout.ids],
    )  # fmt: skip
    reading = RowReading(path.name, layout, table.columns, table.notes, keeps_spaces=keeps_spaces)
    for index, row in enumerate(table.rows):
        reading.add(index, row)
    return reading


def has_pairs(path: Path, encoding: str = "") -> bool:
    """Whether a file is a table with the columns of sentence pairs."""
    return has_columns(path, (Layout().more, Layout().less), encoding)


def has_files(path: Path, _: str = "", *, names: Sequence[str]) -> bool:
    """Whether a folder contains files of all these names, as published sets of pairs do."""
    return all((path / name).is_file() for name in names)


def _no_direction(column: str, label: str) -> tuple[str, str]:
    if not label:
        return f"{column} is empty", "write stereo or antistereo, or remove the whole column"
    if label.isdecimal():
        hint = f"say what the numbers mean: --map {column}={column}:0=stereo,1=antistereo"
        return f"{column} is the number {label}", hint
    plain = "".join(c for c in label.lower() if c.isalpha())
    near = difflib.get_close_matches(plain, DIRECTIONS, n=1)
    hint = f"did you mean {near[0]!r}?" if near else "write stereo or antistereo"
    return f"{column} {label!r} is not a direction", hint
