"""Opens Parquet files that somebody else made, and refuses those that unpack to too much.

A file of a few kilobytes can hold gigabytes: pages are compressed, and a column can say "the same again" a
billion times. Therefore the sizes of all pages are known before any is unpacked, a text that occurs often is
in memory once, and rows are read in portions whose texts can be counted before they are copied.
"""

import mmap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyarrow import compute, parquet

from tiltmeter.data.files.parquet_pages import ColumnPages, pages_of
from tiltmeter.data.files.unpacking import check_unpacked

AT_ONCE = 8192
"""The rows that are read at a time at most."""
PORTION = 2**26
"""The bytes that the rows come to which are read at a time, unless a single row has more."""
WIDE = 8
"""The bytes of a number in memory; in a file it may take less than a bit."""


@dataclass(slots=True)
class ParquetTable:
    """A file whose pages have been checked."""

    path: Path
    file: Any
    """The file of pyarrow, in which texts are dictionaries."""
    schema: Any
    """The columns with the types that the file declares."""
    rows_at_once: int

    def of_columns(self, names: Sequence[str]) -> "ParquetTable":
        """The same table with only these columns, in the order of the file."""
        fields = [field for field in self.schema if field.name in names]
        return replace(self, schema=pa.schema(fields))

    def portions(self, *, limited: bool = True) -> Iterator[Any]:
        """Yields the rows in record batches of pyarrow, then closes the file.

        Args:
            limited: Whether all rows together may come to too much, each text counted as often as it occurs.

        Raises:
            BadInput: They do.
            pyarrow.ArrowException, OSError: It cannot be read on.
        """
        packed, unpacked = self.path.stat().st_size, 0
        with self.file:
            names = self.schema.names
            for batch in self.file.iter_batches(batch_size=self.rows_at_once, columns=names):
                size = sum(map(_bytes_of, batch.columns))
                unpacked += size
                if limited:
                    check_unpacked(unpacked, packed, "it", file=self.path.name)
                step = max(1, len(batch) * PORTION // max(size, PORTION))
                for begins in range(0, len(batch), step):
                    columns = batch.slice(begins, step).columns
                    yield pa.RecordBatch.from_arrays(
                        [
                            _plain(column, field.type)
                            for column, field in zip(columns, self.schema, strict=True)
                        ],
                        names=names,
                    )


def parquet_table(path: Path) -> ParquetTable:
    """Open a file after checking what its pages unpack to.

    Raises:
        BadInput: It unpacks to too much.
        pyarrow.ArrowException, OSError, ValueError: It is not a Parquet file, or is damaged.
    """
    with parquet.ParquetFile(path.absolute()) as plain:  # a relative path may be taken for a URI
        metadata, schema = plain.metadata, plain.schema_arrow
    columns = [_Column(metadata.schema.column(at)) for at in range(metadata.num_columns)]
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for number in range(metadata.num_row_groups):
            group = metadata.row_group(number)
            for at, column in enumerate(columns):
                column.add(pages_of(content, group.column(at)))
    unpacked = sum(column.unpacked for column in columns)
    check_unpacked(unpacked, path.stat().st_size, "it", file=path.name)
    file = parquet.ParquetFile(
        path.absolute(),
        metadata=metadata,
        read_dictionary=[column.path for column in columns if column.is_text and not column.deltas],
        arrow_extensions_enabled=False,  # their texts would not be read as dictionaries
    )
    longest = sum(column.largest for column in columns if column.deltas)
    average = unpacked // max(metadata.num_rows, 1)
    rows = min(AT_ONCE, PORTION // max(longest, average, 1))
    return ParquetTable(path, file, schema, max(1, rows))


class _Column:
    """A column, and what its pages in all groups of rows come to."""

    def __init__(self, declared: Any) -> None:
        self.path: str = declared.path
        self.is_text = declared.physical_type == "BYTE_ARRAY"
        self.unpacked = self.largest = 0
        self.deltas = False
        self._repeated = declared.max_repetition_level > 0
        self._width = max(declared.length, WIDE if self._repeated else 1)

    def add(self, pages: ColumnPages) -> None:
        # A portion has so many rows, but as many values as there are in lists.
        width = pages.largest if pages.deltas and self._repeated else self._width
        self.unpacked += max(pages.unpacked, pages.values * width)
        self.largest = max(self.largest, pages.largest)
        self.deltas |= pages.deltas


def _plain(column: Any, declared: Any) -> Any:
    """The column with its texts written out, where there is a way to; it is much faster to read."""
    try:
        return column.cast(declared)
    except pa.ArrowNotImplementedError:
        return column


def _bytes_of(column: Any) -> int:
    """What the values come to, each text as often as it occurs."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        lengths = compute.binary_length(column.dictionary)
        return int(compute.sum(lengths.take(column.indices)).as_py() or 0)
    if pa.types.is_struct(kind):
        return sum(map(_bytes_of, column.flatten()))
    if pa.types.is_map(kind):
        first, end = (column.offsets[place].as_py() for place in (0, -1))
        return _bytes_of(column.values.slice(first, end - first))
    if pa.types.is_nested(kind):
        return _bytes_of(column.flatten())
    return int(column.nbytes)
