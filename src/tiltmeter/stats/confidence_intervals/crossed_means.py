"""Intervals of a mean over two crossed samples: items, and a few levels that all of them were tried in.

Five wordings of a question are a sample of the wordings that it might have. What they say of others is
unknown if a few wordings in ten are far from the rest: five may hold none of those. So the distance that
unseen levels may add is Gaffke's for a mean of bounded values (`bounded_mean`), with half a level more at the
limit, and is joined with that of the items by the root of the sum of squares.

docs/how-to/wordings.md says what else was tried, and how often each contained the true value.
"""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import tail_of

FEWEST_LEVELS = 5
"""With fewer, even levels that agree leave 30 points to either side: there is no interval."""
SURE_LEVELS = 10
"""With fewer, the interval is shown with a caution."""
UNSEEN_LEVELS = 0.5
"""The number of levels that are added at the limit."""


def over_levels(
    value: float, interval: tuple[float, float], levels: Array, within: tuple[float, float]
) -> tuple[float, float]:
    """The 95 % interval, over items and levels, of the mean of a number over levels like these.

    Args:
        value: The number over all rows. Where it is no mean over rows, it may differ from the mean over
            levels, about which the interval is laid.
        interval: Its interval over items, the levels held fixed.
        levels: The number in each level, shape (w,).
        within: The lowest and the highest value that it can have.

    Raises:
        Undefined: There are fewer than `FEWEST_LEVELS` levels.

    >>> [round(end, 2) for end in over_levels(0.5, (0.5, 0.5), np.full(10, 0.5), (0, 1))]
    [0.39, 0.61]
    """
    w = len(levels)
    if w < FEWEST_LEVELS:
        raise Undefined(f"there are {w}, and it takes {FEWEST_LEVELS}")
    mean = float(levels.mean())
    low, high = bounded_mean(levels, np.arange(w), within, unseen=UNSEEN_LEVELS)
    below = float(np.hypot(value - interval[0], mean - low))
    above = float(np.hypot(interval[1] - value, high - mean))
    return max(within[0], mean - below), min(within[1], mean + above)


def differs_over_both(cells: Array, *, confidence: float) -> int:
    """The sign of the mean of a table of differences where it differs from 0 over both samples; else 0.

    The half-width is √(t² V over rows + t² V over columns), with the jackknife variances of both means. It
    leaves out unseen levels: where each of several models is held against its rivals, at a `confidence`
    adjusted for their number (Bonferroni), the ranges of ranks contained the true rank in 96 % of samples or
    more.

    Args:
        cells: The difference in each item or cluster of items (rows) and each level (columns), shape (k, w).
        confidence: The two-sided confidence level.

    Raises:
        Undefined: There are fewer than two rows, or fewer than `FEWEST_LEVELS` columns.

    >>> differs_over_both(np.full((6, 5), 3.0), confidence=0.95)
    1
    """
    from scipy.special import stdtrit

    k, w = cells.shape
    if k < 2 or w < FEWEST_LEVELS:  # noqa: PLR2004
        raise Undefined(f"{k} clusters in {w} wordings: it takes 2 and {FEWEST_LEVELS}")
    mean, square = float(cells.mean()), 0.0
    for means in (cells.mean(axis=1), cells.mean(axis=0)):
        t = float(stdtrit(len(means) - 1, tail_of(confidence)))
        square += t**2 * float(means.var(ddof=1)) / len(means)
    return int(np.sign(mean)) if abs(mean) > square**0.5 else 0
