"""The alternative annotator test: is a judge as good a stand-in for the other people as one of them?

Each annotator is left out in turn. On every item that the annotator, the judge and somebody else answered,
it is asked which of the two agrees better with the remaining people. The judge wins an annotator if the share
of items on which the annotator is better, less that on which the judge is, is significantly below ε: what the
judge saves may cost that much. It passes if it wins at least half of the annotators.

Source: Calderon, Reichart and Dror 2025, doi:10.18653/v1/2025.acl-long.782.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.crossed_shares import RatedValues
from tiltmeter.stats.hypothesis_tests.exact_tests import benjamini_yekutieli

FEWEST_ITEMS = 30
"""An annotator with fewer items is left out: the t-test needs some."""
LEVEL = 0.05
"""The share of false wins among wins that is accepted (Benjamini and Yekutieli's q)."""
PASSED = 0.5
"""The least winning rate with which a judge passes."""
NEAR = 1e-9
"""Agreement that differs by less, as a share of the largest, is equal: thirds are rounded."""


@dataclass(frozen=True, slots=True)
class LeftOutAnnotator:
    """The judge against one annotator who is left out."""

    rater: int
    """The column of the annotator."""
    judge_wins: Array
    """By item, 1 where the judge agrees at least as well with the others, and 0; shape (items,), NaN where
    the item does not count."""
    rater_wins: Array
    """By item, 1 where the annotator agrees at least as well with the others, and 0; shape (items,), NaN
    where the item does not count."""
    p: float | None
    """One-sided, that the annotator's advantage is ε or more; None where there are too few items."""
    p_adjusted: float | None = None
    why: str = ""
    """Why there is no p."""

    @property
    def items(self) -> int:
        """The items that count."""
        return int((~np.isnan(self.judge_wins)).sum())

    @property
    def difference(self) -> float:
        """The annotator's advantage less the judge's, from −1 to 1; NaN without items."""
        differences = _counted(self.rater_wins) - _counted(self.judge_wins)
        return float(differences.mean()) if len(differences) else float("nan")

    @property
    def won(self) -> bool:
        """Whether the judge wins: p, adjusted over annotators, is at most `LEVEL`."""
        return self.p_adjusted is not None and self.p_adjusted <= LEVEL


@dataclass(frozen=True, slots=True)
class AlternativeAnnotator:
    """The outcome of the test."""

    annotators: tuple[LeftOutAnnotator, ...]
    """All annotators, in the order of their columns; also those who are not tested."""

    @property
    def tested(self) -> tuple[LeftOutAnnotator, ...]:
        """The annotators with enough items to be tested."""
        return tuple(each for each in self.annotators if each.items >= FEWEST_ITEMS)

    @property
    def winning_rate(self) -> float:
        """The share of the tested annotators whom the judge wins (ω).

        Raises:
            Undefined: Nobody has enough items.
        """
        return sum(each.won for each in self._some()) / len(self.tested)

    @property
    def advantage(self) -> float:
        """How often the judge is at least as good as an annotator, averaged over the tested ones (ρ).

        Raises:
            Undefined: Nobody has enough items.
        """
        return float(np.mean([np.nanmean(each.judge_wins) for each in self._some()]))

    @property
    def passed(self) -> bool:
        """Whether the winning rate is `PASSED` or more.

        Raises:
            Undefined: Nobody has enough items.
        """
        return self.winning_rate >= PASSED

    def _some(self) -> tuple[LeftOutAnnotator, ...]:
        if not self.tested:
            most = max((each.items for each in self.annotators), default=0)
            raise Undefined(
                f"no annotator shares {FEWEST_ITEMS} items with the judge and somebody else (at most {most})"
            )
        return self.tested


def alternative_annotator_test(
    ratings: Array, judge: Array, *, epsilon: float, nominal: bool
) -> AlternativeAnnotator:
    """The test of a judge against people.

    Args:
        ratings: The people's answers, shape (items, raters), NaN where there is none.
        judge: The judge's, shape (items,), NaN where there is none.
        epsilon: How much worse than an annotator the judge may be, as a share of items.
        nominal: Whether agreement is the share of equal answers; or else minus the root mean squared
            difference.

    Raises:
        BadInput: ε is not from 0 to below 1.

    >>> people = np.array([[0, 0, 0], [1, 1, 0]] * 20)
    >>> outcome = alternative_annotator_test(people, people[:, 0], epsilon=0.1, nominal=True)
    >>> outcome.winning_rate, round(outcome.advantage, 2)
    (1.0, 1.0)
    """
    if not 0 <= epsilon < 1:
        raise BadInput(f"ε = {epsilon:g} is no share of items", "take 0 ≤ ε < 1")
    given = ~np.isnan(ratings)
    usable = ~np.isnan(judge) & (given.sum(axis=1) >= 2)  # noqa: PLR2004  (somebody is left)
    annotators = []
    for rater in range(ratings.shape[1]):
        rows = usable & given[:, rater]
        others = np.delete(ratings[rows], rater, axis=1)
        of_judge = _agreement(judge[rows], others, nominal=nominal)
        of_rater = _agreement(ratings[rows, rater], others, nominal=nominal)
        near = NEAR * np.maximum(np.abs(of_judge), np.abs(of_rater))
        wins = np.full((2, len(judge)), np.nan)
        wins[0, rows] = of_judge >= of_rater - near
        wins[1, rows] = of_rater >= of_judge - near
        p, why = _p(wins[1, rows] - wins[0, rows], epsilon)
        annotators.append(LeftOutAnnotator(rater, wins[0], wins[1], p, why=why))
    adjusted = benjamini_yekutieli([each.p for each in annotators])
    return AlternativeAnnotator(
        tuple(
            LeftOutAnnotator(e.rater, e.judge_wins, e.rater_wins, e.p, p, e.why)
            for e, p in zip(annotators, adjusted, strict=True)
        )
    )


def advantages(outcome: AlternativeAnnotator) -> RatedValues:
    """The judge's wins over the tested annotators, item by item; every annotator counts alike, as in ρ."""
    tested = outcome.tested
    table = np.stack([each.judge_wins for each in tested], axis=1) if tested else np.empty((0, 0))
    counted = ~np.isnan(table)
    items, raters = np.nonzero(counted)
    weights = np.asarray(1 / counted.sum(axis=0)[raters])
    return RatedValues(table[counted], weights, items, raters)


def _agreement(answers: Array, others: Array, *, nominal: bool) -> Array:
    """How well answers agree with the others' about each item, shape (items,): more is better."""
    if nominal:
        equal = (others == answers[:, None]).sum(axis=1)
        return np.asarray(equal / (~np.isnan(others)).sum(axis=1))
    return np.asarray(-np.sqrt(np.nanmean(np.square(others - answers[:, None]), axis=1)))


def _p(differences: Array, epsilon: float) -> tuple[float | None, str]:
    """The one-sided p of Student's t that the mean is `epsilon` or more, or why there is none."""
    from scipy.special import stdtr

    n = len(differences)
    if n < FEWEST_ITEMS:
        return None, f"{n} of the {FEWEST_ITEMS} items that the test needs"
    above = float(differences.mean()) - epsilon
    error = float(differences.std(ddof=1)) / n**0.5
    if error == 0:  # the limit of Student's t where all items come out alike
        return (None, "all items come out the same, at ε") if above == 0 else (float(above > 0), "")
    return float(stdtr(n - 1, above / error)), ""


def _counted(wins: Array) -> Array:
    return np.asarray(wins[~np.isnan(wins)])
