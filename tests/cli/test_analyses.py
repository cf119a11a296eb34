"""The formats in which a command prints its tables."""

import csv
import json

import pytest

TABLE = "model,x,y\na,1,1\nb,2,3\nc,3,2\nd,4,50\n"


@pytest.fixture
def printed(tilt, tmp_path):
    (tmp_path / "mine.csv").write_text(TABLE)

    def call(kind):
        code, out, err = tilt("analyse", "correlate", "--table", "mine.csv", "--format", kind)
        assert code == 0, err
        return out

    return call


def test_csv_is_the_main_table_as_it_is_in_the_folder(printed, tmp_path):
    out = printed("csv")
    (row,) = csv.DictReader(out.splitlines())
    assert (row["x"], row["y"], row["pearson_n"], float(row["spearman"])) == ("x", "y", "4", 0.8)
    (file,) = tmp_path.glob("runs/*/correlations.csv")
    assert file.read_text("utf-8") == out


def test_json_is_everything(printed, tmp_path):
    value = json.loads(printed("json"))
    (file,) = tmp_path.glob("runs/*/estimates.json")
    names = [e["name"] for e in json.loads(file.read_text("utf-8"))]
    assert [e["name"] for e in value["estimates"]] == names
    assert names[:2] == ["significant_pairs", "pearson"]


def test_tables_for_papers(printed):
    assert printed("markdown").startswith("**Correlations, the strongest first**")
    assert "\\toprule" in printed("latex")


def test_text_names_the_page(printed):
    assert "page: runs" in printed("text").replace("\\", "/")


def test_data_check_has_them_too(tilt):
    code, out, _ = tilt("data", "describe", "starter_pairs", "--format", "markdown")
    assert code == 0 and "**Checks**" in out
    code, out, _ = tilt("data", "describe", "starter_pairs", "--format", "json")
    same = json.loads(tilt("data", "describe", "starter_pairs", "--json")[1])
    assert json.loads(out)["estimates"] == same["estimates"]


def test_another_format_is_refused(tilt):
    code, _, err = tilt("data", "describe", "starter_pairs", "--format", "docx")
    assert code == 2 and "docx" in err


def test_pictures_are_files_of_their_own(tilt, tmp_path):
    (tmp_path / "mine.csv").write_text("model,x,y,z\na,1,1,4\nb,2,3,1\nc,3,2,5\nd,4,50,9\n")
    code, out, err = tilt("analyse", "correlate", "--table", "mine.csv", "--figures", "svg")
    assert code == 0, err
    names = {path.name for path in tmp_path.glob("runs/*/*.svg")}
    assert names == {"correlations.svg", "pair-1.svg", "pair-2.svg", "pair-3.svg"}
    assert "*.svg" in out


def test_a_threshold_that_names_nothing_leaves_no_folder(tilt, tmp_path):
    (tmp_path / "mine.csv").write_text(TABLE)
    words = ("analyse", "correlate", "--table", "mine.csv", "--fail-if", "pearson:sourse=x > 1")
    code, out, err = tilt(*words)
    assert (
        code == 2 and out == "" and "No estimate named 'pearson:sourse=x'" in " ".join(err.split())
    )
    assert not [*tmp_path.glob("runs/*/card.json")]
