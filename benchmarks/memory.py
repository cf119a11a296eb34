"""Peak memory of whole runs, at 1, 10 and 100 times the pairs of CrowS-Pairs.

Each row is one `tiltmeter run pairs` in a process of its own, from reading the file to the page and
the records on disk, with the model loaded in it: what counts is how much the peak grows with the
pairs. The model is a small BERT with random weights, so that 100 times the pairs take minutes. The
pairs are those of CrowS-Pairs again and again, each time with another number at their ends: no two
are equal, so every one of them is asked.
"""

import csv
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import _models, _ours
from benchmarks._frame import Row, Settings, timed
from tiltmeter.core.items import Pair

TIMES = (1, 10, 100)
MANY_REQUESTS = "pll_shared"
"""Some 26 requests a pair, all of them kept in the store."""
FEW_REQUESTS = "aul"
"""Two requests a pair."""
LONG = 500
"""Words of the longest sentence, each of them one token: the model reads 512."""


def rows(settings: Settings) -> Iterator[Row]:
    """The rule with few requests at all sizes, that with many up to ten times; one long sentence."""
    pairs = _ours.pairs(settings)
    texts = [text for pair in pairs for text in (pair.more, pair.less)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        model = _models.random_masked(folder / "model", _models.TINY, texts, settings)
        rules = ((FEW_REQUESTS, TIMES), (MANY_REQUESTS, TIMES[:2]))
        for rule, sizes in rules[:1] if settings.tiny else rules:
            first: tuple[int, float] | None = None
            for times in sizes[:2] if settings.quick or settings.tiny else sizes:
                many = _again(pairs, times)
                row, peak = _run(many, model, rule, folder, f"{times} × {len(pairs):,} pairs")
                if first is not None:
                    grown = 1000 * (peak - first[1]) / (len(many) - first[0])
                    row = Row(
                        row.case, row.way, row.seconds, row.values | {"kB a further pair": grown}
                    )
                first = first or (len(many), peak)
                yield row
        words = 40 if settings.tiny else LONG
        long = " ".join(["the"] * words)
        yield _run([Pair("1", f"old {long}", f"young {long}")], model, MANY_REQUESTS, folder,
                   f"one pair of {words + 1} words")[0]  # fmt: skip


def _again(pairs: Sequence[Pair], times: int) -> list[Pair]:
    return [
        Pair(f"{k} {pair.id}", f"{pair.more} {k}", f"{pair.less} {k}", pair.groups)
        for k in range(times)
        for pair in pairs
    ]


def _run(
    pairs: Sequence[Pair], model: Path, rule: str, folder: Path, way: str
) -> tuple[Row, float]:
    """One run in a process of its own, with nothing stored; its row, and its peak in MB."""
    with tempfile.TemporaryDirectory(dir=folder) as place:
        file = Path(place) / "pairs.csv"
        _write(pairs, file)
        command = [sys.executable, "-m", "tiltmeter", "run", "pairs", f"masked:{model}", "--json",
                   "--rule", rule, "--data", str(file), "--out", f"{place}/runs"]  # fmt: skip
        peak, seconds = timed(lambda: _peak(command, {"TILTMETER_CACHE": f"{place}/cache"}))
    values = {"pairs": len(pairs), "peak MB": peak}
    return Row(f"a whole run, rule {rule}", way, seconds, values), peak


def _peak(command: Sequence[str], environment: dict[str, str]) -> float:
    """Megabytes that the process had in memory at the most."""
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=said, env={**os.environ, **environment}
        )
        _, status, usage = os.wait4(process.pid, 0)  # with what this one process used
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        if process.returncode:
            raise RuntimeError(said.read().decode())
    return usage.ru_maxrss / (1e6 if sys.platform == "darwin" else 1e3)  # bytes there, else kB


def _write(pairs: Sequence[Pair], to: Path) -> None:
    with to.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["id", "sent_more", "sent_less", "stereo_antistereo", "bias_type"])
        for pair in pairs:
            groups = pair.groups.get("direction", "stereo"), pair.groups.get("bias_type", "")
            table.writerow([pair.id, pair.more, pair.less, *groups])
