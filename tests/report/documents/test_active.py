"""The page of active learning says what was found, with foreign text escaped and bounds marked."""

import csv
import io
import json

import pytest

from active_runs import written
from tiltmeter.active.result_reading import read_result
from tiltmeter.report import tables
from tiltmeter.report.documents.active.document import active_document
from tiltmeter.report.documents.active.files import active_json, file_tables
from tiltmeter.report.html import page
from tiltmeter.report.terminal import print_document
from tiltmeter.run.folder import to_json


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """On the second set entropy sampling never reaches the target."""
    folder = tmp_path_factory.mktemp("runs")
    one = written(folder / "calm", {"passive": 200, "daal": 100}, seeds=4)
    other = written(folder / "loud<b>", {"passive": 200, "entropy": 2000}, seeds=4)
    return [read_result(one, draws=100), read_result(other, draws=100)]


def test_the_finding_names_verdict_ratio_and_interval(results):
    first, second = active_document(results).finding
    assert first.startswith("calm: in reaching excess log loss ≤ 0.5")
    assert "DAAL saves votes (ratio 1.89, 95\u00a0% interval 1.8" in first
    assert "Entropy costs votes (ratio < 0." in second


def test_the_page_has_every_part_and_escapes_names(results):
    drawn = page(active_document(results, command="tiltmeter active report x"))
    for title in ("Votes to the target", "Learning curves", "Mean loss", "Claims and verdicts"):
        assert title in drawn
    assert "noise floor" in drawn and "all votes" in drawn
    assert "&lt;i&gt;101" in drawn and "<i>101" not in drawn
    assert "loud<b>" not in drawn
    assert drawn.count('class="wide"') == drawn.count('class="narrow"') == 8


def test_the_terminal_and_the_tables_have_the_same_numbers(results, capsys):
    from rich.console import Console

    document = active_document(results)
    print_document(document, Console(width=80))
    shown = capsys.readouterr().out
    assert "> 1,000" in shown and "saves" in shown and "costs" in shown
    assert max(map(len, shown.splitlines())) <= 80
    (latex,) = tables.files(document, "latex").values()
    assert r"$\leq$" in latex and "Borne out" not in latex.split(r"\begin{table}")[1]


def test_files_hold_raw_values(results):
    votes = list(csv.DictReader(io.StringIO(tables.as_csv(file_tables(results)["votes"]))))
    row = next(r for r in votes if r["strategy"] == "entropy" and r["target"] == "best")
    assert (row["votes"], row["censored"], row["verdict"]) == ("", "below", "costs")
    made = json.loads(to_json(active_json(results, command="x")))
    assert [pool["folder"] for pool in made["pools"]] == ["calm", "loud<b>"]
    assert len(made["pools"][0]["measures"]["js_nats"]["losses"]["daal"]) == 4
