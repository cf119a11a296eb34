"""Intervals of sums of distances, such as how far shares are from probabilities, bin by bin.

A distance is never negative, so chance alone makes it positive: the sum is too high, most of all where there
is no true distance, and resamples are higher still. Their percentiles then leave out the true value nearly
always. The interval here asks instead which true sums would make the one that is seen likely.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.bootstrap_intervals import stretch
from tiltmeter.stats.intervals import CONFIDENCE, LEAST, tail_of

DRAWS = 1_000
FEWEST = 199
CELLS = 8_000_000
"""Most numbers that are held at once: terms in all draws."""


@dataclass(frozen=True, slots=True)
class DistanceSum:
    """The sum of the absolute values of some terms."""

    terms: Array
    """On the data, with signs; shape (terms,)."""
    drawn_terms: Array
    """On resamples, shape (draws, terms)."""
    units: int
    """How many units a resample draws; of two sides that are drawn separately, the fewer."""

    @property
    def value(self) -> float:
        """The sum on the data."""
        return float(np.abs(self.terms).sum())

    @property
    def drawn(self) -> Array:
        """The sums on resamples, shape (draws,)."""
        return np.asarray(np.abs(self.drawn_terms).sum(axis=1))

    @property
    def how(self) -> str:
        """The kind of its interval."""
        return "inverted test"

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The true sums with which the one seen is neither among the lowest nor among the highest.

        True terms are taken to be proportional to those seen, and those seen to be apart from them as
        resamples are apart from the data; of few units, quantiles are as much farther from the median as
        Student's t are than the normal distribution's. 0 belongs to the interval where chance alone explains
        the sum; the sum itself always does.

        Raises:
            Undefined: There is only one unit, or all resamples are alike.

        >>> noise = np.random.default_rng(0).normal(size=(2000, 4))
        >>> seen = np.array([1.0, -1.0, 0.5, 0.0])
        >>> [round(end, 1) for end in DistanceSum(seen, seen + noise, 100).interval()]
        [0.0, 4.5]
        >>> [round(end, 1) for end in DistanceSum(10 * seen, 10 * seen + noise, 100).interval()]
        [20.6, 27.8]
        """
        tail = tail_of(confidence)
        low, high = (self._with_quantile(share, confidence) for share in (1 - tail, tail))
        return min(low, self.value), max(high, self.value)

    @property
    def centre(self) -> float:
        """The true sum with which the one seen is the median; 0 where chance alone gives higher ones.

        Raises:
            Undefined: As `interval`.

        >>> noise = np.random.default_rng(0).normal(size=(2000, 4))
        >>> seen = np.array([3.0, -3.0, 1.0, 0.0])
        >>> round(DistanceSum(seen, seen + noise, 100).centre, 1)
        6.0
        """
        return self._with_quantile(0.5, CONFIDENCE)

    def _with_quantile(self, share: float, confidence: float) -> float:
        """The true sum with which that quantile is the sum seen."""
        wider = stretch(self.units, confidence)
        unbiased = (self.units / (self.units - 1)) ** 0.5
        apart = (self.drawn_terms - self.terms) * unbiased
        if np.abs(apart).max() <= LEAST:
            raise Undefined("all resamples are alike")

        def beyond(times: float) -> float:
            """How far the quantile is above what is seen if the true terms are so many times those seen."""
            sums = np.abs(times * self.terms + apart).sum(axis=1)
            middle, end = np.quantile(sums, [0.5, share])
            # `wider` contains `unbiased`, by which the draws are apart already.
            return float(middle + wider / unbiased * (end - middle)) - self.value

        return _root(beyond) * self.value


def drawn_by_jackknife(terms: Array, without: Array, multipliers: Array) -> DistanceSum:
    """A sum of distances whose terms vary as a jackknife shows; nothing is drawn, so no term can get lost.

    Args:
        terms: On the data, shape (terms,).
        without: Without each unit, shape (units, terms).
        multipliers: Standard normal, as `multipliers_for` gives them; sums with the same ones vary together.
    """
    k = len(without)
    drawn = terms + multipliers @ (without - without.mean(axis=0)) * (k - 1) / k
    return DistanceSum(terms, drawn, k)


def multipliers_for(units: int, terms: int, rng: np.random.Generator) -> Array:
    """Standard normal numbers for each unit in each draw, (draws, units); very many terms get fewer draws."""
    return rng.normal(size=(max(FEWEST, min(DRAWS, CELLS // max(terms, 1))), units))


def _root(rising: Callable[[float], float]) -> float:
    """Where a rising function of a number of times crosses 0; 0 if it starts above."""
    from scipy.optimize import brentq

    if rising(0.0) >= 0:
        return 0.0
    most = 1.0
    while rising(most) < 0:
        most *= 2
    return float(brentq(rising, 0.0, most, xtol=1e-4))
