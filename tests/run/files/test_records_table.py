"""Tables of records: where they may lie."""

from pathlib import Path

from tiltmeter.core.records import Record
from tiltmeter.run.files.records_table import read_table, write_table


def test_a_colon_in_a_relative_folder_is_no_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = Path("gpt2:v1")
    folder.mkdir()
    records = [Record("1", {"more": 1.0}, {})]
    write_table(records, folder / "a.parquet")
    assert [r.item for r in read_table(folder / "a.parquet")] == ["1"]
