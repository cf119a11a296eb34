"""Temporary files of killed processes are removed, and those of living ones stay."""

import os
import signal
import subprocess
import sys

import pytest

from tiltmeter.data.files import atomic_files
from tiltmeter.data.files.atomic_files import replace, sweep

HOLDS = """
import sys, time
from pathlib import Path
from tiltmeter.data.files.atomic_files import replace

def write(to):
    to.write_text("half")
    print(to, flush=True)
    time.sleep(60)

replace(Path(sys.argv[1]), write)
"""


@pytest.fixture
def writing(tmp_path):
    """A process that has begun to write a file, and its temporary file."""
    command = [sys.executable, "-c", HOLDS, str(tmp_path / "a.svg")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        yield process, tmp_path / process.stdout.readline().strip()
        process.kill()


def test_what_a_living_process_writes_stays(writing, tmp_path):
    _, temporary = writing
    sweep(tmp_path)
    assert temporary.read_text() == "half"


def test_what_a_killed_process_wrote_goes(writing, tmp_path):
    """Also before its parent has noticed, while its id still exists."""
    process, temporary = writing
    process.send_signal(signal.SIGKILL)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    os.kill(process.pid, 0)
    sweep(tmp_path)
    assert not temporary.exists()


def test_what_a_process_wrote_whose_id_another_has_by_now_goes(tmp_path):
    def write(to):
        later = int(to.name.rpartition("-")[2]) + 1
        to.with_name(f"{to.name.rpartition('-')[0]}-{later}").touch()
        to.write_text("new")

    replace(tmp_path / "a.json", write)
    assert len([*tmp_path.iterdir()]) == 2
    sweep(tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_where_the_system_has_no_starts_a_living_id_protects(tmp_path, monkeypatch):
    monkeypatch.setattr(atomic_files, "_start_of", lambda _: atomic_files.UNKNOWN)
    own = tmp_path / f".a.json.{os.getpid()}-0"
    own.touch()
    sweep(tmp_path)
    assert own.exists()
