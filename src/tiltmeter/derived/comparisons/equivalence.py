"""Whether the difference of two results is within the margin that the user gives for it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log

from tiltmeter.core.equivalence import Claims, Equivalence
from tiltmeter.core.equivalence_margins import EquivalenceBounds, EquivalenceMargins
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference, Meaning
from tiltmeter.core.measures import Comparison, Measure
from tiltmeter.stats.hypothesis_tests.equivalence import fewest_alike, needed_units

NO_MARGINS = EquivalenceMargins()
NOT_BY_ITEM = "it is not compared item by item"


@dataclass(frozen=True, slots=True)
class ComparedMeasure:
    """A measure that two results are compared in, over some items."""

    measure: Measure
    comparison: Comparison
    n: int
    """How many items both results answer."""
    inferred: Callable[[float], Inference]
    """The uncertainty of the difference, with an interval at this confidence level."""
    reference: Callable[[], float | None]
    """Computes the second result's value, which relative margins are in percent of; None where undefined."""

    @property
    def is_ratio(self) -> bool:
        """Whether the two values are divided by each other."""
        return self.comparison.neutral == 1

    def equivalence(
        self, margins: EquivalenceMargins, sure: Inference, value: float | None
    ) -> Equivalence:
        """What the difference shows, given its 95 % interval and the margins."""
        bounds = margins.bounds(
            self.measure.name,
            self.comparison.unit_of(self.measure.unit),
            is_ratio=self.is_ratio,
            scale=scale_of(self.measure),
            reference=self.reference,
        )
        why = bounds.why or _why_none(self.measure.meaning, sure, value)
        if why or sure.claims.level is None:
            return _none(bounds, why or sure.claims.why)
        at_level = sure if sure.level == sure.claims.level else self.inferred(sure.claims.level)
        if at_level.low is None or at_level.high is None:
            return _none(bounds, "the interval has no end")
        least = self._fewest(bounds, sure.claims)
        units = self.measure.meaning.counts if sure.claims.units == self.n else "clusters"
        why = (
            f"it cannot be shown with fewer than {least:,} {units}"
            if sure.claims.units < least
            else ""
        )
        return Equivalence(
            bounds.margin, bounds.least, bounds.most, at_level.low, at_level.high, sure.claims.level, why,
            self._needed(bounds, sure.claims), units,
        )  # fmt: skip

    def _reach(self, bounds: EquivalenceBounds) -> float:
        """The margin in the unit of the standard error: of a ratio, of its logarithm."""
        most = bounds.most or 0.0
        return log(most) if self.is_ratio else most

    def _fewest(self, bounds: EquivalenceBounds, claims: Claims) -> int:
        """The fewest units that can show equivalence at all; 0 where that is not known."""
        if claims.most is None:
            return 0
        return fewest_alike(min(self._reach(bounds) / claims.most, 1.0))

    def _needed(self, bounds: EquivalenceBounds, claims: Claims) -> int | None:
        return needed_units(claims, self._reach(bounds))


def scale_of(measure: Measure) -> tuple[float, float]:
    """The lowest and the highest value that a measure may have, between which margins lie.

    Margins of a measure that is not compared by subtraction in its own unit have no such limits.
    """
    least, most = measure.meaning.range(measure.unit)
    compared = measure.comparison
    differs = compared is not None and (compared.unit is not None or compared.neutral == 1)
    return (least, inf) if differs else (least, most)


def _none(bounds: EquivalenceBounds, why: str) -> Equivalence:
    return Equivalence(bounds.margin, bounds.least, bounds.most, why=why)


def _why_none(meaning: Meaning, sure: Inference, value: float | None) -> str:
    """Why a difference shows nothing, whatever its margin; "" where it may."""
    if value is None:
        return "the difference is undefined"
    if meaning.bounds:
        return "it is a difference of bounds"
    if sure.low is None or sure.high is None:
        return "the difference has no interval"
    return ""


def value_or_none(compute: Callable[[], float]) -> float | None:
    """The value, or None where it is undefined."""
    try:
        return compute()
    except Undefined:
        return None
