"""Whether a difference is within a margin: shown to be, shown not to be, or undecided."""

from dataclasses import dataclass, replace
from math import inf
from typing import Literal, NamedTuple, TypeAlias

Equivalent: TypeAlias = Literal["equivalent", "different", "undecided", "no verdict"]
NotWorse: TypeAlias = Literal["", "not worse", "worse", "undecided"]


class Claims(NamedTuple):
    """What an interval of a difference may show about equivalence, and the basis of its unit count."""

    level: float | None
    """The confidence level at which each of its ends misses the true value in at most 5 % of samples, also
    where few items differ (docs/explanation/coverage/equivalence.md); None where none does."""
    why: str = ""
    """Why it may show nothing."""
    error: float = 0.0
    """The standard error of the difference, as the data show it; of a ratio, that of its logarithm."""
    units: int = 0
    """How many independent units, items or clusters, it rests on."""
    worth: float = inf
    """How many independent pairs of outcomes vary as much; of shares."""
    most: float | None = None
    """The largest possible difference, of intervals whose ends hold even if no unit differs."""


UNKNOWN = Claims(
    None, "intervals of this kind were not shown to claim equivalence in at most 5 % of samples"
)


@dataclass(frozen=True, slots=True)
class Equivalence:
    """How a difference compares with the largest one that counts as none."""

    margin: str
    """The margin in words: "2 points", "2 %"."""
    least: float | None = None
    most: float | None = None
    """The upper limit of the margin, in the unit of the difference: differences above `least` and below
    `most` count as equivalent."""
    low: float | None = None
    high: float | None = None
    """The interval whose ends are tests at 5 % (or stricter ones): two one-sided tests."""
    level: float | None = None
    """The confidence level of that interval."""
    why: str = ""
    """Why there is no verdict, or why it could not be otherwise."""
    needed: int | None = None
    """Roughly how many units would show equivalence in 4 of 5 samples, if there is no true difference."""
    needed_of: str = ""
    """What these units are, in the plural: "pairs", "clusters"."""
    verdict: Equivalent = "no verdict"
    """equivalent: shown to be within the margin. different: a significant difference that is not shown to be
    within it. undecided: neither. no verdict: nothing says, for the reason in `why`."""
    not_worse: NotWorse = ""
    """For a number that is better in one direction: whether the first result is not worse than the second by
    more than the margin, at 5 % on one side. worse: significantly worse, and not shown to be within the
    margin."""

    @property
    def inside(self) -> bool:
        """Whether the interval lies inside the margin."""
        return self._below_most and self._above_least

    @property
    def beyond(self) -> bool:
        """Whether the whole interval lies outside the margin, on one side."""
        above = self.low is not None and self.most is not None and self.low > self.most
        return above or (
            self.high is not None and self.least is not None and self.high < self.least
        )

    @property
    def _below_most(self) -> bool:
        return self.high is not None and self.most is not None and self.high < self.most

    @property
    def _above_least(self) -> bool:
        return self.low is not None and self.least is not None and self.low > self.least

    def within(self, side: Literal["above", "below"]) -> bool:
        """Whether the difference is shown not to be beyond the margin on this side."""
        return self._below_most if side == "above" else self._above_least

    def judged(
        self,
        *,
        significant: bool | None,
        neutral: float | None,
        better: Literal["", "lower", "higher"],
    ) -> "Equivalence":
        """With the verdicts that follow from the interval and from the test of the difference.

        >>> made = Equivalence("2 points", -2.0, 2.0, 0.3, 1.4, 0.9)
        >>> made.judged(significant=True, neutral=0.0, better="").verdict  # different, and yet within
        'equivalent'
        >>> wide = Equivalence("2 points", -2.0, 2.0, -3.0, 1.0, 0.9)
        >>> wide.judged(significant=False, neutral=0.0, better="lower").not_worse
        'not worse'
        """
        if self.low is None or self.high is None:
            return replace(self, verdict="no verdict", not_worse="")
        verdict: Equivalent = "undecided"
        if self.inside:
            verdict = "equivalent"
        elif significant or self.beyond:
            verdict = "different"
        not_worse: NotWorse = ""
        if better:
            zero = neutral or 0.0
            worse = self.low > zero if better == "lower" else self.high < zero
            kept = self.within("above" if better == "lower" else "below")
            not_worse = "not worse" if kept else "worse" if worse else "undecided"
        return replace(self, verdict=verdict, not_worse=not_worse)
