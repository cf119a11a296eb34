"""Runs and comparisons are saved with pages and pictures."""

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import UnknownName


def test_pages_and_pictures(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    run = tm.run("starter_pairs", "fake:masked")
    saved = run.save(tmp_path / "run")
    assert run.page(tmp_path / "page.html") == (tmp_path / "page.html").read_text("utf-8")
    assert run.page() == (saved.folder / "report.html").read_text("utf-8")
    assert len(run.page(show_text=False)) < len(run.page())
    assert run.plots
    for name in run.plots:
        assert run.plot(name).svg.lstrip().startswith(("<svg", "<?xml"))
    picture = run.plot(path=tmp_path / "first.svg")
    assert picture._repr_svg_() == (tmp_path / "first.svg").read_text("utf-8")
    with pytest.raises(UnknownName, match="picture"):
        run.plot("pie")


def test_a_comparison_can_be_saved(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    made = tm.compare(*(tm.run("starter_pairs", f"fake:{kind}") for kind in ("masked", "causal")))
    folder = made.save(tmp_path / "both").folder
    assert made.page() == (folder / "report.html").read_text("utf-8")
    assert "lower than fake:causal (difference of" in made._repr_html_()
    assert repr(made).startswith("<compare: fake:masked is 5.6")
    again = tm.load(folder)  # its runs are in it
    assert again.page() == made.page()
    assert list(again.estimates) == list(made.estimates)
    assert [list(r.estimates) for r in again.runs] == [list(r.estimates) for r in made.runs]
