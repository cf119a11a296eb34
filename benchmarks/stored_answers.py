"""The store of answers alone: bytes written to the disk for each answer, and how long look-ups take.

Answers are stored in the transactions that a run makes: the requests of a portion are looked up, then
answered in batches. `--pairs` sets the number of pairs, of two answers each, of about 16 numbers as the
rule `aul` gives. Ten million pairs take 4 GB of disk space. Bytes are counted as the system does (Linux);
a system that does not count them shows 0.
"""

import resource
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks._frame import Row, Settings, timed
from tiltmeter.run.stored_answers.store import Store

PAIRS, QUICK, TINY = 1_000_000, 100_000, 1_000
PORTION = 10_000
"""Requests that are looked up together."""
BATCH = 1_700
"""Answers in a transaction: of a tenth of a second, with the model `fake`."""


def rows(settings: Settings) -> Iterator[Row]:
    """A row for storing, and one for each kind of look-up."""
    answers = 2 * (
        settings.pairs or (TINY if settings.tiny else QUICK if settings.quick else PAIRS)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.sqlite"
        before = _written()
        stored, seconds = timed(lambda: _store(path, answers))
        values = {
            "MB written": (_written() - before) / 1e6,
            "bytes an answer": (_written() - before) / answers,
            "MB of the file": path.stat().st_size / 1e6,
        }
        yield Row(f"{answers:,} answers", "stored", seconds, values)
        rng = np.random.default_rng(1)
        kinds = {
            "looked up, all there, in their order": stored[:PORTION],
            "looked up, all there, in no order": [
                stored[i] for i in rng.permutation(len(stored))[:PORTION]
            ],
            "looked up, none there": _keys(rng, PORTION),
        }
        for way, keys in kinds.items():
            with Store(path) as store:
                model = store.model("f", "fake")
                for time in ("first", "second"):
                    _, seconds = timed(lambda: store.get(model, keys))  # noqa: B023 (called at once)
                    yield Row(f"{len(keys):,} of {answers:,}", f"{way}, the {time} time", seconds)


def _store(path: Path, answers: int) -> list[bytes]:
    """Store so many; some of the keys, evenly over all of them."""
    rng = np.random.default_rng(0)
    some: list[bytes] = []
    with Store(path) as store:
        model = store.model("f", "fake")
        for start in range(0, answers, PORTION):
            keys = _keys(rng, min(PORTION, answers - start))
            numbers = rng.standard_normal((len(keys), 19))
            sizes = rng.integers(14, 20, len(keys))
            store.get(model, keys)
            for first in range(0, len(keys), BATCH):
                batch = range(first, min(first + BATCH, len(keys)))
                given = {keys[i]: numbers[i, : sizes[i]] for i in batch}
                store.put(model, given, at_once=True)
            some += keys[:: max(1, answers // 100_000)]
    return some


def _keys(rng: np.random.Generator, count: int) -> list[bytes]:
    digests = rng.bytes(16 * count)
    return [digests[i : i + 16] for i in range(0, len(digests), 16)]


def _written() -> int:
    """Bytes that this process has had written to a disk."""
    return 512 * resource.getrusage(resource.RUSAGE_SELF).ru_oublock
