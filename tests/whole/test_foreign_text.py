"""Hostile names in what users give: no command lets them act on the terminal or in a spreadsheet."""

import csv
import json

import numpy as np
import openpyxl
import pytest

from tiltmeter.core.finder import find, known
from tiltmeter.data.downloads import places
from tiltmeter.derived.matrices.matrix import ScoreMatrix, as_csv
from tiltmeter.run.stored_answers.store import STORE, Store

NAME = "a[bold]b[/nope]\x1b]0;owned\x07\u202e"
SHOWN = "a[bold]b[/nope][U+001B]]0;owned[U+0007][U+202E]"
PAIRS = "sent_more,sent_less,bias_type\n" + "".join(
    f"He is number {n}.,She is number {n}.,{NAME}\n" for n in range(6)
)


def is_harmless(text):
    return not set(text) & {"\x1b", "\x07", "\x9b", "\u202e"}


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / f"pairs{NAME.replace('/', '')}.csv"
    path.write_text(PAIRS, "utf-8")
    return path


@pytest.mark.parametrize(
    "words",
    [
        ("data", "describe", "FILE"),
        ("data", "describe", "FILE", "--format", "csv"),
        ("data", "describe", "FILE", "--json", "--show-text"),
        ("data", "check", "FILE"),
        ("run", "pairs", "fake:masked", "--data", "FILE"),
        ("run", "pairs", "fake:masked", "--data", "FILE", "--json"),
    ],
)
def test_categories_and_file_names(tilt, pairs, words):
    code, out, err = tilt(*[pairs if word == "FILE" else word for word in words])
    assert code == 0, err
    assert is_harmless(out + err)
    assert "a[bold]b[" in out


def test_a_model_of_such_a_name(tilt):
    code, out, err = tilt("run", "starter_pairs", NAME)
    assert code != 0
    assert is_harmless(out + err)
    assert "a[bold]b[/nope]" in err


def test_keys_of_toml(tilt, tmp_path):
    file = tmp_path / "sweep.toml"
    key = json.dumps("a[bold]b[/nope]\x1b]0;owned\x07\u202e")
    file.write_text(f"{key} = 1\n", "utf-8")
    code, out, err = tilt("run", file)
    assert code == 2
    assert is_harmless(out + err)
    assert "a[bold]b[/nope]" in err


def test_names_in_the_store(tilt):
    file = places.cache() / STORE
    file.parent.mkdir(parents=True, exist_ok=True)
    with Store(file) as store:
        model = store.model("fingerprint", NAME)
        store.put(model, {b"k": np.zeros(1)})
    for words in (
        ("data", "cache", "info"),
        ("data", "cache", "info", "--json"),
        ("data", "cache", "clear"),
    ):
        code, out, err = tilt(*words)
        assert code == 0, err
        assert is_harmless(out + err)
        assert "a[bold]b[/nope]" in out + err


def test_the_table_of_a_matrix_holds_no_formula():
    one = np.array([[0.5]])
    matrix = ScoreMatrix("m", ("=1+1",), ("@cmd - \x1b[31m",), one, one, one, one)
    _, row = csv.reader(as_csv(matrix).splitlines())
    assert row[:2] == ["'=1+1", "'@cmd - [U+001B][31m"]


@pytest.mark.parametrize("name", known("studies"))
def test_what_studies_say_of_themselves_holds_no_raw_backticks(name):
    study = find("studies", name, "STUDY")
    said = [study.measures_what, study.not_what, *(c.summary for c in study.conventions)]
    assert not [text for text in said if "`" in text]


FORMULA = f"=1+1<img src=x>{NAME}"


@pytest.fixture
def run_of_formulas(tilt, tmp_path):
    """The folder of a run whose category would be a formula, an element and a command to the terminal."""
    file = tmp_path / "formulas.csv"
    file.write_text(PAIRS.replace(NAME, FORMULA), "utf-8")
    assert tilt("run", "pairs", "fake:masked", "--data", file)[0] == 0
    (folder,) = (tmp_path / "runs").iterdir()
    return folder


def cells_of(text, separator=","):
    return [cell for row in csv.reader(text.splitlines(), delimiter=separator) for cell in row]


def is_number(cell):
    return cell.removeprefix("-").replace(".", "", 1).replace("e-", "", 1).isdigit()


def test_nothing_of_a_run_is_a_formula_or_acts_wherever_it_goes(tilt, tmp_path, run_of_formulas):
    for form in ("csv", "markdown", "latex", "text", "json"):
        code, out, err = tilt("table", run_of_formulas, "--rows", "bias_type", "--format", form)
        assert (code, is_harmless(out + err)) == (0, True), form
        cells = cells_of(out) if form == "csv" else []
        assert all(is_number(c) for c in cells if c.startswith(("=", "+", "-", "@")))
    for ending, separator in ((".csv", ","), (".tsv", "\t")):
        assert tilt("export", run_of_formulas, tmp_path / f"all{ending}")[0] == 0
        text = (tmp_path / f"all{ending}").read_text("utf-8")
        assert is_harmless(text) and f"'{FORMULA[:8]}" in text
        cells = cells_of(text, separator)
        assert all(is_number(c) for c in cells if c.startswith(("=", "+", "-", "@")))
    assert tilt("export", run_of_formulas, tmp_path / "all.xlsx")[0] == 0
    sheets = openpyxl.load_workbook(tmp_path / "all.xlsx").worksheets
    cells = [cell for sheet in sheets for row in sheet.iter_rows() for cell in row]
    assert any(str(cell.value).startswith("=1+1") for cell in cells)
    assert not [cell for cell in cells if cell.data_type == "f" or cell.hyperlink]
    assert (
        tilt("figure", run_of_formulas, "--kind", "bias_type", "--to", tmp_path / "all.svg")[0] == 0
    )
    for page in (run_of_formulas / "report.html", tmp_path / "all.svg"):
        text = page.read_text("utf-8")
        assert is_harmless(text) and "=1+1" in text and "<img" not in text
