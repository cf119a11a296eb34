"""Pairs that are in memory already: as objects, as two sentences each, or as rows of a table."""

import hashlib
from collections.abc import Mapping, Sequence

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.data.files.table import TableRow
from tiltmeter.data.pairs.layouts import Layout
from tiltmeter.data.pairs.pairs import finished
from tiltmeter.data.pairs.row_reading import RowReading

NAME = "items in memory"


def pairs_of_rows(
    rows: Sequence[Mapping[str, object]],
    *,
    layout: Layout = Layout(),  # noqa: B008  (frozen)
) -> Dataset[Pair]:
    """Pairs from rows with the columns that a file of pairs has.

    >>> data = pairs_of_rows([{"sent_more": "He ran.", "sent_less": "She ran.", "group_age": "old"}])
    >>> data.items[0].id, dict(data.items[0].groups)["age"]
    ('0', 'old')

    Raises:
        BadInput: There are none.
        BadItems: Rows that cannot be used, all of them.
    """
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    reading = RowReading(NAME, layout, columns)
    for index, row in enumerate(rows):
        reading.add(index, TableRow(index, row))
    if reading.problems:
        raise BadItems(reading.problems)
    return dataset_of(reading.pairs, clusters=reading.clusters)


def pairs_of_sentences(pairs: Sequence[tuple[str, str]]) -> Dataset[Pair]:
    """Pairs of (more stereotyping sentence, less stereotyping sentence); ids are their places from 0.

    Raises:
        BadInput: There are none.
        BadItems: Some cannot be used.
    """
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
        raise BadItems([
            Problem("another item has the same id", "give each its own", item=one) for one in again
        ])  # fmt: skip
    known = [(p.id, p.more, p.less, sorted(p.groups.items()), p.cluster) for p in pairs]
    digest = hashlib.sha256(repr(known).encode()).hexdigest()
    return finished(Dataset(NAME, "", pairs, NAME, "not stated", sha256=digest, clusters=clusters))
