"""Effect minus placebo: metrics that hold edits of groups against control edits of the same texts.

Columns, one row a reply: the scores that `EditEffect.scores` reads; then the arm, the text, the item and the
cluster. The text is the label that the base and all edits of one text share.

>>> arms = np.array(["group", "placebo"] * 6)
>>> texts = np.repeat(np.arange(6), 2)
>>> before, after = np.full(12, 0.5), np.array([0.8, 0.6] * 6)
>>> effect = EditEffect("excess", before_and_after, scale=100)
>>> effect(before, after, arms, texts, np.arange(12), texts)
20.0
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, isfinite
from typing import Literal, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.measures import BASE_ARM, GROUP_ARM
from tiltmeter.core.samples import PairedSample, Sample, as_labels, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column, Labels
from tiltmeter.metrics.counts import few_texts
from tiltmeter.stats.confidence_intervals.intervals import mean_interval
from tiltmeter.stats.hypothesis_tests.edit_changes import Edits
from tiltmeter.stats.hypothesis_tests.excess_over_placebo import (
    FEW,
    TEST,
    ExcessOverPlacebo,
    excess_over_placebo,
    flipped,
    t_interval,
)

Number: TypeAlias = Literal["excess", "raw", "placebo", "share", "wins", "magnitude"]
"""Which of the numbers of `ExcessOverPlacebo` a metric is."""
KEYS = 4
"""The last columns: arm, text, item and cluster."""
OF_EFFECT = "% of the effect"
"""The unit of the share that placebo explains, which may be above 100."""
STUDENT, FIELLER = "Student’s t over clusters", "Fieller’s interval over clusters"
BOUNDED, SCORE = "Gaffke interval over clusters", "score interval over clusters"


def before_and_after(columns: Sequence[Array], arms: Labels) -> tuple[Array, Array]:
    """The scores before and after the edit, for rows that have both."""
    del arms
    before, after = columns
    return before, after


def by_arm(columns: Sequence[Array], arms: Labels) -> tuple[Array, Array]:
    """Scores before and after the edit, for rows with one score (NaN for the other); by arm."""
    (scores,) = columns
    return np.where(arms == BASE_ARM, scores, np.nan), np.where(arms == BASE_ARM, np.nan, scores)


Scores: TypeAlias = Callable[[Sequence[Array], Labels], tuple[Array, Array]]
"""From columns of scores and the arms to the scores before and after each row's edit, shape (n,) each."""


