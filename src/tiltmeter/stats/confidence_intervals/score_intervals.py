"""Wilson's interval of a share whose variance a bootstrap shows, and intervals of differences of such shares.

Percentiles of resamples end at 0 and 1, and lie close together where nearly all resamples are there, which
says little of what another sample would give. Wilson's interval of an effective number of items does not
collapse: Franco et al. 2019 (https://pmc.ncbi.nlm.nih.gov/articles/PMC6690503). Differences: Newcombe 1998,
method 10 (doi:10.1002/(SICI)1097-0258(19980430)17:8<873::AID-SIM779>3.0.CO;2-I); Zou and Donner 2008,
doi:10.1002/sim.3095.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.intervals import LEAST, wilson_effective


def score_interval(
    value: float,
    drawn: Array,
    *,
    items: float,
    units: int,
    freedom: float | None = None,
    why: str = "",
) -> tuple[float, float]:
    """Wilson's 95 % interval of as many items as the share is worth, from 0 to 1.

    A share of so many independent items varies as much as `value` does over resamples, about itself.
    Student's t makes them fewer. Close to 0 and 1 the variance is that of the resamples' mean, if larger.

    Args:
        value: The share on the data.
        drawn: On resamples, shape (draws,).
        items: It is worth no more than so many items; inf where its variance is known to be smaller than
            that of independent items, as of texts drawn within labels.
        units: How many units a resample draws, which are the degrees of freedom plus 1; of two sides that are
            drawn separately, the fewer. The share is worth so many where all resamples equal it.
        freedom: Degrees of freedom, where fewer than those of so many units are known to count.
        why: Why some resamples may have no value; for the message.

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
        have = "has" if lost == 1 else "have"
        raise Undefined(f"{lost:,} of {len(drawn):,} resamples {have} no value{why}")
    if units < 2:  # noqa: PLR2004
        raise Undefined("there is only one to draw, so there is nothing to resample")
    distance = float(np.square(drawn - value).mean())
    spread = max(share * (1 - share) for share in (value, float(drawn.mean())))
    worth = min(items, spread / distance) if distance > LEAST else units
    return wilson_effective(value, max(worth, 1.0), freedom or units - 1)


class VariedValue(Protocol):
    """A number with its resamples and its own interval."""

    @property
    def value(self) -> float:
        """The number on the data."""
        ...

    @property
    def drawn(self) -> Array:
        """The number on each resample, shape (draws,), or else what varies with it from unit to unit."""
        ...

    def interval(self) -> tuple[float, float]:
        """95 % interval, lower bound first."""
        ...


@dataclass(frozen=True, slots=True)
class VariedShare:
    """A share with its resamples, as `score_interval` takes them."""

    value: float
    drawn: Array
    items: float
    units: int
    freedom: float | None = None
    why: str = ""

    def interval(self) -> tuple[float, float]:
        """95 % score interval, from 0 to 1."""
        return score_interval(
            self.value,
            self.drawn,
            items=self.items,
            units=self.units,
            freedom=self.freedom,
            why=self.why,
        )


def interval_of_sum(shares: Sequence[VariedValue], signs: Sequence[int]) -> tuple[float, float]:
    """95 % interval of a sum of shares, each with its sign: those subtracted have −1.

    Each end lies as far from the sum as those of the shares' own intervals do, distances being added up as
    standard deviations are. What shares have in common, such as the texts, shows in the correlation of their
    resamples, which are drawn together. One share has its own interval.

    Raises:
        Undefined: There is only one unit to resample.

    >>> drawn = np.random.default_rng(0).binomial(30, [[0.8], [0.5]], size=(2, 2000)) / 30
    >>> shares = [VariedShare(0.8, drawn[0], 30, 30), VariedShare(0.5, drawn[1], 30, 30)]
    >>> [round(end, 2) for end in interval_of_sum(shares, (1, -1))]
    [0.05, 0.51]
    """
    values, sign = np.array([share.value for share in shares]), np.asarray(signs)
    intervals = np.array([share.interval() for share in shares])  # (shares, 2)
    reach = np.abs(intervals - values[:, None])
    down = np.where(sign > 0, reach[:, 0], reach[:, 1]) * sign
    up = np.where(sign > 0, reach[:, 1], reach[:, 0]) * sign
    alike, total = _correlations(shares), float(values @ sign)
    return total - _reach(down, alike), total + _reach(up, alike)


def interval_of_change(
    first: Sequence[VariedValue], second: Sequence[VariedValue], signs: Sequence[int]
) -> tuple[float, float]:
    """95 % interval of a sum of shares less the same sum of others, all resampled together.

    Raises:
        Undefined: As `score_interval`, or both are the same on all resamples.

    >>> same = [VariedShare(0.5, np.array([0.4, 0.5, 0.6]), 30, 30)]
    >>> interval_of_change(same, same, (1,))
    Traceback (most recent call last):
    tiltmeter.core.errors.Undefined: both are the same on all resamples
    """
    if all(np.array_equal(a.drawn, b.drawn) for a, b in zip(first, second, strict=True)):
        raise Undefined("both are the same on all resamples")
    return interval_of_sum([*first, *second], [*signs, *(-sign for sign in signs)])


def _reach(sides: Array, alike: Array) -> float:
    """How far the end of a sum is, from those of its parts with their signs."""
    together = np.where(np.eye(len(sides)) > 0, 1.0, alike)
    return float(np.sqrt(max(float(sides @ together @ sides), 0.0)))


def _correlations(shares: Sequence[VariedValue]) -> Array:
    """Of the resamples, 0 with one that does not vary."""
    centred = np.array([share.drawn - share.drawn.mean() for share in shares])
    size = np.sqrt((centred**2).sum(axis=1))
    unit = np.divide(
        centred, size[:, None], out=np.zeros_like(centred), where=size[:, None] > LEAST
    )
    return np.asarray(unit @ unit.T)
