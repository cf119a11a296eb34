"""How alike the orders of two matrices' cells are, with jackknife intervals over rows."""

from collections.abc import Callable

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.intervals import student
from tiltmeter.stats.resampling.jackknife import jackknife_error

MOST_BLOCKS = 60
"""A jackknife leaves out one row at a time, of more rows than these one of so many sets of them."""
FEWEST = 3


def tau(x: Array, y: Array) -> float:
    """Kendall's tau-b of the cells that have a value, which are the same in both.

    Raises:
        Undefined: Fewer than three cells have one, or all cells of one matrix are equal.
    """
    from scipy.stats import kendalltau  # noqa: PLC0415  # slow to import

    there = np.isfinite(x)
    a, b = x[there], y[there]
    if len(a) < FEWEST:
        raise Undefined(f"too few cells to rank: {len(a)}")
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        raise Undefined("all cells of one matrix are equal, so there is no order to compare")
    return float(kendalltau(a, b, method="asymptotic").statistic)


def tau_within(x: Array, y: Array) -> float:
    """Kendall's tau-b without each column's mean over rows, which leaves what is particular to rows.

    Raises:
        Undefined: As `tau`, or there is only one row.
    """
    if len(x) < 2:  # noqa: PLR2004
        raise Undefined("there is only one row, so there is nothing to compare it with")
    there = np.isfinite(x)
    counts = np.maximum(there.sum(axis=0), 1)
    return tau(*(side - np.where(there, side, 0.0).sum(axis=0) / counts for side in (x, y)))


def same_side(x: Array, y: Array) -> float:
    """In how many cells both lean the same way, in %; a cell at 0 counts half.

    Raises:
        Undefined: No cell has a value in both.

    >>> same_side(np.array([1.0, -1.0, 0.0, 2.0]), np.array([3.0, 1.0, 5.0, 1.0]))
    62.5
    """
    sides = np.sign(x) * np.sign(y)
    sides = sides[np.isfinite(sides)]
    if not len(sides):
        raise Undefined("no cell has a value in both")
    return float(50 * (1 + sides).mean())


def over_rows(
    of: Callable[[Array, Array], float], x: Array, y: Array, neutral: float, rows: str
) -> tuple[float | None, Inference, str]:
    """A value, its interval and test by a jackknife over rows, and why one of them is missing.

    Args:
        of: From both matrices, or some of their rows, to the value.
        x: The cells of one, shape (rows, columns); NaN without a value.
        y: The same of the other.
        neutral: What the test is against; 0 for correlations, else a share in %.
        rows: What the rows are, for the names of interval and test.
    """
    try:
        value = of(x, y)
    except Undefined as undefined:
        return None, Inference(None, None), str(undefined)
    blocks = np.arange(len(x)) % MOST_BLOCKS
    k = int(blocks.max()) + 1
    try:
        without = np.array([of(x[blocks != i], y[blocks != i]) for i in range(k)])
        low, high, p = student(value - neutral, jackknife_error(without), k - 1)
    except Undefined as undefined:
        return value, Inference(None, None), f"no interval: {undefined}"
    ends = (100.0, 0.0) if neutral else (1.0, -1.0)
    low, high = max(low + neutral, ends[1]), min(high + neutral, ends[0])
    what = rows if len(x) <= MOST_BLOCKS else f"{k} sets of {rows}"
    kind = f"jackknife over {what} with Student’s t"
    return value, Inference(low, high, p, kind, f"jackknife t test over {what}"), ""
