"""How long Tiltmeter takes before it begins to work.

Each number is the median wall time of fresh Python processes; what a bare `python -c pass` takes is
a row of its own and taken off the imports. Times with everything in the file cache and compiled to
bytecode, as `pip` leaves an installation: the very first start takes longer.
"""

import os
import statistics
import subprocess
import sys
from collections.abc import Iterator

from benchmarks._frame import Row, Settings, timed

PURE = (
    "core.data.items",
    "core.model.questions",
    "core.study",
    "core.results",
    "core.model.batches",
    "stats.confidence_intervals.intervals",
    "stats.resampling.bootstrap",
    "stats.hypothesis_tests.exact_tests",
    "metrics.preference",
    "metrics.context_association",
    "scoring.pseudo",
    "scoring.likelihood",
)
"""Of the layers below studies: what a program needs that computes measures from arrays."""
STUDIES = ("studies.crows_pairs", "studies.stereoset")


def rows(settings: Settings) -> Iterator[Row]:
    """A row each for the bare interpreter, the pure layers, and commands that only answer."""
    times = 1 if settings.tiny else 5 if settings.quick else 15
    case = "fresh processes"
    bare = _median(["-c", "pass"], times)
    yield Row(case, "python -c pass", bare, {"runs": times})
    layers = {"core, stats, metrics, scoring": PURE, "the same, and two studies": (*PURE, *STUDIES)}
    for name, modules in layers.items():
        imports = "; ".join(f"import tiltmeter.{module}" for module in modules)
        yield Row(
            case,
            f"import {name}",
            max(0.0, _median(["-c", imports], times) - bare),
            {"runs": times, "torch imported": _imports_torch(imports)},
            "the bare interpreter's time is taken off; numpy's is in it",
        )
    alone = max(0.0, _median(["-c", "import numpy"], times) - bare)
    yield Row(case, "import numpy, for comparison", alone, {"runs": times})
    for command in (["--help"], ["run", "--help"], ["--version"], ["ls"]):
        whole = _median(["-m", "tiltmeter", *command], times)
        yield Row(case, f"tiltmeter {' '.join(command)}", whole, {"runs": times})


def _median(arguments: list[str], times: int) -> float:
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def once() -> None:
        subprocess.run([sys.executable, *arguments], env=env, check=True, capture_output=True)

    if times > 1:
        once()  # into the file cache
    return statistics.median(timed(once)[1] for _ in range(times))


def _imports_torch(code: str) -> str:
    code = f"{code}; import sys; print('yes' if 'torch' in sys.modules else 'no')"
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()
