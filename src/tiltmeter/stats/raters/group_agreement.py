"""Agreement between two groups of raters, and with which of them a judge agrees.

Between two groups, every answer from one is paired with every answer to the same item from the other. The
agreement between groups that is corrected for chance is Wong, Paritosh and Aroyo's κx (2021,
doi:10.18653/v1/2021.acl-long.548): 1 less the mean distance of such pairs over that of all pairs from both,
whatever the items. With equal answers for distance 0 and others for 1 it is nominal.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.crossed_shares import (
    FEWEST,
    RatedValues,
    ShareReach,
    joined_interval,
    over_raters,
)
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, difference_interval
from tiltmeter.stats.raters.agreement_intervals import agreement_interval
from tiltmeter.stats.raters.judge_errors import ITEMS_ALONE, ITEMS_AND_PEOPLE
from tiltmeter.stats.raters.rating_counts import value_counts

FEWEST_SHARED = 5
"""The fewest items of both groups from which a difference has an interval."""


def likeness(values: Array, others: Array, extent: float) -> Array:
    """The similarity of answers, from 0 to 1: whether they are equal, or 1 minus distance / `extent`.

    Args:
        values: Answers; NaN where there is none.
        others: Answers, of a shape that fits.
        extent: The range of the scale; 0 for labels, which are equal or not.

    >>> likeness(np.array([1.0, 2.0]), np.array([1.0, 4.0]), 4).tolist()
    [1.0, 0.5]
    >>> likeness(np.array([1.0, 2.0]), np.array([1.0, 4.0]), 0).tolist()
    [1.0, 0.0]
    """
    if extent > 0:
        return np.asarray(1 - np.abs(values - others) / extent)
    equal = (values == others) * 1.0
    return np.where(np.isnan(values) | np.isnan(others), np.nan, equal)


@dataclass(frozen=True, slots=True)
class TwoGroups:
    """The answers of two groups to the same items, as counts of each value; shape (items, values) each."""

    first: Array
    second: Array
    distances: Array
    """Between any two values, shape (values, values), 0 to 1."""

    @classmethod
    def of(cls, first: Array, second: Array, extent: float) -> "TwoGroups":
        """From ratings, shape (items, raters), NaN where there is none; `extent` as of `likeness`.

        Raises:
            Undefined: No item was rated by both.
        """
        counts, values = value_counts(np.concatenate([first, second], axis=1))
        of_first = np.stack([(first == value).sum(axis=1) for value in values], axis=1)
        both = (of_first.sum(axis=1) > 0) & ((counts - of_first).sum(axis=1) > 0)
        if not both.any():
            raise Undefined("no item was answered by people of both groups")
        distances = 1 - likeness(values[:, None], values, extent)
        return cls(of_first[both] * 1.0, (counts - of_first)[both], np.asarray(distances))

    @property
    def by_item(self) -> Array:
        """The share of agreement between the groups on each item, shape (items,), 0 to 1."""
        pairs = self.first.sum(axis=1) * self.second.sum(axis=1)
        return np.asarray(1 - ((self.first @ self.distances) * self.second).sum(axis=1) / pairs)

    def agreement(self) -> float:
        """The mean similarity of one answer from each group, averaged over items, in per cent."""
        return 100 * float(self.by_item.mean())

    def agreement_inference(self) -> Inference:
        """The 95 % interval of `agreement`, for other items and the same people."""
        return agreement_interval(lambda some: float(some.mean()), self.by_item[:, None]).times(100)

    def cross_kappa(self) -> float:
        """κx: 1 is full agreement between the groups, 0 chance.

        Raises:
            Undefined: All answers are the same.
        """
        return self._kappa(np.hstack([self.first, self.second]))

    def cross_kappa_inference(self) -> Inference:
        """The 95 % interval of κx, for other items and the same people.

        Raises:
            Undefined: All answers are the same.
        """
        counts = np.hstack([self.first, self.second])
        expected = self._expected(counts)
        return agreement_interval(self._kappa, counts, most=1 / expected)

    def _kappa(self, counts: Array) -> float:
        return 1 - float((1 - self._split(counts).by_item).mean()) / self._expected(counts)

    def _expected(self, counts: Array) -> float:
        """The mean distance of an answer of one group, of any item, and one of the other, of any item."""
        split = self._split(counts)
        # Each item counts alike, as it does in the observed distance.
        shares = [
            (side / side.sum(axis=1, keepdims=True)).mean(axis=0)
            for side in (split.first, split.second)
        ]
        expected = float(shares[0] @ self.distances @ shares[1])
        if expected <= 0:
            raise Undefined("all answers are the same")
        return expected

    def _split(self, counts: Array) -> "TwoGroups":
        first, second = np.hsplit(counts, 2)
        return TwoGroups(first, second, self.distances)


@dataclass(frozen=True, slots=True)
class JudgeAndGroup:
    """How a judge agrees with a group of people and with everybody else, on items that both answered."""

    group: Array
    """The similarity of the judge's answer and each rating by the group, from 0 to 1, shape (shared items,
    raters)."""
    others: Array
    """The similarity of the judge's answer and each rating by everybody else, from 0 to 1, shape (shared
    items, raters)."""

    @classmethod
    def of(cls, likeness_of_ratings: Array, members: Sequence[int]) -> "JudgeAndGroup":
        """From how alike the judge's answer and each rating are, shape (items, raters), and the members."""
        group = likeness_of_ratings[:, list(members)]
        others = np.delete(likeness_of_ratings, list(members), axis=1)
        shared = ~np.isnan(group).all(axis=1) & ~np.isnan(others).all(axis=1)
        return cls(
            *(side[shared][:, ~np.isnan(side[shared]).all(axis=0)] for side in (group, others))
        )

    @property
    def items(self) -> int:
        """The items that people on both sides answered."""
        return len(self.group)

    @property
    def value(self) -> float:
        """The agreement with the group minus that with the others, −1 to 1; items have equal weights.

        Raises:
            Undefined: No item was answered on both sides.
        """
        return float(self._by_item().mean())

    def inference(self, confidence: float = CONFIDENCE) -> Inference:
        """The interval of `value`, for other items and other people on both sides.

        If there are fewer than `FEWEST` people on one side, it is for other items and the same people, which
        `interval` says.

        Raises:
            Undefined: No item was answered on both sides.
        """
        differences = self._by_item()
        value, n = self.value, len(differences)
        if n < FEWEST_SHARED:
            why = f"no interval: {n} of the {FEWEST_SHARED} items that are needed on both sides"
            return Inference(None, None, why=why)
        ends = difference_interval(differences, np.arange(n), 1.0, confidence=confidence)
        if min(self.group.shape[1], self.others.shape[1]) < FEWEST:
            return Inference(*ends, interval=ITEMS_ALONE)
        parts = [ShareReach(value, *ends)]
        for side, sign in ((self.group, 1), (self.others, -1)):
            rated = ratings_by_item(side)
            of_raters = over_raters(
                rated.values, rated.weights, rated.raters, confidence=confidence
            )
            parts.append(of_raters._replace(sign=sign))
        return Inference(*joined_interval(value, parts, (-1, 1)), interval=ITEMS_AND_PEOPLE)

    def _by_item(self) -> Array:
        if not self.items:
            raise Undefined("no item was answered by people of both sides")
        return np.asarray(np.nanmean(self.group, axis=1) - np.nanmean(self.others, axis=1))


def ratings_by_item(table: Array) -> RatedValues:
    """The values of a table of (items, raters), NaN where there is none; each item counts alike.

    >>> ratings_by_item(np.array([[1.0, 0.0], [1.0, np.nan]])).weights.tolist()
    [0.5, 0.5, 1.0]
    """
    given = ~np.isnan(table)
    items, raters = np.nonzero(given)
    weights = np.asarray(1 / given.sum(axis=1)[items])
    return RatedValues(table[given], weights, items, raters)
