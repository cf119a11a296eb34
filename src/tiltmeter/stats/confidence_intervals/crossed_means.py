"""Intervals of a mean over two crossed samples: items, and a few levels that all of them were tried in.

Five wordings of a question are a sample of the wordings that it might have. What they say of others is
unknown if a few wordings in ten are far from the rest: five may hold none of those. So the distance that
unseen levels may add is Gaffke's for a mean of bounded values (`bounded_mean`), with half a level more at the
limit, and is joined with that of the items by the root of the sum of squares.

docs/wordings.md says what else was tried, and how often each contained the true value.
"""

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Ends:
    """A number and the ends of its interval over items, the levels held fixed."""

    value: float
    low: float
    high: float


def over_levels(over_items: Ends, levels: Array, within: tuple[float, float]) -> Ends:
    """The mean of a number over levels like these, with its 95 % interval over items and levels.

    Args:
        over_items: The number over all rows and its interval over items. Where it is no mean over rows, its
            value may differ from the mean over levels; the lengths of its two sides are what counts.
        levels: The number in each level, shape (w,).
        within: The lowest and the highest value that it can have.

    Raises:
        Undefined: There are fewer than `FEWEST_LEVELS` levels.

    >>> alike = over_levels(Ends(0.5, 0.5, 0.5), np.full(10, 0.5), (0, 1))
    >>> round(alike.low, 2), round(alike.high, 2)  # what ten wordings that agree may hide
    (0.39, 0.61)
    """
    w = len(levels)
    if w < FEWEST_LEVELS:
        raise Undefined(f"there are {w}, and it takes {FEWEST_LEVELS}")
    mean = float(levels.mean())
    low, high = bounded_mean(levels, np.arange(w), within, unseen=UNSEEN_LEVELS)
    below = np.hypot(over_items.value - over_items.low, mean - low)
    above = np.hypot(over_items.high - over_items.value, high - mean)
    return Ends(mean, max(within[0], mean - float(below)), min(within[1], mean + float(above)))


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
