"""What the machine does to a command: said in a line, without a traceback."""

import errno
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from faults.undisturbed import write_pairs
from tiltmeter.cli.failures import failure

PANIC = type("PanicException", (BaseException,), {})
INTERRUPTED_IMPORT = """
import os, signal, sys
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "tiltmeter.cli":
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Finder())
from tiltmeter.__main__ import main
main()
"""
INTERRUPTED_TWICE = """
import os, signal
from tiltmeter import cli
def stop(*_, **__):
    os.kill(os.getpid(), signal.SIGINT)
cli.app = cli.err.print = stop
from tiltmeter.__main__ import main
main()
"""


@pytest.mark.parametrize(
    ("error", "says", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device", 1),
        (PermissionError(errno.EACCES, "Permission denied", "a\x1bb"), "a[U+001B]b: Permission denied", 1),
        (OSError(errno.ENAMETOOLONG, "File name too long", "x" * 99), f"{'x' * 40}… is longer", 2),
        (OSError(errno.EMFILE, "Too many open files"), "ulimit -n", 1),
        (PANIC("Os { code: 24, kind: TooManyOpenFiles }"), "ulimit -n", 1),
        (MemoryError(), "out of memory", 1),
        (RuntimeError("Symlink loop from 'runs/a'"), "'runs/a'; these links point at each other", 1),
        (RuntimeError("CUDA out of memory"), "smaller --batch-tokens", 1),
        (ImportError("libarrow.so: failed to map segment from shared object"), "out of memory", 1),
        (OverflowError("timestamp too large to convert to C _PyTime_t"), "clock", 1),
    ],
)  # fmt: skip
def test_what_the_machine_does_is_said_without_python_s_words(error, says, code):
    found = failure(error)
    assert found is not None
    assert says in found[0] and found[1] == code
    assert "Errno" not in found[0]


def test_errors_of_the_program_are_not_the_machine_s():
    assert failure(ValueError("x")) is None
    assert failure(ImportError("no module named x")) is None


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
def test_a_full_disk_under_standard_error_does_not_stop_a_result(tmp_path):
    (tmp_path / "p.csv").write_text("sent_more,sent_less\nhe ran,she ran\n")
    with Path("/dev/full").open("wb") as full:
        made = subprocess.run(
            [sys.executable, "-m", "tiltmeter", "run", "pairs", "fake:masked", "--data", "p.csv"],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=full, check=False, env={**os.environ},
        )  # fmt: skip
    assert made.returncode == 0
    assert b"of 1 pair" in made.stdout


def test_ctrl_c_while_the_program_is_imported_says_nothing():
    made = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_IMPORT], capture_output=True, check=False
    )
    assert (made.returncode, made.stderr) == (-signal.SIGINT, b"")


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_a_second_ctrl_c_ends_it_without_a_traceback(start, tmp_path, how):
    """With 130, or by the signal itself once Python has ended: shells report either as 128 + n."""
    rng = random.Random(f"twice {how}")
    data = write_pairs(tmp_path / "pairs.csv", 400, words=30)
    for _ in range(2):
        process = start("run", "pairs", "fake:masked", "--data", data)
        assert "loading" in process.stderr.readline()
        time.sleep(rng.uniform(0, 0.5))
        process.send_signal(how)
        time.sleep(rng.expovariate(100))
        process.send_signal(how)
        out, err = process.communicate(timeout=60)
        assert process.returncode in {130, -how}
        assert out == ""
        assert "Traceback" not in err


def test_a_second_ctrl_c_while_the_first_is_reported_says_nothing_more():
    made = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_TWICE], capture_output=True, check=False, timeout=60
    )
    assert (made.returncode, made.stderr) == (130, b"")


def test_a_folder_that_was_removed_under_the_command_is_named(tmp_path):
    command = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
    words = [sys.executable, "-m", "tiltmeter", "run", "starter_pairs", "fake"]
    made = subprocess.run(
        ["bash", "-c", command, "bash", *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert made.returncode == 1 and "the current folder does not exist any more" in made.stderr
    assert "Traceback" not in made.stderr
