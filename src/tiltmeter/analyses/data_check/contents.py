"""What a data set or a file holds, described according to the kind of its items."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tiltmeter.analyses.data_check.data_description import (
    ITEMS,
    DataDescription,
    counted_items,
    texts_of,
)
from tiltmeter.analyses.data_check.group_records import group_lists, group_records
from tiltmeter.analyses.data_check.human_labels import read_labels
from tiltmeter.analyses.data_check.pair_annotations import Annotation, read_annotations
from tiltmeter.analyses.data_check.pair_description import describe_pairs
from tiltmeter.analyses.data_check.triple_description import describe_triples
from tiltmeter.core.analysis import RESERVED
from tiltmeter.core.data.items import Dataset, Pair, Triple
from tiltmeter.core.data.labelled_items import LabelledText
from tiltmeter.core.errors import BadInput, known_names
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.judges import SentimentJudge
from tiltmeter.core.records import Record
from tiltmeter.data.downloads import registry
from tiltmeter.data.hub import hub_files
from tiltmeter.data.texts.frequencies import Reference

MOST = 100
"""Items are counted along axes with at most so many values; an axis with more identifies single items."""


def describe(
    data: Dataset[Any],
    source: str,
    *,
    encoding: str = "",
    reference: Reference | None = None,
    sentiment: SentimentJudge | None = None,
    items: Sequence[str] = (),
    show_text: bool = False,
) -> DataDescription:
    """Describe the items of a source, with people's labels or annotations where it has some.

    Args:
        data: The items.
        source: The name or the file that they were read from.
        encoding: Encoding of the file.
        reference: Word frequencies to compare keywords with.
        sentiment: Judges the sentiment of triples; the lexicon by default.
        items: Ids of items to list.
        show_text: Whether records have the texts of their items.

    Raises:
        BadInput: The file cannot be read; or `reference` or `sentiment` is given for other items than
            triples.
        UnknownName: An item that is to be listed does not exist.
    """
    path = _file(str(hub_files.local(source)), data)
    first = next(iter(data.items), None)
    if isinstance(first, Triple):
        labels = read_labels(path, encoding=encoding) if path.is_file() else None
        description = describe_triples(
            data, labels, reference=reference, by=sentiment, show_text=show_text
        )
    else:
        for given, option, what in (
            (reference, "--reference", "keywords"), (sentiment, "--sentiment", "rated sentiment"),
        ):  # fmt: skip
            if given is not None:
                raise BadInput(
                    f"{source} holds {data.noun}, which have no {what}",
                    f"leave {option} out, or give a set of triples",
                )
        if isinstance(first, Pair):
            description = describe_pairs(data, _annotations(path), show_text=show_text)
        else:
            notes = [*(f"left out: {p}" for p in data.invalid), *map(str, data.notes)]
            lists = group_lists(path, encoding)
            description = DataDescription(
                [*_counts(data.items)],
                [*group_records(lists)] if lists else [],
                notes,
                dict(data.about),
            )
    return replace(
        description, records=[*_listed(data, items, show_text=show_text), *description.records]
    )


def _listed(data: Dataset[Any], items: Sequence[str], *, show_text: bool) -> Iterator[Record]:
    by_id = {item.id: item for item in data.items} if items else {}
    known_names("item", items, by_id)
    for name in items:
        item = by_id[name]
        groups = {**getattr(item, "groups", {}), "item": name}
        yield Record(name, {}, groups, texts=texts_of(item) if show_text else {}, kind="item")


def _counts(items: Sequence[Any]) -> Iterator[Estimate]:
    """The number of all items, then by each value of their axes; labelled texts also by label."""
    counts: dict[str, Counter[str]] = {}
    for item in items:
        label = {"label": item.truth} if isinstance(item, LabelledText) else {}
        for axis, value in {**label, **getattr(item, "groups", {})}.items():
            counts.setdefault(axis, Counter())[value] += 1
    yield from counted_items(ITEMS, len(items), len(items), {})
    for axis, values in counts.items():
        if len(values) <= MOST and axis not in RESERVED:
            for value, n in values.most_common():
                yield from counted_items(ITEMS, n, len(items), {axis: value})


def _file(source: str, data: Dataset[Any]) -> Path:
    """The file that the items were read from; for a set of several files, its name."""
    name = data.name if data.name in registry.known_sets() else source
    if name not in registry.known_sets() or len(registry.find(name).files) != 1:
        return Path(source)
    return registry.locate(name).file


def _annotations(path: Path) -> list[Annotation] | None:
    """The annotations in a file of pairs; None where it has no column of them."""
    if not path.is_file():
        return None
    # The heading tells; reading a large file as a table to find no such column would be a waste.
    with path.open("rb") as file:
        if b"annotations" not in file.readline():
            return None
    return read_annotations(path, skip_invalid=True)
