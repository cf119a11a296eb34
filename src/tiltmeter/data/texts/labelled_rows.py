"""Rows with a text and its label: registered sets, and tables of the user's with `text` and `label`."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.data.labelled_items import ATTRIBUTE, GROUP
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.measures import SEVERAL
from tiltmeter.core.reading.typed_values import made
from tiltmeter.core.results import Note
from tiltmeter.core.study import Source
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.data.downloads.places import package_table
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, given, registered
from tiltmeter.data.files.rows import absence, label_of
from tiltmeter.data.files.tables import FileTable, read_table
from tiltmeter.data.pairs.row_reading import axes_of
from tiltmeter.data.pairs.sentences import problem_with
from tiltmeter.data.texts.archived_sets import MADE_BY, table_of

HALF = 0.5
OTHER = "other"
"""The label of all texts that are not positive, where they had several or a code."""
DATA = "data"
"""The column of a user's table that names the data, as the file does not."""


@dataclass(frozen=True, slots=True)
class LabelledSet:
    """How a table is read."""

    file: str
    """The end of the file's registered path."""
    text: str
    label: str
    positive: tuple[str, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    """Plain names of labels that are codes."""
    at_least: float | None = None
    """For a label that is a share of votes: from which share on it is the first of `positive`."""
    axes: Mapping[str, str] = field(default_factory=dict)
    """The axis of each column of groups."""
    id: str = "id"
    cluster: str = ""
    clusters: str = ""
    """What clusters are: "template"."""
    fixed_labels: bool = False
    """Whether the design of the set fixed how many texts have each label."""
    shares: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    """For columns with a share of votes: the axis and the group that a text has from one half on."""
    only: str = ""
    """A column without which a row is left out."""
    incomplete: bool = False
    """Whether the authors' file has rows without a text or label; they are then left out and listed."""
    has_terms: bool = False
    """Whether texts are templates with an identity term, which is their group."""

    def read_label(self, cells: Mapping[str, Any]) -> str:
        """The label of a row; "" for none."""
        label = label_of(cells.get(self.label))
        if self.at_least is None or not label:
            return self.names.get(label, label)
        try:
            return self.positive[0] if float(label) >= self.at_least else f"not {self.positive[0]}"
        except ValueError:
            return ""

    def read_groups(self, cells: Mapping[str, Any], text: str) -> dict[str, str]:
        """The value of each axis that the row has."""
        groups = {axis: label_of(cells.get(column)) for column, axis in self.axes.items()}
        for column, (axis, group) in self.shares.items():
            if (decimal_number(label_of(cells.get(column))) or 0) >= HALF:
                named = [*filter(None, groups.get(axis, "").split(SEVERAL)), group]
                groups[axis] = SEVERAL.join(dict.fromkeys(named))
        if self.has_terms:
            term, attribute = identity_term(text)
            groups |= {GROUP: term, ATTRIBUTE: attribute}
        return {axis: value for axis, value in groups.items() if value}

    def read_cluster(self, cells: Mapping[str, Any], text: str) -> str:
        """The template of the row; "" for none."""
        if self.has_terms:
            term, _ = identity_term(text)
            return text.replace(term, "…", 1) if term else ""
        return label_of(cells.get(self.cluster)) if self.cluster else ""


@dataclass(frozen=True, slots=True)
class _Packaged:
    terms: Mapping[str, tuple[str, ...]]
    sets: Mapping[str, LabelledSet]


_PACKAGED = made(_Packaged, package_table("texts/labelled_sets.toml"))
SETS = _PACKAGED.sets
"""By the name of the registered set."""
_ATTRIBUTE = {term: attribute for attribute, terms in _PACKAGED.terms.items() for term in terms}
_ANY = re.compile(rf"\b(?:{'|'.join(sorted(_ATTRIBUTE, key=len, reverse=True))})\b", re.IGNORECASE)


def identity_term(text: str) -> tuple[str, str]:
    """The last identity term of a template's text, and its attribute.

    >>> identity_term("Being african american is good"), identity_term("You are a kind artist")
    (('african american', 'origin'), ('', ''))
    """
    terms = _ANY.findall(text)
    return (terms[-1], _ATTRIBUTE[terms[-1].lower()]) if terms else ("", "")


def table_set(axes: Mapping[str, str], columns: Sequence[str]) -> LabelledSet:
    """A user's table: its columns of groups are axes, and `group` and `attribute` too."""
    further = {name: name for name in (GROUP, ATTRIBUTE) if name in columns}
    cluster = "cluster" if "cluster" in columns else ""
    return LabelledSet(
        "", "text", "label", axes={**axes, **further}, cluster=cluster, clusters=cluster
    )


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A text with the label and the groups that the table gives it."""

    id: str
    text: str
    label: str
    groups: Mapping[str, str]
    cluster: str
    line: int


@dataclass(frozen=True, slots=True)
class LabelledRows:
    """The rows of a table, before it is decided which label is positive."""

    rows: Sequence[LabelledRow]
    about: Dataset[Any]
    """Source, licence and so on, without items."""
    positive: tuple[str, ...]
    """The set's own positive labels; () for a file."""
    file: str


def read_labelled(
    source: Source,
    default: str,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    naming: str = "--map text=COLUMN --map label=COLUMN",
) -> LabelledRows:
    """The rows of a registered set or of a table with `text` and `label`.

    `naming` are the options that name a table's columns, for who has others.

    Raises:
        BadInput: The file cannot be read, or lacks a column.
        BadItems: Rows without a text or a label.
        Unavailable: A registered set is not here.
    """
    chosen = choose(source, default, tuple(SETS))
    if isinstance(chosen, Path):
        path, layout = chosen, None
    else:
        located, layout = locate(chosen), SETS[chosen]
        registered_file = next(p for key, p in located.files.items() if key.endswith(layout.file))
        path = table_of(located) if chosen in MADE_BY else registered_file
    required = (layout.text, layout.label) if layout else ("text", "label")
    table = read_table(
        path, encoding=encoding, required=required, known=("id", "group", "cluster"),
        way_out=f"name yours with {naming}",
        texts=None if layout else ("id", "text"),
    )  # fmt: skip
    about = registered(located) if layout else given(path, [path])
    layout = layout or table_set(axes_of(table.columns), table.columns)
    return labelled_rows(table, layout, about, skip_invalid=skip_invalid or layout.incomplete)


def labelled_rows(
    table: FileTable, layout: LabelledSet, about: Dataset[Any], *, skip_invalid: bool = False
) -> LabelledRows:
    """The rows of a table that is open already.

    Raises:
        BadInput: No row is left.
        BadItems: Rows without a text or a label.
    """
    file = table.path.name
    problems: list[Problem] = []
    names: set[str] = set()
    rows = list(_rows(table, layout, file, problems, names))
    stop_at(problems, skip_invalid=skip_invalid)
    if not rows:
        raise BadInput("no row is left", "give a table with texts and labels", file=file)
    if len(names - {""}) > 1:
        reason = (
            f"the column {DATA} has {counted(len(names), 'names')} ({', '.join(sorted(names)[:3])})"
        )
        raise BadInput(reason, "give a file for each set", file=file)
    notes = (*about.notes, *(Note("data", text) for text in table.notes))
    about = replace(
        about, name=max(names, default="") or about.name, invalid=problems, notes=notes,
        clusters=layout.clusters, fixed_labels=layout.fixed_labels,
    )  # fmt: skip
    return LabelledRows(rows, about, layout.positive, file)


def _rows(
    table: FileTable, layout: LabelledSet, file: str, problems: list[Problem], names: set[str]
) -> Iterator[LabelledRow]:
    seen: set[str] = set()
    for index, row in enumerate(table.rows):
        where = Problem("", file=file, line=row.line, field=layout.text)
        cells = row.cells
        if layout.only and not label_of(cells.get(layout.only)):
            continue
        text, label = cells.get(layout.text), layout.read_label(cells)
        problem = row.problem
        if problem is None and not (isinstance(text, str) and text.strip()):
            problem = problem_with(text, where)  # else people may label it, however odd
        if problem is None and not label:
            reason, way_out = "is no label", "write one, or remove the row"
            if not label_of(cells.get(layout.label)):
                fault = absence(cells.get(layout.label))
                reason, way_out = fault.reason, fault.way_out
            problem = replace(where, reason=f"{layout.label} {reason}", way_out=way_out)
        if problem is not None:
            problems.append(problem)
            continue
        name = label_of(cells.get(layout.id)) or str(index + 1)
        name = name if name not in seen else f"{name} (line {row.line})"
        seen.add(name)
        if not layout.file:  # of a user's table
            names.add(label_of(cells.get(DATA)))
        text = str(text).strip()
        groups, cluster = layout.read_groups(cells, text), layout.read_cluster(cells, text)
        yield LabelledRow(name, text, label, groups, cluster, row.line)
