"""Intervals of agreement that depends on few items, by a Bayesian bootstrap that allows for unseen items.

If one answer is rare, a chance-corrected coefficient rests on the few items that have it, and a sample may
well contain none on which annotators would disagree, or none on which they would agree. Each item gets a
random weight (Rubin 1981, doi:10.1214/aos/1176345338). For the lower end an additional item is included, on
which one annotator gives the answer that is farthest from all others and the rest the one that is closest to
them; for the upper end, one on which all give the farthest. For nominal answers these are the rarest and the
most common one. On average the additional item has half the weight of an observed one. Jeffreys' interval of
a share does the same: it adds half a success and half a failure.
"""

from collections.abc import Callable

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.raters.agreement_intervals import PARTS
from tiltmeter.stats.resampling.bootstrap import enough

DRAWS = 2000
UNSEEN = 0.5
"""The mean weight of the unseen item; that of each observed item is 1."""
TAIL = 2.5
"""The percentage of draws beyond either end."""


def unseen_items_interval(
    value: float,
    counts: Array,
    distances: Array,
    features: Callable[[Array], Array],
    value_of: Callable[[Array], Array],
    clusters: Labels | None = None,
) -> Inference:
    """The 95 % interval of an agreement that is a function of sums over items.

    Args:
        value: The agreement on the items themselves; the interval always contains it.
        counts: How often each item got each value, shape (items, values).
        distances: The distance between any two values, shape (values, values).
        features: Computes from counts the features that are summed, shape (items, features).
        value_of: Computes the agreement, shape (draws,), from sums of features, shape (draws, features); NaN
            where it is undefined.
        clusters: The cluster of each item, shape (items,); whole clusters are then weighted.
    """
    try:
        codes, k = enough(np.arange(len(counts)) if clusters is None else clusters)
    except Undefined as none:
        return Inference(None, None, why=f"no interval: {none}")
    # Grouped at random: in the order of the file, a part could hold only questions of one kind.
    part = np.random.default_rng(0).permutation(k)[codes] % PARTS
    given = features(counts)
    parts = min(k, PARTS)
    sums = np.zeros((parts, given.shape[1]))
    np.add.at(sums, part, given)
    low, high = (
        _end(sums, features(item), value_of, share)
        for item, share in zip(_unseen(counts, distances), (TAIL, 100 - TAIL), strict=True)
    )
    over = "items" if clusters is None else "clusters of items"
    name = f"Bayesian bootstrap over {over} with half an unseen item, {DRAWS:,} draws"
    return Inference(min(low, value), max(high, value), interval=name)


def _unseen(counts: Array, distances: Array) -> tuple[Array, Array]:
    """The counts of an item on which one annotator gives the farthest answer, and of one on which all do."""
    totals = counts.sum(axis=0)
    raters = float(counts.sum(axis=1).mean())
    apart_from_all = distances @ totals
    apart_from_all[totals == 0] = np.nan
    close = int(np.nanargmin(apart_from_all))
    farthest = np.flatnonzero(apart_from_all == np.nanmax(apart_from_all))
    far = int(farthest[len(farthest) // 2])
    apart, equal = np.zeros((2, 1, len(totals)))
    apart[0, far], apart[0, close] = 1, raters - 1
    equal[0, far] = raters
    return apart, equal


def _end(sums: Array, unseen: Array, value_of: Callable[[Array], Array], percent: float) -> float:
    weights = np.random.default_rng(0).gamma(
        np.append(np.ones(len(sums)), UNSEEN), size=(DRAWS, len(sums) + 1)
    )
    weights *= len(sums) / weights.sum(axis=1, keepdims=True)
    values = value_of(weights @ np.concatenate([sums, unseen]))
    return float(np.nanpercentile(values, percent))
