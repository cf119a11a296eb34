"""Readers of files that active learning takes or has written."""

from pathlib import Path
from typing import Any

from faults.foreign_files import Reader, json_of
from support import active_runs
from tiltmeter.active.pool_runs import read_pool
from tiltmeter.active.pools.vote_sources import read_votes
from tiltmeter.active.run_files import RunManifest

MANIFEST = {
    "pool": {"name": "p", "sha256": "0", "items": 5, "votes": 20, "annotators": 2,
             "disagreement": 0.4},
    "labels": ["no", "yes"], "settings": {"entropy_items": 2, "votes_each": 2},
    "grid": [10, 20], "versions": {"tiltmeter": "0"}, "strategies": ["passive"], "seeds": [0],
    "notes": [],
}  # fmt: skip


def _active_runs(folder: Path) -> None:
    active_runs.written(folder, {"passive": 300, "daal": 200}, seeds=2)


def _first_result(path: Path) -> Any:
    pool = read_pool(path.parents[2], draws=99)
    return [pool, *pool.first_queries(20)]


READERS = (
    *(Reader(f"{kind} of active runs", f"runs/daal/0.{kind}.jsonl", "", _first_result, _active_runs)
      for kind in ("points", "queries", "items")),
    Reader("votes", "v.csv", "item,text,annotator,label,age\n" + "".join(
        f"t{i},text {i},p{p},{(i + p) % 2},{p}\n" for i in range(10) for p in range(2)), read_votes),
    Reader("manifest of active runs", "manifest.json", "", lambda path: read_pool(path.parent, draws=99),
           _active_runs),
    Reader("manifest", "manifest.json", json_of(MANIFEST), lambda path: RunManifest.read(path.parent)),
)  # fmt: skip
