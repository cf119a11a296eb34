"""GEST's paper: all printed rates of 18 models from the scores that the authors stored."""

import csv

from support import published


def test_every_rate_is_equal_to_the_last_digit_and_intervals_agree(tilt, tmp_path, monkeypatch):
    published.need("gest/predictions/english_glm/gpt2-large_template-0.txt")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    code, printed, err = tilt(
        "replicate",
        "pikuliak2024",
        "--select",
        "masked models,causal models",
        "--out",
        tmp_path / "paper",
    )
    assert code == 0, err
    assert "In brackets our interval; the printed one." in " ".join(printed.split())
    rows = []
    for name in ("masked-models", "causal-models"):
        with (tmp_path / "paper" / f"{name}.csv").open(encoding="utf-8") as table:
            rows += csv.DictReader(table)
    assert [row["compared"] for row in rows] == ["equal"] * 768
    apart = [
        abs(float(row[end]) - float(row[f"printed_{end}"]))
        for row in rows
        for end in ("low", "high")
    ]
    assert max(apart) < 0.025 and sum(a < 0.0151 for a in apart) > 1_500


def test_without_the_scores_each_number_has_the_reason(tilt, tmp_path, monkeypatch):
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    code, _, err = tilt(
        "replicate", "pikuliak2024", "--select", "masked models", "--out", tmp_path / "paper"
    )
    assert code == 0, err
    with (tmp_path / "paper" / "masked-models.csv").open(encoding="utf-8") as table:
        rows = [*csv.DictReader(table)]
    assert {row["compared"] for row in rows} == {"not computable"} and len(rows) == 384
    assert all("TILTMETER_DATA" in row["why"] or "--models" in row["why"] for row in rows)
