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

LARGEST = 64.0
"""How many times the sum that is seen an end may be."""
HALVINGS = 40


@dataclass(frozen=True, slots=True)
class DistanceSum:
    """The sum of the absolute values of some parts."""

    parts: Array
    """On the data, with signs; shape (parts,)."""
    drawn_parts: Array
    """On resamples, shape (draws, parts)."""
    units: int
    """How many units a resample draws; of two sides that are drawn separately, the fewer."""

    @property
    def value(self) -> float:
        """The sum on the data."""
        return float(np.abs(self.parts).sum())

    @property
    def drawn(self) -> Array:
        """The sums on resamples, shape (draws,)."""
        return np.asarray(np.abs(self.drawn_parts).sum(axis=1))

    @property
    def how(self) -> str:
        """The kind of its interval."""
        return "inverted test"

    def interval(self, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The true sums with which the one seen is neither among the lowest nor among the highest.

        True parts are taken to be proportional to those seen, and those seen to be apart from them as
        resamples are apart from the data. 0 belongs to the interval where chance alone explains the sum;
        the sum itself always does.

        Raises:
            Undefined: There is only one unit, or all resamples are alike.

        >>> noise = np.random.default_rng(0).normal(size=(2000, 4))
        >>> seen = np.array([1.0, -1.0, 0.5, 0.0])
        >>> [round(end, 1) for end in DistanceSum(seen, seen + noise, 100).interval()]
        [0.0, 4.3]
        >>> [round(end, 1) for end in DistanceSum(10 * seen, 10 * seen + noise, 100).interval()]
        [20.6, 27.8]
        """
        apart = (self.drawn_parts - self.parts) * stretch(self.units, confidence)
        if np.abs(apart).max() <= LEAST:
            raise Undefined("all resamples are alike")
        tail = tail_of(confidence)

        def of_noise(times: float, share: float) -> float:
            """A quantile of the sum where the true parts are so many times those seen."""
            return float(np.quantile(np.abs(times * self.parts + apart).sum(axis=1), share))

        low = self._times(lambda times: of_noise(times, 1 - tail))
        high = self._times(lambda times: of_noise(times, tail))
        return min(low, 1.0) * self.value, max(high, 1.0) * self.value

    def _times(self, quantile: Callable[[float], float]) -> float:
        """The factor with which the quantile is the sum that is seen; 0 where it is higher without any."""
        least, most = 0.0, LARGEST
        if not self.value or quantile(least) >= self.value:
            return 0.0
        for _ in range(HALVINGS):
            middle = (least + most) / 2
            least, most = (middle, most) if quantile(middle) < self.value else (least, middle)
        return most
