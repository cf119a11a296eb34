"""The patterns from which simulations of intervals draw the truth, whatever the interval is of.

Each says how far every cluster of items leans and how far single items are from their clusters. A study's
columns are made of these numbers, and a measure's true value is its value on very many such clusters.
"""

from dataclasses import dataclass

import numpy as np

LARGE = 200_000
"""Items from which a true value is computed."""


@dataclass(frozen=True)
class Items:
    """What columns are made of."""

    x: np.ndarray
    """How far each item leans, shape (n,)."""
    code: np.ndarray
    """Its cluster."""
    rng: np.random.Generator
    """For what the columns add."""

    @property
    def n(self):
        return len(self.x)


@dataclass(frozen=True)
class Pattern:
    """How items lean."""

    name: str
    lean: object
    """From a random generator and a number of clusters to how far each leans, shape (k,)."""
    noise: object = lambda _, k: np.ones(k)
    """The same for the standard deviation of items about their cluster."""
    uneven: bool = False
    """Whether a few clusters have most of the items."""

    def items(self, rng, clusters, each):
        """Items of so many clusters of about so many each."""
        sizes = np.full(clusters, each)
        if self.uneven and clusters <= 1000:
            sizes = np.maximum(1, np.rint(each * np.geomspace(0.4, 2.5, clusters))).astype(int)
        lean, noise = self.lean(rng, clusters), self.noise(rng, clusters)
        code = np.repeat(np.arange(clusters), sizes)
        return Items(lean[code] + noise[code] * rng.normal(size=len(code)), code, rng)


def _normal(rng, k):
    return rng.normal(0.3, 0.7, size=k)


DENSE = Pattern("dense", _normal)
SPARSE = Pattern("sparse", lambda rng, k: np.where(rng.random(k) < 0.08, 2.5, 0.0))
NONE = Pattern("none", lambda _, k: np.zeros(k))
TAILS = Pattern("heavy tails", lambda rng, k: 0.2 + 0.5 * rng.standard_t(3, size=k))
SKEWED = Pattern("skewed", lambda rng, k: rng.exponential(size=k) - 0.7)
UNEQUAL = Pattern("unequal noise", _normal, lambda rng, k: np.where(rng.random(k) < 0.5, 0.2, 2.0))
UNEVEN = Pattern("uneven clusters", _normal, uneven=True)
ONE_SIDED = Pattern("nearly all alike", lambda rng, k: 2.0 + 0.5 * rng.normal(size=k))
RARE = Pattern("hardly any", lambda rng, k: -2.0 + 0.5 * rng.normal(size=k))
PATTERNS = (DENSE, SPARSE, NONE, TAILS, SKEWED, UNEQUAL, UNEVEN, ONE_SIDED, RARE)
