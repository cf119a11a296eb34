"""CrowS-Pairs' paper: what needs no model, and a pair token by token for any model."""

import csv

from support import published


def test_shares_are_equal_and_examples_are_masked(tilt, tmp_path, monkeypatch):
    file = published.need("crows_pairs/crows_pairs_anonymized.csv")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    words = ("replicate", "nangia2020", "--select", "T1,T2,T3", "--out", tmp_path / "paper")
    code, out, err = tilt(*words)
    assert code == 0, err
    assert "Of 61 published numbers 12 are equal" in " ".join(out.split())
    with (tmp_path / "paper" / "T2.csv").open(encoding="utf-8") as table:
        rows = list(csv.DictReader(table))
    shares = {(r["direction"], r["bias_type"]): r for r in rows if r["measure"] == "share"}
    assert {row["compared"] for row in shares.values()} == {"equal"}
    assert float(shares["", "religion"]["value"]) == 100 * 105 / 1508
    page = (tmp_path / "paper" / "report.html").read_text("utf-8")
    code, out, err = tilt(*words[:2], "--select", "section 2", *words[4:])
    assert code == 0, err
    lines = [" ".join(line.split()) for line in out.splitlines()]
    for line in (
        "pairs 1,508 = 1,508", "Jamal 17 = 17", "chance of acceptance 23 = 23",
        "writers and validators 332 / 362",
    ):  # fmt: skip
        assert line in lines
    with file.open(encoding="utf-8") as pairs:
        by_id = {row[0]: row for row in csv.reader(pairs)}
    for name in ("280", "377", "925"):  # three of the paper's examples, by id
        assert f">{name}<" in page and by_id[name][1][:20] not in page


def test_a_pair_is_shown_token_by_token(tilt, tmp_path):
    words = ("replicate", "nangia2020", "--select", "F1", "--out", tmp_path / "paper")
    code, out, err = tilt(*words, "--models", "fake:masked")
    assert code == 0, err
    assert "Figure 1: How a pair is scored" in out and "difference" in out
    code, out, _ = tilt(*words[:-1], tmp_path / "none")
    assert code == 0 and "not run: add --models bert" in out


def test_ones_own_judgments_stand_in_table_3(tilt, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILTMETER_DATA", str(tmp_path))
    answers = "stereo,neither,yes\n", "neither,neither,yes\n"
    votes = {"a": [0] * 4 + [1], "b": [1] * 3 + [0] * 2}
    rows = [
        f"p{who},{pair},{answers[at]}" for pair, of in votes.items() for who, at in enumerate(of)
    ]
    table = tmp_path / "crows_pairs_judged"
    table.write_text("annotator,item,sentence_1,sentence_2,minimal\n" + "".join(rows), "utf-8")
    code, out, err = tilt("replicate", "nangia2020", "--select", "T3", "--out", "paper")
    assert code == 0, err
    assert "stereoset_judged: not in this folder; make it with tiltmeter survey" in " ".join(
        out.split()
    )
    with (tmp_path / "paper" / "T3.csv").open(encoding="utf-8") as file:
        cells = {(r["data"], r["measure"]): r for r in csv.DictReader(file)}
    assert cells["crows_pairs", "valid"]["value"] == "50.0"
    assert cells["crows_pairs", "agreement"]["value"] == "70.0"
    assert cells["stereoset", "valid"]["value"] == ""
    assert "survey items stereoset" in cells["stereoset", "valid"]["why"]
