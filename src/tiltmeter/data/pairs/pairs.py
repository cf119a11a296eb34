"""Sentence pairs from any table with `sent_more, sent_less`, from the published files, and from memory."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from tiltmeter.core.data.items import Dataset, Pair
from tiltmeter.core.errors import BadInput, BadItems, Problem, stop_at
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading, Source
from tiltmeter.core.text import counted
from tiltmeter.data.downloads.registry import locate
from tiltmeter.data.downloads.sources import choose, given, registered
from tiltmeter.data.files.table import TableRow
from tiltmeter.data.memory.text_numbers import repeated
from tiltmeter.data.pairs.row_reading import PUBLISHED, Layout, RowReading, read_pair_rows
from tiltmeter.data.pairs.suspect_pairs import checked_pairs

_SHOWN = 5


def read_pairs(
    path: str | Path,
    *,
    skip_invalid: bool = False,
    encoding: str = "",
    name: str = "",
    version: str = "",
    layout: Layout = Layout(),  # noqa: B008  (frozen)
    keeps_spaces: bool = False,
) -> Dataset[Pair]:
    """Read pairs from CSV, TSV, JSONL, JSON or Parquet.

    Needed are the columns `sent_more` and `sent_less`. `stereo_antistereo` (or `direction`), `id`,
    the columns in `GROUP_COLUMNS` and all that begin with `group_` are read where they are there.
    Texts stay as they are but for spaces at their ends, unless these are kept. The data set is named after
    the file where it has no name.

    Raises:
        BadInput: The file as a whole cannot be read, or no pair is left.
        BadItems: Rows that cannot be used, all of them, each with its line, field and way out.
    """
    path = Path(path)
    reading = read_pair_rows(path, encoding, layout, keeps_spaces=keeps_spaces)
    stop_at(reading.problems, skip_invalid=skip_invalid)
    about = given(path, [path])
    about = replace(about, name=name or about.name, version=version, clusters=reading.clusters)
    return finished(reading.dataset(about))


def load_pairs(
    source: Source,
    default: str,
    *,
    sets: Sequence[str] = (),
    keeps_spaces: bool = False,
    **reading: Unpack[Reading],
) -> Dataset[Pair]:
    """Pairs from `source`: a published set's name, a file, or None for the set `default`.

    Rows of a published set that are known to have no defined score are left out, and listed in
    `invalid`, whether or not `skip_invalid` says so: the files are what their authors made them.
    Errors are those of `choose` and `read_pairs`.
    """
    chosen = choose(source, default, sets or tuple(PUBLISHED))
    if isinstance(chosen, Path):
        return read_pairs(chosen, keeps_spaces=keeps_spaces, **reading)
    published = PUBLISHED[chosen]
    located = locate(chosen)
    path = next(p for key, p in located.files.items() if key.endswith(published.file))
    encoding = reading.get("encoding") or published.encoding
    rows = read_pair_rows(path, encoding, published.layout, keeps_spaces=keeps_spaces)
    unknown = [p for p in rows.problems if p.item not in published.known_bad]
    stop_at(unknown, skip_invalid=reading.get("skip_invalid", False))
    rows.notes = [*published.notes, *rows.notes]
    return finished(rows.dataset(replace(registered(located), clusters=published.clusters)))


def check_any(data: Dataset[Any], what: str) -> None:
    """Raise an error unless there is an item.

    Raises:
        BadInput: None is; with the reason why the first one was left out.
    """
    if not data.items:
        why = str(data.invalid[0]) if data.invalid else "the file holds none"
        way_out = f"the first one left out: {why}"
        raise BadInput(f"no {what} is left to score", way_out, file=data.source)


def frequencies(labels: Counter[str]) -> str:
    """Labels with how many there are, most frequent first.

    >>> frequencies(Counter(["age", "race", "race"]))
    'race 2, age 1'
    """
    return ", ".join(f"{label} {n:,}" for label, n in labels.most_common())


def finished(data: Dataset[Pair]) -> Dataset[Pair]:
    """What every loader ends with: checks, counts and notes; BadInput where no pair is left."""
    check_any(data, "pair")
    counts = _counts(data.items)
    about = {
        axis: frequencies(labels)
        for axis, labels in counts.items()
        if axis in {"direction", "bias_type"}
    }
    noticed = [*repeated_pairs(data.items), *_spelt_twice(counts, len(data.items))]
    if data.invalid:
        rows = len({(problem.file, problem.line, problem.item) for problem in data.invalid})
        some = f"{rows:,} row{'s' if rows > 1 else ''}"
        noticed.append(f"{some} left out because they have no defined score; they are listed.")
    items = checked_pairs(data.items)
    # Scores of another program are read with the pairs that they are about, which have these notes too.
    notes = tuple(dict.fromkeys([*data.notes, *notes_of("data", noticed)]))
    return replace(data, items=items, notes=notes, about={**about, **data.about})


def _counts(pairs: Sequence[Pair]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {}
    for pair in pairs:
        for axis, label in pair.groups.items():
            counts.setdefault(axis, Counter())[label] += 1
    return counts


def repeated_pairs(pairs: Sequence[Pair]) -> list[str]:
    """A note on the pairs of the same two sentences; [] without any."""
    again = repeated((pair.more, pair.less) for pair in pairs)
    if not again:
        return []
    shown = "; ".join(", ".join(pairs[i].id for i in same) for same in again[:_SHOWN])
    more = "; …" if len(again) > _SHOWN else ""
    count = f"{len(again)} pair{'s are' if len(again) > 1 else ' is'}"
    return [f"{count} listed more than once, and each copy counts (ids {shown}{more})."]


def _spelt_twice(counts: Mapping[str, Counter[str]], pairs: int) -> list[str]:
    notes = []
    for axis, labels_of_axis in counts.items():
        spellings: dict[str, list[str]] = {}
        for label in labels_of_axis:
            spellings.setdefault(label.casefold(), []).append(label)
        for labels in spellings.values():
            if len(labels) > 1:
                listed = " and ".join(map(repr, sorted(labels)))
                notes.append(f"{axis} has {listed}: they are reported separately.")
        if axis in {"bias_type", "direction"} and labels_of_axis.total() < pairs:
            notes.append(f"{counted(pairs - labels_of_axis.total(), 'pairs', 'have')} no {axis}.")
    return notes


NAME = "items in memory"


def pairs_of_rows(rows: Sequence[Mapping[str, object]]) -> Dataset[Pair]:
    """Pairs from rows with the columns that a file of pairs has.

    >>> data = pairs_of_rows([{"sent_more": "He ran.", "sent_less": "She ran.", "group_age": "old"}])
    >>> data.items[0].id, dict(data.items[0].groups)["age"]
    ('0', 'old')

    Raises:
        BadInput: There are none.
        BadItems: Rows that cannot be used, all of them.
    """
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    reading = RowReading(NAME, Layout(), columns)
    for index, row in enumerate(rows):
        reading.add(index, TableRow(index, row))
    if reading.problems:
        raise BadItems(reading.problems)
    return dataset_of(reading.pairs, clusters=reading.clusters)


def pairs_of_sentences(pairs: Sequence[tuple[str, str]]) -> Dataset[Pair]:
    """Pairs of (more stereotyping sentence, less stereotyping sentence); ids are their places from 0."""
    return pairs_of_rows([{"sent_more": more, "sent_less": less} for more, less in pairs])


def dataset_of(pairs: Sequence[Pair], *, clusters: str = "") -> Dataset[Pair]:
    """Pairs as a data set, with what every reader of pairs adds.

    Raises:
        BadInput: There are none.
        BadItems: Two have the same id.
    """
    if not pairs:
        raise BadInput("there are no items")
    seen: set[str] = set()
    again = [pair.id for pair in pairs if pair.id in seen or seen.add(pair.id)]  # type: ignore[func-returns-value]
    if again:
        reason = "another item has the same id"
        raise BadItems([Problem(reason, "give each its own", item=name) for name in again])
    known = [(p.id, p.more, p.less, sorted(p.groups.items()), p.cluster) for p in pairs]
    digest = hashlib.sha256(repr(known).encode()).hexdigest()
    return finished(Dataset(NAME, "", pairs, NAME, "not stated", sha256=digest, clusters=clusters))
