"""A sweep of four models and six studies on 1, 2 and 4 workers of Ray, and without Ray.

Every worker has one processor. "of the ideal" is the time on one worker divided by the workers and by the
time that they took; with more workers than cores it says something of the cores alone. Processor time does
not depend on other programs: what the driver computes (reading data, planning, records, intervals, pages) no
worker takes off it, so "of the ideal, by processor time" is what these seconds give on as many idle cores as
there are workers, and one for the driver, if driver and workers never compute at the same time. The data of
the studies must be here.
"""

import logging
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from benchmarks import _models, _ours
from benchmarks._frame import Row, Settings
from benchmarks._models import Size
from tiltmeter.report.saved_runs import save_run
from tiltmeter.run.asking.model_openers import LocalOpener
from tiltmeter.run.asking.ray_cluster import cluster, library
from tiltmeter.run.jobs import Session
from tiltmeter.run.monitor import Logged
from tiltmeter.run.stored_answers.store_thread import StoreThread
from tiltmeter.run.sweeps.sweep import read_sweep
from tiltmeter.run.sweeps.sweep_jobs import plan_sweep

STUDIES = ("starter_pairs", "winogender", "winobias", "crows_pairs", "sensible_pairs", "seat")
SIZES = (Size("small", 2, 128, 512, 2, 0), Size("larger", 4, 128, 512, 2, 0))
"""A masked and a causal model of each, with random weights."""
QUICK = (_models.TINY, Size("larger", 4, 32, 64, 2, 0))
"""Such small ones that the driver's share of the work is large."""
WORKERS = (1, 2, 4)


def rows(settings: Settings) -> Iterator[Row]:
    """Without Ray, then on more and more workers."""
    names = STUDIES[: 1 if settings.tiny else None]
    with tempfile.TemporaryDirectory() as temporary:
        file = _sweep_file(Path(temporary), names, settings)
        case = f"{2 if settings.tiny else 4} models × {len(names)} studies"
        first = whole = 0.0
        for workers in (0, *WORKERS[: 1 if settings.tiny else None]):
            wall, driver, work = _run(file, Path(temporary) / f"runs{workers}", workers)
            values: dict[str, Any] = {"driver, processor s": round(driver, 1)}
            if workers:
                first = first or wall
                whole = whole or driver + work
                serial = whole / workers / (driver + work / workers)
                values |= {
                    "workers, processor s": round(work, 1),
                    "of the ideal": round(first / wall / workers, 2),
                    "of the ideal, by processor time": round(serial, 2),
                }
            who = f"{workers} worker{'s' * (workers > 1)}" if workers else "without Ray"
            yield Row(case, who, wall, values, clock="wall")


def _sweep_file(folder: Path, studies: Sequence[str], settings: Settings) -> Path:
    texts = [text for pair in _ours.pairs(Settings()) for text in pair.texts]
    models = []
    for size in (_models.TINY,) if settings.tiny else QUICK if settings.quick else SIZES:
        places = folder / f"masked-{size.name}", folder / f"causal-{size.name}"
        models += [
            _models.random_masked(places[0], size, texts, settings),
            _models.random_causal(places[1], size, texts),
        ]
    tables = [f'[[study]]\nname = "{name}"\nskip-invalid = true\n' for name in studies]
    tables += [f'[[model]]\nname = "{place}"\ndevice = "cpu"\n' for place in models]
    file = folder / "sweep.toml"
    file.write_text("\n".join(tables), "utf-8")
    return file


def _run(file: Path, runs: Path, workers: int) -> tuple[float, float, float]:
    """Seconds on the wall, and processor seconds of this process and of the workers."""
    monitor = Logged()
    begun, spent, work = time.perf_counter(), time.process_time(), 0.0
    with ExitStack() as stack:
        opener: Any = LocalOpener(monitor)
        if workers:
            ray = library()
            stack.callback(ray.shutdown)
            ray.init(
                address="local", num_cpus=workers, include_dashboard=False, log_to_driver=False,
                logging_level=logging.CRITICAL,
            )  # fmt: skip
            opener = stack.enter_context(cluster(workers=workers))
        store = stack.enter_context(StoreThread(runs.with_suffix(".sqlite")))
        grid = plan_sweep(read_sweep(file), runs, fresh=False, monitor=monitor)
        grid.run(
            Session(store, monitor, opener),
            lambda study, result, where: save_run(
                result, study, where, jsonl=False, show_text=True
            ),
        )
        if grid.failed:
            raise RuntimeError(grid.failed[0].why)
        work = _of_workers()
    return time.perf_counter() - begun, time.process_time() - spent, work


def _of_workers() -> float:
    """Processor seconds of the processes below this one that are Ray's workers."""
    seconds, tick = 0.0, os.sysconf("SC_CLK_TCK")
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if not (place / "cmdline").read_bytes().startswith(b"ray::"):
                continue
            if os.getpid() in _ancestors(int(place.name)):
                fields = (place / "stat").read_text().rpartition(")")[2].split()
                seconds += (int(fields[11]) + int(fields[12])) / tick
        except OSError:
            continue  # it has ended meanwhile
    return seconds


def _ancestors(process: int) -> Iterator[int]:
    while process > 1:
        fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(")")[2].split()
        process = int(fields[1])
        yield process
