"""A sentence is no name of a file, however long it is."""

import json

import pytest

from support.command_line import own_cache, tilt
from tiltmeter.core.reading.file_names import is_file, is_there, similar_paths, way_to_file

__all__ = ["own_cache", "tilt"]
LONG = "The old man said that he was there. " * 20
"""Longer than the name of a file may be."""


def test_names_and_texts(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    assert is_there(tmp_path) and not is_file(tmp_path)
    assert is_there(str(tmp_path / "a.txt")) and is_file(tmp_path / "a.txt")
    for text in (LONG, "a\0b", "~nobody-of-this-name/x", str(tmp_path / "none")):
        assert not is_there(text) and not is_file(text)


def test_a_long_sentence_is_scored(tilt):
    code, out, err = tilt("score", "fake", LONG, "--json")
    assert code == 0, err
    assert json.loads(out)


def test_a_long_setting_is_a_text(tilt, tmp_path):
    given = ("run", "bbq", "fake:causal", "--rule", "word", "--data", "sample:bbq")
    code, _, err = tilt(*given, "--set", f"unknown={LONG}", "--out", tmp_path / "runs")
    assert "longer than the name of a file" not in err
    code, _, err = tilt("run", "prompts", "fake:causal", "--rule", "word", "--data", "starter_prompts",
                        "--set", f"refusals={LONG}", "--out", tmp_path / "more")  # fmt: skip
    assert code == 0, err


def test_similar_names_are_written_as_the_path_is(tmp_path, monkeypatch):
    (tmp_path / "paid.toml").touch()
    monkeypatch.chdir(tmp_path)
    assert similar_paths("paid.tml") == ["paid.toml"]
    assert similar_paths(tmp_path / "paid.tml") == [str(tmp_path / "paid.toml")]
    assert similar_paths("nothing-alike.csv") == similar_paths("none/paid.tml") == []
    assert way_to_file("paid.tml") == "did you mean paid.toml?"
    assert way_to_file("none/paid.tml") == "there is no folder 'none' either"
    assert way_to_file("other.csv", "give a table") == "give a table"


ARGUMENTS = {
    "form": ("survey", "check", "near.tml"),
    "served form": ("survey", "serve", "near.tml"),
    "study of one's own": ("run", "near.tml", "fake"),
    "data": ("run", "pairs", "fake", "--data", "near.tml"),
    "data that are checked": ("data", "check", "near.tml", "--study", "pairs"),
    "paper": ("replicate", "near.tml"),
    "profile": ("audit", "fake", "--profile", "near.tml"),
    "thresholds": ("audit", "fake", "--thresholds", "near.tml"),
    "scores": ("import", "near.tml"),
    "sentences": ("score", "fake", "--file", "near.tml"),
    "a file in place of a sentence": ("score", "fake", "near.tml"),
    "votes": ("active", "simulate", "near.tml"),
    "annotations": ("analyse", "agreement", "near.tml"),
    "runs": ("table", "near.tml"),
    "a model's answers": ("run", "starter_pairs", "replay:near.tml"),
    "word vectors": ("run", "weat", "vectors:near.tml"),
}


@pytest.mark.parametrize("words", ARGUMENTS.values(), ids=ARGUMENTS)
def test_every_argument_that_names_a_file_is_answered_with_the_near_one(tilt, tmp_path, words):
    (tmp_path / "near.toml").write_text("x = 1")
    code, _, err = tilt(*words)
    assert code == 2 and "near.toml" in err and "id you mean" in err, err
