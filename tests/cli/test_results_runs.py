"""runs and export as a user types them."""

import csv
import json

import openpyxl
import polars as pl
import pytest

import tiltmeter as tm

GERMAN = """sent_more,sent_less,group_region
=Die Bayern sind laut.,Die Hessen sind laut.,Süd
Die Friesen sind still.,Die Sachsen sind still.,Nord
Die Schwaben sparen.,Die Berliner sparen.,Süd
"""


@pytest.fixture
def run(tmp_path):
    """A run of a file of the user's, with an axis of its own."""
    (tmp_path / "paare.csv").write_text(GERMAN, encoding="utf-8")
    return (
        tm.run("pairs", "fake:masked", data=tmp_path / "paare.csv")
        .save(tmp_path / "runs" / "one")
        .folder
    )


@pytest.mark.usefixtures("run")
def test_runs_are_listed_with_their_result(tilt):
    code, out, _ = tilt("ls", "runs")
    assert code == 0
    assert "one" in out
    assert "%" in out
    (row,) = json.loads(tilt("ls", "runs", "--json")[1])
    assert (row["folder"], row["study"], row["model"], row["data"]) == (
        "one", "pairs", "fake:masked", "paare.csv",
    )  # fmt: skip


def test_values_of_several_measures_have_their_names(tilt):
    assert tilt("run", "starter_pairs", "fake:masked", "fake:causal")[0] == 0
    rows = json.loads(tilt("ls", "runs", "--json")[1])
    assert {(row["study"], row["measure"]) for row in rows} == {
        ("compare", "Difference of stereotype rates"), ("starter_pairs", "Stereotype rate"),
    }  # fmt: skip
    shown = tilt("ls", "runs", "--format", "markdown")[1]
    assert "| model | study | data | measure | n | value |" in shown
    assert "fake:masked · fake:causal" in shown


def test_no_runs_and_no_folder(tilt, tmp_path):
    (tmp_path / "empty").mkdir()
    code, out, err = tilt("ls", "empty")
    assert (code, out) == (0, "")
    assert "no runs in empty" in err
    assert tilt("ls", "nowhere")[0] == 2


def test_a_workbook_has_records_with_ones_own_axis_and_estimates(tilt, run, tmp_path):
    assert tilt("export", run, tmp_path / "r.xlsx")[0] == 0
    book = openpyxl.load_workbook(tmp_path / "r.xlsx")
    assert book.sheetnames == ["records", "estimates"]
    heads = [cell.value for cell in book["records"][1]]
    rows = [
        dict(zip(heads, [c.value for c in row], strict=True))
        for row in book["records"].iter_rows(min_row=2)
    ]
    assert [row["group_region"] for row in rows] == ["Süd", "Nord", "Süd"]
    assert rows[0]["text_more"] == "=Die Bayern sind laut."
    assert isinstance(rows[0]["score_more"], float)
    estimates = list(book["estimates"].iter_rows(values_only=True))
    assert "stereotype_rate" in [row[0] for row in estimates]
    filled = [
        any(cell not in (None, "") for cell in cells) for cells in zip(*estimates[1:], strict=True)
    ]
    assert all(filled)


def test_tables_of_every_other_kind(tilt, run, tmp_path):
    for ending in ("csv", "tsv", "jsonl", "parquet"):
        assert tilt("export", run, tmp_path / f"r.{ending}")[0] == 0
    with (tmp_path / "r.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["text_more"] == "'=Die Bayern sind laut."  # a spreadsheet does not run it
    assert pl.read_parquet(tmp_path / "r.parquet")["text_more"][0] == "=Die Bayern sind laut."
    assert len((tmp_path / "r.jsonl").read_text("utf-8").splitlines()) == 3
    assert (tmp_path / "r.tsv").read_text("utf-8").count("\t") > 3
    tilt("export", run, tmp_path / "e.csv", "--what", "estimates")
    with (tmp_path / "e.csv").open(encoding="utf-8", newline="") as file:
        overall, *_ = csv.DictReader(file)
    assert (overall["name"], overall["group_check"]) == ("stereotype_rate", "all")
    tilt("export", run, tmp_path / "e.jsonl", "--what", "estimates")
    first = json.loads((tmp_path / "e.jsonl").read_text("utf-8").splitlines()[0])
    assert first["group_check"] == "all"  # as in tables


def test_records_are_items_of_a_survey(tilt, run, tmp_path):
    assert tilt("export", run, tmp_path / "i.csv", "--what", "items", "--limit", "2")[0] == 0
    with (tmp_path / "i.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["region"] for row in rows] == ["Süd", "Süd"]  # the first and the last of three
    assert rows[0].keys() == {"id", "model", "region", "check", "more", "less"}


def test_what_cannot_be_done_is_said(tilt, run, tmp_path):
    code, _, err = tilt("export", run, tmp_path / "r.doc")
    assert code == 2
    assert "does not say the format" in " ".join(err.split())
    assert tilt("export", tmp_path, tmp_path / "r.csv")[0] == 2