@dataclass(frozen=True, slots=True)
class EditEffect:
    """A number about the changes by group edits and by control edits, as a metric of columns."""

    number: Number
    scores: Scores
    scale: float = 1.0
    """What changes are multiplied by: 100 makes percentage points of probabilities."""
    most: float = inf
    """The largest possible change, in the unit of the scores."""
    yes_no: bool = False
    """Whether scores are single answers, 1 or 0; others, such as -1, are no answer."""
    paired: bool = False
    """Whether the score before an edit belongs to its row, where a cluster may have several texts; otherwise
    it is the mean of all scores before edits of the same text."""
    control: str = "placebo"
    """The arm of the control edits."""

    @property
    def __name__(self) -> str:
        return self.number

    def __call__(self, *columns: Column) -> float:
        """The value.

        Raises:
            Undefined: No text has scores of edits of both kinds.
        """
        made = self.compared(columns)
        return float(getattr(made, self.number)) * self._factor

    def compared(self, columns: Sequence[Column]) -> ExcessOverPlacebo:
        """The changes of each cluster.

        Raises:
            Undefined: No text has scores of edits of both kinds.
        """
        before, after = self._scores(columns)
        (arms,) = as_labels(columns[-KEYS : 1 - KEYS])
        text, item, cluster = map(_as_names, columns[1 - KEYS :])
        kept = np.isin(arms, (BASE_ARM, GROUP_ARM, self.control))
        return excess_over_placebo(
            Edits(
                before[kept],
                after[kept],
                item[kept],
                arms[kept] == self.control,
                cluster[kept],
                None if self.paired else text[kept],
                yes_no=self.yes_no,
            )
        )

    def rests_on(self, columns: Sequence[Column]) -> int:
        """The number of group edits that are compared."""
        return self.compared(columns).edits[0]

    def answered(self, columns: Sequence[Column]) -> npt.NDArray[np.bool_]:
        """Which rows have a score, shape (n,)."""
        before, after = self._scores(columns)
        paired = np.isfinite(before) & np.isfinite(after)
        return (
            paired if self.scores is before_and_after else np.isfinite(before) ^ np.isfinite(after)
        )

    def infer(self, sample: Sample) -> Inference:
        """The interval and the test of the number, over clusters, or the reason why there is none."""
        made, rng = self.compared(sample.columns), sample.rng
        largest = self.most
        intervals: dict[Number, tuple[Callable[[], tuple[float, float]], str]] = {
            "excess": (lambda: self.interval_of(made.differences), self._kind),
            "share": (made.share_interval, FIELLER),
            "wins": (made.wins_interval, SCORE),
            "raw": (lambda: made.size_interval(made.by_group, largest), BOUNDED),
            "placebo": (lambda: made.size_interval(made.by_placebo, largest), BOUNDED),
        }
        tests: dict[Number, Callable[[], float]] = {
            "excess": lambda: flipped(made.differences, rng),
            "wins": lambda: made.wins_p(rng),
            "magnitude": lambda: made.magnitude_p(rng),
        }
        of, how = intervals.get(self.number, (_no_interval, ""))
        test = tests.get(self.number)

        def interval() -> tuple[float, float, str]:
            if not isfinite(largest) and self.number in {"raw", "placebo"}:
                raise Undefined("changes have no largest size")
            low, high = (end * self._factor for end in of())
            return low, high, how

        return uncertainty(
            interval,
            None if test is None else lambda: (test(), TEST),
            notes=(self._at_repeats(made),),
            rough=few_texts(len(made.clusters), "clusters", least=FEW),
        )

    def compare(self, sample: PairedSample) -> tuple[float, Inference]:
        """The effect minus placebo of A minus that of B, over the clusters of both.

        Raises:
            Undefined: This is another number, or no cluster has edits of both kinds in both results.
        """
        if self.number != "excess":
            raise Undefined("compared is the effect minus placebo")
        a, b = (self.compared(side) for side in (sample.a, sample.b))
        apart = a.less(b)

        def interval() -> tuple[float, float, str]:
            low, high = (end * self.scale for end in self.interval_of(apart, sides=2))
            return low, high, self._kind

        return float(apart.mean()) * self.scale, uncertainty(
            interval,
            lambda: (flipped(apart, sample.rng), TEST),
            rough=few_texts(len(apart), "clusters", least=FEW),
        )

    def interval_of(self, values: Array, *, sides: int = 1) -> tuple[float, float]:
        """The 95 % interval of the mean of each cluster's effect minus placebo, or of a difference of two.

        It is Student's t, and of shares of answers that change the score interval, which is nearly the same
        and has ends where all clusters agree.
        """
        if not self.yes_no:
            return t_interval(values)
        t_interval(np.arange(len(values), dtype=np.float64))  # raises where there are too few
        return mean_interval(values, np.arange(len(values)), (-1.0 * sides, 1.0 * sides))

    @property
    def _kind(self) -> str:
        return SCORE if self.yes_no else STUDENT

    @property
    def _factor(self) -> float:
        return 1.0 if self.number in {"share", "wins"} else self.scale

    def _scores(self, columns: Sequence[Column]) -> tuple[Array, Array]:
        (arms,) = as_labels(columns[-KEYS : 1 - KEYS])
        before, after = self.scores(as_numbers(columns[:-KEYS]), arms)
        if self.yes_no:
            before, after = (
                np.where(np.isin(side, (0.0, 1.0)), side, np.nan) for side in (before, after)
            )
        return before, after

    def _at_repeats(self, made: ExcessOverPlacebo) -> str:
        """How many replies changes are compared at, where that is not one."""
        least, most = made.repeats
        if most == 1 or self.yes_no or self.number == "magnitude":
            return ""
        return f"at {least} repeats" if least == most else f"at {least} to {most} repeats"


def _no_interval() -> tuple[float, float]:
    raise Undefined("a few clusters may make up the mean square")


def _as_names(column: Column) -> Labels:
    """A column of labels, or of whole numbers that serve as such."""
    return column.astype(np.int64) if column.dtype.kind == "f" else cast("Labels", column)
