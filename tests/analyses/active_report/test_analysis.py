"""active report: from folders of made-up runs to the finding, the page, the tables and other commands."""

import csv
import json
import shutil

import numpy as np
import pytest

import tiltmeter as tm
from report.test_html import Outline
from support.active_runs import written
from tiltmeter.active.run_files import EntropyBudget, write_entropy_budgets


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
    assert "Simulations buy votes that were given before: nobody is asked anew" in page
    assert "live round" not in page
    assert "&lt;i&gt;101" in page and "<i>101" not in page
    assert "loud<b>" not in page
    pictures = 5  # two losses, macro-F1 and two shares, a panel for each set
    assert page.count('class="wide"') == page.count('class="narrow"') == pictures


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
    assert "active_report-baumler2023-calm" in tilt("runs", tmp_path, "--format", "csv")[1]


def test_two_sets_of_one_name_are_kept_apart(runs, tmp_path):
    shutil.copytree(runs / "calm", tmp_path / "again")
    made = tm.active_report([runs / "calm", tmp_path / "again"])
    assert {e.groups["set"] for e in made.estimates if e.groups} == {"calm", "calm (2)", "average"}


def test_one_pool_with_two_settings_is_named_by_them_and_drawn_in_one_picture(tmp_path):
    for items in (20, 40):
        written(tmp_path / str(items) / "calm", {"passive": 200, "daal": 100}, entropy_items=items)
    made = tm.active_report([tmp_path / "20", tmp_path / "40"])
    settings = ["entropy items 20", "entropy items 40"]
    names = [f"calm, {name}" for name in settings]
    assert [s["set"] for s in made.card.sources] == [*names, "average"]
    picture = next(p for p in made.document().pictures() if p.name == "js_nats")
    for name in settings:
        assert f"DAAL, {name}: from " in picture.wide and f"Passive, {name}: " in picture.wide


def test_the_squared_error_of_f_ent_is_a_picture_by_budget(tmp_path):
    folder = written(tmp_path / "calm", {"passive": 200}, seeds=2)
    budgets = [(seed, items) for seed in (0, 1) for items in (25, 100)]
    write_entropy_budgets(
        folder, [EntropyBudget(s, items, 3, 4 / items + 0.02 * s, 0.1, 0.5) for s, items in budgets]
    )
    made = tm.active_report(folder)
    errors = {e.groups["items"]: e.value for e in made.estimates if e.name == "f_ent_mse"}
    assert errors == {"25": pytest.approx(0.17), "100": pytest.approx(0.05)}
    picture = next(p for p in made.document().pictures() if p.name == "f_ent_mse")
    assert "3 votes: from 0.17" in picture.wide


def test_ratios_by_the_papers_rule_and_their_average(tmp_path):
    """Falls twice as fast: at DAAL's first near point, at 200 votes, passive learning would need 400."""
    for name, scale in (("one", 200), ("two", 400)):
        written(tmp_path / name, {"passive": scale, "daal": 100}, noise=0, seeds=2)
    made = tm.active_report(tmp_path)
    ratios = {
        e.groups["set"]: e for e in made.estimates
        if e.name == "baseline_ratio" and e.groups["loss"] == "excess_log_loss"
    }  # fmt: skip
    best = 0.5 + 0.3 * np.exp(-10)
    ours = next(v for v in range(100, 1001, 100) if 0.5 + 0.3 * np.exp(-v / 100) <= 1.05 * best)
    assert ratios["one"].value == pytest.approx(2 * ours / ours)
    assert (ratios["two"].value, ratios["two"].bound) == (1000 / ours, ">")
    mean = ratios["average"]
    assert (mean.value, mean.bound) == (pytest.approx((2 + 1000 / ours) / 2), ">")


def test_published_curves_give_the_papers_table_and_stand_in_panels():
    made = tm.active_report("baumler2023_curves")
    ratios = {e.groups["set"]: e for e in made.estimates if e.name == "baseline_ratio"}
    shown = {name: (f"{e.value:.2f}", e.bound, e.low, e.n) for name, e in ratios.items()}
    assert shown == {
        "dehumanize": ("1.81", "", None, 0), "respect": ("1.26", "", None, 0),
        "genocide": ("1.28", ">", None, 0), "toxicity": ("0.97", "", None, 0),
        "toxicity5": ("0.90", "", None, 0),
    }  # fmt: skip
    assert "genocide, curves that a paper prints: Entropy needs >" in made.card.finding[2].text
    assert made.headline.why == "of 0 comparisons"
    (picture,) = made.document().pictures()
    for name in ratios:
        assert f"{name}: Jensen" in picture.wide or f">{name}<" in picture.wide
    with pytest.raises(tm.TiltmeterError, match="no learning curves"):
        tm.active_report("nangia2020_bias")


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
