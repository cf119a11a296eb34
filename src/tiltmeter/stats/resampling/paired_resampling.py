"""The interval and test of the difference between two models in any metric, on the same items.

Both models' answers to an item belong together: resamples draw items (or whole clusters) with the answers of
both models, and the test exchanges the two models item by item.

Sources: Efron and Tibshirani 1993, section 8.3 (resampling pairs); Good 2005, section 3.2 (exchange within
matched pairs); Phipson and Smyth 2010, doi:10.2202/1544-6115.1585 (the observed order counts as one).
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Column, Labels
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, clustered
from tiltmeter.stats.resampling.bootstrap_intervals import bootstrap

EXCHANGES = 1_999
"""The number of random exchanges in the test, in addition to the observed order."""
ROWS = 100_000_000
"""The maximum number of rows per model over all draws: more items get fewer draws."""
FEWEST = 199
ROUNDING = 1e-9


def affordable(items: int, draws: int) -> int:
    """The number of draws for this many items: all up to 50,000 items, fewer beyond.

    >>> affordable(1_500, 2_000), affordable(200_000, 2_000), affordable(10**9, 2_000)
    (2000, 500, 199)
    """
    return min(draws, max(FEWEST, ROWS // max(items, 1)))


def paired_bootstrap(
    metric: Callable[..., float],
    a: Sequence[Column],
    b: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
    *,
    draws: int = RESAMPLES,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """The `stretched` interval of the metric of `a` minus that of `b`; rows of both are drawn together.

    Args:
        metric: The metric, computed for both models on each resample.
        a: The columns of the first model, with items in the same order as in `b`.
        b: The columns of the second model.
        clusters: The cluster of each row; whole clusters are drawn.
        rng: The source of randomness.
        draws: The number of resamples.
        confidence: The confidence level.

    Raises:
        Undefined: There are fewer than two clusters, or the metric is undefined on a resample.
    """

    def apart(*columns: Column) -> float:
        return metric(*columns[: len(a)]) - metric(*columns[len(a) :])

    return bootstrap(apart, [*a, *b], clusters, rng, draws=draws, confidence=confidence)


def paired_permutation(
    metric: Callable[..., float],
    a: Sequence[Column],
    b: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
    *,
    draws: int = EXCHANGES,
) -> float:
    """The two-sided p of the difference, by a permutation test that swaps the two models item by item.

    The models are swapped in all rows of a cluster or in none. If there are no more ways to do so than draws,
    all are tried; otherwise random ones, with the observed order counted as one, so that p is never 0. The
    arguments are those of `paired_bootstrap`.

    Raises:
        Undefined: Both models have the same answers everywhere, or the metric is undefined after a swap.
    """
    if all(np.array_equal(x, y) for x, y in zip(a, b, strict=True)):
        raise Undefined(
            "both models have the same answers to every item, so there is nothing to test"
        )
    codes, k = clustered(clusters)
    of_a, of_b = metric(*a), metric(*b)
    # Swaps with mathematically equal differences may differ in the last digits.
    seen = abs(of_a - of_b) - ROUNDING * max(abs(of_a), abs(of_b))
    extreme = total = 0
    for flips in _exchanges(k, draws, rng):
        rows = flips[codes]
        swapped_a = [np.where(rows, y, x) for x, y in zip(a, b, strict=True)]
        swapped_b = [np.where(rows, x, y) for x, y in zip(a, b, strict=True)]
        try:
            extreme += abs(metric(*swapped_a) - metric(*swapped_b)) >= seen
        except Undefined as undefined:
            raise Undefined(f"after swapping the two models, {undefined}") from None
        total += 1
    if total == 2**k:  # all ways, the observed one among them
        return extreme / total
    return (1 + extreme) / (1 + total)


def _exchanges(k: int, draws: int, rng: np.random.Generator) -> Iterator[npt.NDArray[np.bool_]]:
    """Yields which clusters are swapped, shape (k,) each: all ways if there are few, else random ones."""
    if 2**k <= draws + 1:
        for number in range(2**k):
            yield (number >> np.arange(k) & 1).astype(np.bool_)
        return
    for _ in range(draws):
        yield rng.integers(0, 2, size=k, dtype=np.int8).astype(np.bool_)
