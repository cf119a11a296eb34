"""Tables of records on disk, written and read in portions so that no second copy is in memory."""

import json
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice, repeat
from operator import attrgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute, parquet

from tiltmeter.core.records import Record, TokenScore
from tiltmeter.data.files.parquet_file import parquet_table

COLUMNS = ("item", "cluster", "said")
"""The columns without a prefix; all others have one of `PREFIXES`."""
OPTIONAL = ("kind", "finish")
"""Additional columns, each present if any record has a value there."""
PREFIXES = {
    "score_": "scores", "group_": "groups", "text_": "texts", "name_": "names", "tokens_": "tokens",
    "thought_": "thoughts", "reply_": "replies",
}  # fmt: skip
_NUMBERS = ("item", "cluster", "score_", "group_")
"""The beginnings of the columns that hold no texts."""
AT_ONCE = 10_000
"""The number of rows that are written at a time."""
_PARTS = attrgetter(*PREFIXES.values())


def write_table(records: Iterable[Record], to: Path) -> None:
    """Write the records as Parquet; they are iterated twice, the first time to find the columns.

    Raises:
        OSError: The file cannot be written, for example because the disk is full.
        UnicodeEncodeError: A text contains a lone surrogate.
    """
    layouts = dict.fromkeys(
        (
            tuple(tuple(part or ()) for part in _PARTS(r)),
            tuple(n for n in OPTIONAL if getattr(r, n)),
        )
        for r in records
    )
    used = {name for _, optional in layouts for name in optional}
    plain = (*COLUMNS, *(name for name in OPTIONAL if name in used))
    places = {
        f"{prefix}{name}": (part, name)
        for layout, _ in layouts
        for (prefix, part), names in zip(PREFIXES.items(), layout, strict=True)
        for name in names
    }
    types = [pa.float64() if part == "scores" else pa.string() for part, _ in places.values()]
    schema = pa.schema([
        *((name, pa.string()) for name in plain), *zip(places, types, strict=True)
    ])  # fmt: skip
    left = iter(records)
    # An absolute path, since pyarrow takes a relative one with a colon in its first part for a URI.
    with parquet.ParquetWriter(to.absolute(), schema, compression="zstd") as file:
        while some := list(islice(left, AT_ONCE)):
            columns = [[getattr(record, name) for record in some] for name in plain]
            columns += [
                [_cell(getattr(record, part), name) for record in some]
                for part, name in places.values()
            ]
            arrays = [pa.array(c, kind.type) for c, kind in zip(columns, schema, strict=True)]
            file.write_batch(pa.RecordBatch.from_arrays(arrays, schema=schema))


def write_lines(records: Iterable[Record], to: Path) -> None:
    """Write the records as JSON Lines, one object per line."""
    with to.open("w", encoding="utf-8", newline="\n") as file:
        for record in records:
            file.write(json.dumps(row_of(record), ensure_ascii=False) + "\n")


def read_table(path: Path, *, numbers_only: bool = False) -> Iterator[Record]:
    """Yields the records that `write_table` wrote; with `numbers_only` without texts and tokens.

    Raises:
        BadInput: The pages of the file unpack to too much.
        OSError, ValueError, pyarrow.ArrowException, KeyError: The file is not such a table, or is damaged.
    """
    table = parquet_table(path)
    for column in table.schema:
        expected = pa.float64() if column.name.startswith("score_") else pa.string()
        known = column.name.startswith(tuple(PREFIXES)) or column.name in (*COLUMNS, *OPTIONAL)
        if known and column.type != expected:
            raise ValueError(
                f"{path.name}: the column {column.name!r} is {column.type}, not {expected}"
            )
    if numbers_only:
        table = table.of_columns([name for name in table.schema.names if name.startswith(_NUMBERS)])
    for batch in table.portions(limited=False):  # the same prompt may stand in a million records
        for name, column in zip(batch.schema.names, batch.columns, strict=True):
            # A batch without any value of a score has no answer (null): nothing there is infinite.
            if (
                name.startswith("score_")
                and compute.all(compute.is_finite(column)).as_py() is False
            ):
                raise ValueError(f"{path.name}: the column {name!r} holds NaN or infinity")
        yield from _records(batch)


def row_of(record: Record) -> dict[str, Any]:
    """A record as one flat row, with prefixed keys for scores, groups, texts, names, tokens and replies.

    >>> row_of(Record("1", {"more": -3.0}, {"age": "old"}))["group_age"]
    'old'
    """
    row: dict[str, Any] = {name: getattr(record, name) for name in COLUMNS}
    row |= {name: value for name in OPTIONAL if (value := getattr(record, name))}
    for prefix, part in PREFIXES.items():
        values = getattr(record, part) or {}
        row |= {f"{prefix}{name}": _cell(values, name) for name in values}
    return row


def _cell(part: Mapping[str, Any] | None, name: str) -> Any:
    """One value of a part of a record; tokens as JSON lists of text, id and log-probability."""
    value = (part or {}).get(name)
    return (
        value
        if value is None or isinstance(value, float | int | str)
        else json.dumps([[t.text, t.id, t.logprob] for t in value])
    )


def _tokens(columns: Mapping[str, str]) -> dict[str, list[TokenScore]] | None:
    read = {name: [TokenScore(*token) for token in json.loads(c)] for name, c in columns.items()}
    return read or None


def _records(batch: pa.RecordBatch) -> Iterator[Record]:
    columns = {
        name: column.to_pylist()
        for name, column in zip(batch.schema.names, batch.columns, strict=True)
    }

    def having(prefix: str) -> Iterator[dict[str, Any]]:
        mine = {k.removeprefix(prefix): v for k, v in columns.items() if k.startswith(prefix)}
        if any(None in column for column in mine.values()):
            for row in zip(*mine.values(), strict=True):
                yield {k: v for k, v in zip(mine, row, strict=True) if v is not None}
            return
        for row in zip(*mine.values(), strict=True) if mine else repeat((), len(batch)):
            yield dict(zip(mine, row, strict=True))

    scores, groups, texts, names, tokens, thoughts, replies = map(having, PREFIXES)
    empty = [""] * len(batch)
    return map(
        Record,
        columns["item"],
        scores,
        groups,
        columns["cluster"],
        columns.get("said") or empty,
        texts,
        names,
        map(_tokens, tokens),
        columns.get("kind") or empty,
        thoughts,
        columns.get("finish") or empty,
        replies,
    )
