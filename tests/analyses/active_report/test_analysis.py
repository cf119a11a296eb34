"""active report: from folders of made-up runs to the finding, the page, the tables and other commands."""

import csv
import json
import re
import shutil

import pytest

import tiltmeter as tm
from support.active_runs import written


def rows_of(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [*csv.DictReader(file)]


def test_a_gate_reads_the_headlines(result, runs, tilt):
    head = result.headline
    assert (head.name, head.value, head.why) == ("saving_strategies", 1, "of 2 comparisons")
    borne_out = next(e for e in result.estimates if e.name == "borne_out")
    each = [e.value for e in result.estimates if e.name == "borne_out" and e.groups]
    assert (borne_out.value, borne_out.n) == (sum(each), len(each))
    assert tilt("active", "report", runs, "--fail-if", "saving_strategies < 1")[0] == 0
    code, _, why = tilt("active", "report", runs, "--fail-if", "borne_out < 99")
    assert code == 3 and "borne_out < 99" in why


def test_files_hold_raw_values_of_all_sets(runs, tilt, tmp_path):
    code, printed, _ = tilt("active", "report", runs, "--out", tmp_path, "--all-queries", "--json")
    assert code == 0
    assert [s["folder"] for s in json.loads(printed)["card"]["sources"]] == ["calm", "loud<b>"]
    (folder,) = tmp_path.iterdir()
    assert {file.name for file in folder.iterdir()} == {
        "report.html", "card.json", "estimates.json", "records.parquet",
        *(f"{name}.csv" for name in (
            "sets", "targets", "votes", "differences", "shares", "skill", "verdicts", "claims", "curves",
            "queries", "chosen", "baselines-excess_log_loss", "baselines-js_nats",
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
    assert "js_nats" in tilt("figure", folder)[1]
    drawn = ("figure", folder, "--kind", "js_nats")
    assert tilt(*drawn, "--to", tmp_path / "curves.svg")[0] == 0
    assert "DAAL" in (tmp_path / "curves.svg").read_text("utf-8")
    assert tilt("export", folder, tmp_path / "out.csv", "--what", "estimates")[0] == 0
    assert "active_report-baumler2023-calm" in tilt("ls", tmp_path, "--format", "csv")[1]


def test_two_sets_of_one_name_are_kept_apart(runs, tmp_path):
    shutil.copytree(runs / "calm", tmp_path / "again")
    made = tm.analyse.active_report([runs / "calm", tmp_path / "again"])
    assert {e.groups["set"] for e in made.estimates if e.groups} == {"calm", "calm (2)", "average"}


def test_one_pool_with_two_settings_is_named_by_them_and_drawn_in_one_picture(tmp_path):
    for items in (20, 40):
        written(tmp_path / str(items) / "calm", {"passive": 200, "daal": 100}, entropy_items=items)
    made = tm.analyse.active_report([tmp_path / "20", tmp_path / "40"])
    settings = ["20 items for f_ent", "40 items for f_ent"]
    names = [f"calm, {name}" for name in settings]
    assert [s["set"] for s in made.card.sources] == [*names, "average"]
    picture = next(p for p in made.document().pictures() if p.name == "js_nats")
    for name in settings:
        assert f"DAAL, {name}: from " in picture.wide and f"Passive, {name}: " in picture.wide


def test_several_pools_with_several_settings_have_a_panel_each_and_lines_that_look_alike(tmp_path):
    for items in (20, 40):
        for name, also in (("calm", {}), ("loud", {"entropy": 90})):
            folder = tmp_path / str(items) / name
            written(folder, {**also, "passive": 200, "daal": 100}, seeds=2, entropy_items=items)
    made = tm.analyse.active_report([tmp_path / "20", tmp_path / "40"])
    picture = next(p for p in made.document().pictures() if p.name == "js_nats").wide
    assert (
        ">calm<" in picture and ">loud<" in picture and picture.count("items for f_ent: from") == 20
    )
    looks = dict(
        re.findall(r"<title>([^<:]*): from[^<]*</title><line[^>]*class=\"([^\"]*)", picture)
    )
    assert looks["DAAL, 20 items for f_ent"] == "series d2"
    assert looks["DAAL, 40 items for f_ent"] == "series d2 dashed"
    assert looks["Passive, 40 items for f_ent"] == "series d1 dashed"


def test_sets_and_baselines_of_several_reports_are_one_table_and_one_picture(tilt, tmp_path):
    for name in ("calm", "loud"):
        written(tmp_path / name, {"passive": 200, "entropy": 300, "daal": 100}, seeds=2)
        assert tilt("active", "report", tmp_path / name, "--out", tmp_path / "out")[0] == 0
    folders = sorted((tmp_path / "out").iterdir())
    asked = ("--measure", "baseline_ratio", "--rows", "data", "--columns", "baseline,loss,strategy")
    code, table, _ = tilt("table", *folders, *asked, "--format", "csv")
    assert code == 0
    rows = [*csv.DictReader(table.splitlines())]
    assert [row["data"] for row in rows] == ["calm", "loud"]
    assert len(rows[0]) >= 1 + 2 * 2
    target = tmp_path / "both.svg"
    assert tilt("figure", *folders, "--kind", "js_nats", "--to", target)[0] == 0
    drawn = target.read_text("utf-8")
    assert ">calm<" in drawn and ">loud<" in drawn and drawn.count("<svg") == 1


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
