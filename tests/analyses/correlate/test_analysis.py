"""correlate as a user types it: folders, tables, published numbers, what is said, and what is refused."""

import csv
import json

import pytest

from analyses.correlate.examples import correlated, table

SOS, F1 = "elsafoury2023_sos", "elsafoury2023_f1"


@pytest.fixture
def runs(tilt):
    """Three runs of the built-in pairs, of two rules and of two models that need no weights."""
    said = [
        tilt("run", "starter_pairs", model, "--rule", rule, "--json")
        for model, rule in (("fake:causal", "log_likelihood"), ("fake:masked", "pll_shared"),
                            ("fake:masked", "pll_all"))
    ]  # fmt: skip
    assert [code for code, _, _ in said] == [0, 0, 0]
    return [f"runs/{name}" for name in sorted(folder_names())]


def folder_names():
    from pathlib import Path

    return [p.name for p in Path("runs").iterdir() if (p / "card.json").exists()]


def folder_of(out):
    return out.rpartition("folder: ")[2].strip()


def test_published_tables(tilt, tmp_path):
    code, out, err = tilt(
        "analyse", "correlate", "--published", SOS, "--published", F1, "--between", "--all"
    )
    assert (code, err) == (0, "")
    assert "No significant correlation among 66 pairs" in " ".join(out.split())
    assert "2 / 3! = 0.333" in " ".join(out.split())
    folder = tmp_path / folder_of(out)
    assert {p.name for p in folder.iterdir()} == {
        "card.json", "correlations.csv", "estimates.json", "points.csv", "records.parquet", "report.html",
    }  # fmt: skip
    with (folder / "correlations.csv").open(encoding="utf-8", newline="") as file:
        rows = {(r["x"], r["y"]): r for r in csv.DictReader(file)}
    assert len(rows) == 66
    one = rows["SOS marginalised, race", "F1 WTP-tox"]
    assert round(float(one["pearson"]), 4) == -0.9457
    assert (one["pearson_n"], one["pearson_low"], float(one["pearson_p"])) == ("3", "", 1 / 3)
    page = (folder / "report.html").read_text("utf-8")
    assert "<script" not in page and "How measures relate" in page
    again = tilt("analyse", "correlate", "--table", folder / "points.csv", "--out", "again")
    assert again[0] == 0
    (other,) = (tmp_path / "again").iterdir()
    assert (other / "points.csv").read_bytes() == (folder / "points.csv").read_bytes()


def test_runs_over_groups_with_reliability(tilt, runs):
    code, out, _ = tilt("analyse", "correlate", *runs, "--over", "groups", "--json", "--seed", "3")
    assert code == 0
    made = json.loads(out)
    assert made["card"]["settings"]["over"] == "groups" and made["card"]["counts"]["total"] == 9
    assert [name.partition(" (")[2] for name in made["card"]["labels"]["x"]] == [
        "log_likelihood), fake:causal", "pll_all), fake:masked", "pll_shared), fake:masked",
    ]  # fmt: skip
    assert sum(e["name"] == "reliability" for e in made["estimates"]) == 3
    corrected = [e for e in made["estimates"] if e["name"] == "pearson_corrected"]
    assert {e["value"] for e in corrected} == {None}
    assert all("come from the same items" in e["why"] for e in corrected)
    assert all(e["p"] is None or 0 < e["p"] <= 1 for e in made["estimates"])
    again = json.loads(
        tilt("analyse", "correlate", *runs, "--over", "groups", "--json", "--seed", "3")[1]
    )
    assert again["estimates"] == made["estimates"]


def test_runs_and_a_table_over_models(tilt, runs, tmp_path):
    file = table(tmp_path, "model,f1\nFAKE,0.5\nfake:masked,0.7\n")
    code, out, _ = tilt(
        "analyse", "correlate", *runs, "--table", file, "--alias", "FAKE=fake:causal"
    )
    assert code == 0
    said = " ".join(out.split())
    assert "a correlation needs at least three points; there is 1" in said
    code, out, _ = tilt(
        "analyse", "correlate", *runs, "--measure", "stereotype_rate", "--measure",
        "stereotype_rate:bias_type=age", "--json",
    )  # fmt: skip
    assert code == 0
    assert any("bias_type: age" in name for name in json.loads(out)["card"]["labels"]["x"])


def test_spearman_first(tilt, tmp_path):
    file = table(tmp_path, "model,x,y\na,1,1\nb,2,3\nc,3,2\nd,4,50\n")
    code, out, _ = tilt("analyse", "correlate", "--table", file, "--method", "spearman")
    assert code == 0
    assert "0.80" in out.partition("Correlations")[0]
    card = json.loads(next(tmp_path.glob("runs/*/card.json")).read_text("utf-8"))
    assert card["settings"]["method"] == "spearman"


