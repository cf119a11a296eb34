"""Detecting hate speech with GPT-3 from the replies that its authors stored."""

import csv
from collections import Counter

import pytest

from support import published

FOLDER = "gpt3_hate"
TEMPERATURE = "the stored replies are those at temperature 0, the paper has others at 0.3."


def rows(path):
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def compared(out, *names):
    return Counter(
        cell["compared"] for name in names for cell in rows(out / (name.replace(" ", "-") + ".csv"))
    )


def replicated(tilt, monkeypatch, out, *more):
    published.need(f"{FOLDER}/zero_shot_results_multiple.csv")
    published.need("ethos/Ethos_Dataset_Binary.csv")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    code, printed, err = tilt("replicate", "chiu2021", "--out", out, *more)
    assert code == 0, err
    return " ".join(printed.split())


def test_edits_that_change_an_answer_are_those_of_the_paper(tilt, monkeypatch, tmp_path):
    names = ("section 3.1", "section 5", "T23")
    printed = replicated(tilt, monkeypatch, tmp_path, "--select", ",".join(names))
    assert "Of 17 published numbers 14 are equal" in printed
    assert compared(tmp_path, "T23", "section 5") == {"equal": 6 + 4}
    assert compared(tmp_path, "section 3.1") == {"equal": 4, "different": 2, "not computable": 1}
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "phuck off" in page and "phuck off" not in printed  # hidden until the reader asks


@pytest.mark.slow
def test_the_whole_paper(tilt, monkeypatch, tmp_path):
    """Replies at temperature 0 stand beside the printed numbers of .3, with which they are not compared."""
    printed = replicated(tilt, monkeypatch, tmp_path)
    assert "Of 513 published numbers 57 are equal, 0 within the interval" in printed
    assert "2 different, and 454 not computable" in printed
    assert TEMPERATURE in printed
    assert compared(tmp_path, "T1", "T9", "T10", "T11") == {"equal": 24 + 12}
    assert compared(tmp_path, "T12", "T15") == {"not computable": 8}
    assert "the 100 replies to each text at temperature 0.3 are not stored." in printed
    (pooled,) = [
        cell
        for cell in rows(tmp_path / "T11.csv")
        if (cell["truth"], cell["said"]) == ("hateful", "hateful")
    ]
    assert (float(pooled["value"]), float(pooled["printed"])) == (4083, 4083)
    assert {path.stem for path in tmp_path.glob("[TF]*.csv")} == {
        *(f"T{n}" for n in range(1, 24) if n != 8), "F1",
    }  # fmt: skip
    assert compared(tmp_path, "F1") == {"not computable": 2}
    assert compared(tmp_path, "T6") == {"not computable": 15}
    assert compared(tmp_path, "T18", "T19", "T20", "T21") == {"not computable": 176}
    assert (tmp_path / "example-sets.svg").is_file()
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "You look like you kill bees for fun" in page and "kill bees" not in printed
