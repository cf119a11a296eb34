"""Log loss less the entropy of the held-out votes, for runs that were written before it was measured.

The entropy of the votes depends on the pool, the seed and the split alone. So a finished run need not be
repeated: the pool is read again, if it is on this machine and still the same.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.active.measure_table import MeasureTable
from tiltmeter.active.pool_result import EXCESS, LOG_LOSS
from tiltmeter.active.published_votes import open_pool
from tiltmeter.active.run_manifest import RunManifest
from tiltmeter.active.votes import VotePool, split_items
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.types import Array
from tiltmeter.metrics.distributions import entropy


def with_excess(found: MeasureTable, manifest: RunManifest) -> tuple[MeasureTable, Array | None]:
    """The measures with the excess log loss, and the mean entropy of the held-out votes, one a seed.

    Returns:
        The measures as they are, and None, where all runs have the excess or the pool is not to be had.
    """
    if LOG_LOSS not in found.values or _complete(found.values.get(EXCESS, {}), found.strategies):
        return found, None
    pool = _pool_of(manifest)
    if pool is None:
        return found, None
    entropies = vote_entropies(pool, found.seeds, str(manifest.settings.get("measured_on", "test")))
    excess = {name: losses - entropies[:, None] for name, losses in found.values[LOG_LOSS].items()}
    return replace(found, values={**found.values, EXCESS: excess}), entropies


def vote_entropies(pool: VotePool, seeds: Sequence[int], part: str) -> Array:
    """Mean entropy of the votes on the items of the part "test" or "validation", in nats; one a seed."""
    h = entropy(pool.distributions)
    return np.array([h[getattr(split_items(pool, seed), part)].mean() for seed in seeds])


def _complete(values: Mapping[str, Array], strategies: Sequence[str]) -> bool:
    return all(name in values and not np.isnan(values[name]).any() for name in strategies)


def _pool_of(manifest: RunManifest) -> VotePool | None:
    """The pool that the runs were made with; None if it is not on this machine, or has changed."""
    try:
        pool = open_pool(str(manifest.pool.get("name")))
    except TiltmeterError:  # a table of the user's, or a set that is not on this machine
        return None
    return pool if pool.sha256 == manifest.pool.get("sha256") else None
