"""Bloomberg's audit of GPT-3.5: all rows of its table from the answers that the authors stored."""

import csv

from support import published


def test_every_rate_and_ratio_is_equal_to_the_last_digit(tilt, tmp_path, monkeypatch):
    published.need("hiring_audit/rankings.jsonl.gz")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    code, _, err = tilt("replicate", "yin2024", "--out", tmp_path / "paper")
    assert code == 0, err
    with (tmp_path / "paper" / "T1.csv").open(encoding="utf-8") as table:
        assert [row["compared"] for row in csv.DictReader(table)] == ["equal"] * 64
