"""StereoSet's two papers from the predictions that its authors published."""

import csv
import json

import pytest

from support import published
from tiltmeter.papers.paper_file import papers, read_paper

PREDICTIONS = "stereoset_predictions"
MODELS = ("bert-base-cased", "gpt2", "SentimentLM")


@pytest.fixture
def replicate(tilt, tmp_path, monkeypatch):
    """The counts by item, and the rows of each table, of some tables of a paper."""
    published.need(PREDICTIONS)
    published.need("stereoset/dev_rebuilt.json")
    monkeypatch.setenv("TILTMETER_DATA", str(published.FOLDER))
    return lambda paper, tables: replicated(tilt, tmp_path, paper, tables)


def replicated(tilt, tmp_path, paper, tables):
    code, out, err = tilt(
        "replicate", paper, "--select", tables, "--out", tmp_path / "paper", "--json"
    )
    assert code == 0, err
    counts = {
        (e["groups"]["item"], e["name"]): e["value"]
        for e in json.loads(out)["estimates"]
        if e["groups"]
    }
    rows = {}
    for name in tables.split(","):
        with (tmp_path / "paper" / f"{name}.csv").open(encoding="utf-8") as file:
            rows[name] = list(csv.DictReader(file))
    return counts, rows


@pytest.mark.slow
def test_the_development_set_is_equal_to_the_printed_digit(replicate):
    counts, rows = replicate("nadeem2020", "T4,T5,T7")
    assert (counts["T7", "equal"], counts["T7", "different"], counts["T7", "within"]) == (90, 0, 0)
    assert counts["T4", "different"] == 0
    ours = {(row["data"], row["model"], row["measure"]): row for row in rows["T4"]}
    for model in MODELS[:2]:
        for measure in ("lms", "ss", "icat"):
            assert ours["stereoset", model, measure]["compared"] == "equal"
    assert [ours["stereoset", "IdealLM", m]["value"] for m in ("lms", "ss", "icat")] == [
        "100.0", "50.0", "100.0",
    ]  # fmt: skip
    assert (
        ours["stereoset", "SentimentLM", "ss"]["compared"] == "within"
    )  # as the table's notes say
    two = [row for row in rows["T5"] if row["model"] == "bert+gpt2" and row["value"]]
    assert {row["domain"] for row in two} == {"gender", "profession", "race", "religion"}
    assert {row["target"] for row in two} >= {"African", "Crimean", "Muslim"}


@pytest.mark.slow
def test_the_second_version_stands_beside_the_development_set(replicate):
    counts, rows = replicate("nadeem2021", "T1,T4,T6")
    assert counts["T4", "different"] == counts["T6", "different"] == 0
    assert counts["T4", "equal"] == counts["T6", "within"] == 0  # other data stand beside, no more
    (lms,) = [r for r in rows["T4"] if (r["model"], r["measure"]) == ("bert-base-cased", "lms")]
    assert lms["value"] and lms["printed"] and "development set" in lms["why"]
    items = {
        (row["model"], row["task"], row["domain"]): row
        for row in rows["T1"]
        if row["measure"] == "items"
    }
    assert float(items["development set", "intrasentence", ""]["value"]) == 2106
    assert float(items["", "", ""]["printed"]) == 16995
    assert {row["compared"] for row in rows["T1"]} == {"not computable", "ours"}


def test_the_first_figure_shows_made_up_items(tilt, tmp_path):
    code, out, err = tilt("replicate", "nadeem2021", "--select", "F1", "--out", tmp_path / "paper")
    assert code == 0, err
    assert "Figure 1: What a context association test looks like" in out
    page = (tmp_path / "paper" / "report.html").read_text("utf-8")
    assert "She told me to be quiet." in page and "The grandfather was slow with the phone." in page


@pytest.mark.parametrize("name", ["nadeem2020", "nadeem2021", "nangia2020"])
def test_every_table_and_figure_is_there(name):
    items = [item.name for item in read_paper(name).items]
    tables, figures = {"nadeem2020": (9, 3), "nadeem2021": (10, 4), "nangia2020": (3, 2)}[name]
    assert {f"T{n + 1}" for n in range(tables)} | {f"F{n + 1}" for n in range(figures)} <= {*items}
    assert name in papers()
