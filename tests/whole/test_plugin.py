"""A study of another package, with one measure that is no rate and says nothing of itself."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from plugins import bare_study
from tiltmeter.analyses.before_after.changes import before_after
from tiltmeter.analyses.correlate.points import points_of
from tiltmeter.analyses.correlate.relations import correlate
from tiltmeter.analyses.correlate.run_points import of_runs
from tiltmeter.core.errors import BadInput
from tiltmeter.core.finder import find
from tiltmeter.derived.comparisons.compare import compare, compare_all
from tiltmeter.models import fake
from tiltmeter.run.files.folder import read, write
from tiltmeter.run.measuring.measure import measure, summarise
from tiltmeter.run.planning.choosing import choose
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip

pytestmark = pytest.mark.usefixtures("left_handed")
COUNT = 40


def run(name, shift=0.0, seed=0):
    """The study with the margins of a made-up model; `shift` nats on average."""
    study = find("studies", bare_study.NAME, "STUDY")
    data = study.load()
    margins = np.random.default_rng(seed).normal(shift, 0.5, len(data.items))
    model = fake.load("")
    chosen = choose(study, fake.answers(""), model="fake")
    whole = measure(study, model, replace(data, sha256="abc"), chosen=chosen)
    records = [
        replace(r, scores={**r.scores, "more": r.scores["less"] + float(m)})
        for r, m in zip(whole.records, margins, strict=True)
    ]
    return summarise(
        study, records, replace(data, sha256="abc"), chosen=chosen, seed=0,
        model={"name": name, "fingerprint": name},
    )  # fmt: skip


def margins_of(result):
    return np.array([r.scores["more"] - r.scores["less"] for r in result.records])


def test_a_run_has_its_measure():
    result = run("A", 1.0)
    (e,) = result.estimates
    assert (e.name, e.neutral, e.unit) == (bare_study.MEASURE, 0, "nats")
    assert e.value == pytest.approx(margins_of(result).mean())


def test_it_is_compared_by_paired_resampling():
    a, b = run("A", 1.0, seed=1), run("B", 0.0, seed=2)
    (e,) = compare(a, b)
    apart = margins_of(a) - margins_of(b)
    assert (e.name, e.unit, e.neutral, e.n) == ("mean_margin_difference", "nats", 0, 8)
    assert e.value == pytest.approx(apart.mean())
    assert e.p == sign_flip(apart, np.arange(8), np.random.default_rng(0))  # 2^8: all exchanges
    assert e.low < e.value < e.high
    assert e.interval == "stretched paired bootstrap of items, 2,000 draws"
    assert (e.meaning.title, e.meaning.difference_of) == (
        "Difference in mean margin",
        "mean_margin",
    )
    assert "only 8 items" in e.why


def test_several_are_adjusted_together():
    found = compare_all([run(name, seed=i) for i, name in enumerate("ABC")]).estimates
    assert [e.model for e in found] == ["A − B", "A − C", "B − C"]
    assert all(e.adjustment == "Holm" and e.p_adjusted >= e.p for e in found)


def test_before_and_after():
    before, after = run("base", 2.0, seed=1), run("done", 0.2, seed=2)
    (part,) = before_after([before], [after]).studies
    assert part.overall.before.value == pytest.approx(margins_of(before).mean())
    assert part.overall.difference.value == pytest.approx(
        (margins_of(after) - margins_of(before)).mean()
    )
    assert (part.overall.way, part.overall.difference.significant) == ("closer", True)
    assert part.costs == ()


def test_correlate_takes_it_as_the_headline():
    runs = [(Path(f"run {i}"), run(f"M{i}", i / 2, seed=i)) for i in range(4)]
    others = [(path, replace(r, card=replace(r.card, rule="other"))) for path, r in runs]
    others = [(Path(f"{path} other"), r) for path, r in others]
    points = points_of(of_runs([*runs, *others], "models"), "models")
    assert points.names == tuple(
        f"left_handed mean_margin ({rule})" for rule in ("pll_shared", "other")
    )
    found = correlate(points)
    pearson = next(e for e in found.estimates if e.name == "pearson")
    assert pearson.value == pytest.approx(1)
    assert {e.n for e in found.reliabilities} == {4}


def test_a_folder_is_read_and_not_compared_where_the_study_is_not_installed(tmp_path, monkeypatch):
    folders = [tmp_path / name for name in "AB"]
    for folder in folders:
        write(run(folder.name, seed=ord(folder.name)), folder, page="")
    import sys

    monkeypatch.setattr(sys, "path", [p for p in sys.path if "plugin" not in p])
    a, b = map(read, folders)
    assert a.estimates[0].name == bare_study.MEASURE
    with pytest.raises(BadInput, match="'left_handed' is not installed"):
        compare(a, b)


def test_a_sweep_measures_it_and_a_table_shows_it(tilt, tmp_path):
    models = "".join(f'[[model]]\nname = "{name}"\n' for name in ("fake", "fake:level"))
    (tmp_path / "mine.toml").write_text(
        f'[[study]]\nname = "{bare_study.NAME}"\n\n[[study]]\nname = "starter_pairs"\n\n{models}'
    )
    code, out, err = tilt("run", tmp_path / "mine.toml", "--json")
    assert code == 0, err
    cells = [c for c in json.loads(out)["cells"] if c["study"] == bare_study.NAME]
    assert [(c["model"], c["state"]) for c in cells] == [("fake", "done"), ("fake:level", "done")]
    assert {c["headline"]["name"] for c in cells} == {bare_study.MEASURE}
    folders = [tmp_path / "runs" / "mine" / c["folder"] for c in cells]
    code, out, err = tilt("table", *folders, "--format", "csv")
    assert code == 0, err
    first = out.splitlines()[1]
    assert f"{cells[0]['headline']['value']}" in first
    _, out, _ = tilt("run", tmp_path / "mine.toml")
    assert "Mean margin" in out
