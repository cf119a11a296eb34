"""Triples of the context association test: StereoSet's files, others of that shape, and tables."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.core.data.items import SIDES, TASKS, Dataset, Triple
from tiltmeter.core.errors import BadInput, stop_at
from tiltmeter.core.results import Note, notes_of
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.table import json_value
from tiltmeter.data.files.tables import has_columns, read_table
from tiltmeter.data.pairs.pairs import check_any, frequencies
from tiltmeter.data.triples.cloze import ODDITIES, odd_kinds
from tiltmeter.data.triples.triple_reading import TripleReading

COLUMNS = ("context", *SIDES, "target")
"""Columns that a table of triples must have."""
NESTED = ("context", "sentences", "target")
"""Columns of StereoSet on the Hugging Face hub, where one cell has all sentences of a context."""
CLUSTERS = "target term"
SHAPE = "give StereoSet's dev.json or a file of its shape"
CUT = "correct it, or get it again if it is cut off"
_LISTS = re.compile(rf'"({"|".join(TASKS)})"\s*:')


def read_triples(
    path: str | Path, *, skip_invalid: bool = False, encoding: str = ""
) -> Dataset[Triple]:
    """Triples from JSON in StereoSet's layout, or from a table.

    A table (CSV, TSV, JSONL, JSON, Parquet) has the columns `context`, `stereotype`,
    `anti_stereotype`, `unrelated` and `target`; `id`, `domain` (or `bias_type`), `task` and all that
    begin with `group_` are read where they are there. Without `task`, a context with BLANK is an
    intrasentence one. There the candidates are whole sentences, or only what fills the BLANK: a
    row in which one has half of the context's words holds sentences. In the layout of the Hugging Face
    hub, `sentences` has the candidates with a `gold_label` each: 0 anti-stereotype, 1 stereotype,
    2 unrelated, or these words.

    Raises:
        BadInput: The file as a whole cannot be read, or nothing in it can be scored.
        BadItems: Clusters that cannot be scored, all of them, each named.
    """
    path = Path(path)
    clusters = read_clusters(path, encoding)
    reading = TripleReading(path.name, in_rows=clusters is None)
    if clusters is None and has_columns(path, NESTED, encoding):
        table = read_table(
            path, encoding=encoding, required=NESTED, known=("id", "bias_type"), texts=None
        )
        reading.notes = table.notes
        for index, row in enumerate(table.rows):
            reading.add_nested_row(index, row)
    elif clusters is None:
        known = ("id", "task", "domain", "bias_type")
        way_out = f"name yours with --map {COLUMNS[0]}=COLUMN, once for each field"
        table = read_table(
            path, encoding=encoding, required=COLUMNS, known=known, way_out=way_out,
            texts=[*COLUMNS, "id"],
        )  # fmt: skip
        reading.notes = table.notes
        for index, row in enumerate(table.rows):
            reading.add_row(index, row)
    else:
        for task in TASKS:
            for number, cluster in enumerate(clusters.get(task, ()), start=1):
                reading.add_cluster(task, number, cluster)
    stop_at(reading.problems, "clusters", skip_invalid=skip_invalid)
    notes = notes_of("data", reading.notes)
    about = given(path, [path])
    return finished(replace(about, items=reading.items, invalid=reading.problems, notes=notes))


def read_clusters(
    path: Path, encoding: str = "", *, entries: str = "clusters", way_out: str = SHAPE
) -> Mapping[str, list[Any]] | None:
    """The lists by task of a JSON object, at its top or under `data`; None of a table, whatever its format.

    Raises:
        BadInput: It is broken JSON, or an object without such lists.
    """
    if path.suffix.lower() != ".json":
        return None
    text = "".join(lines(path, encoding))
    try:
        whole = json_value(text, CUT, file=path.name, halves=True)
    except BadInput:
        if not _LISTS.search(text):
            return None
        raise
    if not isinstance(whole, dict):
        return None
    data = whole.get("data", whole)
    tasks = [task for task in TASKS if isinstance(data, dict) and task in data]
    lists: dict[str, list[Any]] = {task: data[task] for task in tasks}
    for task, entry in lists.items():
        if not isinstance(entry, list):
            raise BadInput(f"{task} is not a list of {entries}", way_out, file=path.name)
    if not lists:
        reason = "has no list `intrasentence` or `intersentence`, at its top or in `data`"
        raise BadInput(reason, way_out, file=path.name)
    return lists


def holds_triples(path: Path, encoding: str = "") -> bool:
    """Whether a file has StereoSet's layout, or is a table with the columns of triples."""
    if path.is_file() and path.suffix.lower() == ".json":
        text = "".join(lines(path, encoding))
        if text.lstrip()[:1] == "{" and _LISTS.search(text):
            return True
    return has_columns(path, COLUMNS, encoding) or has_columns(path, NESTED, encoding)


def finished(data: Dataset[Triple]) -> Dataset[Triple]:
    """What every loader ends with: counts and notes on contexts; BadInput where no triple is left."""
    check_any(data, "triple")
    about = {
        axis: frequencies(Counter(getattr(item, axis) for item in data.items))
        for axis in ("task", "domain")
    }
    terms = len({item.target for item in data.items})
    odd = Counter(kind for item in data.items for kind in odd_kinds(item))
    kinds = (f"{kind}, {odd[kind]:,}: {text}." for kind, text in ODDITIES.items() if odd[kind])
    notes = [*data.notes, *notes_of("oddity", kinds)]
    if without := sum(not item.domain for item in data.items):
        text = f"{counted(without, 'triples', 'have')} no domain: they count over all, and in no domain."
        notes.append(Note("data", text))
    if data.invalid:
        left_out = len({(p.file, p.item) for p in data.invalid})
        some = counted(left_out, "clusters", "were")
        text = f"{some} left out for lack of a defined score; the list names them."
        notes.append(Note("data", text))
    about = {**about, "target terms": f"{terms:,}", **data.about}
    return replace(data, clusters=CLUSTERS, notes=tuple(notes), about=about)
