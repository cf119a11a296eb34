"""`tm.fairness` of very many predictions in memory: processor time and peak memory of the process.

Five groups of unequal size and probabilities that are all different. Each row is a process of its own, with
its imports.
"""

import sys
from collections.abc import Iterator

from benchmarks._frame import Row, Settings, timed
from benchmarks._usage import usage_of

SIZES, QUICK, TINY = (100_000, 1_000_000), (100_000,), (6_000,)
PROGRAM = """
import sys
import numpy as np
import tiltmeter as tm

n, rng = int(sys.argv[1]), np.random.default_rng(0)
truth = rng.integers(0, 2, n)
scores = np.clip(0.3 + 0.4 * truth + rng.normal(0, 0.25, n), 0, 1)
tm.fairness(truth, scores, rng.choice(list("abcde"), n, p=[0.4, 0.3, 0.15, 0.1, 0.05]))
"""


def rows(settings: Settings) -> Iterator[Row]:
    """Each size."""
    for size in TINY if settings.tiny else QUICK if settings.quick else SIZES:
        command = [sys.executable, "-c", PROGRAM, str(size)]
        usage, seconds = timed(lambda command=command: usage_of(command, {}))
        yield Row("tm.fairness", f"{size:,} predictions, 5 groups", seconds, {**usage})
