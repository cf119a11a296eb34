"""Which ranks several estimates may have, from resamples that all of them share."""

from collections.abc import Callable

import numpy as np

from tiltmeter.core.types import Array
from tiltmeter.stats.bootstrap_intervals import stretch
from tiltmeter.stats.intervals import tail_of


def rank_ranges(
    values: Array,
    drawn: Array,
    units: int,
    *,
    tied: float,
    within: tuple[float, float],
    score: Callable[[Array], Array] = np.positive,
) -> list[tuple[int, int]]:
    """The best and the worst rank of each estimate in 95% of the resamples; 1 is the highest value.

    Resampled values are laid about the estimate and stretched, as `stretched` does for its interval. Then an
    estimate's best rank in a resample is 1 and how many others are higher by more than `tied`, and its worst
    is how many are no lower than `tied` beneath it, itself among them. The range reaches from the 2.5%
    quantile of its best ranks to the 97.5% quantile of its worst.

    Args:
        values: The estimates, shape (m,).
        drawn: Their values on the same resamples, shape (m, draws).
        units: How many units a resample draws.
        tied: Estimates so close together in a resample may have either's rank.
        within: The least and the highest value that is possible.
        score: Of values, what ranks them: of −|value − 50| the closest to 50 is first. It is taken after they
            are laid about the estimate, since resamples lie farther from neutral than the data.

    >>> drawn = np.array([[70.0, 71.0, 72.0], [60.0, 61.0, 62.0], [60.0, 61.0, 62.0]])
    >>> rank_ranges(np.array([71.0, 61.0, 61.0]), drawn, 100, tied=0.0, within=(0, 100))
    [(1, 1), (2, 3), (2, 3)]
    """
    away = stretch(units) * (drawn - np.median(drawn, axis=1, keepdims=True))
    columns = score(np.clip(values[:, None] + away, *within)).T
    best, worst = np.empty(columns.shape), np.empty(columns.shape)
    for resample, column in enumerate(columns):
        ascending = np.sort(column)
        best[resample] = 1 + len(column) - np.searchsorted(ascending, column + tied, "right")
        worst[resample] = len(column) - np.searchsorted(ascending, column - tied, "left")
    tail = tail_of()
    first = np.quantile(best, tail, axis=0, method="lower")
    last = np.quantile(worst, 1 - tail, axis=0, method="higher")
    return [(int(low), int(high)) for low, high in zip(first, last, strict=True)]
