"""The default comparison: the difference of any measure between two models on the same items."""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Column, Labels
from tiltmeter.metrics.preference_inference import FEW
from tiltmeter.stats.bootstrap import RESAMPLES, count_of_clusters
from tiltmeter.stats.paired_resampling import (
    EXCHANGES,
    affordable,
    paired_bootstrap,
    paired_permutation,
)


def compare_resampled(
    metric: Callable[..., float],
    a: Sequence[Column],
    b: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """A's value less B's; paired bootstrap and paired permutation test over items or whole clusters.

    With more than 50,000 items there are fewer draws, and a caution says how many.

    Raises:
        Undefined: The metric has no value for one of the two models.
    """
    value = metric(*a) - metric(*b)
    n, k = len(clusters), count_of_clusters(clusters)
    units = "items" if k == n else "whole clusters"
    draws, exchanges = affordable(n, RESAMPLES), affordable(n, EXCHANGES)
    why = [f"only {k} {units}: the interval is rough"] if 1 < k < FEW else []
    if draws < RESAMPLES:
        why.append(f"{draws:,} draws instead of {RESAMPLES:,}, because there are {n:,} items")
    low, high, p = None, None, None
    try:
        low, high = paired_bootstrap(metric, a, b, clusters, rng, draws=draws)
    except Undefined as undefined:
        why.append(f"no interval: {undefined}")
    try:
        p = paired_permutation(metric, a, b, clusters, rng, draws=exchanges)
    except Undefined as undefined:
        why.append(f"no test: {undefined}")
    interval = "" if low is None else f"stretched paired bootstrap of {units}, {draws:,} draws"
    test = "" if p is None else f"permutation test that swaps the two models by {units}"
    return value, Inference(low, high, p, interval, test, why="; ".join(why))
