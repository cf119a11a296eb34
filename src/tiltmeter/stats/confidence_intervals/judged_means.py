"""The mean of people's judgments of all items, from a sample of them and an automatic judge's on all items.

The estimate is ȳ + w (J̄ − j̄), where y is people's mean judgment of an item and j the judge's; ȳ and j̄ are
means over the items that people judged, and J̄ is the mean over all items. That is the regression estimator
of survey sampling, also called prediction-powered inference with a tuned weight (Angelopoulos, Duchi and
Zrnic 2023, arXiv:2311.01453). The judge's errors widen the interval but never bias the estimate: a judge that
errs at random gets the weight 0, which leaves people's mean. The items that people judge must be drawn at
random.

The interval covers three sources of uncertainty: which items there are (in clusters), which of them people
judged, and which people. It combines the score intervals of the two means over clusters, which do not
collapse if all judgments are equal; that of people's judgments is widened according to the correlation of
judgments by the same person (Cameron, Gelbach and Miller 2011, doi:10.1198/jbes.2010.07136).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Integers
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import (
    CONFIDENCE,
    difference_interval,
    tail_of,
    wilson_clustered,
)
from tiltmeter.stats.confidence_intervals.score_intervals import interval_of_sum
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered, enough

FEW = 10
"""With fewer items judged by people the judge gets the weight 0."""
STEP = 0.25
"""The judge's weight is a multiple of this: tiny weights would make people's equal judgments slightly
unequal, and a score interval of those is far too narrow."""


UNEVEN = 0.05
"""The p below which people were asked about flagged texts significantly more, or less, often than about
others."""


@dataclass(frozen=True, slots=True)
class MeanPart:
    """A mean that is one term of a sum, with how far each cluster moves it and its interval."""

    value: float
    drawn: Array
    ends: tuple[float, float]

    def interval(self, *, confidence: float = CONFIDENCE) -> tuple[float, float]:
        """The interval, as `interval_of_sum` expects it.

        Raises:
            Undefined: Another level than 95 % is asked for: `ends` were computed at that.
        """
        if confidence != CONFIDENCE:
            raise Undefined("a mean corrected by people's judgments has a 95 % interval only")
        return self.ends


@dataclass(frozen=True)
class JudgedItems:
    """The judgments of items by an automatic judge and by people, as numbers from -1 or 0 to 1.

    >>> judge, votes = np.tile([1.0, -1.0], 20), np.full((40, 1), np.nan)
    >>> votes[:20, 0] = judge[:20]
    >>> agreeing = JudgedItems(judge, votes, np.zeros((40, 1)), np.arange(40))
    >>> agreeing.weight, agreeing.mean
    (1.0, 0.0)
    """

    judge: Array
    """The judge's number for each item, shape (n,); NaN where the judge gives none, which counts as 0."""
    votes: Array
    """The number given by each person, shape (n, most people on an item); NaN where there is none."""
    people: Array
    """The number that identifies the person of each vote, of the same shape; NaN where it is not known."""
    codes: Integers
    """The number of each item's cluster, shape (n,)."""
    least: float = -1.0
    """The lowest possible number, -1 or 0."""

    @classmethod
    def of(cls, columns: Sequence[Array], codes: Integers, *, least: float = -1.0) -> "JudgedItems":
        """From columns: the judge's numbers, those given by each person, then the number of each person."""
        judge, *said = columns
        votes, people = np.split(np.stack(said, axis=1), 2, axis=1)
        return cls(judge, votes, people, codes, least)

    @property
    def known(self) -> Array:
        """The judge's numbers, with 0 where there is none; shape (n,)."""
        return np.nan_to_num(self.judge)

    @property
    def asked(self) -> npt.NDArray[np.bool_]:
        """Whether people judged each item, shape (n,)."""
        return np.asarray(~np.isnan(self.votes).all(axis=1))

    @property
    def said(self) -> Array:
        """People's mean judgment of each item that they judged, shape (judged items,)."""
        return np.asarray(np.nanmean(self.votes[self.asked], axis=1))

    @property
    def weight(self) -> float:
        """The weight of the judge, from 0 to 1: the slope of people's judgments on the judge's, rounded down.

        It is not rounded if people were asked about flagged texts more, or less, often than about others. The
        estimate is then the mean of people's judgments of flagged and of other texts, weighted by their
        numbers among all texts, which does not depend on how often people were asked about either.
        """
        judge = self.known[self.asked]
        if len(judge) < FEW or np.ptp(judge) == 0:
            return 0.0
        both = np.cov(self.said, judge)
        slope = float(both[0, 1] / both[1, 1])
        rounded = slope if self.is_uneven else np.floor(slope / STEP) * STEP
        return float(np.clip(rounded, 0, 1))

    @property
    def is_uneven(self) -> bool:
        """Whether the judge's verdicts are related to which texts people were asked about (p < UNEVEN)."""
        from scipy.special import ndtr

        together = (self.asked - self.asked.mean()) * (self.known - self.known.mean())
        size = float(together @ together) ** 0.5
        return size > 0 and float(2 * ndtr(-abs(together.sum()) / size)) < UNEVEN

    @property
    def mean(self) -> float:
        """The estimated mean of people's judgments of all items.

        Raises:
            Undefined: People judged none of the items.
        """
        if not self.asked.any():
            raise Undefined("people have judged none of these items")
        gained = self.known.mean() - self.known[self.asked].mean()
        return float(self.said.mean() + self.weight * gained)

    def interval(self) -> tuple[float, float]:
        """95 % interval of the mean.

        Raises:
            Undefined: People judged no items, or only items of one cluster.
        """
        codes, k = enough(self.codes)
        low, high = corrected_interval([self.parts(codes, k)])
        return max(self.least, low), min(1.0, high)

    def parts(self, codes: Integers, k: int) -> list[MeanPart]:
        """The terms whose sum is the estimate; `codes` numbers the clusters from 0 to k − 1."""
        weight, asked, judge = self.weight, self.asked, self.known
        rest = self.said - weight * judge[asked]
        low, high = self._interval(rest, codes[asked], weight)
        mean, wider = float(rest.mean()), self._widening(rest, codes[asked])
        ends = mean - wider * (mean - low), mean + wider * (high - mean)
        parts = [MeanPart(mean, _moved(rest, codes[asked], k), ends)]
        if weight:
            parts.append(judge_part(judge, codes, k, weight=weight, least=self.least))
        return parts

    def _interval(self, rest: Array, codes: Integers, weight: float) -> tuple[float, float]:
        """The interval, over clusters, of the mean of people's judgments minus what the judge explains."""
        if (
            weight and self.is_uneven
        ):  # the weight is no round number, and equal judgments are unequal
            return bounded_mean(
                rest, codes, (self.least - weight, 1 - weight * min(self.least, 0.0))
            )
        if weight or self.least:
            return difference_interval(rest, codes, 1 + weight)
        return wilson_clustered(rest, codes)

    def _widening(self, rest: Array, codes: Integers) -> float:
        """The factor, at least 1, that widens the interval so that it also covers other people than these."""
        from scipy.special import ndtri, stdtrit

        votes, people = self.votes[self.asked], self.people[self.asked]
        given = ~np.isnan(votes) & ~np.isnan(people)
        who, count = clustered(people[given].astype(np.int64))
        items, k = clustered(codes)
        moved = _moved(rest, items, k)
        over_items = k / max(k - 1, 1) * float(moved @ moved)
        if count < 2 or not over_items:  # noqa: PLR2004
            return 1.0
        apart = votes - (self.said - rest)[:, None] - rest.mean()
        each = (apart / given.sum(axis=1, keepdims=True))[given] / len(rest)
        cells, size = clustered(np.repeat(items, given.sum(axis=1)) * count + who)
        by_person, by_cell = cluster_sums(each, who, count), cluster_sums(each, cells, size)
        more = count / (count - 1) * float(by_person @ by_person) - float(by_cell @ by_cell)
        few = float(stdtrit(count - 1, tail_of()) / ndtri(tail_of()))
        return float((1 + max(more, 0.0) * few**2 / over_items) ** 0.5)


def judge_part(
    judge: Array, codes: Integers, k: int, *, weight: float = 1.0, least: float = -1.0
) -> MeanPart:
    """The judge's mean over all items times its weight; by itself it says something about the judge only."""
    interval = wilson_clustered if least == 0 else partial(difference_interval, most=1)
    low, high = interval(judge, codes)
    value = weight * float(judge.mean())
    return MeanPart(value, _moved(weight * judge, codes, k), (weight * low, weight * high))


def corrected_interval(
    sides: Sequence[Sequence[MeanPart]], signs: Sequence[int] = (1, -1)
) -> tuple[float, float]:
    """The interval of one estimate, or of the difference of two, from their terms."""
    parts = [part for side in sides for part in side]
    of_parts = [sign for side, sign in zip(sides, signs, strict=False) for _ in side]
    return interval_of_sum(parts, of_parts)


def _moved(values: Array, codes: Integers, k: int) -> Array:
    return cluster_sums(values - values.mean(), codes, k) / len(values)
