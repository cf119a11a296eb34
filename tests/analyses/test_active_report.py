"""active report: from folders of made-up runs to the finding, the page, the tables and other commands."""

import csv
import json
import shutil

import pytest

import tiltmeter as tm
from active_runs import written
from report.test_html import Outline


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """On the second set entropy sampling never reaches the target."""
    folder = tmp_path_factory.mktemp("runs")
    written(folder / "calm", {"passive": 200, "daal": 100}, seeds=5)
    written(folder / "loud<b>", {"passive": 200, "entropy": 2000}, seeds=5)
    return folder


@pytest.fixture(scope="module")
def result(runs):
    return tm.active_report(runs)


def rows_of(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def test_the_finding_names_verdict_ratio_and_interval(result):
    first, second = (paragraph.text for paragraph in result.card.finding)
    assert first.startswith("calm: in reaching excess log loss ≤ 0.5")
    assert "DAAL saves votes (ratio 1.90, 95\u00a0% interval 1.8" in first
    assert "Entropy costs votes (ratio <\u00a00." in second
    assert second.endswith("higher for Entropy.")


def test_a_gate_reads_the_headlines(result, runs, tilt):
    head = result.headline
    assert (head.name, head.value, head.why) == ("saving_strategies", 1, "of 2 comparisons")
    borne_out = next(e for e in result.estimates if e.name == "borne_out")
    each = [e.value for e in result.estimates if e.name == "borne_out" and e.groups]
    assert (borne_out.value, borne_out.n) == (sum(each), len(each))
    assert tilt("active", "report", runs, "--fail-if", "saving_strategies < 1")[0] == 0
    code, _, why = tilt("active", "report", runs, "--fail-if", "borne_out < 99")
    assert code == 3 and "borne_out < 99" in why


def test_the_page_has_every_part_and_escapes_names(result):
    page = result.page()
    Outline(page)
    for title in ("Votes to the target", "Learning curves", "Mean loss", "Claims and verdicts"):
        assert title in page
    assert "noise floor" in page and "all votes" in page
    assert "&lt;i&gt;101" in page and "<i>101" not in page
    assert "loud<b>" not in page
    assert page.count('class="wide"') == page.count('class="narrow"') == 10


def test_the_terminal_marks_bounds_and_is_no_wider_than_it_may_be(runs, tilt, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    code, shown, errors = tilt("active", "report", runs)
    assert code == 0 and "reading calm" in errors
    assert "> 1,000" in shown and "saves" in shown and "costs" in shown
    assert max(map(len, shown.partition("\npage:")[0].splitlines())) <= 80
    latex = tilt("active", "report", runs, "--format", "latex")[1]
    assert r"$\leq$" in latex and r"\begin{table}" in latex


def test_files_hold_raw_values_of_all_sets(runs, tilt, tmp_path):
    code, printed, _ = tilt("active", "report", runs, "--out", tmp_path, "--all-queries", "--json")
    assert code == 0
    assert [s["folder"] for s in json.loads(printed)["card"]["sources"]] == ["calm", "loud<b>"]
    (folder,) = tmp_path.iterdir()
    assert {file.name for file in folder.iterdir()} == {
        "report.html", "card.json", "estimates.json", "records.parquet",
        *(f"{name}.csv" for name in (
            "sets", "targets", "votes", "differences", "shares", "skill", "verdicts", "claims", "curves",
            "queries",
        )),
    }  # fmt: skip
    row = next(
        r for r in rows_of(folder, "votes") if r["strategy"] == "entropy" and r["target"] == "best"
    )
    assert (row["votes"], row["votes_bound"], row["ratio_bound"], row["ratio_verdict"]) == (
        "1000.0", ">", "<", "costs",
    )  # fmt: skip
    queries = rows_of(folder, "queries")
    assert len(queries) == 2 * 2 * 5 * 10
    assert queries[0]["reason"] == "'=made up"  # no spreadsheet runs it
    assert len(rows_of(folder, "curves")) == 2 * 2 * 10
    untested = {r["claim"]: r["why"] for r in rows_of(folder, "claims") if r["why"]}
    assert untested["6-badge-votes"] == "badge was not run"


def test_other_commands_take_its_folder(runs, tilt, tmp_path):
    shown = tilt("active", "report", runs, "--out", tmp_path)[1]
    (folder,) = tmp_path.iterdir()
    assert tilt("report", folder)[1].split("page:")[0] == shown.split("page:")[0]
    table = tilt(
        "table", folder, "--measure", "ratio", "--rows", "set,strategy", "--columns", "loss,target"
    )[1]
    assert "DAAL" in table
    assert "calm-1-js_nats" in tilt("figure", folder)[1]
    drawn = ("figure", folder, "--kind", "calm-1-js_nats")
    assert tilt(*drawn, "--to", tmp_path / "curves.svg")[0] == 0
    assert "DAAL" in (tmp_path / "curves.svg").read_text("utf-8")
    assert tilt("export", folder, tmp_path / "out.csv", "--what", "estimates")[0] == 0
    assert "active_report-baumler2023-calm" in tilt("runs", tmp_path, "--format", "csv")[1]


def test_two_sets_of_one_name_are_kept_apart(runs, tmp_path):
    shutil.copytree(runs / "calm", tmp_path / "again")
    made = tm.active_report([runs / "calm", tmp_path / "again"])
    assert {e.groups["set"] for e in made.estimates if e.groups} == {"calm", "calm (2)"}


def test_one_strategy_and_runs_without_held_out_votes_say_so(tmp_path):
    alone = tm.active_report(written(tmp_path / "alone", {"passive": 200}, seeds=3))
    assert alone.card.finding[0].text == "alone: only Passive was run."
    assert (alone.headline.value, alone.headline.why) == (0, "of 0 comparisons")
    assert "Undecided" not in alone.page()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["RUNS/calm", "RUNS"], "listed twice"),
        (["RUNS", "--against", "badge"], "No strategy of these runs named 'badge'"),
        (["missing"], "manifest.json"),
        (["RUNS", "--convention", "x"], "baumler2023"),
        (["RUNS", "--queries", "-1"], "queries"),
    ],
)
def test_mistakes_are_explained(words, why, runs, tilt):
    code, _, errors = tilt("active", "report", *(w.replace("RUNS", str(runs)) for w in words))
    assert code == 2 and why in " ".join(errors.split())
