"""Equalised-odds difference: how far groups are apart in false and true positive rates.

Source: Hardt, Price and Srebro 2016, doi:10.48550/arXiv.1610.02413.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.labelled_items import NO_GROUP
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Column, Labels
from tiltmeter.metrics.group_gaps import LABELS, ROUNDING
from tiltmeter.metrics.group_sides import dealt_sides, resampled_weights, sides_from, units_of
from tiltmeter.stats.bootstrap import RESAMPLES
from tiltmeter.stats.intervals import percentiles
from tiltmeter.stats.paired_resampling import affordable


def equalized_odds(truth_positive: Column, said_positive: Column, group: Column) -> float:
    """The larger of two spreads over groups: of false positive rates, and of true positive rates.

    In percentage points, at least 0, as `fairlearn.metrics.equalized_odds_difference`.

    Raises:
        Undefined: There are fewer than two groups, or one lacks positive or negative texts.

    >>> truth, said = np.array([1.0, 0, 1, 0]), np.array([1.0, 1, 1, 0])
    >>> equalized_odds(truth, said, np.array(["a", "a", "b", "b"]))
    100.0
    """
    truth, said, group = _of_groups(truth_positive, said_positive, group)
    names, codes = np.unique(group, return_inverse=True)
    if len(names) < 2:  # noqa: PLR2004
        raise Undefined("there are fewer than two groups")
    for label in (0, 1):
        sizes = np.bincount(codes[truth == label], minlength=len(names))
        if (sizes == 0).any():
            raise Undefined(f"{names[int(sizes.argmin())]} has no {LABELS[label]} texts")
    return float(_odds(truth, said, codes[None], len(names), np.ones((1, len(truth))))[0])


def _of_groups(truth: Column, said: Column, group: Column) -> tuple[Array, Array, Labels]:
    """Without texts of no group."""
    labels = np.asarray(group, dtype=np.str_)
    kept = labels != NO_GROUP
    return np.asarray(truth, np.float64)[kept], np.asarray(said, np.float64)[kept], labels[kept]


def _odds(truth: Array, said: Array, codes: Any, k: int, weights: Array) -> Array:
    """Shape (draws,), of codes (draws or 1, n) and weights (draws or 1, n)."""
    spreads = []
    for label in (0, 1):
        mine = truth == label
        rates = []
        for group in range(k):
            here = np.where((codes == group) & mine, weights, 0.0)
            whole = here.sum(axis=1)
            rates.append(
                np.divide(
                    100 * (here @ said), whole, out=np.full(len(whole), np.nan), where=whole > 0
                )
            )
        spreads.append(np.ptp(np.stack(rates), axis=0))
    return np.asarray(np.max(np.stack(spreads), axis=0), dtype=np.float64)


def infer_odds(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of texts within each label; permutation test of the groups.

    A difference of extremes is biased upward: the interval is about the number as it is, and `why` says what
    it would be without any difference between groups.
    """
    del metric
    clusters = clusters[np.asarray(columns[2], dtype=np.str_) != NO_GROUP]
    truth, said, groups = _of_groups(columns[0], columns[1], columns[2])
    names, codes = np.unique(groups, return_inverse=True)
    sides = sides_from([truth, said], codes.astype(np.float64), clusters)
    draws, k = affordable(len(truth) * len(names), RESAMPLES), len(names)
    drawn = [
        _odds(truth, said, codes[None], k, weights)
        for weights in resampled_weights(sides, rng, draws)
    ]
    value = float(_odds(truth, said, codes[None], k, np.ones((1, len(truth))))[0])
    ones = np.ones((1, len(truth)))
    dealt = np.concatenate(
        [_odds(truth, said, _rounded(deal), k, ones) for deal in dealt_sides(sides, rng, draws)]
    )
    p, test, why = None, "", []
    if not np.isnan(dealt).any():
        p = (1 + int((dealt >= value - ROUNDING).sum())) / (1 + len(dealt))
        test = f"permutation test, groups dealt anew within each label, {len(dealt):,} deals"
        why.append(f"{dealt.mean():.1f} expected without any difference between groups")
    low, high, interval = None, None, ""
    try:
        low, high = percentiles(np.concatenate(drawn))
        low, high = min(low, value), max(high, value)
        interval = f"bootstrap of {units_of(sides)} within each label, {draws:,} draws"
    except Undefined as undefined:
        why.append(f"no interval: {undefined}")
    return Inference(low, high, p, interval, test, why="; ".join(why))


def _rounded(values: Array) -> Any:
    return np.rint(values).astype(np.int64)