def test_given_reliabilities(tilt, tmp_path):
    file = table(tmp_path, "model,x,y\na,1,1\nb,2,3\nc,3,2\nd,4,4\n")
    code, out, _ = tilt(
        "analyse",
        "correlate",
        "--table",
        file,
        "--json",
        "--reliability",
        "x=0.64",
        "--reliability",
        "y=1",
    )
    assert code == 0
    (one,) = [e for e in json.loads(out)["estimates"] if e["name"] == "pearson_corrected"]
    assert one["value"] == pytest.approx(0.8 / 0.8)
    for wrong in ("x=0", "x=1.2", "x=much", "x=0_1", "x"):
        code, _, err = tilt("analyse", "correlate", "--table", file, "--reliability", wrong)
        assert code == 2 and "--reliability" in err
    assert tilt("analyse", "correlate", "--table", file, "--reliability", "z=0.5")[0] == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "nothing to correlate"),
        (["--published", "elsafoury2023_sso"], "Did you mean 'elsafoury2023_sos'"),
        (["--published", F1, "--published", F1], "elsafoury2023_f1: it is listed twice"),
        (["--published", F1, "--axis", "domain"], "--axis does not apply over models"),
        (["--published", F1, "--over", "groups"], "is not about groups"),
        (["--published", F1, "--between"], "all measures are from one source"),
        (["--published", F1, "--alias", "a"], "--alias 'a' is not NAME=NAME"),
        (["--published", F1, "--alias", "a=b"], "no model and no group is named 'a'"),
        (["--published", F1, "--measure", "ss:"], "is not NAME or NAME:AXIS=VALUE"),
        (["--published", F1, "--measure", "nope"], "no run is given"),
        (
            ["--published", SOS, "--over", "groups", "--axis", "nope"],
            "--axis chooses among the axes of runs",
        ),
        (["nowhere"], "nowhere: there is no such folder"),
        (["--table", "nowhere.csv"], "nowhere.csv"),
    ],
)
def test_what_is_refused(tilt, words, said):
    code, out, err = tilt("analyse", "correlate", *words)
    assert code == 2 and out == ""
    assert said in " ".join(err.split())
    assert "Traceback" not in err


def test_runs_that_are_refused(tilt, runs, tmp_path):
    for words, said in (
        (
            [runs[0]],
            "there is one measure, starter_pairs stereotype_rate (log_likelihood), of 1 model:",
        ),
        ([runs[0], runs[0]], "it is listed twice"),
        (runs[:2], "have a model in common"),
        (
            runs[:2],
            "numbers by log_likelihood (fake:causal) and pll_all (fake:masked) are different measures",
        ),
        ([*runs, "--measure", "icat"], "the run has no icat; it has stereotype_rate"),
        (
            [*runs, "--over", "groups", "--axis", "hue"],
            "no run has a number by hue; the axes are: bias_type",
        ),
    ):
        code, _, err = tilt("analyse", "correlate", *words)
        assert code == 2
        assert said in " ".join(err.split())
    file = table(tmp_path, "model,f1\na,x\n")
    code, _, err = tilt("analyse", "correlate", *runs, "--table", file)
    assert code == 2 and "mine.csv: it has no column of numbers" in err


def test_a_comparison_of_the_runs_is_left_out(tilt, runs, tmp_path):
    """As `tiltmeter analyse correlate runs/*` gives them."""
    assert tilt("compare", *runs[:2], "--json")[0] == 0
    (other,) = {f"runs/{p.name}" for p in (tmp_path / "runs").iterdir()} - set(runs)
    code, out, err = tilt("analyse", "correlate", *runs, other, "--over", "groups", "--json")
    assert code == 0, err
    alone = tilt("analyse", "correlate", *runs, "--over", "groups", "--json")
    assert json.loads(out)["estimates"] == json.loads(alone[1])["estimates"]


@pytest.mark.parametrize("size", ["1e-170", "-3e-165", "1e308", "-9e307"])
def test_numbers_that_cannot_be_squared_are_named(tilt, tmp_path, size):
    rows = [f"m{i},{i},{i * i}" for i in range(5)]
    (tmp_path / "t.csv").write_text("\n".join(["model,a,b", *rows, f"m9,{size},1"]) + "\n")
    code, _, err = tilt("analyse", "correlate", "--table", "t.csv")
    assert (code, "too large or too small to correlate" in err) == (2, True)
    assert "t.csv:7" in err


def test_long_work_says_how_far_it_is(tilt, tmp_path, monkeypatch):
    monkeypatch.setattr("tiltmeter.cli.terminal_monitor.EVERY", 0)
    table(tmp_path, "model,a,b,c\n" + "".join(f"m{i},{i},{i * i},{i % 3}\n" for i in range(5)))
    code, _, err = tilt("analyse", "correlate", "--table", "mine.csv", "--json")
    assert code == 0
    assert "correlating: 2 of 3 pairs of measures, " in err


def test_a_table_that_would_take_hours_is_refused(tilt, tmp_path):
    (tmp_path / "wide.csv").write_text(
        "model," + ",".join(f"c{i}" for i in range(41)) + "\nm," + ",".join("1" * 41) + "\n"
    )
    code, _, err = tilt("analyse", "correlate", "--table", "wide.csv")
    assert (code, "41 columns of numbers, and at most 40 are correlated" in err) == (2, True)
    (tmp_path / "long.csv").write_text("model,a,b\n" + "".join(f"m{i},1,2\n" for i in range(5001)))
    code, _, err = tilt("analyse", "correlate", "--table", "long.csv")
    assert (code, "5,001 rows, and at most 5,000 are correlated" in err) == (2, True)


def test_files_hold_finite_numbers_or_nothing(tmp_path):
    folder = correlated(tmp_path, {"x": [1, 2, 3], "y": [1, 2, 3]}, out=tmp_path / "out").folder
    (cells,) = csv.DictReader((folder / "correlations.csv").read_text("utf-8").splitlines())
    assert (cells["x"], cells["y"], cells["pearson_n"], cells["pearson"]) == ("x", "y", "3", "1.0")
    assert cells["pearson_low"] == "" and float(cells["pearson_p"]) == pytest.approx(1 / 3)
    assert float(cells["pearson_p_adjusted"]) == pytest.approx(1 / 3)
    assert {"spearman", "kendall", "kendall_p_adjusted", "pearson_why"} <= set(cells)
    assert (folder / "points.csv").read_text("utf-8").splitlines() == [
        "model,x,y", "m0,1.0,1.0", "m1,2.0,2.0", "m2,3.0,3.0",
    ]  # fmt: skip
