"""Gaps between groups in how a classifier errs: rates and ROC areas; Borkan's areas.

Columns, one row a text: `truth_positive`, `said_positive` (1 or 0), `probability`, then `side`, 0 for the
first group and 1 for the other.

Source: Borkan et al. 2019, doi:10.1145/3308560.3317593.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array, Column, Integers
from tiltmeter.stats.ranks.weighted_ranking import weighted_areas

LABELS = ("negative", "positive")
Weights = npt.NDArray[np.generic]
"""How often each unit of texts is in each draw, shape (draws, units)."""
Statistic = Callable[[Sequence[Array], Weights, Integers], Array]
"""From columns without `side`, weights, and the unit of each text, to values of shape (draws,)."""


@dataclass(frozen=True, slots=True)
class Counted:
    """The size of the data behind a number."""

    texts: int
    units: int
    """Texts or clusters of the label that has the fewest."""

    @classmethod
    def of(cls, by_label: Sequence[Integers]) -> "Counted":
        """Counted from the units of the texts of each label that counts."""
        fewest = min(len(np.unique(units)) for units in by_label)
        return cls(sum(map(len, by_label)), fewest)


@dataclass(frozen=True, slots=True)
class Gap:
    """A number of one group minus that of the other, for many draws of the texts at once.

    >>> gap = Gap("false_positive_rate_gap", rate_of(0), (0,))
    >>> gap(np.zeros(4), np.array([1.0, 1, 1, 0]), np.full(4, 0.5), np.array([0, 0, 1, 1]))
    50.0
    """

    name: str
    value: Statistic
    needs: tuple[int, ...]
    """Labels (0 and 1) of which both groups must have texts."""
    most: float = 1.0
    """The highest value of a group's number."""

    def answered(self, columns: Sequence[Column]) -> npt.NDArray[np.bool_]:
        """Which texts have what it needs, shape (n,): of an area, a probability."""
        return _with_probability(columns) if self.value is area else np.ones(len(columns[0]), bool)

    @property
    def signs(self) -> tuple[int, ...]:
        """The sign with which each group's number enters the gap."""
        return 1, -1

    def __call__(self, *columns: Column) -> float:
        """The gap.

        Raises:
            Undefined: A group has no text of a label that is needed.
        """
        read, side = read_sides(columns)
        check_labels(read[0], side, self.needs)
        return _plain(self, read, side)

    def draws(
        self, columns: Sequence[Array], side: Integers, weights: Weights, unit: Integers
    ) -> Array:
        """Each group's number on resamples, shape (2, draws)."""
        return np.stack(
            [
                self.value([column[here] for column in columns], weights, unit[here])
                for here in (side == 0, side == 1)
            ]
        )

    def counted(self, columns: Sequence[Array], side: Integers, unit: Integers) -> list[Counted]:
        """The texts behind each group's number."""
        truth = columns[0]
        return [
            Counted.of([unit[(side == group) & (truth == label)] for label in self.needs])
            for group in (0, 1)
        ]

    def deals(self, columns: Sequence[Array], first: Weights, second: Weights) -> Array:
        """The gap for each deal of the groups, shape (deals,).

        Args:
            columns: As for `draws`.
            first: How often each row is in the first group, shape (deals, n).
            second: The same of the second group.
        """
        each = np.arange(len(columns[0]))
        return self.value(columns, first, each) - self.value(columns, second, each)


def _with_probability(columns: Sequence[Column]) -> npt.NDArray[np.bool_]:
    """Whether each text has a probability; all where none has, so that the metric says so."""
    probability = np.asarray(columns[2], dtype=np.float64)
    there = np.isfinite(probability)
    return there if there.any() else np.ones(len(there), dtype=np.bool_)


def check_labels(truth: Array, side: Integers, needs: Sequence[int]) -> None:
    """Check that both sides have texts of every label that a number needs.

    Raises:
        Undefined: A side has none.
    """
    for number, called in ((0, "first"), (1, "second")):
        for label in needs:
            if not ((side == number) & (truth == label)).any():
                raise Undefined(f"the {called} of the two groups has no {LABELS[label]} texts")


