"""Parquet files that unpack to too much are refused, however a few kilobytes come to hold gigabytes."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from tiltmeter.core.records import Record
from tiltmeter.data.files import parquet_file
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.files.unpacking import ALWAYS, SETTING
from tiltmeter.run.files import records_table

MB = 10**6
LONG = "a" * MB


def often(count, text=LONG):
    """The text so often, as a dictionary: written out it would fill the memory of the test."""
    return pa.DictionaryArray.from_arrays(pa.array(np.zeros(count, np.int32)), [text])


def lists(values, length):
    """The values in lists of a length."""
    offsets = pa.array(np.arange(0, len(values) + 1, length, np.int32))
    return pa.ListArray.from_arrays(offsets, values)


PLAIN = {"use_dictionary": False, "compression": "zstd"}
BOMBS = {
    "a long text that occurs often": (often(20_000), {}),
    "a page": (pa.array(["a" * 50 * MB]), PLAIN),
    "a long text in lists": (lists(often(20_000), 100), {}),
    "a long text in structures": (pa.StructArray.from_arrays([often(20_000)], ["a"]), {}),
    "one long list": (lists(pa.array(np.ones(30 * MB)), 30 * MB), {}),
    "rows without a value": (pa.nulls(30 * MB, pa.int64()), {}),
    "bytes of one length": (pa.array([b"a" * MB] * 100, pa.binary(MB)), {}),
    "repeated beginnings": (
        pa.array([LONG] * 100), {**PLAIN, "column_encoding": {"text": "DELTA_BYTE_ARRAY"}},
    ),
    "repeated beginnings in lists": (
        pa.array([[LONG] * 100]),
        {**PLAIN, "column_encoding": {"text.list.element": "DELTA_BYTE_ARRAY"}},
    ),
}  # fmt: skip
"""A column that comes to more than 16 MB, and how it is written into a few kilobytes."""
READ = """
import sys, tracemalloc
import pyarrow as pa
from tiltmeter.core.errors import BadInput
from tiltmeter.data.files.tables import read_table
tracemalloc.start()
try:
    sum(1 for _ in read_table(sys.argv[1]).rows)
except BadInput as error:
    print(error)
print(tracemalloc.get_traced_memory()[1] + pa.default_memory_pool().max_memory())
"""


def written(path, column, **options):
    parquet.write_table(pa.table({"text": column}), path, store_schema=False, **options)
    return path


@pytest.mark.parametrize("kind", BOMBS)
def test_what_unpacks_to_too_much_is_refused_in_little_memory(tmp_path, kind):
    column, options = BOMBS[kind]
    path = written(tmp_path / "bomb.parquet", column, **options)
    assert path.stat().st_size < ALWAYS / 100
    done = subprocess.run(
        [sys.executable, "-c", READ, str(path)], capture_output=True, text=True, check=True
    )
    message, peak = done.stdout.splitlines()
    assert message.startswith("bomb.parquet: it unpacks to more than 16 MB from ")
    assert SETTING in message
    assert int(peak) < 3 * parquet_file.PORTION


def test_a_long_text_that_occurs_often_is_read_where_the_setting_allows_it(tmp_path, monkeypatch):
    monkeypatch.setenv(SETTING, "1GB")
    monkeypatch.setattr(parquet_file, "PORTION", 2 * MB)
    path = written(tmp_path / "a.parquet", often(50))
    rows = read_table(path).rows
    assert [row.cells["text"] == LONG for row in rows] == [True] * 50
    table = parquet_file.parquet_table(path)
    assert [len(batch) for batch in table.portions()] == [2] * 25


def test_a_run_may_have_the_same_long_prompt_in_all_its_records(tmp_path):
    """The pages are checked all the same, and the texts of a portion of rows."""
    records = [Record(str(n), {}, {}, texts={"prompt": LONG}) for n in range(30)]
    records_table.write_table(records, tmp_path / "records.parquet")
    assert list(records_table.read_table(tmp_path / "records.parquet")) == records


KINDS = pa.table({
    "text": ["a", None, "ü"],
    "large": pa.array(["a", None, "b"], pa.large_string()),
    "view": pa.array(["a", None, "b"], pa.string_view()),
    "category": pa.array(["a", None, "a"]).dictionary_encode(),
    "bytes": [b"a", None, b"b"],
    "number": [1, None, 3],
    "truth": [True, None, False],
    "list": [["a", None], None, []],
    "structure": [{"a": "b", "c": [1.5]}, None, {"a": None, "c": []}],
    "map": pa.array([[("k", "v")], None, []], pa.map_(pa.string(), pa.string())),
    "json": pa.array(['{"a": 1}', None, "2"], pa.json_()),
    "time": pa.array([0, None, 2], pa.timestamp("us")),
})  # fmt: skip


@pytest.mark.parametrize("options", [{}, {"use_dictionary": False}, {"data_page_version": "2.0"}])
def test_columns_of_every_type_are_read_as_they_were_written(tmp_path, options):
    parquet.write_table(KINDS, tmp_path / "kinds.parquet", **options)
    rows = [row.cells for row in read_table(tmp_path / "kinds.parquet", known=None).rows]
    assert rows == KINDS.to_pylist()
