"""Tables of records: where they may lie."""

from pathlib import Path

from tiltmeter.core.records import Record
from tiltmeter.run.files import records_table
from tiltmeter.run.files.records_table import read_table, write_table


def test_a_colon_in_a_relative_folder_is_no_address(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    folder = Path("gpt2:v1")
    folder.mkdir()
    records = [Record("1", {"more": 1.0}, {})]
    write_table(records, folder / "a.parquet")
    assert [r.item for r in read_table(folder / "a.parquet")] == ["1"]


def test_a_long_table_whose_kinds_of_record_have_other_scores_is_read(tmp_path, monkeypatch):
    """The last batch has no value of `tau`, which makes it neither infinite nor damaged."""
    monkeypatch.setattr(records_table, "AT_ONCE", 2)
    records = [Record(f"{n}", {"tau" if n < 2 else "score": 1.0}, {}) for n in range(4)]
    write_table(records, tmp_path / "a.parquet")
    assert [dict(r.scores) for r in read_table(tmp_path / "a.parquet")] == [
        dict(r.scores) for r in records
    ]
