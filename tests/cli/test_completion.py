"""What the shell is told when a name is begun."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from tiltmeter.cli import completion


def offered(line, folder):
    """As bash asks: the words of the line, and which of them is being typed."""
    words = line.split(" ")
    told = {
        "_TILTMETER_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
        "_TYPER_COMPLETE_TEST_DISABLE_SHELL_DETECTION": "1",
    }
    code = "from tiltmeter.cli import app; app(prog_name='tiltmeter')"
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ, **told}, cwd=folder,
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert not done.stderr
    return done.stdout.split()


@pytest.mark.parametrize(
    ("line", "among"),
    [
        ("tiltmeter ana", {"analyse"}),
        ("tiltmeter survey board ver", {"verify"}),
        ("tiltmeter run cro", {"crows_pairs"}),
        ("tiltmeter run stereoset id", {"ideal"}),
        ("tiltmeter run crows_pairs demo --rule pll_s", {"pll_shared"}),
        ("tiltmeter run crows_pairs demo --precision b", {"bfloat16"}),
    ],
)
def test_names_are_offered_to_bash(line, among, tmp_path):
    assert among == set(offered(line, tmp_path))


def test_ls_is_offered_studies_and_models():
    assert completion.studies_and_models("b") == ["bbq", "bert"]


def test_folders_and_files_are_models(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my-model").mkdir()
    (tmp_path / "my.gguf").touch()
    (tmp_path / "my.txt").touch()
    assert completion.models("my") == ["my-model/", "my.gguf"]
    assert completion.models("./my-") == ["./my-model/"]
    assert completion.models("nowhere/at-all") == []


def test_rules_are_those_of_the_study():
    named, unnamed = SimpleNamespace(params={"study": "stereoset"}), SimpleNamespace(params={})
    assert "blank_logprob" in completion.rules(named, "")
    assert "pll_shared" not in completion.rules(named, "")
    assert {"blank_logprob", "pll_shared"} <= set(completion.rules(unnamed, ""))
    assert "stereoset2020" in completion.conventions(named, "s")
    assert "crows_pairs" in completion.data(unnamed, "crows")
