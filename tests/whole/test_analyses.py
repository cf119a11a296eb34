"""An analysis that another package brings passes through every command, as do the folders of our own."""

import csv
import json
import sys
from pathlib import Path

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import TiltmeterError


@pytest.fixture
def runs(tilt):
    """Two models on the built-in pairs."""
    code, *_ = tilt("run", "starter_pairs", "fake:masked", "fake:causal", "--out", "runs")
    assert code == 0
    return sorted(path.parent for path in Path("runs").glob("starter_pairs-fake*/card.json"))


@pytest.fixture
def analysed(tilt, left_handed, runs):  # noqa: ARG001  (it installs the package)
    """The folder of the foreign analysis on both."""
    code, printed, _ = tilt("analyse", "widest-gap", *runs, "--out", "out")
    assert code == 0
    (folder,) = Path("out").iterdir()
    return folder, printed


def gap(folder):
    """What the analysis must say of a run, from its numbers alone."""
    values = [
        e.value for e in tm.load(folder).estimates
        if e.name == "stereotype_rate" and [*e.groups] == ["bias_type"]
    ]  # fmt: skip
    return max(values) - min(values)


def test_it_computes_what_it_says(analysed, runs):
    folder, printed = analysed
    gaps = [gap(run) for run in runs]
    result = tm.load(folder)
    assert result.headline.value == pytest.approx(max(gaps))
    found = {e.groups["run"]: e.value for e in result.estimates if e.groups}
    assert sorted(found.values()) == pytest.approx(sorted(gaps))
    assert f"The widest gap is {max(gaps):.1f}" in printed.replace("\n", " ")
    rows = list(csv.DictReader((folder / "gaps.csv").read_text("utf-8").splitlines()))
    assert [float(row["gap"]) for row in rows] == pytest.approx([found[row["run"]] for row in rows])


def test_other_commands_take_its_folder(analysed, runs, tilt):
    folder, printed = analysed
    shown = tilt("report", folder)[1]
    assert shown.split("page:")[0] == printed.split("page:")[0]
    code, table, _ = tilt("table", folder, "--rows", "run", "--measure", "gap", "--format", "csv")
    assert code == 0 and f"{gap(runs[0])}" in table
    assert tilt("export", folder, "out.csv", "--what", "estimates")[0] == 0
    assert "widest_gap" in tilt("ls", "out", "--format", "csv")[1]
    assert tilt("figure", folder)[:2] == (2, "")
    assert "widest-gap" in tilt("analyse", "--help")[1]
    numbers = json.loads(tilt("analyse", "widest-gap", *runs, "--json", "--out", "again")[1])
    assert [e["name"] for e in numbers["estimates"]] == ["widest", "gap", "gap"]


@pytest.mark.usefixtures("analysed")
def test_a_threshold_judges_it(runs, tilt):
    crossed = tilt("analyse", "widest-gap", *runs, "--out", "out", "--fail-if", "widest > 0")
    assert crossed[0] == 3 and "widest > 0" in crossed[2]
    assert tilt("analyse", "widest-gap", *runs, "--out", "out", "--fail-if", "widest > 100")[0] == 0
    code, _, why = tilt("analyse", "widest-gap", *runs, "--fail-if", "widenes > 0")
    assert code == 2 and "Did you mean 'widest'?" in why


def test_python_returns_the_same(analysed, runs):
    folder, _ = analysed
    from_folders = tm.analyse.widest_gap(runs)
    in_memory = tm.analyse.widest_gap([tm.load(run) for run in runs], axis="bias_type")
    saved = tm.load(folder)
    for result in (from_folders, in_memory):
        assert [(e.name, e.value, e.groups) for e in result.estimates] == [
            (e.name, e.value, e.groups) for e in saved.estimates
        ]
    with pytest.raises(AttributeError, match=r"No analysis named 'widest_gaps'. Did you mean"):
        _ = tm.analyse.widest_gaps


def test_it_is_shown_without_the_package_that_made_it(analysed, tilt, monkeypatch):
    folder, printed = analysed
    from plugins import bare_study

    bare_study.forget()
    monkeypatch.setattr("sys.path", [p for p in sys.path if not p.endswith("plugin")])
    assert tilt("report", folder)[1].split("page:")[0] == printed.split("page:")[0]
    assert tilt("analyse", "widest-gap", folder)[0] == 2


def test_what_python_may_not_give_is_named(runs):
    for call, said in (
        (lambda: tm.compare(None), "compare cannot take None; its inputs: "),
        (lambda: tm.compare(runs[0], 3), "compare cannot take 3; "),
        (lambda: tm.run(3, "fake:masked"), "No study named '3'"),
        (lambda: tm.run("starter_pairs", "fake:masked", data=3), "the items are of no kind"),
        (lambda: tm.run("starter_pairs", "fake:masked", limit=10**400), "limit is 1.*; it must be"),
        (
            lambda: tm.run("starter_pairs", "fake:masked", out="a\0"),
            "cannot be the name of a folder",
        ),
        (lambda: tm.audit("fake:masked", max_time=0.1), "max_time is 0.1; it must be a text"),
    ):
        with pytest.raises(TiltmeterError, match=said):
            call()
