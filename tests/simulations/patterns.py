"""The patterns from which simulations of intervals draw the truth, whatever the interval is of.

Each says how far every cluster of items leans and how far single items are from their clusters. A study's
columns are made of these numbers, and a measure's true value is its value on very many such clusters.
"""

from dataclasses import dataclass

import numpy as np
from scipy.special import logit, ndtri

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
    shape: object = lambda rng, n: rng.normal(size=n)
    """From a random generator and a number of items to how far each is from its cluster, in `noise`."""
    zipf: bool = False
    """Whether clusters have sizes of Zipf's law, up to ten times the least."""
    fewer: bool = False
    """Whether there are only half as many clusters, the largest of which has sixteen times the items of the
    smallest."""
    kept: object = None
    """From a random generator and how far each item leans to whether it is not missing, shape (n,)."""

    def items(self, rng, clusters, each):
        """Items of so many clusters of about so many each."""
        if self.fewer and clusters <= 1000:
            clusters, each = max(clusters // 2, 6), 2 * each if each > 1 else 1
        sizes = np.full(clusters, each)
        if self.fewer and clusters <= 1000 and each > 2:
            sizes = np.maximum(1, np.rint(each * np.geomspace(0.25, 4, clusters) / 1.35)).astype(
                int
            )
        if self.uneven and clusters <= 1000:
            sizes = np.maximum(1, np.rint(each * np.geomspace(0.4, 2.5, clusters))).astype(int)
        if self.zipf and each > 1:
            sizes = np.maximum(
                1, np.rint(each * np.minimum(rng.zipf(1.8, size=clusters), 10) / 2.2)
            )
            sizes = sizes.astype(int)
        lean, noise = self.lean(rng, clusters), self.noise(rng, clusters)
        code = np.repeat(np.arange(clusters), sizes)
        x = lean[code] + noise[code] * self.shape(rng, len(code))
        if self.kept is not None:
            there = self.kept(rng, x)
            x, code = x[there], code[there]
        return Items(x, code, rng)


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

FAR = ndtri(0.95)
"""Clusters that lean so far have 95 % of their items above 0."""


def _two_levels(level, far, share):
    return lambda rng, k: np.where(rng.random(k) < share, far, level)


RARE_ABOVE = Pattern("rare tail above", _two_levels(-FAR, FAR, 0.1))
RARE_BELOW = Pattern("rare tail below", _two_levels(FAR, -FAR, 0.1))
U_SHAPED = Pattern(
    "U-shaped", lambda rng, k: ndtri(np.clip(rng.beta(0.3, 0.3, size=k), 0.001, 0.999))
)
FEW_UNEQUAL = Pattern("few unequal clusters", _normal, fewer=True)
MISSING = Pattern(
    "missing not at random",
    _two_levels(-FAR, FAR, 0.1),
    kept=lambda rng, x: rng.random(len(x)) < np.where(x > 0, 0.4, 0.9),
)
CONCENTRATED = (RARE_ABOVE, RARE_BELOW, U_SHAPED, FEW_UNEQUAL, MISSING)
"""Most clusters at one level and one in ten at the other end, all at one end or the other, few clusters of
unlike sizes, and items that are missing the more often the further they lean."""


def _mixture(rng, k):
    return rng.choice([-1.5, 0.4, 2.0], size=k, p=[0.3, 0.5, 0.2]) + 0.2 * rng.uniform(
        -1, 1, size=k
    )


HELD_OUT = (
    Pattern("Laplace", lambda rng, k: rng.laplace(0.2, 0.6, size=k),
            shape=lambda rng, n: rng.standard_t(3, size=n) / 3**0.5),
    Pattern("mixture", _mixture, shape=lambda rng, n: rng.laplace(size=n) / 2**0.5),
    # an item is above 0 with its cluster's beta-distributed chance
    Pattern("beta-binomial", lambda rng, k: logit(np.clip(rng.beta(0.8, 1.6, size=k), 1e-6, 1 - 1e-6)),
            shape=lambda rng, n: rng.logistic(size=n)),
    Pattern("Zipf", lambda rng, k: rng.logistic(-0.2, 0.5, size=k), zipf=True,
            shape=lambda rng, n: rng.standard_t(3, size=n) / 3**0.5),
)  # fmt: skip
"""Patterns that no interval was designed with: for simulations that check those made with the others."""
