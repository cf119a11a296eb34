"""BBQ's paper: Figures 2 and 3 from the answers that the authors stored."""

import csv

from support import published


def test_figures_2_and_3_are_equal_to_the_printed_digit(tilt, tmp_path, monkeypatch):
    for category in ("Age", "Nationality", "Religion"):
        published.need(f"bbq/results/UnifiedQA/preds_{category}.jsonl")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    code, _, err = tilt("replicate", "parrish2022", "--out", tmp_path / "paper")
    assert code == 0, err
    with (tmp_path / "paper" / "F3.csv").open(encoding="utf-8") as table:
        compared = [(row["category"], row["compared"]) for row in csv.DictReader(table)]
    assert len(compared) == 132  # eleven categories, two contexts, six models
    equal = {category for category, how in compared if how == "equal"}
    assert equal >= {"age", "nationality", "religion"}
    assert not [how for _, how in compared if how == "different"]
