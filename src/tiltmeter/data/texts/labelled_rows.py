"""Rows with a text and its label: registered sets, and tables of the user's with `text` and `label`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Note
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.files.rows import label_of
from tiltmeter.data.files.tables import FileTable, read_table
from tiltmeter.data.pairs.layouts import axes_of
from tiltmeter.data.pairs.pairs import choose, given, registered
from tiltmeter.data.pairs.sentences import problem_with
from tiltmeter.data.texts.labelled_sets import SETS, LabelledSet, table_set


@dataclass(frozen=True, slots=True)
class LabelledRow:
    """A text as the table has it."""

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
    source: str | Path | None,
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
        path = next(p for key, p in located.files.items() if key.endswith(layout.file))
    required = (layout.text, layout.label) if layout else ("text", "label")
    table = read_table(
        path, encoding=encoding, required=required, known=("id", "group", "cluster"),
        way_out=f"name yours with {naming}",
    )  # fmt: skip
    about = registered(located) if layout else given(path, [path])
    layout = layout or table_set(axes_of(table.columns), table.columns)
    problems: list[Problem] = []
    rows = list(_rows(table, layout, path.name, problems))
    if problems and not skip_invalid:
        raise BadItems(
            problems, way_out="Correct these rows, or leave them out with --skip-invalid."
        )
    if not rows:
        raise BadInput("no row is left", "give a table with texts and labels", file=path.name)
    notes = (*about.notes, *(Note("data", text) for text in table.notes))
    about = replace(about, invalid=problems, notes=notes, clusters=layout.clusters)
    return LabelledRows(rows, about, layout.positive, path.name)


def _rows(
    table: FileTable, layout: LabelledSet, file: str, problems: list[Problem]
) -> Iterator[LabelledRow]:
    seen: set[str] = set()
    for index, row in enumerate(table.rows):
        where = Problem("", file=file, line=row.line, field=layout.text)
        cells = row.cells
        text, label = cells.get(layout.text), layout.read_label(cells)
        problem = row.problem
        if problem is None and not (isinstance(text, str) and text.strip()):
            problem = problem_with(text, where)  # else people may label it, however odd
        if problem is None and not label:
            reason = f"{layout.label} is empty or no label"
            problem = replace(where, reason=reason, way_out="write one, or remove the row")
        if problem is not None:
            problems.append(problem)
            continue
        name = label_of(cells.get(layout.id)) or str(index + 1)
        name = name if name not in seen else f"{name} (line {row.line})"
        seen.add(name)
        text = str(text).strip()
        groups, cluster = layout.read_groups(cells, text), layout.read_cluster(cells, text)
        yield LabelledRow(name, text, label, groups, cluster, row.line)
