"""What a person sees of a run whose replies are no answers, and of one with very small groups."""

import json
from pathlib import Path


def test_the_page_of_a_run_without_answers_is_short_and_its_files_have_all(tilt):
    code, out, err = tilt("run", "decisions", "fake", "--limit", 40, "--out", "here")
    assert code == 0, err
    text = " ".join(out.split())
    assert text.startswith(
        "Rule order found no answer in 40 replies of fake: 8 refusals, 32 not understood. Nothing was "
        "measured."
    )
    assert "not understood (names no option): “no”" in text and ", 19 times)" in text
    assert "undefined" not in text and "%" not in text.split("What this does not show")[0]
    assert len(out.splitlines()) < 35
    (folder,) = Path("here").iterdir()
    listed = json.loads((folder / "estimates.json").read_text("utf-8"))
    assert sum(e["value"] is None for e in listed) > 100
    page = (folder / "report.html").read_text("utf-8")
    assert "silence" not in page and "Not understood: 32 of 40" in page
    assert (
        "What the model said" not in tilt("run", "decisions", "fake", "--limit", 40, "--no-text")[1]
    )


def test_groups_too_small_to_say_anything_are_one_line_in_the_terminal(tilt, tmp_path):
    kinds = [*(f"small{i}" for i in range(12) for _ in range(2)), *["large"] * 40]
    rows = [
        f"{i},The old man sang {i}.,The young man sang {i}.,{kind}" for i, kind in enumerate(kinds)
    ]
    data = tmp_path / "mine.csv"
    data.write_text("\n".join(["id,sent_more,sent_less,bias_type", *rows]) + "\n", encoding="utf-8")
    code, out, err = tilt("run", "pairs", "fake:masked", "--data", data, "--out", "here")
    assert code == 0, err
    assert "12 rows with n below 5, too few to say, are not listed: --all." in out
    assert "small3" not in out and "large" in out
    (run,) = Path("here").iterdir()
    assert "small3" in tilt("report", run, "--all")[1]
    (folder,) = Path("here").iterdir()
    estimates = json.loads((folder / "estimates.json").read_text("utf-8"))
    assert sum(e["groups"].get("bias_type", "").startswith("small") for e in estimates) >= 12
    page = (folder / "report.html").read_text("utf-8")
    assert all(f"small{i}" in page for i in range(12))


def test_bounds_are_not_significant(tilt):
    _, out, _ = tilt("run", "decisions", "fake", "--limit", 60, "--json")
    bounds = [
        e
        for e in json.loads(out)["estimates"]
        if e["name"] in {"lowest_impact_ratio", "highest_impact_ratio"}
    ]
    assert bounds and all(e["meaning"]["bounds"] == "impact_ratio" for e in bounds)
