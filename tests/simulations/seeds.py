"""How often intervals of means over seeds, and of differences of two sets of seeds, contain the true value.

A seed leans by what the pattern says, scaled; items lean by another draw of the pattern. Answers are 0 or 1.
"""

from functools import cache, partial

import numpy as np
from scipy.special import ndtr

from simulations.cases import PatternCase
from simulations.patterns import CONCENTRATED, HELD_OUT, PATTERNS
from tiltmeter.analyses.seeds.item_intervals import interval_over_items
from tiltmeter.analyses.seeds.set_differences import _apart
from tiltmeter.core.measures import Measure, RowValues
from tiltmeter.derived.comparisons.item_values import ItemValues
from tiltmeter.metrics.labels import rate
from tiltmeter.stats.confidence_intervals.crossed_means import over_levels

PATTERN = {pattern.name: pattern for pattern in (*PATTERNS, *CONCENTRATED, *HELD_OUT)}
RATE = Measure(
    "rate", rate, ("flag",), "%", None, mean_of=RowValues(lambda c, _: 100 * c[0], 0, 100)
)
SCALE = 0.4
"""How far seeds lean, in the units of the patterns."""
SHIFT = 0.3
"""What an intervention adds to every seed."""
CLUSTERS, EACH = 30, 5


def lean(pattern, rng, seeds):
    return SCALE * PATTERN[pattern].lean(rng, seeds)


def answered(leans, items, rng):
    """Answers of seeds that lean so, shape (seeds, items), in percent."""
    return 100.0 * (leans[:, None] + items.x + rng.normal(size=(len(leans), items.n)) > 0)


@cache
def truth(pattern, shift=0.0):
    """The mean over very many seeds and items, in percent."""
    rng = np.random.default_rng(5)
    items = PATTERN[pattern].items(rng, 20_000, EACH)
    leans = lean(pattern, rng, 400) + shift
    return 100 * float(np.mean([ndtr(items.x[::25] + one).mean() for one in leans]))


@cache
def of_these(pattern, leans):
    """The mean of these seeds over very many items."""
    rng = np.random.default_rng(5)
    x = PATTERN[pattern].items(rng, 20_000, EACH).x[::5]
    return 100 * float(np.mean([ndtr(x + one).mean() for one in leans]))


def values(table, items):
    return ItemValues(RATE, table, [], items.code.astype(np.int64), True, [], [], 0, False, False)


def over_items(table, items, weights):
    value = float((weights @ table).mean())
    below, above = interval_over_items(values(table, items), weights)
    return value, (value - below, value + above)


def mean(pattern, rng, *, seeds, of_others):
    items, leans = PATTERN[pattern].items(rng, CLUSTERS, EACH), lean(pattern, rng, seeds)
    table = answered(leans, items, rng)
    value, ends = over_items(table, items, np.full(seeds, 1 / seeds))
    if not of_others:
        return *ends, of_these(pattern, tuple(leans))
    return *over_levels(value, ends, table.mean(axis=1), (0, 100)), truth(pattern)


def difference(pattern, rng, *, seeds, is_paired):
    """An intervention on each seed, or on others, on the same items."""
    items, leans = PATTERN[pattern].items(rng, CLUSTERS, EACH), lean(pattern, rng, seeds)
    others = leans if is_paired else lean(pattern, rng, seeds)
    table = np.concatenate([answered(others + SHIFT, items, rng), answered(leans, items, rng)])
    value, ends = over_items(table, items, np.repeat([1 / seeds, -1 / seeds], seeds))
    a, b = table[:seeds].mean(axis=1), table[seeds:].mean(axis=1)
    if is_paired:
        low, high = over_levels(value, ends, a - b, (-100, 100))
    else:
        low, high = _apart(value, ends, (a, b), (0, 100))
    return low, high, truth(pattern, SHIFT) - truth(pattern)


SIZE = f"{CLUSTERS} clusters of {EACH}"
JOINED = "Gaffke over seeds, joined with items"
SEED_CASES = (
    PatternCase("Gaffke over items", "mean of these seeds", f"3 seeds, {SIZE}",
                partial(mean, seeds=3, of_others=False), PATTERNS, 200),
    *(PatternCase(JOINED, "mean of seeds like these", f"{seeds} seeds, {SIZE}",
                  partial(mean, seeds=seeds, of_others=True), PATTERNS, 200) for seeds in (5, 10, 25)),
    *(PatternCase(JOINED, f"difference of two sets, {how}", f"5 seeds, {SIZE}",
                  partial(difference, seeds=5, is_paired=how == "paired"), PATTERNS, 200)
      for how in ("paired", "independent")),
)  # fmt: skip
