"""A sentence is no name of a file, however long it is."""

import json

from support.command_line import own_cache, tilt
from tiltmeter.core.reading.file_names import is_file, is_there

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
