"""Scores made elsewhere, in every layout, as a user would hand them in."""

import json

import pytest

PAIRS = "id,sent_more,sent_less,stereo_antistereo,bias_type\n" + "".join(
    f"p{i},the old man {i} sang,the young man {i} sang,{way},{kind}\n"
    for i, (way, kind) in enumerate(
        [("stereo", "age"), ("stereo", "age"), ("antistereo", "gender"), ("stereo", "gender")]
    )
)
SCORES = [(-10.0, -12.0), (-10.0, -10.0), (-9.0, -8.0), (-7.0, -7.0004)]
# more wins, tie, less wins, more wins by less than .0005


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text(PAIRS)
    return path


def layouts(folder):
    rows = [line.split(",") for line in PAIRS.splitlines()[1:]]
    whole = "id,sent_more,sent_less,stereo_antistereo,bias_type,sent_more_score,sent_less_score\n"
    whole += "".join(f"{','.join(r)},{m},{n}\n" for r, (m, n) in zip(rows, SCORES, strict=True))
    by_id = "id,score_more,score_less\n"
    by_id += "".join(f"{r[0]},{m},{n}\n" for r, (m, n) in zip(rows, SCORES, strict=True))
    sides = "".join(
        json.dumps({"id": r[0], "side": side, "score": score}) + "\n"
        for r, both in zip(rows, SCORES, strict=True)
        for side, score in zip(("more", "less"), both, strict=True)
    )
    texts = "sentence\tscore\n" + "".join(
        f"{text}\t{score}\n"
        for r, both in zip(rows, SCORES, strict=True)
        for text, score in zip(r[1:3], both, strict=True)
    )
    for name, content in (
        ("whole.csv", whole),
        ("by_id.csv", by_id),
        ("sides.jsonl", sides),
        ("texts.tsv", texts),
    ):
        (folder / name).write_text(content)


@pytest.mark.parametrize("name", ["whole.csv", "by_id.csv", "sides.jsonl", "texts.tsv"])
def test_every_layout_gives_the_same_numbers(tilt, tmp_path, pairs, name):
    layouts(tmp_path)
    code, out, err = tilt("import-scores", "crows_pairs", name, "--data", pairs, "--json")
    assert code == 0, err
    told = json.loads(out)
    values = {(e["name"], *e["groups"].values()): e["value"] for e in told["estimates"]}
    assert values["stereotype_rate",] == 62.5  # 2 wins and half a tie of 4
    assert values["stereotype_rate", "age"] == 75
    assert values["stereotype_rate", "antistereo"] == 0
    assert told["card"]["rule"] == "stored"
    assert told["card"]["model"]["name"] == name.partition(".")[0]


@pytest.mark.parametrize(
    ("options", "overall", "stereo"),
    [
        (("--ties", "half"), 62.5, 250 / 3),
        (("--ties", "loss"), 50, 200 / 3),
        (("--ties", "neutral"), 50, 100),  # the tie leaves the subset, not the whole
        # rounding to 3 decimals makes the last pair a tie as well
        (("--convention", "nangia2020", "--rule", "pll_shared"), 25, 100),
    ],
)
def test_the_same_options_as_run(tilt, tmp_path, options, overall, stereo):
    layouts(tmp_path)
    code, out, err = tilt("import-scores", "crows_pairs", "whole.csv", *options, "--json")
    assert code == 0, err
    told = json.loads(out)
    values = {(e["name"], *e["groups"].values()): e["value"] for e in told["estimates"]}
    assert values["stereotype_rate",] == pytest.approx(overall)
    assert values["stereotype_rate", "stereo"] == pytest.approx(stereo)


def test_two_files_are_compared(tilt, tmp_path, pairs):
    layouts(tmp_path)
    (tmp_path / "other.csv").write_text("id,more,less\np0,1,2\np1,1,2\np2,2,1\np3,2,1\n")
    code, out, err = tilt(
        "import-scores", "crows_pairs", "by_id.csv", "other.csv", "--data", pairs,
        "--name", "A", "--name", "B", "--json",
    )  # fmt: skip
    assert code == 0, err
    told = json.loads(out)
    difference = next(e for e in told["estimates"] if e["name"] == "stereotype_rate_difference")
    assert difference["model"] == "A − B"
    assert difference["value"] == 62.5 - 50
    code, _, err = tilt(
        "import-scores", "crows_pairs", "by_id.csv", "--data", pairs, "--name", "A", "--name", "B"
    )
    assert code == 2
    assert "1 files but 2 names" in err or "1 file but 2 names" in err


def test_bad_scores_are_all_named(tilt, tmp_path, pairs):
    path = tmp_path / "bad.csv"
    path.write_text("id,more,less\np0,nan,1\np1,,1\np2,x,1\nnobody,1,2\n")
    code, out, err = tilt("import-scores", "crows_pairs", path, "--data", pairs)
    assert code == 2
    assert out == ""
    for line in (2, 3, 4, 5):
        assert f"bad.csv:{line}" in err
    assert "Traceback" not in err


def test_a_convention_needs_the_rule_of_the_scores(tilt, tmp_path, pairs):
    layouts(tmp_path)
    code, _, err = tilt("import-scores", "crows_pairs", "whole.csv", "--convention", "nangia2020")
    assert code == 2
    assert "--rule" in err
    assert pairs.exists()
