"""A plug-in's matrix with axes of its own goes through run, compare, compare-people and intersections."""

import csv
import json

import numpy as np
import pytest

from plugins import trades
from tiltmeter.derived.matrices.matrix import layers_of, matrix_of, matrix_view
from tiltmeter.derived.matrices.matrix_comparison import compare_cells
from tiltmeter.run.files import folder as folders

RUN = ("run", "trades", "--rule", "pll_shared")


@pytest.fixture(autouse=True)
def installed(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(trades.install(tmp_path / "installed")))


@pytest.fixture
def runs(tilt, tmp_path):
    """Two models, a folder each."""
    found = []
    for model in ("fake:masked", "fake"):
        out = tmp_path / model.replace(":", "-")
        code, _, err = tilt(*RUN, model, "--out", out, "--json")
        assert code == 0, err
        found += list(out.iterdir())
    return found


def test_the_matrix_has_the_studys_own_axes(runs):
    result = folders.read(runs[0])
    view = matrix_view(result.card)
    assert (view.rows, view.columns, view.layers) == ("trade", "quality", "phrasing")
    matrix, layers = matrix_of(result), layers_of(result)
    assert set(matrix.rows) == {*trades.SINGLE, *trades.CROSSED}
    assert matrix.columns == tuple(trades.QUALITIES)
    assert layers.layers == trades.PHRASINGS
    assert dict(zip(layers.columns, layers.column_domains, strict=True)) == trades.QUALITIES
    assert np.allclose(layers.averaged().values, matrix.values)
    with (runs[0] / "matrix.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0])[:3] == ["trade", "quality", "value"]
    assert len(rows) == 8 * 4


def test_run_and_its_page(tilt, tmp_path):
    code, out, err = tilt(*RUN, "fake:masked", "--out", tmp_path / "shown")
    assert code == 0, err
    assert "Of 32 cells (8 trades by 4 qualities)" in " ".join(out.split())
    assert "By trade, nats" in out
    assert "By group" not in out
    (folder,) = (tmp_path / "shown").iterdir()
    page = (folder / "report.html").read_text("utf-8")
    assert "Lean by trade and quality, fake:masked" in page
    assert "Do the phrasings agree?" in page


def test_compare(tilt, runs, tmp_path):
    code, out, err = tilt("compare", *runs, "--out", tmp_path / "compared", "--json")
    assert code == 0, err
    found = {e["name"] for e in json.loads(out)["estimates"]}
    assert {"matrix_tau", "matrix_tau_within", "same_lean"} <= found
    by_row = [e for e in json.loads(out)["estimates"] if e["name"] == "matrix_tau" and e["groups"]]
    assert {tuple(e["groups"]) for e in by_row} == {("trade",)}
    code, out, _ = tilt("compare", *runs, "--out", tmp_path / "compared")
    assert "Kendall’s τ-b" in out
    a, b = map(folders.read, runs)
    taus = [e for e in compare_cells(a, b) if e.name == "lean_difference"]
    assert all(set(e.groups) == {"trade", "quality"} for e in taus)


def test_compare_people(tilt, runs, tmp_path):
    rng = np.random.default_rng(0)
    lines = [
        f"a{i},{trade},{quality},{rng.integers(0, 101)}"
        for i in range(5)
        for trade in trades.SINGLE
        for quality in trades.QUALITIES
    ]
    (tmp_path / "said.csv").write_text(
        "\n".join(["annotator,group,pair,rating", *lines]), encoding="utf-8"
    )
    words = ("analyse", "compare-people", runs[0], "--people", "said.csv", "--pilot", "baker")
    code, out, err = tilt(*words, "--k", 1, "--out", tmp_path / "people", "--json")
    assert code == 0, err
    estimates = json.loads(out)["estimates"]
    taus = {tuple(e["groups"].items()) for e in estimates if e["name"] == "kendall_tau"}
    assert {(("phrasing", phrasing),) for phrasing in trades.PHRASINGS} < taus
    assert (("trade", "baker"),) not in taus
    assert {(("trade", trade),) for trade in ("sailor", "old", "young")} < taus
    assert (("phrasings", "all"),) in taus
    matrix = runs[0] / "matrix.csv"
    code, out, err = tilt(
        "analyse", "compare-people", matrix, "--people", "said.csv", "--k", 1, "--json"
    )
    assert code == 0, err
    assert {tuple(e["groups"]) for e in json.loads(out)["estimates"]} == {(), ("trade",)}


def test_intersections(tilt, runs, tmp_path):
    words = ("analyse", "intersections", runs[0], "--out", tmp_path / "crossed")
    code, out, err = tilt(*words, "--json")
    assert code == 0, err
    found = json.loads(out)
    data = found["card"]["data"]
    assert (data["single groups"], data["groups in both orders"]) == (4, 4)
    assert len(data["phrasings"]) == 4
    (domains,) = [e for e in found["estimates"] if e["name"] == "domain_difference"]
    assert {*domains["groups"]} == {"sector", "other"}
    assert {*domains["groups"].values()} == {"trade", "age"}
    code, out, _ = tilt(*words)
    assert "4 intersectional groups, made of 4 single groups, in 4 phrasings." in out
