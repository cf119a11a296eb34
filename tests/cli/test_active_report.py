"""active report: from folders of runs to a page, tables and files."""

import csv
import json

import pytest
from typer.testing import CliRunner

from active_runs import written
from tiltmeter.cli import app


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name in ("one", "two"):
        written(folder / name, {"passive": 200, "daal": 100}, seeds=3)
    return folder


def reported(*words):
    return CliRunner().invoke(app, ["active", "report", *map(str, words)])


def test_a_folder_of_folders_is_read_and_all_files_are_written(runs, tmp_path):
    done = reported(runs, "--out", tmp_path, "--all-queries", "--json")
    assert done.exit_code == 0, done.output
    assert [pool["folder"] for pool in json.loads(done.stdout)["pools"]] == ["one", "two"]
    (folder,) = tmp_path.iterdir()
    names = {file.name for file in folder.iterdir()}
    assert names == {"report.html", "active.json", "votes.csv", "verdicts.csv", "queries.csv"}
    with (folder / "queries.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 2 * 2 * 3 * 10
    assert rows[0]["reason"] == "'=made up"  # no spreadsheet runs it


def test_mistakes_are_explained(runs, tmp_path):
    for words, why in (
        ([runs / "one", runs], "listed twice"),
        ([runs, "--against", "entropy"], "No strategy of these runs named 'entropy'"),
        ([tmp_path], "manifest.json"),
        ([runs, "--convention", "x"], "baumler2023"),
    ):
        done = reported(*words, "--out", tmp_path / "out")
        assert done.exit_code != 0 and why in str(done.exception)
