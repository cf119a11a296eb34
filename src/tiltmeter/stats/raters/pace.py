"""Finds people who answer far faster than others do on the same items."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.types import Array
from tiltmeter.stats.hypothesis_tests.exact_tests import benjamini_hochberg
from tiltmeter.stats.raters.person_checks import MANY, MARKED

FEWEST_TIMES = 3
"""The minimum number of people whose times make a usual time of an item, and of times of a person."""
FAR = 0.5
"""Only people who take less than this share of the usual time are marked."""
MAD_EFFICIENCY = 0.37
"""The median absolute deviation of n normal values varies as the standard deviation of this share of them."""
_MAD = 1.4826
"""Times the median absolute deviation: the standard deviation of a normal distribution."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a person takes beside others."""

    person: int
    times: int
    """The number of answers with a time."""
    ratio: float
    """The person's typical time as a share of the median of all people on the same items; 1 is as usual."""
    p: float | None
    """The one-sided p of a time this short; None where people are too few, or all alike."""
    too_fast: bool = False
    """Whether p is below `MARKED` after adjustment over all people, and the ratio below `FAR`."""


def paces(seconds: Array) -> list[Pace]:
    """The pace of everybody who has at least three times on items that three people or more answered.

    A person's pace is the median, over items, of the logarithm of the time minus that of the item's median
    time. It is compared with the median of all people's, in units of their median absolute deviation: with
    how much people differ anyway.

    Args:
        seconds: Shape (answers, people), NaN where there is no time; only positive times count.

    >>> usual = np.exp(np.random.default_rng(0).normal(3, 0.3, (20, 30)))
    >>> usual[:, 4] /= 20
    >>> [(pace.person, round(pace.ratio, 2)) for pace in paces(usual) if pace.too_fast]
    [(4, 0.05)]
    """
    known = np.where(seconds > 0, seconds, np.nan)
    logs = np.log(known)[(~np.isnan(known)).sum(axis=1) >= FEWEST_TIMES]
    if not logs.size:
        return []
    beside = logs - np.nanmedian(logs, axis=1, keepdims=True)
    counts = (~np.isnan(beside)).sum(axis=0)
    people = np.flatnonzero(counts >= FEWEST_TIMES)
    means = np.array([float(np.nanmedian(beside[:, person])) for person in people])
    scales = _scales(beside[:, people], means, counts[people])
    middle = float(np.median(means)) if len(means) else 0.0
    ps = [
        _p((m - middle) / s, len(means)) if s > 0 else None
        for m, s in zip(means, scales, strict=True)
    ]
    adjusted = benjamini_hochberg(ps)
    return [
        Pace(
            int(person), int(counts[person]), ratio := math.exp(mean - middle), p,
            too_fast=p_all is not None and p_all < MARKED and ratio < FAR,
        )
        for person, mean, p, p_all in zip(people, means, ps, adjusted, strict=True)
    ]  # fmt: skip


def _scales(beside: Array, means: Array, counts: Array) -> Sequence[float]:
    """The standard deviation of each person's average: larger for those with fewer times than is usual."""
    if len(means) < MANY:
        return [0.0] * len(means)
    scale = _MAD * float(np.median(np.abs(means - np.median(means))))
    within = (_MAD * float(np.nanmedian(np.abs(beside - means)))) ** 2
    more = within * np.maximum(0, 1 / counts - 1 / np.median(counts)) if scale > 0 else 0 * means
    return [math.sqrt(scale**2 + extra) for extra in more]


def _p(z: float, people: int) -> float:
    from scipy.special import stdtr

    return float(stdtr(max(1.0, MAD_EFFICIENCY * (people - 1)), z))
