"""The public functions take the path of the command line, and give what it gives."""

import json
import logging
import sys
from pathlib import Path

import polars as pl
import pytest

import tiltmeter as tm
from tiltmeter import cli
from tiltmeter.core.errors import BadInput


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


def command_line(monkeypatch, *words):
    monkeypatch.setattr(sys, "argv", ["tiltmeter", *words])
    with pytest.raises(SystemExit) as left:
        cli.main()
    assert left.value.code == 0


def files_of(folder):
    """All but the page and the card, which name the call, as bytes; and the card without that."""
    card = json.loads((folder / "card.json").read_text("utf-8"))
    plain = {k: v for k, v in card.items() if k not in {"command", "run"}}
    return plain, *((folder / n).read_bytes() for n in ("estimates.json", "records.parquet"))


@pytest.mark.parametrize(
    ("study", "model", "words", "named"),
    [
        ("starter_pairs", "fake:masked", [], {}),
        ("starter_pairs", "fake:causal", ["--ties", "loss", "--seed", "3"], {"ties": "loss", "seed": 3}),
        ("pairs", "fake:masked", ["--data", "own.csv", "--rule", "aul"], {"data": "own.csv", "rule": "aul"}),
    ],
)  # fmt: skip
def test_files_are_those_of_the_command_line(monkeypatch, tmp_path, study, model, words, named):
    pl.DataFrame(ROWS).write_csv("own.csv")
    command_line(monkeypatch, "run", study, model, *words, "--out", "cli")
    result = tm.run(study, model, out="api", **named)
    (theirs,) = (tmp_path / "cli").iterdir()
    assert result.folder == Path("api", theirs.name)
    assert files_of(result.folder) == files_of(theirs)


def test_what_was_stored_is_not_asked_again():
    first = tm.run("starter_pairs", "fake:masked")
    again = tm.run("starter_pairs", "fake:masked")
    fresh = tm.run("starter_pairs", "fake:masked", fresh=True)
    assert (again.card.run["asked"], fresh.card.run["recalled"]) == (0, 0)
    assert fresh.card.run["asked"] == first.card.run["asked"] > 0
    assert list(again.estimates) == list(first.estimates)


def test_the_card_keeps_the_call_without_places_of_this_computer(tmp_path):
    (tmp_path / "own.csv").write_text("sent_more,sent_less\nHe ran.,She ran.\nA b.,A c.\n")
    result = tm.run("pairs", "fake", data=tmp_path / "own.csv", seed=2)
    assert result.card.command == ("tiltmeter.run('pairs', 'fake', seed=2, data='PATH/TO/own.csv')")
    again = eval(result.card.command.replace("PATH/TO/", ""), {"tiltmeter": tm})
    assert list(again.estimates) == list(result.estimates)


SENTENCES = [("the nurse was slow", "the pilot was slow"), ("he ran", "she ran")]
ROWS = [{"sent_more": more, "sent_less": less} for more, less in SENTENCES]


def test_studies_are_all_there_are():
    found = tm.studies()
    assert set(found) >= {"crows_pairs", "stereoset", "starter_pairs"}
    assert all(name == study.name for name, study in found.items())
    by_object = tm.run(found["starter_pairs"], "fake:masked")
    assert list(by_object.estimates) == list(tm.run("starter_pairs", "fake:masked").estimates)


def test_results_are_compared_and_loaded(tmp_path):
    first = tm.run("starter_pairs", "fake:masked", out="runs")
    second = tm.run("starter_pairs", "fake:causal").save(tmp_path / "other")
    assert list(tm.load(first.folder).estimates) == list(first.estimates)
    made = tm.compare(first, tmp_path / "other")
    assert [r.card.model["name"] for r in made.runs] == ["fake:masked", "fake:causal"]
    overall = made.headline
    expected = first.headline.value - second.headline.value
    assert overall.value == pytest.approx(expected)
    with pytest.raises(BadInput, match="no such folder"):
        tm.load(tmp_path / "nowhere")


def test_the_log_says_what_happens(caplog):
    caplog.set_level(logging.INFO, "tiltmeter")
    tm.run("starter_pairs", "fake:masked")
    levels = {(r.levelname, r.getMessage().split()[0]) for r in caplog.records}
    assert {("WARNING", "starter_pairs:"), ("INFO", "loading"), ("INFO", "asking")} <= levels


def test_public_names_stay_functions():
    import tiltmeter.run.jobs
    import tiltmeter.studies.pairs

    assert callable(tm.run)
    assert callable(tm.studies)
    assert tiltmeter.run is tm.run
    with pytest.raises(AttributeError, match="no attribute 'walk'"):
        _ = tm.walk


@pytest.mark.parametrize("name", tm.__all__)
def test_every_public_name_is_there_and_says_what_it_is_with_an_example(name):
    documentation = getattr(tm, name).__doc__
    # a wrapped model is made by `wrap` alone; the namespace's functions have an example each
    assert ">>> " in documentation or name in {"WrappedModel", "analyse"}
