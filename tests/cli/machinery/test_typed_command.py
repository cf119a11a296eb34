"""What the user typed, for the card and for after a stop."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tiltmeter.cli.machinery import typed_command


def test_the_command_that_goes_on_does_not_ask_again_what_is_stored(monkeypatch):
    monkeypatch.setattr("sys.argv", ["tiltmeter", "run", "pairs", "my model", "--fresh", "--json"])
    assert typed_command.going_on() == "tiltmeter run pairs 'my model' --json"


def test_words_with_blanks_are_quoted(monkeypatch):
    monkeypatch.setattr("sys.argv", ["/usr/bin/tiltmeter", "run", "pairs", "my model", "--fresh"])
    assert typed_command.command_line() == "tiltmeter run pairs 'my model' --fresh"


def test_home_is_replaced_where_the_shell_leaves_it(tilt, tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    code, _, err = tilt("run", "starter_pairs", "random", "--out=~/mine")
    assert code == 0, err
    assert not (tmp_path / "~").exists()
    assert len(list((tmp_path / "mine").iterdir())) == 1
    (tmp_path / "p.csv").write_text("sent_more,sent_less\nhe ran,she ran\nhe sat,she sat\n")
    (tmp_path / "s.toml").write_text(
        '[[study]]\nname = "pairs"\ndata = "~/p.csv"\n[[model]]\nname = "fake:masked"\n'
    )
    assert tilt("run", "s.toml")[0] == 0
    assert tilt("data", "check", "~/p.csv")[0] == 0


def test_a_name_that_is_not_text_is_refused(tilt):
    code, _, err = tilt("data", "check", "x\udcff.csv")
    assert (code, "is not UTF-8 text; rename the file" in err) == (2, True)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_a_stream_that_lacks_characters_shows_their_numbers(encoding):
    code = "import sys, tiltmeter.cli as c; sys.argv = ['tiltmeter', 'analyse', '--help']; c.main()"
    made = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"PYTHONIOENCODING": encoding}, check=False,
        capture_output=True,
    )  # fmt: skip
    assert (made.returncode, made.stderr) == (0, b"")
    assert b"Kendall's \\u03c4" in made.stdout


def test_a_terminal_of_no_columns_is_one_of_unknown_size():
    code = "import sys, tiltmeter.cli as c; sys.argv = ['tiltmeter', 'ls']; c.main()"
    made = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"COLUMNS": "0", "LINES": "0"}, check=False,
        capture_output=True,
    )  # fmt: skip
    assert (made.returncode, made.stderr) == (0, b"")


SHORT = ("--version", "ls", "--help")


@pytest.mark.parametrize("words", SHORT)
@pytest.mark.parametrize(("to", "says"), [
    (">&-", "standard output: it is closed"), (">/dev/full", "standard output: No space left on device"),
])  # fmt: skip
def test_output_that_cannot_be_written_is_a_failure_in_words(words, to, says):
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    command = f"{sys.executable} -m tiltmeter {words} {to}"
    made = subprocess.run(["bash", "-c", command], check=False, capture_output=True, text=True)
    assert (made.returncode, made.stderr) == (1, f"tiltmeter: {says}\n")


def test_closed_streams_leave_no_number_free_for_the_next_file(tmp_path):
    """A library that writes to descriptor 2 would else write into a file of the user's."""
    code = (
        "import os, sys, tiltmeter.cli.machinery.typed_command as c; c.prepare_streams();"
        f"file = open({str(tmp_path / 'mine')!r}, 'w'); assert file.fileno() > 2; print('x', file=sys.stderr)"
    )
    command = [sys.executable, "-c", code]
    closed = subprocess.run(["bash", "-c", 'exec "$@" <&- >&- 2>&-', "bash", *command], check=False)
    assert closed.returncode == 0 and (tmp_path / "mine").read_bytes() == b""