def rate_of(label: int) -> Statistic:
    """The share of the texts of a label that is called positive, in percent."""

    def value(columns: Sequence[Array], weights: Weights, unit: Integers) -> Array:
        truth, predicted, _ = columns
        mine, k = truth == label, weights.shape[1]
        texts = np.bincount(unit[mine], minlength=k)
        called = np.bincount(unit[mine], weights=predicted[mine], minlength=k)
        whole, positive = (weights @ np.stack([texts, called], axis=1)).T
        rates = np.full(len(whole), np.nan)
        return np.asarray(np.divide(100 * positive, whole, out=rates, where=whole > 0))

    return value


def area(columns: Sequence[Array], weights: Weights, unit: Integers) -> Array:
    """The area under the ROC curve; NaN where there are no probabilities."""
    truth, _, scores = columns
    if np.isnan(scores).any():
        return np.full(len(weights), np.nan)
    return weighted_areas(truth > 0, scores, weights, unit)


@dataclass(frozen=True, slots=True)
class CrossArea:
    """The area over one group's texts of one label and the other group's of the other label.

    BPSN: the background's positive and the subgroup's negative texts; below the group's own area it shows
    that negative texts of the group score too high. BNSP: the other way round.
    """

    name: str
    positive_side: int
    """Which side's positive texts are taken: 1, the background's, is BPSN."""
    most: float = 1.0

    def answered(self, columns: Sequence[Column]) -> npt.NDArray[np.bool_]:
        """Which texts have a probability, shape (n,)."""
        return _with_probability(columns)

    @property
    def signs(self) -> tuple[int, ...]:
        """The sign with which each number enters the value: the area is the value itself."""
        return (1,)

    def __call__(self, *columns: Column) -> float:
        """From 0 to 1; chance is .5.

        Raises:
            Undefined: There are no such texts.
        """
        read, side = read_sides(columns)
        for label, where in ((1, self.positive_side), (0, 1 - self.positive_side)):
            if not ((side == where) & (read[0] == label)).any():
                group = ("the group has", "the others have")[where]
                raise Undefined(f"{group} no {LABELS[label]} texts")
        return _plain(self, read, side)

    def draws(
        self, columns: Sequence[Array], side: Integers, weights: Weights, unit: Integers
    ) -> Array:
        """The area on each resample, shape (1, draws); arguments as for `Gap.draws`."""
        here = (columns[0] > 0) == (side == self.positive_side)
        return area([column[here] for column in columns], weights, unit[here])[None]

    def counted(self, columns: Sequence[Array], side: Integers, unit: Integers) -> list[Counted]:
        """The texts behind the area: positive ones of one side, negative ones of the other."""
        truth, where = columns[0], self.positive_side
        both = ((truth > 0) & (side == where), (truth == 0) & (side != where))
        return [Counted.of([unit[here] for here in both])]


def read_sides(columns: Sequence[Column]) -> tuple[list[Array], Integers]:
    """The columns as numbers, and the last one as sides."""
    return (
        [np.asarray(column, np.float64) for column in columns[:-1]],
        np.asarray(columns[-1]).astype(np.int64),
    )


def _plain(metric: Gap | CrossArea, columns: Sequence[Array], side: Integers) -> float:
    n = len(side)
    value = float(metric.signs @ metric.draws(columns, side, np.ones((1, n)), np.arange(n))[:, 0])
    if np.isnan(value):
        raise Undefined("some items have no probability")
    return value


false_positive_gap = Gap("false_positive_rate_gap", rate_of(0), (0,), 100.0)
true_positive_gap = Gap("true_positive_rate_gap", rate_of(1), (1,), 100.0)
area_gap = Gap("roc_auc_gap", area, (0, 1))
bpsn_area = CrossArea("bpsn_auc", 1)
bnsp_area = CrossArea("bnsp_auc", 0)
GAPS = (false_positive_gap, true_positive_gap, area_gap)
AREAS = (bpsn_area, bnsp_area)
