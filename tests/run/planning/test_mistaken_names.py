"""A name in the wrong place is answered with what it is and where it belongs."""

import json
from pathlib import Path

import pytest

import tiltmeter as tm
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.models.opening.open_model import resolve
from tiltmeter.run.files.folder import read_card
from tiltmeter.run.planning.run_plan import study_named


@pytest.fixture
def things(tmp_path, monkeypatch):
    """A table, a model's folder, and a folder with a finished run."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    Path("t.csv").write_text("a,b\n1,2\n")
    Path("mine").mkdir()
    Path("mine", "config.json").write_text(json.dumps({"model_type": "bert"}))
    tm.run("starter_pairs", "fake:masked").save("runs/one")


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("bert", "'bert' is a model, not a study; name the study first: tiltmeter run STUDY bert"),
        ("fake:masked", "'fake:masked' is a model, not a study"),
        ("mine", "'mine' is a model, not a study"),
        (
            "runs/one",
            "runs/one: this is a result, not a study; `tiltmeter report runs/one` shows it",
        ),
        (
            "t.csv",
            "t.csv: this is a file, not a study; name the study that reads it: tiltmeter run STUDY",
        ),
        (
            "brt",
            "No study named 'brt'. If you mean the model 'bert', name the study first. Known: bbq",
        ),
        ("crow_pairs", "No study named 'crow_pairs'. Did you mean 'crows_pairs'"),
    ],
)
def test_what_is_no_study(name, says):
    with pytest.raises((BadInput, UnknownName)) as refused:
        study_named(name)
    assert str(refused.value).startswith(says)


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        (
            "starter_pairs",
            "'starter_pairs' is a study, not a model; name a model: a folder, a hub id",
        ),
        (
            "runs/one",
            "runs/one: this is a result, not a model; name the model; `tiltmeter report runs/one`",
        ),
        ("t.csv", "t.csv: a model is a folder, or a .gguf file; give data with --data"),
    ],
)
def test_what_is_no_model(name, says):
    with pytest.raises(BadInput) as refused:
        resolve(name)
    assert str(refused.value).startswith(says)


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("bert", "'bert' is a model, not a finished run; run it first: tiltmeter run STUDY bert"),
        ("weat", "'weat' is a study, not a finished run; run it first: tiltmeter run weat MODEL"),
        ("runs", "runs: this is a folder of results, not a result; name the one in it: runs/one"),
        ("mine", "mine: this has no card.json: the run did not finish; give the folder"),
        ("t.csv", "t.csv: this is a file, not a folder; give the folder of a finished run"),
        ("gone", "gone: there is no such folder; give the folder of a finished run"),
    ],
)
def test_what_is_no_run(name, says):
    with pytest.raises(BadInput) as refused:
        read_card(Path(name))
    assert str(refused.value).startswith(says)
