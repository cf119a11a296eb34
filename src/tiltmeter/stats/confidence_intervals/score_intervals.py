"""Wilson intervals of shares whose variance comes from a bootstrap, and of sums of such shares.

Percentiles of resamples cannot pass 0 and 1, and lie close together if nearly all resamples are there, which
says little about what another sample would give. The Wilson interval with an effective number of items does
not collapse: Franco et al. 2019 (https://pmc.ncbi.nlm.nih.gov/articles/PMC6690503). Differences: Newcombe
1998, method 10 (doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I); Zou and Donner 2008,
doi:10.1002/sim.3095.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, LEAST, wilson_effective


def score_interval(
    value: float,
    drawn: Array,
    *,
    items: float,
    units: int,
    freedom: float | None = None,
    why: str = "",
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """The Wilson interval of a share, from 0 to 1, with the effective number of items from resamples.

    The share of that number of independent items varies as much as the resamples do around `value`; Student's
    t reduces the number. Close to 0 and 1, the variance of an item is that at the resamples' mean if it is
    larger.

    Args:
        value: The share on the data.
        drawn: The share on each resample, shape (draws,).
        items: The maximum effective number of items; inf if the variance is known to be smaller than that of
            independent items, as for texts drawn within labels.
        units: The number of units that a resample draws, which is the degrees of freedom plus 1; if two sides
            are drawn separately, the smaller number. It is also the effective number if all resamples are
            equal.
        freedom: The degrees of freedom, if they are known to be fewer than `units` − 1.
        why: Why some resamples may have no value, for the message.
        confidence: The confidence level.

    Raises:
        Undefined: Some resample has no value, or there are fewer than two units.

    >>> drawn = np.random.default_rng(0).binomial(20, 0.8, size=2000) / 20
    >>> [round(end, 2) for end in score_interval(0.8, drawn, items=20, units=20)]
    [0.57, 0.92]
    >>> [round(end, 2) for end in score_interval(1.0, np.ones(100), items=20, units=20)]
    [0.82, 1.0]
    """
    lost = int(np.isnan(drawn).sum())
    if lost:
        have = verb_for(lost, "have")
        raise Undefined(f"{lost:,} of {counted(len(drawn), 'resamples')} {have} no value{why}")
    if units < 2:  # noqa: PLR2004
        raise Undefined("there is only one to draw, so there is nothing to resample")
    distance = float(np.square(drawn - value).mean())
    spread = max(share * (1 - share) for share in (value, float(drawn.mean())))
    worth = min(items, spread / distance) if distance > LEAST else units
    return wilson_effective(value, max(worth, 1.0), freedom or units - 1, confidence=confidence)


class VariedValue(Protocol):
    """A number with its values on resamples and its own interval."""

    @property
    def value(self) -> float:
        """The number on the data."""
        ...

    @property
    def drawn(self) -> Array:
        """The number on each resample, shape (draws,), or each unit's contribution to it, shape (units,)."""
        ...

    def interval(self, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The interval, lower bound first."""
        ...


@dataclass(frozen=True, slots=True)
class VariedShare:
    """A share with its resamples; the fields are the arguments of `score_interval`."""

    value: float
    drawn: Array
    items: float
    units: int
    freedom: float | None = None
    why: str = ""

    def interval(self, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The score interval, from 0 to 1."""
        return score_interval(
            self.value,
            self.drawn,
            items=self.items,
            units=self.units,
            freedom=self.freedom,
            why=self.why,
            confidence=confidence,
        )


def interval_of_sum(
    shares: Sequence[VariedValue], signs: Sequence[int], *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of a sum of shares with signs; −1 for shares that are subtracted.

    The distance of each end from the sum combines those of the shares' own intervals as standard deviations
    are combined. What shares have in common, such as the texts, shows in the correlation of their resamples,
    which must be drawn together. The interval of a single share is its own.

    Raises:
        Undefined: There is only one unit to resample.

    >>> drawn = np.random.default_rng(0).binomial(30, [[0.8], [0.5]], size=(2, 2000)) / 30
    >>> shares = [VariedShare(0.8, drawn[0], 30, 30), VariedShare(0.5, drawn[1], 30, 30)]
    >>> [round(end, 2) for end in interval_of_sum(shares, (1, -1))]
    [0.05, 0.51]
    """
    values, sign = np.array([share.value for share in shares]), np.asarray(signs)
    intervals = np.array([share.interval(confidence=confidence) for share in shares])  # (shares, 2)
    reach = np.abs(intervals - values[:, None])
    down = np.where(sign > 0, reach[:, 0], reach[:, 1]) * sign
    up = np.where(sign > 0, reach[:, 1], reach[:, 0]) * sign
    alike, total = _correlations(shares), float(values @ sign)
    return total - _reach(down, alike), total + _reach(up, alike)


def interval_of_change(
    first: Sequence[VariedValue],
    second: Sequence[VariedValue],
    signs: Sequence[int],
    *,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """The interval of a sum of shares minus the same sum of other shares, all resampled together.

    Raises:
        Undefined: See `score_interval`; or both sums are the same on all resamples.

    >>> same = [VariedShare(0.5, np.array([0.4, 0.5, 0.6]), 30, 30)]
    >>> interval_of_change(same, same, (1,))
    Traceback (most recent call last):
    tiltmeter.core.errors.Undefined: both are the same on all resamples
    """
    if all(np.array_equal(a.drawn, b.drawn) for a, b in zip(first, second, strict=True)):
        raise Undefined("both are the same on all resamples")
    return interval_of_sum(
        [*first, *second], [*signs, *(-sign for sign in signs)], confidence=confidence
    )


def _reach(sides: Array, alike: Array) -> float:
    """The distance of an end of a sum from its value, from the signed distances of its parts."""
    together = np.where(np.eye(len(sides)) > 0, 1.0, alike)
    return float(np.sqrt(max(float(sides @ together @ sides), 0.0)))


def _correlations(shares: Sequence[VariedValue]) -> Array:
    """The correlations of the shares' resamples, shape (shares, shares); 0 if a share does not vary."""
    centred = np.array([share.drawn - share.drawn.mean() for share in shares])
    size = np.sqrt((centred**2).sum(axis=1))
    unit = np.divide(
        centred, size[:, None], out=np.zeros_like(centred), where=size[:, None] > LEAST
    )
    return np.asarray(unit @ unit.T)
