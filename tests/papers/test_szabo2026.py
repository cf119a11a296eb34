"""The placebo study: every number recomputed from its scores, and what happens with other tables."""

import csv
from pathlib import Path

from support import published

MODELS = ("gemini-2.5-pro", "gemini-3.1-pro-preview", "llama-4-maverick", "mistral-large")


def cells(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8") as table:
        return [*csv.DictReader(table)]


def test_every_number_is_equal_to_the_last_digit(tilt, tmp_path, monkeypatch):
    published.need("resume_placebo/scores.csv")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    code, _, err = tilt("replicate", "szabo2026", "--select", "axes", "--out", tmp_path / "paper")
    assert code == 0, err
    assert [row["compared"] for row in cells(tmp_path / "paper", "axes")] == ["equal"] * 35


def test_a_table_of_other_models(tilt, tmp_path, monkeypatch):
    """Their numbers come by model; the printed ones, of four models, cannot."""
    folder = tmp_path / "data" / "resume_placebo"
    folder.mkdir(parents=True)
    variants = ("baseline", "placebo_rain", "firstName_ann", "school_mit")
    rows = [
        (model, f"job {job}", variant, run, 3 + at * job % 4, harness)
        for model, harness in (("new", "main"), ("newer", "main"), ("bare", "clean"))
        for job in range(7)
        for at, variant in enumerate(variants)
        for run in (1, 2)
        if model != "bare" or variant != "placebo_rain"
    ]
    with Path(folder / "scores.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("model", "job", "variant", "run", "score", "harness"), *rows])
    monkeypatch.setenv("TILTMETER_DATA", str(tmp_path / "data"))
    code, _, err = tilt("replicate", "szabo2026", "--out", tmp_path / "paper")
    assert code == 0, err
    named = {row["model"] for row in cells(tmp_path / "paper", "models")}
    assert named == {"2 models", "new", "newer"}
    printed = cells(tmp_path / "paper", "axes")
    assert {row["compared"] for row in printed} == {"not computable"}
    assert all("gemini-2.5-pro" in row["why"] for row in printed)
