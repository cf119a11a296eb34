"""How often the reliability of differences between models is covered, and how often chance is found.

Models answer items made of the patterns: an item leans, and each model adds a leaning of its own and noise.
"""

from functools import cache, partial

import numpy as np
from scipy.special import ndtri

from simulations.cases import NullCase, PatternCase
from simulations.patterns import CONCENTRATED, HELD_OUT, PATTERNS
from tiltmeter.stats.correlations.generalisability import generalisability
from tiltmeter.stats.correlations.item_rest import against_rest

PATTERN = {pattern.name: pattern for pattern in (*PATTERNS, *CONCENTRATED, *HELD_OUT)}
SIZES = {"100 items": (100, 1), "20 clusters of 5": (20, 5)}
MANY = 20_000
"""Clusters from which the true variance between models is computed."""
SAMPLES = 300


def answers(pattern, models, spread, clusters, each, rng):
    """Answers of models that differ by `spread`, 0 or 1, shape (models, items), and the items' clusters."""
    items = PATTERN[pattern].items(rng, clusters, each)
    own = ndtri((np.arange(models) + 0.5) / models) * spread
    inside = 0.4 * rng.normal(size=(models, int(items.code.max()) + 1)) if each > 1 else 0.0
    table = own[:, None] + items.x + 0.7 * rng.normal(size=(models, items.n))
    return (table + (inside[:, items.code] if each > 1 else 0.0) > 0) * 1.0, items.code


@cache
def truth(pattern, models, spread, clusters, each):
    """The reliability over so many clusters: the variance from very many, the error from many samples."""
    if not spread:
        return 0.0
    rng = np.random.default_rng(11)
    made = generalisability(*answers(pattern, models, spread, MANY, each, rng))
    between = made.between - made.error
    tried = (answers(pattern, models, spread, clusters, each, rng) for _ in range(SAMPLES))
    error = np.mean([generalisability(*sample).error for sample in tried])
    return between / (between + error)


def reliable(pattern, rng, *, models, spread, clusters, each):
    table, codes = answers(pattern, models, spread, clusters, each, rng)
    low, high = generalisability(table, codes).interval()
    return low, high, truth(pattern, models, spread, clusters, each)


def alike_p(models, clusters, each, rng):
    """The F test's p that models differ which do not."""
    return generalisability(*answers("dense", models, 0.0, clusters, each, rng)).p()


def any_against(models, items, rng):
    """The smallest p of an item among items of models that do not differ."""
    table, codes = answers("dense", models, 0.0, items, 1, rng)
    return float(np.nanmin(against_rest(table, codes, rng)))


KIND, OF = "noncentral F", "model_reliability"
ITEM_CASES = tuple(
    PatternCase(KIND, OF, f"{models} models, {said}, {n}",
                partial(reliable, models=models, spread=spread, clusters=size[0], each=size[1]), PATTERNS)
    for models, spread, said in ((3, 0.2, "alike"), (3, 0.8, "apart"), (6, 0.2, "alike"), (15, 0.2, "alike"))
    for n, size in SIZES.items()
)  # fmt: skip
ITEM_NULL_CASES = (
    *(NullCase("F test over items", OF, f"{models} models, {n}", partial(alike_p, models, *size), 7, 1000)
      for models in (3, 10) for n, size in SIZES.items()),
    *(NullCase("lowest r in random orders of models", "items_against_rest", f"{models} models, 60 items",
               partial(any_against, models, 60), 7, 1000) for models in (8, 15)),
)  # fmt: skip
