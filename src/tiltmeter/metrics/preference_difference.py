"""The difference of two models' stereotype rates on the same pairs."""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Column, Labels, Ties
from tiltmeter.metrics.preference import outcomes
from tiltmeter.stats.bootstrap import count_of_clusters
from tiltmeter.stats.bootstrap_intervals import bootstrap_mean
from tiltmeter.stats.significance import mcnemar_exact, sign_flip


def compare_rates(
    metric: Callable[..., float],
    a: Sequence[Column],
    b: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """A's rate less B's, in percentage points; for `stereotype_rate` and similar metrics.

    The interval resamples items, or whole clusters, with both models' answers. The test is the exact
    McNemar test on the items on which the two models differ or, if items share clusters, a test that swaps
    the two models for whole clusters; with ties="half" a tie lies between the two preferences.

    Raises:
        Undefined: There are no pairs, or scores that are not finite numbers.
    """
    ties: Ties = getattr(metric, "keywords", {}).get("ties", "half")
    of_a, of_b = (
        outcomes(*(np.asarray(side, dtype=np.float64) for side in columns[:2]), ties=ties)
        for columns in (a, b)
    )
    difference = 100 * (of_a - of_b)
    alone = count_of_clusters(clusters) == len(clusters)
    low, high, p, test = None, None, None, ""
    why = []
    try:
        low, high = bootstrap_mean(difference, clusters, rng, within=(-100.0, 100.0))
    except Undefined as undefined:
        why.append(f"no interval: {undefined}")
    try:
        p, test = _tested(of_a, of_b, clusters, rng, alone=alone)
    except Undefined as undefined:
        why.append(f"no test: {undefined}")
    of = "items" if alone else "whole clusters"
    interval = "" if low is None else f"stretched paired bootstrap of {of}, 2,000 draws"
    return float(difference.mean()), Inference(low, high, p, interval, test, why="; ".join(why))


def _tested(
    a: Array, b: Array, clusters: Labels, rng: np.random.Generator, *, alone: bool
) -> tuple[float, str]:
    above, below = int(np.sum(a > b)), int(np.sum(a < b))
    if above + below == 0 or alone:
        return mcnemar_exact(above, below), "exact McNemar test against 0"
    p = sign_flip(np.sign(a - b), clusters, rng)
    return p, "sign-flip test of whole clusters on the items on which the models differ, against 0"
