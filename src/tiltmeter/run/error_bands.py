"""How far apart two precisions put the same scores, and which items lie too near a tie to be sure.

A decision is a comparison of two scores of one item. A quick precision moves scores; a decision can
change only where it moves a margin, the difference of the two, by more than the margin is wide.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

import numpy as np

from tiltmeter.core.results import Record
from tiltmeter.core.types import Array, Integers
from tiltmeter.run.columns import ASIDE

SAMPLED = 0.05
"""The share of the items that are scored in both precisions to begin with."""
LEAST, MOST = 64, 2048
"""Bounds of how many that are."""
FACTOR = 2.0
"""How many times the largest error that was measured is allowed for where none was."""


def nearest(record: Record) -> float:
    """The smallest distance between two scores that are compared; infinite where there are no two.

    >>> nearest(Record("1", {"more": -3.0, "less": -3.5, "tokens_more": 4.0}, {}))
    0.5
    """
    scores = sorted(record.scores[name] for name in compared(record))
    return min((b - a for a, b in pairwise(scores)), default=float("inf"))


def error(rough: Record, exact: Record) -> float:
    """The largest distance between a margin in one precision and the same in the other.

    What moves both scores alike changes no decision, and counts for nothing.

    >>> rough = Record("1", {"more": -3.0, "less": -3.5}, {})
    >>> error(rough, Record("1", {"more": -4.25, "less": -4.5}, {}))
    0.25
    """
    moved = [exact.scores[name] - rough.scores[name] for name in compared(rough)]
    return max(moved, default=0.0) - min(moved, default=0.0)


def compared(record: Record) -> list[str]:
    """Names of the scores that are held against each other."""
    return [name for name in record.scores if not name.startswith(ASIDE)]


def sample(kinds: Integers, seed: int) -> Integers:
    """Which items to score in both precisions, in order: a seeded draw from each kind by itself.

    Args:
        kinds: Of each item a number; items of two kinds are scored by two rules. Shape (n,).
        seed: Of the draw.
    """
    drawn = []
    for kind in np.unique(kinds).tolist():
        mine = np.flatnonzero(kinds == kind)
        size = min(len(mine), MOST, max(LEAST, round(SAMPLED * len(mine))))
        rng = np.random.default_rng([seed, kind, len(mine)])
        drawn.append(rng.choice(mine, size, replace=False))
    return np.sort(np.concatenate(drawn)) if drawn else np.array([], dtype=np.int64)


class Bands:
    """For each kind of item, how near a tie its margins may be and still be trusted."""

    def __init__(self, rough: Iterable[Record], kinds: Integers, edge: float = 0.0) -> None:
        self.kinds = kinds
        self.edge = edge
        """Scores no further apart than this may be rounded to the same, wherever they lie."""
        self.nearest: Array = np.fromiter(map(nearest, rough), np.float64, len(kinds))  # (n,)
        self.measured = np.zeros(len(kinds), dtype=bool)  # (n,)
        self.largest: Array = np.zeros(int(kinds.max(initial=-1)) + 1)  # (kinds,)
        """The largest error among the items measured so far."""
        self.drawn: Integers = np.zeros(len(self.largest), dtype=np.int64)  # (kinds,)
        """How many of each kind were drawn at random: those that were measured first."""

    def add(self, at: Integers, errors: Sequence[float]) -> None:
        """These items are scored in float32 too, and so far from it were they."""
        if not self.measured.any():
            self.drawn = np.bincount(self.kinds[at], minlength=len(self.largest))
        self.measured[at] = True
        np.maximum.at(self.largest, self.kinds[at], errors)

    @property
    def widths(self) -> Array:
        """Of each kind, the half-width of the band, shape (kinds,)."""
        return FACTOR * self.largest

    def doubtful(self) -> Integers:
        """Items inside the band that are not measured yet, in order.

        Equal scores are always inside: whether that is a tie only float32 can say.
        """
        inside = self.nearest <= self.edge + self.widths[self.kinds]
        return np.flatnonzero(inside & ~self.measured)

    def risk(self) -> float:
        """How many decisions, at most, may be expected to differ from float32's.

        An item's decision differs only if its error is a times the largest drawn one, where a is its
        margin over that. Of n errors drawn at random the largest has a share U of all errors above it
        that averages 1 / (n + 1); where large errors fall off no slower than exponentially, at most
        U^a of them are beyond a times it, which averages a! n! / (n + a)!. This is their sum over all
        items that were not measured.
        """
        from scipy.special import gammaln  # noqa: PLC0415  (slow to import)

        rest = ~self.measured
        kinds = self.kinds[rest]
        with np.errstate(divide="ignore", invalid="ignore"):
            a = np.clip((self.nearest[rest] - self.edge) / self.largest[kinds], 1.0, 1e4)  # (rest,)
        n = self.drawn[kinds].astype(np.float64)
        return float(np.exp(gammaln(a + 1) + gammaln(n + 1) - gammaln(n + a + 1)).sum())
