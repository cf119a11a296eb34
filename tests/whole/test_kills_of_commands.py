"""kill -9 at random moments of every command that stores on the way: repeating it ends with the same files.

The few kills of the checks before a merge; `-m long` makes fifty of them, with those of tests/survey/web.
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time

import pytest

import audits
from next_heads import by_topic, reading_pairs
from undisturbed import write_pairs

SWEEP = """
[[study]]
name = "pairs"
data = "pairs.csv"
[[study]]
name = "pairs"
data = "pairs.csv"
rule = "aul"
[[study]]
name = "starter_pairs"
[[model]]
name = "fake:masked"
[[model]]
name = "fake:causal"
"""
SMALL = ("--batch-size", 8, "--max-tokens", 16, "--device", "cpu", "--out", "made")


def run(folder):
    write_pairs(folder / "pairs.csv", 200, words=20)
    return ("run", "pairs", "fake:masked", "--jsonl", "--data", "pairs.csv", "--out", "made")


def sweep(folder):
    write_pairs(folder / "pairs.csv", 60, words=12)
    (folder / "studies.toml").write_text(SWEEP)
    return ("sweep", "studies.toml", "--out", "made")


def audit(folder):
    audits.profile(folder)
    return ("audit", "fake:masked", "--profile", "small.toml", "--out", "made")


def simulation(_folder):
    return (
        "active", "simulate", "sample", "--encoder", "tf-idf", "--seeds", 4, "--budget", 200,
        "--entropy-items", 20, "--votes-each", 4, "--out", "made", "--processes", 2,
    )  # fmt: skip


def head(folder):
    reading_pairs("gpt2", folder / "model")
    by_topic(folder / "topics.txt")
    return (
        "train", "next-sentence", "model", "--corpus", "topics.txt", "--epochs", 3,
        "--checkpoint-every", 2, "--pairs", 120, *SMALL,
    )  # fmt: skip


def classifiers(folder):
    reading_pairs("bert", folder / "model")
    rows = [f"the driver was {'slow' if i % 2 else 'quick'} {i},{i % 2}" for i in range(120)]
    (folder / "texts.csv").write_text("\n".join(["text,label", *rows]))
    return (
        "train", "classifier", "model", "--data", "texts.csv", "--seeds", "0,1", "--epochs", 2, *SMALL,
    )  # fmt: skip


def mitigation(folder):
    reading_pairs("gpt2", folder / "model")
    by_topic(folder / "topics.txt")
    return (
        "mitigate", "train", "dropout", "model", "--corpus", "topics.txt",
        "--steps", 12, "--checkpoint-every", 2, "--batch-size", 8, "--device", "cpu", "--out", "made",
    )  # fmt: skip


COMMANDS = (run, sweep, audit, simulation, head, classifiers, mitigation)


class Place:
    """A folder with its own cache, in which one command is begun again and again."""

    def __init__(self, folder, prepare):
        self.folder = folder
        folder.mkdir()
        self.args = [*map(str, prepare(folder))]

    def start(self):
        return subprocess.Popen(
            [sys.executable, "-m", "tiltmeter", *self.args],
            cwd=self.folder,
            env={**os.environ, "TILTMETER_CACHE": str(self.folder / "cache")},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    def whole(self):
        """Let it end; gives the seconds that it took."""
        begun = time.monotonic()
        process = self.start()
        said, _ = process.communicate(timeout=900)
        assert process.returncode == 0, said
        return time.monotonic() - begun

    def killed(self, after):
        """Kill it, and the processes that it has started, after so many seconds; False if it had ended."""
        process = self.start()
        time.sleep(after)
        os.killpg(process.pid, signal.SIGKILL)
        said, _ = process.communicate(timeout=60)
        assert process.returncode in {0, -signal.SIGKILL}, said
        assert "Traceback" not in said
        return process.returncode != 0

    def clear(self):
        for name in ("made", "cache"):
            shutil.rmtree(self.folder / name, ignore_errors=True)

    def files(self):
        """Everything that was made, without times."""
        return {
            path.relative_to(self.folder / "made").as_posix(): content(path)
            for path in (self.folder / "made").rglob("*")
            if path.is_file()
        }


def content(path):
    if path.name == "report.html":  # that of an audit says how long its studies took
        return re.sub(rb"\b[\d,]+ s<", b"", path.read_bytes())
    if path.name != "card.json":
        return path.read_bytes()
    card = json.loads(path.read_text("utf-8"))
    del card["run"]
    return card


@pytest.mark.parametrize(
    ("prepare", "kills"),
    [
        *(pytest.param(one, 2, marks=pytest.mark.slow) for one in (run, sweep, audit, head)),
        *(pytest.param(one, 7, marks=pytest.mark.long) for one in COMMANDS),
    ],
)
def test_killed_commands_end_with_the_files_of_undisturbed_ones(tmp_path, prepare, kills):
    undisturbed = Place(tmp_path / "undisturbed", prepare)
    seconds = undisturbed.whole()
    place = Place(tmp_path / "killed", prepare)
    rng = random.Random(f"{prepare.__name__} {kills}")
    died = 0
    while died < kills:
        if place.killed(rng.uniform(0.2, 1) * seconds):
            died += 1
        else:  # it was faster than the first; once more from the start
            place.clear()
    place.whole()
    assert place.files() == undisturbed.files()
