"""Whole commands over very many made-up items: time, peak memory, bytes written, cost of a further item.

The model is `fake`, so that nearly all of the time and memory is that of reading, storing, computing
estimates and writing. Each row is one command in a process of its own, at two sizes; `--pairs` sets the
larger one, ten times the smaller. Ten million items need a day and 25 GB of disk space.
"""

import csv
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count, islice
from pathlib import Path
from random import Random

from benchmarks import memory
from benchmarks._frame import Row, Settings, timed
from benchmarks._usage import usage_of

LARGER, QUICK, TINY = 1_000_000, 20_000, 300
WORDS = (
    "garden", "street", "market", "river", "doctor", "teacher", "baker", "lawyer", "farmer",
    "pilot", "walked", "carried", "opened", "visited", "painted", "cleaned", "sold", "found",
    "brought", "cooked", "wrote", "learned", "heard", "house", "ticket", "letter", "window",
    "kitchen", "bridge", "lesson", "concert", "during", "before", "after", "without", "near",
    "morning", "evening", "winter", "summer", "slowly", "often",
)  # fmt: skip
GROUPS = (("old", "young", "age"), ("rich", "poor", "wealth"), ("tall", "short", "height"),
          ("city", "village", "place"), ("northern", "southern", "region"))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Command:
    """A command of Tiltmeter over items of a file."""

    way: str
    words: Callable[[Path], Sequence[str]]
    """From the folder with the files to the command line."""


def rows(settings: Settings) -> Iterator[Row]:
    """Every command at both sizes; the second with what each further item costs."""
    larger = settings.pairs or (TINY if settings.tiny else QUICK if settings.quick else LARGER)
    first: dict[str, Row] = {}
    for size in (max(100, larger // 10), larger):
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            _write(folder, size)
            for command in COMMANDS:
                row = _measured(command, folder, size)
                yield memory.with_growth(row, first.setdefault(command.way, row))


def _measured(command: Command, folder: Path, size: int) -> Row:
    line = [sys.executable, "-m", "tiltmeter", *command.words(folder), "--json"]
    environment = {"TILTMETER_CACHE": str(folder / "cache")}
    usage, seconds = timed(lambda: usage_of(line, environment))
    return Row(command.way, f"{size:,} items", seconds, {"pairs": size, **usage})


def _run(study: str, model: str, data: str, *more: str) -> Callable[[Path], Sequence[str]]:
    return lambda folder: ["run", study, model, "--data", str(folder / data), *more,
                           "--out", str(folder / "runs")]  # fmt: skip


def _runs(folder: Path, *patterns: str) -> list[str]:
    """The run folders of these names."""
    return [str(one) for pattern in patterns for one in sorted((folder / "runs").glob(pattern))]


COMMANDS = (
    Command("run pairs, a masked model", _run("pairs", "fake:masked", "pairs.csv", "--rule", "aul")),
    Command("run pairs, a causal model", _run("pairs", "fake:causal", "pairs.csv")),
    Command("compare", lambda folder: [
        "compare", *_runs(folder, "pairs-fake-*"), "--out", str(folder / "compared")]),
    Command("import of scores", lambda folder: [
        "import", str(folder / "scores.csv"), "--out", str(folder / "imported")]),
    Command("run, the first half", _run("pairs", "fake:masked", "half-0.csv", "--rule", "aul")),
    Command("run, the second half", _run("pairs", "fake:masked", "half-1.csv", "--rule", "aul")),
    Command("import of two halves", lambda folder: [
        "import", *_runs(folder, "*half-0*", "*half-1*"), "--out", str(folder / "merged")]),
    Command("run stereoset", _run("stereoset", "fake:causal", "triples.csv")),
    Command("run stereoset, an ensemble",
            _run("stereoset", "ensemble:fake:causal=1+fake=2", "triples.csv")),
)  # fmt: skip


def _write(folder: Path, size: int) -> None:
    """Pairs, the same in halves and with scores, and triples: all different, equal at every call."""
    pairs = ["id", "sent_more", "sent_less", "bias_type"]
    _table(folder / "pairs.csv", pairs, islice(_pairs(), size))
    _table(folder / "half-0.csv", pairs, islice(_pairs(), size // 2))
    _table(folder / "half-1.csv", pairs, islice(_pairs(), size // 2, size))
    scored = ((*row, -10 * rng.random(), -10 * rng.random())
              for rng in [Random(1)] for row in islice(_pairs(), size))  # fmt: skip
    _table(folder / "scores.csv", [*pairs, "sent_more_score", "sent_less_score"], scored)
    columns = ["id", "context", "stereotype", "anti_stereotype", "unrelated", "target", "domain"]
    _table(folder / "triples.csv", columns, islice(_triples(), size))


def _table(path: Path, columns: Sequence[str], rows: Iterator[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns)
        table.writerows(rows)


def _pairs() -> Iterator[Sequence[object]]:
    for number, rng, sentence in _sentences():
        more, less, axis = rng.choice(GROUPS)
        texts = (sentence.replace("BLANK", group) for group in (more, less))
        yield f"item-{number}", *texts, axis


def _triples() -> Iterator[Sequence[object]]:
    for number, rng, sentence in _sentences():
        more, less, axis = rng.choice(GROUPS)
        yield (
            f"item-{number}",
            sentence,
            more,
            less,
            rng.choice(WORDS),
            f"term {number % 300}",
            axis,
        )


def _sentences() -> Iterator[tuple[int, Random, str]]:
    """The number of each sentence, where its randomness comes from, and it."""
    rng = Random(0)
    for number in count():
        words = rng.choices(WORDS, k=rng.randrange(8, 15))
        words[rng.randrange(len(words))] = "BLANK"
        yield number, rng, f"The {' '.join(words)} {number}."
