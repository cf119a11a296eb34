"""kill -9 at random moments of every command that stores on the way: in the end the files are the same."""

import json
import random
import re
import shutil
import signal
import time

import numpy as np
import pytest

from faults.commands_in_forks import Command, context
from faults.undisturbed import write_pairs
from support import audits
from support.next_heads import by_topic, reading_pairs

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
    return ("run", "studies.toml", "--out", "made")


def audit(folder):
    audits.profile(folder)
    return ("audit", "fake:masked", "--profile", "small.toml", "--out", "made")


def simulation(_folder):
    return (
        "active", "simulate", "sample", "--encoder", "tf-idf", "--seed-count", 4, "--budget", 200,
        "--entropy-items", 20, "--votes-each", 4, "--out", "made", "--processes", 2,
    )  # fmt: skip


def head(folder):
    reading_pairs("gpt2", folder / "model")
    by_topic(folder / "topics.txt")
    return (
        "train", "next-sentence", "model", "--corpus", "topics.txt", "--epochs", 2,
        "--checkpoint-every", 2, "--pairs", 60, *SMALL,
    )  # fmt: skip


def classifiers(folder):
    reading_pairs("bert", folder / "model")
    rows = [f"the driver was {'slow' if i % 2 else 'quick'} {i},{i % 2}" for i in range(60)]
    (folder / "texts.csv").write_text("\n".join(["text,label", *rows]))
    return (
        "train", "classifier", "model", "--data", "texts.csv", "--seeds", "0,1", "--epochs", 2, *SMALL,
    )  # fmt: skip


def inferences(folder):
    reading_pairs("gpt2", folder / "model")
    rows = [f"The driver was late {i}.,The car was slow {i}.,neutral" for i in range(80)]
    (folder / "pairs.csv").write_text("\n".join(["premise,hypothesis,label", *rows]))
    return (
        "train", "inference", "model", "--data", "pairs.csv", "--pair-kind", "nli", "--epochs", 2,
        "--checkpoint-every", 3, *SMALL, "--max-tokens", 64,
    )  # fmt: skip


def mitigation(folder):
    reading_pairs("gpt2", folder / "model")
    by_topic(folder / "topics.txt")
    return (
        "mitigate", "train", "dropout", "model", "--corpus", "topics.txt",
        "--steps", 12, "--checkpoint-every", 2, "--batch-size", 8, "--device", "cpu", "--out", "made",
    )  # fmt: skip


COMMANDS = (run, sweep, audit, simulation, head, classifiers, inferences, mitigation)
SPAN = (0.05, 0.8)
"""Kills come within this share of the time that the command takes undisturbed."""


class Place:
    """A folder with its own cache, in which one command is begun again and again."""

    def __init__(self, folder, prepare):
        self.folder = folder
        folder.mkdir()
        self.args = prepare(folder)

    def whole(self):
        """Let it end; gives the seconds that it took."""
        begun = time.monotonic()
        command = Command(self.folder, *self.args)
        assert command.ended(300) == 0, command.said.read_text()
        return time.monotonic() - begun

    def killed(self, after):
        """Kill it, and the processes that it has started, after so many seconds; False if it had ended."""
        command = Command(self.folder, *self.args)
        command.ended(after)
        code = command.kill()
        said = command.said.read_text()
        assert code in {0, -signal.SIGKILL}, said
        assert "Traceback" not in said
        return code != 0

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


@pytest.fixture(scope="module")
def loaded():
    """Libraries are loaded before anything is timed."""
    process = context().Process(target=int)
    process.start()
    process.join()


@pytest.mark.slow
@pytest.mark.usefixtures("loaded")
@pytest.mark.parametrize("kills", [3, pytest.param(12, marks=pytest.mark.long)])
@pytest.mark.parametrize("prepare", COMMANDS)
def test_killed_commands_end_with_the_files_of_undisturbed_ones(tmp_path, prepare, kills):
    """One kill in each of so many equal stretches of time."""
    undisturbed = Place(tmp_path / "undisturbed", prepare)
    seconds = undisturbed.whole()
    place = Place(tmp_path / "killed", prepare)
    rng = random.Random(prepare.__name__)
    stretches = np.linspace(*SPAN, kills + 1)
    died = 0
    while died < kills:
        if place.killed(rng.uniform(*stretches[died : died + 2]) * seconds):
            died += 1
        else:  # little was left; once more from the start
            place.clear()
            seconds *= 0.8
    place.whole()
    assert place.files() == undisturbed.files()
