"""How often a judge finds each class and keeps off it, against the people who answered the same items.

The reference is a matter of choice where people disagree, so there are two. Against the *majority*, items
without one are left out, which are the hard ones: a judge looks better than it is. Against *single people*,
every answer of a person is a reference: a judge that has all majorities right still differs from the people
who were outvoted.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array, Integers
from tiltmeter.stats.confidence_intervals.crossed_shares import (
    FEWEST,
    RatedValues,
    joined_interval,
    over_raters,
    weighted_share,
)
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.raters.rating_counts import value_counts

ITEMS_ALONE = "score interval, jackknife over items; for these people"
ITEMS_AND_PEOPLE = "score intervals over items and over people, joined"


@dataclass(frozen=True, slots=True)
class JudgedAnswers:
    """Answers of people, each with the judge's to the same item; shape (n,) each."""

    reference: Array
    """The answers of people, shape (n,)."""
    judged: Array
    """The judge's answer to the same item, shape (n,)."""
    items: Integers
    """The row of each item."""
    raters: Integers | None = None
    """The column of each person; None where the reference is the majority."""

    def sensitivity(self, label: float) -> "JudgedShare":
        """The share of the answers `label` in which the judge gives it too."""
        return self._of(self.reference == label, lambda judged: judged == label)

    def specificity(self, label: float) -> "JudgedShare":
        """The share of the answers other than `label` in which the judge does not give it either."""
        return self._of(self.reference != label, lambda judged: judged != label)

    def agreement(self) -> "JudgedShare":
        """The share of all answers that the judge gives too."""
        return JudgedShare((self.judged == self.reference) * 1.0, self.items, self.raters)

    def _of(self, kept: Array, right: Callable[[Array], Array]) -> "JudgedShare":
        raters = None if self.raters is None else self.raters[kept]
        return JudgedShare(right(self.judged[kept]) * 1.0, self.items[kept], raters)


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The share of answers in which a judge is right, and its interval."""

    right: Array
    """By answer, 0 to 1, shape (n,)."""
    items: Integers
    raters: Integers | None = None

    @property
    def value(self) -> float:
        """From 0 to 1.

        Raises:
            Undefined: There are no answers.
        """
        if not len(self.right):
            raise Undefined("no answers to compare with")
        return float(self.right.mean())

    def inference(self) -> Inference:
        """The 95 % interval: Wilson's against the majority; against single people for other items and people.

        With fewer than `FEWEST` people it is for other items and the same people.
        """
        if self.raters is None:
            return Inference(*wilson(float(self.right.sum()), len(self.right)), interval="Wilson")
        ones = np.ones(len(self.right))
        return crossed_inference(RatedValues(self.right, ones, self.items, self.raters))


def majority_answers(ratings: Array, judge: Array) -> JudgedAnswers:
    """The most common answer to each item that two or more people and the judge answered.

    Items with two answers that are most common have no majority and are left out.

    Args:
        ratings: The people's answers, shape (items, raters), NaN where there is none.
        judge: The judge's, shape (items,), NaN where there is none.

    >>> majority_answers(np.array([[1, 1, 0], [0, 1, np.nan]]), np.array([1.0, 1.0])).reference.tolist()
    [1.0]
    """
    counts, values = value_counts(ratings)
    if not len(values):
        return JudgedAnswers(np.empty(0), np.empty(0), np.empty(0, dtype=np.int64))
    most = counts.max(axis=1)
    several = counts.sum(axis=1) >= 2  # noqa: PLR2004  (one person is no majority)
    kept = several & ((counts == most[:, None]).sum(axis=1) == 1) & ~np.isnan(judge)
    return JudgedAnswers(values[counts.argmax(axis=1)][kept], judge[kept], np.flatnonzero(kept))


def single_answers(ratings: Array, judge: Array) -> JudgedAnswers:
    """Every answer of a person to an item that the judge answered; arguments as of `majority_answers`."""
    items, raters = np.nonzero(~np.isnan(ratings) & ~np.isnan(judge)[:, None])
    return JudgedAnswers(ratings[items, raters], judge[items], items, raters)


def crossed_inference(rated: RatedValues) -> Inference:
    """The 95 % interval of a weighted mean of values from 0 to 1, for other items and other raters.

    With fewer than `FEWEST` raters it is for other items and the same raters; `interval` says which it is.
    """
    values, weights, items, raters = rated
    try:
        of_items = weighted_share(values, weights, items)
    except Undefined as none:
        return Inference(None, None, why=f"no interval: {none}")
    if len(np.unique(raters)) < FEWEST:
        return Inference(of_items.low, of_items.high, interval=ITEMS_ALONE)
    both = [of_items, over_raters(values, weights, raters)]
    return Inference(*joined_interval(of_items.value, both, (0, 1)), interval=ITEMS_AND_PEOPLE)
