"""What a run of groups and traits leaves: matrix.csv, its seal, pictures, and a comparison."""

import csv
import json

import pytest

TEMPLATES = "The [group] is [trait].;That [group] is [trait].;A [group] is [trait]."
RUN = ("run", "group_traits", "fake:masked", "--set", "groups=man,woman,elderly",
       "--set", f"templates={TEMPLATES}")  # fmt: skip


@pytest.fixture
def folder(tilt, tmp_path):
    code, said, err = tilt(*RUN)
    assert code == 0, err
    (made,) = (tmp_path / "runs").iterdir()
    assert (made / "matrix.csv").is_file() and "--all" in said
    return made


def test_the_file_has_a_row_a_cell_as_the_estimates(folder):
    with (folder / "matrix.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["group", "pair", "value", "low", "high", "p", "n"]
    estimates = json.loads((folder / "estimates.json").read_text("utf-8"))
    found = {tuple(e["groups"].values()): e for e in estimates if e["name"] == "association"}
    assert len(rows) == len(found) == 3 * 16
    for row in rows:
        e = found[row["group"], row["pair"]]
        for column, key in (
            ("value", "value"),
            ("low", "low"),
            ("high", "high"),
            ("p", "p_adjusted"),
        ):
            assert (row[column] == "") == (e[key] is None)
            assert row[column] == "" or float(row[column]) == pytest.approx(e[key])
        assert int(row["n"]) == e["n"]


def test_it_is_sealed_and_may_be_removed_but_not_changed(tilt, folder):
    assert "matrix.csv" in json.loads((folder / "card.json").read_text("utf-8"))["files"]
    text = (folder / "matrix.csv").read_text("utf-8")
    (folder / "matrix.csv").write_text(text.replace("man", "men"), "utf-8")
    code, _, err = tilt("report", folder)
    assert code == 2
    assert "matrix.csv was changed after the run" in err
    (folder / "matrix.csv").unlink()
    assert tilt("report", folder)[0] == 0


def test_pictures_of_the_matrix_and_of_a_group(tilt, folder):
    assert tilt("report", folder, "--figures", "svg", "--group", "elderly")[0] == 0
    names = {f.name for f in folder.glob("*.svg")}
    assert {"matrix.svg", "group-elderly.svg"} <= names
    drawn = (folder / "group-elderly.svg").read_text("utf-8")
    assert "elderly" in drawn and "woman" not in drawn
    code, _, err = tilt("report", folder, "--figures", "svg", "--group", "elder")
    assert code == 2
    assert "Did you mean 'elderly'" in err
    code, _, err = tilt("report", folder, "--group", "elderly")
    assert code == 2
    assert "--figures" in err


def test_two_runs_are_compared(tilt, tmp_path):
    assert tilt(*RUN)[0] == 0
    assert tilt(*RUN, "--set", "prior=noun")[0] == 0
    runs = sorted((tmp_path / "runs").iterdir())
    code, said, err = tilt("compare", *runs, "--out", "out", "--json")
    assert code == 0, err
    names = {e["name"] for e in json.loads(said)["estimates"]}
    assert {"matrix_tau", "matrix_tau_within", "same_lean"} <= names
    assert "association_difference" not in names
    code, said, _ = tilt("compare", *runs, "--out", "out")
    assert "Kendall’s τ-b" in said
    (page,) = (tmp_path / "out").glob("*/report.html")
    assert "side by side" in page.read_text("utf-8")
