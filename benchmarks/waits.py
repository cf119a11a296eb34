"""What a person waits for at the terminal: whole commands, on an idle machine and beside another program.

Each command is a fresh process, with its answers stored and its files in the file cache. The other program
multiplies matrices in as many threads as there are processors. Seconds are the median of the turns, on the
wall and of the processor.
"""

import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from os import environ
from pathlib import Path

from benchmarks._frame import Row, Settings
from benchmarks.waiting_threads import OTHER, Worker, _python

SENTENCE = "The nurse said that she was tired."
COMMANDS = {
    "ls": ["ls"],
    "score, one sentence, stored": ["score", "MODEL", SENTENCE],
    "score, one sentence, asked": ["score", "MODEL", SENTENCE, "--fresh"],
    "run starter_pairs fake, answers stored": ["run", "starter_pairs", "fake"],
    "run starter_pairs, answers stored": ["run", "starter_pairs", "MODEL"],
    "report of that run": ["report", "runs/FIRST"],
    "agreement of VOTES votes": [
        "analyse",
        "agreement",
        "votes.csv",
        "--question",
        "offensiveness",
    ],
}
VOTES = 13_036
"""As many as POPQUORN has, of 262 people on 1,500 texts."""


def rows(settings: Settings) -> Iterator[Row]:
    """A row for each command, alone and beside another program."""
    turns = 1 if settings.tiny else 3 if settings.quick else 7
    votes = 400 if settings.tiny else VOTES
    model = "fake" if settings.tiny or settings.causal is None else settings.causal
    with tempfile.TemporaryDirectory() as name, ExitStack() as stack:
        folder = Path(name)
        _write_votes(folder / "votes.csv", votes)
        commands = {
            case.replace("VOTES", f"{votes:,}"): [model if w == "MODEL" else w for w in words]
            for case, words in COMMANDS.items()
        }
        for words in commands.values():  # fills the store and the file cache
            if words[0] == "report":
                words[1] = str(next((folder / "runs").glob("starter_pairs-fake-*")))
            _seconds(words, folder)
        for beside in ("alone", "beside another program"):
            if beside != "alone":
                Worker(stack.enter_context(_python(OTHER, [], {}))).line()
            for case, words in commands.items():
                walls, processor = zip(
                    *(_seconds(words, folder) for _ in range(turns)), strict=True
                )
                values = {"processor seconds": statistics.median(processor), "runs": turns}
                yield Row(
                    f"tiltmeter {case}", beside, statistics.median(walls), values, clock="wall"
                )


def _seconds(words: list[str], folder: Path) -> tuple[float, float]:
    """On the wall, and of the processor."""
    left_out = {"TILTMETER_DATA", "PYTHONDONTWRITEBYTECODE"}
    clean = {name: value for name, value in environ.items() if name not in left_out}
    began, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "tiltmeter", *words]
    subprocess.run(command, cwd=folder, env=clean, check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, used


def _write_votes(path: Path, count: int) -> None:
    """Votes from 1 to 5, each of another person on another text."""
    draw = random.Random(0)
    people, texts = max(9, count // 50), count // 8
    pairs = draw.sample(range(people * texts), count)
    lines = (
        f"{p % people},{p // people},{1 + (p // people + draw.randrange(3)) % 5}" for p in pairs
    )
    path.write_text("annotator,item,offensiveness\n" + "\n".join(lines) + "\n", encoding="utf-8")
