"""Records as a table on disk, written and read a portion at a time: no second copy is in memory."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import parquet

from tiltmeter.core.results import Record

COLUMNS = ("item", "cluster", "said", "precision")
"""Columns as they are; scores, groups, texts and names have prefixes."""
PREFIXES = {"score_": "scores", "group_": "groups", "text_": "texts", "name_": "names"}
AT_ONCE = 10_000
"""Rows of a portion."""


def write_table(records: Iterable[Record], to: Path) -> None:
    """Write Parquet. The records are gone through twice: first to find out which columns there are.

    Raises:
        OSError: There is no room.
        UnicodeEncodeError: A text holds half a character.
    """
    names = dict.fromkeys(name for record in records for name in row_of(record))
    kinds = [pa.float64() if name.startswith("score_") else pa.string() for name in names]
    schema = pa.schema(list(zip(names, kinds, strict=True)))
    rows = map(row_of, records)
    with parquet.ParquetWriter(to, schema, compression="zstd") as file:
        while some := list(islice(rows, AT_ONCE)):
            file.write_batch(pa.RecordBatch.from_pylist(some, schema))


def write_lines(records: Iterable[Record], to: Path) -> None:
    """Write one JSON object a line."""
    with to.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(json.dumps(row_of(record), ensure_ascii=False) + "\n")


def read_table(path: Path) -> Iterator[Record]:
    """The records that `write_table` wrote.

    Raises:
        OSError, pyarrow.ArrowException, KeyError: It is no such file, or damaged.
    """
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(AT_ONCE):
            yield from map(_record, batch.to_pylist())


def row_of(record: Record) -> dict[str, Any]:
    """One flat row.

    >>> row_of(Record("1", {"more": -3.0}, {"age": "old"}))["group_age"]
    'old'
    """
    row: dict[str, Any] = {name: getattr(record, name) for name in COLUMNS}
    for prefix, part in PREFIXES.items():
        row |= {f"{prefix}{name}": value for name, value in getattr(record, part).items()}
    return row


def _record(row: Mapping[str, Any]) -> Record:
    def having(prefix: str) -> dict[str, Any]:
        return {
            k.removeprefix(prefix): v
            for k, v in row.items()
            if k.startswith(prefix) and v is not None
        }

    return Record(
        row["item"],
        having("score_"),
        having("group_"),
        row["cluster"],
        row["said"],
        having("text_"),
        having("name_"),
        row.get("precision", ""),
    )
