"""Fixtures of tests that use the command line."""

import os
import subprocess
import sys
from functools import cache

import pytest
import typer.main

from tiltmeter import cli
from tiltmeter.cli import console

BUILT = cache(typer.main.get_command)
"""All commands and options are built once, not at each call."""


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    """No test reads or writes the user's cache; nothing is looked for elsewhere."""
    monkeypatch.setenv("TILTMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("TILTMETER_DATA", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def tilt(capsys, monkeypatch):
    """Run the command line in this process: (exit code, standard output, standard error)."""

    monkeypatch.setattr(typer.main, "get_command", BUILT)

    def call(*args):
        monkeypatch.setattr(sys, "argv", ["tiltmeter", *map(str, args)])
        with pytest.raises(SystemExit) as left:
            cli.main()
        said = capsys.readouterr()
        return left.value.code, said.out, said.err

    return call


@pytest.fixture
def interrupted_after(monkeypatch):
    """Ctrl-C as soon as the command line has told a line with some words, in this process."""

    def prepare(words):
        plain = console.err.print

        def printed(*args, **kwargs):
            plain(*args, **kwargs)
            if words in " ".join(map(str, args)):
                raise KeyboardInterrupt

        monkeypatch.setattr(console.err, "print", printed)

    return prepare


@pytest.fixture
def start(tmp_path):
    """Start the command line as a process of its own."""

    def begin(*args, cwd=tmp_path):
        return subprocess.Popen(
            [sys.executable, "-m", "tiltmeter", *map(str, args)],
            cwd=cwd,
            env={**os.environ, "COLUMNS": "100"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return begin
