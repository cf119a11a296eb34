"""The alternative annotator test's paper: all printed results of five sets from the stored judgments."""

import csv

from support import published


def results(folder):
    with (folder / "results.csv").open(encoding="utf-8") as table:
        return [*csv.DictReader(table)]


def test_every_result_is_equal_to_the_last_digit(tilt, tmp_path, monkeypatch):
    published.need("alt_test/wax/human_annotations.json")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    code, _, err = tilt("replicate", "calderon2025", "--out", tmp_path / "paper")
    assert code == 0, err
    assert [row["compared"] for row in results(tmp_path / "paper")] == ["equal"] * 56


def test_without_the_judgments_each_number_has_the_reason(tilt, tmp_path, monkeypatch):
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    code, _, err = tilt("replicate", "calderon2025", "--out", tmp_path / "paper")
    assert code == 0, err
    rows = results(tmp_path / "paper")
    assert {row["compared"] for row in rows} == {"not computable"}
    assert all("alt_test" in row["why"] for row in rows)
