"""The headers of the pages of Parquet files say what the pages hold; damaged ones are refused."""

import contextlib
import mmap

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.parquet_pages import pages_of
from tiltmeter.data.files.tables import read_table


@pytest.mark.parametrize("options", [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}])
def test_the_headers_of_the_pages_say_how_many_values_they_hold_and_their_bytes(tmp_path, options):
    """A page of values of 8 bytes has nothing besides, where no value can be missing."""
    schema = pa.schema([pa.field("n", pa.int64(), nullable=False)])
    path = tmp_path / "numbers.parquet"
    numbers = pa.table({"n": np.arange(50_000)}, schema)
    parquet.write_table(numbers, path, data_page_size=10_000, row_group_size=20_000, **options)
    metadata = parquet.read_metadata(path)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        pages = [pages_of(content, metadata.row_group(n).column(0)) for n in range(3)]
    assert [group.values for group in pages] == [20_000, 20_000, 10_000]
    if options == {"use_dictionary": False}:
        assert [group.unpacked for group in pages] == [160_000, 160_000, 80_000]
        assert all(8_000 <= group.largest <= 20_000 for group in pages)


def test_damaged_headers_of_pages_are_refused(tmp_path):
    """Every byte of the first header in turn, in several ways: an error with the file's name, or none."""
    path = tmp_path / "a.parquet"
    parquet.write_table(pa.table({"text": ["a", "b"]}), path, use_dictionary=False)
    whole = path.read_bytes()
    for place in range(4, 40):
        for byte in (0, 0x1C, 0x7F, 0xFF):
            path.write_bytes(whole[:place] + bytes([byte]) + whole[place + 1 :])
            with contextlib.suppress(BadInput):
                list(read_table(path).rows)
