"""Reads the headers of the pages of a Parquet file: what each column unpacks to, before anything is unpacked.

The file's own table of contents says it too, but need not be true, while readers of Parquet allocate as much
memory as the header of a page says. A header is a structure in the compact protocol of Apache Thrift.
"""

import mmap
from dataclasses import dataclass
from typing import Any

KIND, UNPACKED, PACKED = 1, 2, 3
"""Fields of a header: the kind of page, and its bytes."""
ABOUT = {0: 5, 3: 8}
"""The field that describes a page of values, by the kind of page: of the first and of the second format."""
VALUES, ENCODINGS = 1, (2, 4)
"""Fields of that: the number of values, and how they are encoded in either format."""
DELTAS = 7
"""The encoding in which each text says how much of the one before it repeats."""
TRUTH, BYTE, WHOLE, DOUBLE, TEXT, STRUCTURE = (1, 2), 3, (4, 5, 6), 7, 8, 12
"""Kinds of values in the compact protocol that headers have: no lists and no maps."""
DEEPEST = 8
"""Structures in structures; headers have three."""


@dataclass(frozen=True, slots=True)
class ColumnPages:
    """The pages of a column in one group of rows."""

    values: int
    unpacked: int
    """The bytes of all pages."""
    largest: int
    """The bytes of the largest page: no value in it is longer."""
    deltas: bool
    """Whether values repeat the beginnings of others, so that they can come to more than their page."""


def pages_of(content: mmap.mmap, chunk: Any) -> ColumnPages:
    """The pages of a column.

    Args:
        content: The file.
        chunk: What pyarrow knows of the column in one group of rows.

    Raises:
        ValueError: A header is damaged.
    """
    begins = chunk.data_page_offset
    if chunk.has_dictionary_page and 0 < chunk.dictionary_page_offset < begins:
        begins = chunk.dictionary_page_offset
    ends = begins + chunk.total_compressed_size
    values = unpacked = largest = 0
    deltas = False
    while values < chunk.num_values and begins < ends:
        page = _Structure(content, begins)
        page.read()
        size = page.number(UNPACKED)
        unpacked, largest = unpacked + size, max(largest, size)
        if (about := ABOUT.get(page.number(KIND))) is not None:
            values += page.number(about, VALUES)
            deltas |= DELTAS in (page.number(about, encoding) for encoding in ENCODINGS)
        begins = page.ends + page.number(PACKED)
    return ColumnPages(values, unpacked, largest, deltas)


class _Structure:
    """A structure of the compact protocol at a place in a file."""

    def __init__(self, content: mmap.mmap, begins: int) -> None:
        self._content, self.ends = content, begins
        self._numbers: dict[tuple[int, ...], int] = {}

    def number(self, *field: int) -> int:
        """The number in a field, or in a field of the structure in a field; 0 where it has none.

        Raises:
            ValueError: It is negative.
        """
        number = self._numbers.get(field, 0)
        if number < 0:
            raise ValueError("the header of a page has a negative number")
        return number

    def read(self, inside: tuple[int, ...] = ()) -> None:
        """Reads the numbers, those of structures in it too; texts are passed over.

        Raises:
            ValueError: It is damaged.
        """
        if len(inside) > DEEPEST:
            raise ValueError("the header of a page is nested too deeply")
        field = 0
        while start := self._byte():
            step, kind = divmod(start, 16)
            field = field + step if step else self._signed()
            at = (*inside, field)
            if kind in TRUTH:
                continue
            if kind == BYTE:
                self._byte()
            elif kind in WHOLE:
                self._numbers[at] = self._signed()
            elif kind == DOUBLE:
                self.ends += 8
            elif kind == TEXT:
                length = self._whole()  # which itself moves the end
                self.ends += length
            elif kind == STRUCTURE:
                self.read(at)
            else:
                raise ValueError("the header of a page is damaged")

    def _byte(self) -> int:
        if not 0 <= self.ends < len(self._content):
            raise ValueError("a page is beyond the end of the file")
        self.ends += 1
        return self._content[self.ends - 1]

    def _whole(self) -> int:
        """A number in portions of 7 bits, the lowest first, of which all but the last are above 127."""
        number = 0
        for place in range(0, 70, 7):
            byte = self._byte()
            number |= (byte & 127) << place
            if byte <= 127:  # noqa: PLR2004
                return number
        raise ValueError("the header of a page is damaged")

    def _signed(self) -> int:
        number = self._whole()
        return number >> 1 ^ -(number & 1)
