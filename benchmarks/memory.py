"""Peak memory of whole runs, at 1, 10 and 100 times the pairs of CrowS-Pairs.

Each row is one `tiltmeter run pairs` in a process of its own, from reading the file to the page and
the records on disk, with the model loaded in it: what counts is how much the peak grows with the
pairs. The model is a small BERT with random weights, so that 100 times the pairs take minutes. The
pairs are those of CrowS-Pairs again and again, each time with another number at their ends: no two
are equal, so every one of them is asked.
"""

import csv
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from benchmarks import _models, _ours
from benchmarks._frame import Row, Settings, timed
from benchmarks._usage import usage_of
from tiltmeter.core.data.items import Pair

TIMES = (1, 10, 100)
MANY_REQUESTS = "pll_shared"
"""Some 26 requests a pair, all of them kept in the store."""
FEW_REQUESTS = "aul"
"""Two requests a pair."""
LONG = 500
"""Words of the longest sentence, each of them one token: the model reads 512."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run to measure."""

    rule: str
    pairs: Callable[[], list[Pair]]
    """Made only for the run: there may be many."""
    way: str
    grows: bool = True
    """Whether its peak is compared with that of the first run by its rule."""


def rows(settings: Settings) -> Iterator[Row]:
    """The rule with few requests at all sizes, that with many up to ten times; one long sentence.

    Tiny are only the two smallest sizes. Their times mean nothing, so both run at once; the peak is each
    process's own.
    """
    pairs = _ours.pairs(settings)
    texts = [text for pair in pairs for text in (pair.more, pair.less)]
    with (
        tempfile.TemporaryDirectory() as temporary,
        ThreadPoolExecutor(2 if settings.tiny else 1) as pool,
    ):
        folder = Path(temporary)
        model = _models.random_masked(folder / "model", _models.TINY, texts, settings)
        runs = list(_runs(pairs, settings))
        first: dict[str, Row] = {}
        for run, row in zip(
            runs, pool.map(lambda run: _measured(run, model, folder), runs), strict=True
        ):
            yield with_growth(row, first.setdefault(run.rule, row)) if run.grows else row


def _runs(pairs: Sequence[Pair], settings: Settings) -> Iterator[Run]:
    rules = ((FEW_REQUESTS, TIMES), (MANY_REQUESTS, TIMES[:2]))
    for rule, sizes in rules[:1] if settings.tiny else rules:
        for times in sizes[:2] if settings.quick or settings.tiny else sizes:
            yield Run(rule, partial(_again, pairs, times), f"{times} × {len(pairs):,} pairs")
    if settings.tiny:
        return
    long = " ".join(["the"] * LONG)
    one = [Pair("1", f"old {long}", f"young {long}")]
    yield Run(MANY_REQUESTS, lambda: one, f"one pair of {LONG + 1} words", grows=False)


def with_growth(row: Row, first: Row) -> Row:
    """With how much the peak grew for each pair since the first run; the first as it is."""
    if row is first:
        return row
    peak, pairs = (row.values[name] - first.values[name] for name in ("peak MB", "pairs"))
    return replace(row, values=row.values | {"kB a further pair": 1000 * peak / pairs})


def _again(pairs: Sequence[Pair], times: int) -> list[Pair]:
    return [
        Pair(f"{k} {pair.id}", f"{pair.more} {k}", f"{pair.less} {k}", pair.groups)
        for k in range(times)
        for pair in pairs
    ]


def _measured(run: Run, model: Path, folder: Path) -> Row:
    """One run in a process of its own, with nothing stored."""
    pairs = run.pairs()
    with tempfile.TemporaryDirectory(dir=folder) as place:
        file = Path(place) / "pairs.csv"
        _write(pairs, file)
        command = [sys.executable, "-m", "tiltmeter", "run", "pairs", f"masked:{model}", "--json",
                   "--rule", run.rule, "--data", str(file), "--out", f"{place}/runs"]  # fmt: skip
        usage, seconds = timed(lambda: usage_of(command, {"TILTMETER_CACHE": f"{place}/cache"}))
    values = {"pairs": len(pairs), **usage}
    return Row(f"a whole run, rule {run.rule}", run.way, seconds, values)


def _write(pairs: Sequence[Pair], to: Path) -> None:
    with to.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "sent_more", "sent_less", "stereo_antistereo", "bias_type"])
        for pair in pairs:
            groups = pair.groups.get("direction", "stereo"), pair.groups.get("bias_type", "")
            table.writerow([pair.id, pair.more, pair.less, *groups])
