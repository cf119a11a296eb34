"""What a strategy asks for as it goes on: how often an item again, how often where it is too confident.

Only votes that the strategy chose count, not those of the common start.
"""

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from tiltmeter.active.records import VoteQuery
from tiltmeter.core.types import Array

START = "start"
"""The reason of votes that no strategy chose."""


def reannotation_rates(runs: Iterable[Sequence[VoteQuery]], grid: Array) -> Array:
    """The share of votes on items that had a vote in an earlier round.

    Args:
        runs: The queries of one strategy, a sequence a seed.
        grid: Numbers of votes, ascending, shape (points,).

    Returns:
        From 0 to 1, shape (seeds, points − 1); NaN where the strategy chose nothing.

    >>> asked = [VoteQuery(0, "daal", n, "i", None, "0", "gap", repeated=n > 2) for n in (1, 2, 3, 4)]
    >>> reannotation_rates([asked], np.array([0.0, 2, 3, 4]))
    array([[0., 1., 1.]])
    """
    return _shares(runs, grid, lambda query: query.repeated)


def underestimated_rates(runs: Iterable[Sequence[VoteQuery]], grid: Array) -> Array:
    """The share of votes on items with f_ent(x) > H(f(x)): the model seems too confident there.

    Arguments and result as `reannotation_rates`; NaN for strategies without f_ent.
    """

    def more(query: VoteQuery) -> bool | None:
        if query.f_ent is None or query.h is None:
            return None
        return query.f_ent > query.h

    return _shares(runs, grid, more)


def growth(rates: Array) -> Array:
    """The mean over the last third of the intervals less that over the first third; one a seed.

    NaN where a seed has no rate in either third.

    >>> growth(np.array([[0.0, 0.1, 0.5, 0.5, 0.6, 0.8]])).round(2)
    array([0.65])
    """
    third = max(1, rates.shape[1] // 3)
    return _known_mean(rates[:, -third:]) - _known_mean(rates[:, :third])


def _known_mean(rates: Array) -> Array:
    known = ~np.isnan(rates)
    count = known.sum(axis=1)
    total = np.where(known, rates, 0.0).sum(axis=1)
    return np.asarray(np.where(count, total / np.maximum(count, 1), np.nan), dtype=np.float64)


def _shares(
    runs: Iterable[Sequence[VoteQuery]], grid: Array, of: Callable[[VoteQuery], bool | None]
) -> Array:
    return np.array([_of_seed(queries, grid, of) for queries in runs], dtype=np.float64)


def _of_seed(
    queries: Sequence[VoteQuery], grid: Array, of: Callable[[VoteQuery], bool | None]
) -> Array:
    chosen = [(query.votes, of(query)) for query in queries if query.reason != START]
    known = [(votes, value) for votes, value in chosen if value is not None]
    at = np.searchsorted(grid, [votes for votes, _ in known], side="left") - 1
    inside = (at >= 0) & (at < len(grid) - 1)
    values = np.array([value for _, value in known], dtype=np.float64)
    count = np.bincount(at[inside], minlength=len(grid) - 1)
    total = np.bincount(at[inside], weights=values[inside], minlength=len(grid) - 1)
    return np.asarray(np.where(count, total / np.maximum(count, 1), np.nan), dtype=np.float64)
