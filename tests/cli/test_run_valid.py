"""run and import-scores --valid: results by people's verdicts on the items."""

import csv
import json

import pytest


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    return tmp_path


def write(path, rows):
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def rates(made):
    return {
        e["groups"]["valid"]: (e["value"], e["n"])
        for e in made["estimates"]
        if e["name"] == "stereotype_rate" and [*e["groups"]] == ["valid"]
    }


PAIRS = [
    (
        str(i),
        f"The old clerk lost file {i}.",
        f"The young clerk lost file {i}.",
        -10.0 - (i % 3),
        -11.0,
    )
    for i in range(30)
]
"""Ten scores each are higher, equal and lower."""


def test_the_rate_of_the_pairs_that_people_found_valid(tilt, place):
    write(place / "scores.csv", [
        ("id", "sent_more", "sent_less", "sent_more_score", "sent_less_score"), *PAIRS,
    ])  # fmt: skip
    write(place / "verdicts.csv", [
        ("id", "valid"), *((str(i), "yes" if i % 3 == 0 else "no") for i in range(24)),
    ])  # fmt: skip
    code, out, err = tilt(
        "import", "--study", "pairs", "scores.csv", "--valid", "verdicts.csv", "--json"
    )
    assert code == 0, err
    made = json.loads(out)
    # By hand: of the 8 valid pairs all prefer the first sentence; of 16 doubtful ones 8 are ties; of 6 that
    # nobody judged 2 prefer it, 2 are ties.
    assert rates(made) == {"valid": (100.0, 8), "doubtful": (25.0, 16), "not judged": (50.0, 6)}
    assert "8 valid, 16 doubtful, 6 not judged" in made["card"]["data"]["verdicts"]
    code, out, _ = tilt("import", "--study", "pairs", "scores.csv", "--valid", "verdicts.csv")
    assert "By people’s verdicts on the items: valid (n = 8) 100.0 %" in " ".join(out.split())


def test_a_run_with_verdicts_has_a_folder_of_its_own(tilt, place):
    write(place / "pairs.csv", [("id", "sent_more", "sent_less"), *(row[:3] for row in PAIRS)])
    write(place / "verdicts.csv", [("id", "valid"), ("0", "yes"), ("1", "no"), ("x", "no")])
    for more in ((), ("--valid", "verdicts.csv")):
        code, out, err = tilt("run", "pairs", "fake", "--data", "pairs.csv", *more, "--json")
        assert code == 0, err
    assert {verdict: n for verdict, (_, n) in rates(json.loads(out)).items()} == {
        "valid": 1, "doubtful": 1, "not judged": 28,
    }  # fmt: skip
    assert len([*(place / "runs").iterdir()]) == 2
    assert "1 verdict of verdicts.csv is about no item of pairs.csv: 'x'." in out


def test_verdicts_that_would_change_nothing_are_refused(tilt, place):
    write(place / "verdicts.csv", [("id", "valid"), ("0", "yes")])
    code, _, err = tilt("run", "weat", "fake", "--data", "starter_words", "--valid", "verdicts.csv")
    assert code == 2
    assert "--valid has no effect: no number of weat is reported by further axes" in err
