"""table as a user types it."""

import csv
import io
import json
from pathlib import Path

import openpyxl
import pytest

import tiltmeter as tm


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Two models on the built-in pairs, each in a folder."""
    base = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILTMETER_CACHE", str(base / "cache"))
        for model in ("masked", "causal"):
            tm.run("starter_pairs", f"fake:{model}").save(base / model)
    return [base / "masked", base / "causal"]


def test_models_by_categories(tilt, runs):
    code, out, err = tilt("table", *runs)
    assert (code, err) == (0, "")
    assert "Stereotype rate by bias type and model, %" in out
    assert "fake:causal" in out
    assert "Data " in out


def test_csv_json_and_markdown_are_the_table_alone(tilt, runs):
    code, out, _ = tilt("table", *runs, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0
    assert len(rows) == 10
    assert float(rows[0]["fake:causal low"]) < float(rows[0]["fake:causal"])
    _, out, _ = tilt("table", *runs, "--format", "json")
    assert len(json.loads(out)["table"]["rows"]) == 10
    _, out, _ = tilt("table", *runs, "--format", "markdown")
    assert out.startswith("**Stereotype rate by bias type and model, %**")


@pytest.mark.parametrize(
    ("name", "start"),
    [("t.tex", b"\\begin{table}"), ("t.xlsx", b"PK"), ("t.html", b"<!doctype html>"),
     ("t.csv", b"bias_type,"), ("t.txt", b"\nStereotype rate")],
)  # fmt: skip
def test_the_name_of_the_file_says_the_format(tilt, runs, tmp_path, name, start):
    code, out, err = tilt("table", *runs, "--to", tmp_path / name)
    assert (code, out) == (0, "")
    assert str(tmp_path / name) in err.replace("\n", "")
    assert (tmp_path / name).read_bytes().lower().startswith(start.lower())


def test_a_workbook_has_numbers(tilt, runs, tmp_path):
    assert tilt("table", *runs, "--to", tmp_path / "t.xlsx")[0] == 0
    sheet = openpyxl.load_workbook(tmp_path / "t.xlsx")["table"]
    heads = [cell.value for cell in sheet[1]]
    assert isinstance(sheet[2][heads.index("fake:masked")].value, int | float)


def test_what_cannot_be_done_is_said(tilt, runs, tmp_path):
    for words, said in (
        (["--to", tmp_path / "t.doc"], "does not say the format"),
        (["--format", "xlsx"], "a workbook cannot be printed"),
        (["--rows", "nope"], "No axis named 'nope'"),
        (["--measure", "nope"], "No measure named 'nope'"),
        (["--rows", "direction", "--columns", "direction"], "named twice"),
    ):
        code, out, err = tilt("table", *runs, *words)
        assert (code, out) == (2, ""), words
        assert said in " ".join(err.split())
    assert tilt("table", tmp_path)[0] == 2
    assert not Path("t.doc").exists()


def test_how_to_cite_is_a_bib_file(tilt, runs, tmp_path):
    code, out, err = tilt("table", *runs, "--cite")
    assert (code, err) == (0, "")
    assert "The models were fake:masked" in " ".join(out.split())
    assert "@inproceedings{nangia-etal-2020-crows," in out
    code, printed, _ = tilt("table", *runs, "--cite", "--to", tmp_path / "references.bib")
    assert (code, printed) == (0, "")
    assert (tmp_path / "references.bib").read_text() == out
    assert (
        "\\citep{nangia-etal-2020-crows" in tilt("table", *runs, "--cite", "--format", "latex")[1]
    )


@pytest.mark.parametrize(
    "more", [("--caption", "Mine"), ("--format", "csv"), ("--intervals", "none"), ("--to", "t.csv")]
)
def test_options_of_the_table_do_not_go_with_references(tilt, runs, more):
    code, out, err = tilt("table", *runs, "--cite", *more)
    assert (code, out) == (2, "")
    assert "--cite" in err


def test_caption_and_label_are_those_of_the_user(tilt, runs):
    words = ("--caption", "Rates of 50 % & more", "--label", "tab:main")
    code, out, _ = tilt("table", *runs, "--format", "latex", *words)
    assert code == 0
    assert "\\caption{Rates of 50 \\% \\& more}\n\\label{tab:main}\n" in out
    assert tilt("table", *runs, *words)[1].startswith("\nRates of 50 % & more\n")


def test_studies_stand_as_they_are_listed_unless_folders_are_in_another_order(
    tilt, tmp_path, monkeypatch
):
    """Studies of sentences are listed first, and by name."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    named = {"a": "word_association", "b": "starter_pairs", "c": "sos"}
    for folder, study in named.items():
        tm.run(study, "fake", limit=20).save(tmp_path / "runs" / folder)

    def columns(*folders):
        paths = [tmp_path / "runs" / folder for folder in folders]
        words = ("--rows", "model", "--columns", "study", "--format", "csv")
        heads = tilt("table", *paths, *words)[1].splitlines()[0].split(",")
        return [head for head in heads if head in named.values()]

    listed = ["sos", "starter_pairs", "word_association"]
    assert columns("") == columns("a", "b", "c") == listed
    assert columns("a", "c", "b") == ["word_association", "sos", "starter_pairs"]


def test_one_caption_for_several_tables_is_refused(tilt, runs, tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    tm.run("sos", "fake", limit=20).save(tmp_path / "sos")
    code, _, err = tilt("table", *runs, tmp_path / "sos", "--caption", "Mine")
    assert code == 2
    assert "there are 2 tables" in err
