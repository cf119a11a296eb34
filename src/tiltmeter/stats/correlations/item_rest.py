"""Which items go with the others: the correlation over models of an item with the rest of its benchmark."""

from collections.abc import Iterator

import numpy as np

from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import LEAST
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

FEWEST_MODELS = 3
"""Over two models every correlation is 1 or −1."""
DRAWS = 1_999
_CELLS = 8_000_000
"""The most numbers of a block of orders, which bounds the memory."""
_ROUNDING = 1e-9


def item_rest(table: Array, clusters: Labels) -> Array:
    """Pearson's r over models of each item with the mean of all items of other clusters, shape (items,).

    An item made from the same template says little that is new, so it is no part of the rest. r is NaN where
    no model varies on the item or on the rest, where there is no other cluster, and with fewer than three
    models.

    Args:
        table: The number of each item for each model, shape (models, items), finite.
        clusters: The cluster of each item, shape (items,).

    >>> table = np.array([[0.0, 0, 1, 5], [1.0, 1, 0, 5], [2.0, 2, 1, 5]])
    >>> abs(item_rest(table, np.arange(4))).round(2)  # of the third with 0, 2, 4; nobody varies on the fourth
    array([0.87, 0.87, 0.  ,  nan])
    """
    if len(table) < FEWEST_MODELS:
        return np.full(table.shape[1], np.nan)
    items, rest = _both(table, clusters)
    return np.asarray((items * rest).sum(axis=0))


def against_rest(table: Array, clusters: Labels, rng: np.random.Generator) -> Array:
    """The p that an item is unrelated to the rest where its r is negative, adjusted over all items.

    The models' answers to all items are put into random orders beside the rest, and the lowest r of any item
    is noted each time (Westfall and Young 1993). p is the share of orders in which it is as low as the item's
    own, the observed order included. So the chance that any item is named that is unrelated to the rest stays
    below 5 %, however many items there are.

    Args:
        table: As `item_rest`; its rows must be independent, so those of related models are averaged first.
        clusters: As `item_rest`.
        rng: The source of the random orders.

    Returns:
        Shape (items,); NaN where r is.
    """
    found = item_rest(table, clusters)
    known = np.isfinite(found)
    p = np.full(len(found), np.nan)
    if not known.any():
        return p
    items, rest = (side[:, known] for side in _both(table, clusters))
    lowest = np.sort(np.concatenate([*_lowest(items, rest, rng)]))
    p[known] = (1 + np.searchsorted(lowest, found[known] + _ROUNDING, side="right")) / (1 + DRAWS)
    return p


def _lowest(items: Array, rest: Array, rng: np.random.Generator) -> Iterator[Array]:
    """The lowest correlation of any item in each random order of the models, in blocks."""
    models = len(items)
    at_once = max(1, _CELLS // items.size)
    for start in range(0, DRAWS, at_once):
        size = min(at_once, DRAWS - start)
        orders = rng.permuted(np.tile(np.arange(models), (size, 1)), axis=1)
        yield np.einsum("dmi,mi->di", items[orders], rest).min(axis=1)


def _both(table: Array, clusters: Labels) -> tuple[Array, Array]:
    """Each item and its rest, centred and scaled over the models, shape (models, items); NaN if constant."""
    codes, k = clustered(clusters)
    sizes = np.bincount(codes, minlength=k)
    others = table.shape[1] - sizes[codes]
    sums = table.sum(axis=1, keepdims=True) - cluster_sums(table.T, codes, k)[codes].T
    with np.errstate(invalid="ignore", divide="ignore"):
        return _scaled(table), _scaled(sums / others)


def _scaled(columns: Array) -> Array:
    centred = columns - columns.mean(axis=0)
    lengths = np.sqrt((centred**2).sum(axis=0))
    lengths[lengths <= LEAST * np.maximum(1.0, np.abs(columns).max(axis=0))] = np.nan
    return np.asarray(centred / lengths)
