"""Intervals of agreement that hangs on a few items: a Bayesian bootstrap that allows for items not seen yet.

Where one answer is rare, a coefficient that corrects for its chance rests on the few items that have it,
and a sample may well have none on which annotators would disagree, or none on which they would agree. Each
item gets a random weight (Rubin 1981, doi:10.1214/aos/1176345338). For the lower end one more item is
weighed, on which one annotator gives the answer that is farthest from all others and the rest the one that
is closest to them; for the upper end, one on which all give the farthest. Of nominal answers these are the
rarest and the most common. The item weighs half as much as one that was seen, on average. It is what
Jeffreys' interval of a share does, with half a success and half a failure more.
"""

from collections.abc import Callable

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.raters.rating_counts import PARTS
from tiltmeter.stats.resampling.bootstrap import enough

DRAWS = 2000
UNSEEN = 0.5
"""Weight of the item that was not seen, where each that was seen has 1."""
TAIL = 2.5
"""Per cent of the draws that lie beyond either end."""


def unseen_items_interval(
    value: float,
    counts: Array,
    distances: Array,
    features: Callable[[Array], Array],
    value_of: Callable[[Array], Array],
    clusters: Labels | None = None,
) -> Inference:
    """A 95 % interval of an agreement that is a function of sums over items.

    Args:
        value: Of the items themselves; the interval contains it.
        counts: How often each item got each value (items, values).
        distances: How far apart any two values are (values, values).
        features: From counts to what is summed, shape (items, features).
        value_of: From sums of features (draws, features) to the agreement (draws,); NaN where undefined.
        clusters: Which cluster each item belongs to; then clusters are weighed.
    """
    try:
        codes, k = enough(np.arange(len(counts)) if clusters is None else clusters)
    except Undefined as none:
        return Inference(None, None, why=f"no interval: {none}")
    # Dealt by chance: in the order of the file, a part could hold only questions of one kind.
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
    """Counts of an item on which one annotator gives the farthest answer, and of one on which all do."""
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
