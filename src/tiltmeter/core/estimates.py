"""An estimate: a number, its uncertainty, and what it means."""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf, isfinite
from typing import Any, Literal, NamedTuple, TypeAlias

from tiltmeter.core.equivalence import UNKNOWN, Claims, Equivalence
from tiltmeter.core.notebook import facts_html, line, short
from tiltmeter.core.types import Groups

Role: TypeAlias = Literal["lean", "cost", "description"]
"""What a number is about: how far a model leans, what an intervention cost, or neither."""
ALPHA = 0.05
"""Below this p a value differs significantly from neutral."""
EXCLUDES = "the one that was computed excludes the value"
SENTENCE_FIELDS = ("value", "size", "n", "counts", "below", "above")
"""The fields of `Meaning.sentence`, each with $ before it."""
ROUNDING = 1e-9
"""A value this share of itself outside its interval is inside but for rounding."""
RANGES = {
    "%": (0.0, 100.0), "percentage points": (-100.0, 100.0), "% of the score": (-100.0, 100.0),
}  # fmt: skip
"""The lowest and the highest possible value of numbers in these units."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """How a number is to be read. What reports it declares this, and the files keep it."""

    title: str = ""
    """The name for headings: "Stereotype rate". "" takes the measure's name."""
    short: str = ""
    """For the head of a narrow column: "ss". "" takes the title."""
    role: Role = "lean"
    counts: str = "items"
    """What n counts, in the plural: "pairs"."""
    sides: tuple[str, str] | None = None
    """What a value below and one above the neutral value lean towards: ("anti-stereotype",
    "stereotype"). None where there are no names for them."""
    neutral_is: str = ""
    """What the neutral value stands for: "no preference". "" says "the neutral value"."""
    better: Literal["", "lower", "higher"] = ""
    """For a cost: in which direction it is better."""
    sentence: str = ""
    """The finding about the model: "prefers the stereotype in $value of $n $counts". Fields are $value,
    $size (the distance from neutral, without a sign), $n, $counts, $below and $above. If it is "", the
    title makes the sentence."""
    sentence_below: str = ""
    """The sentence for values below neutral, if these need other words."""
    magnitude: bool = False
    """True for a magnitude, which is never below neutral: an interval above neutral means nothing."""
    variant_of: str = ""
    """The measure of which this is a variant: the same number with another interval or average."""
    bounds: str = ""
    """The measure of which this is the lowest or the highest possible value, which is no test itself."""
    difference_of: str = ""
    """In a comparison: the measure whose two values are compared."""
    by_token: bool = False
    """Whether the number depends on how many tokens a model splits a text into (the score `tokens_scored`):
    such numbers of models that split texts differently are not comparable."""
    caution: str = ""
    """What to keep in mind when reading a table or picture of it."""
    decimals: int | None = None
    """How many decimals readers see: 0 of counts, 2 of correlations. None follows from the unit."""
    least: float | None = None
    """The lowest possible value. None follows from the unit, as far as that has one (`RANGES`)."""
    most: float | None = None
    """The highest possible value; None follows from the unit, like `least`."""

    def range(self, unit: str) -> tuple[float, float]:
        """The lowest and the highest possible value of a number in this unit, infinite where it has none.

        >>> Meaning().range("%"), Meaning(least=0).range("bits")
        ((0.0, 100.0), (0, inf))
        """
        least, most = RANGES.get(unit, (-inf, inf))
        return (
            least if self.least is None else self.least, most if self.most is None else self.most
        )  # fmt: skip

    def of_difference(self, of: "Meaning", unit: str) -> "Meaning":
        """This meaning with the limits of a difference of two numbers that mean `of`, in their unit.

        A difference of numbers that have no limit on one side has none on either.

        >>> Meaning("Gap").of_difference(Meaning(), "%").range("percentage points")
        (-100.0, 100.0)
        >>> Meaning("Perplexity", least=1).of_difference(Meaning(least=1), "").range("")
        (-inf, inf)
        """
        least, most = of.range(unit)
        if most - least == inf:
            return replace(self, least=None, most=None)
        return replace(self, least=least - most, most=most - least)


class Inference(NamedTuple):
    """The uncertainty of a number. A part that does not apply is None; `why` gives the reason."""

    low: float | None
    high: float | None
    p: float | None = None
    interval: str = ""
    """The kind of interval: "Wilson"."""
    test: str = ""
    """The kind of test, and the hypothesis that it tests."""
    mde: float | None = None
    """Minimum detectable effect: the smallest distance from neutral found with 80 % power."""
    why: str = ""
    level: float = 0.95
    """The confidence level of the interval, where there is one."""
    claims: Claims = UNKNOWN
    """For a difference: what the interval may show about equivalence."""

    def times(self, factor: float) -> "Inference":
        """On a scale that is so many times finer: 100 makes percentages of shares.

        >>> Inference(0.25, None, mde=0.5).times(100)[:2]
        (25.0, None)
        """
        low, high, mde = (
            None if number is None else factor * number
            for number in (self.low, self.high, self.mde)
        )
        return self._replace(low=low, high=high, mde=mde)


NUMBERS = ("value", "low", "high", "p", "p_adjusted", "mde", "neutral")
"""Fields of an estimate that are finite numbers or None."""


def _is_finite(number: float | None) -> bool:
    return number is None or isfinite(number)


@dataclass(frozen=True, slots=True)
class Estimate:
    """The value of a measure on all items or on a subset, with its uncertainty and neutral value."""

    name: str
    value: float | None
    """None if it is undefined, for the reason in `why`. Never 0 for "could not be computed"."""
    low: float | None
    high: float | None
    p: float | None
    n: int
    """How many items it was computed from."""
    neutral: float | None
    """The value without any preference or difference; None where no value is neutral."""
    unit: str
    why: str = ""
    groups: Groups = field(default_factory=dict)
    """The subset: {} for all items, {"bias_type": "age"} for the items on age."""
    model: str = ""
    study: str = ""
    rule: str = ""
    convention: str = ""
    ties: str = ""
    tied: int = 0
    """How many of the n items were ties."""
    p_adjusted: float | None = None
    """p, corrected over the estimates of the same measure over the same axes."""
    adjustment: str = ""
    """The kind of correction: "Holm", "Benjamini–Hochberg"."""
    interval: str = ""
    test: str = ""
    mde: float | None = None
    level: float = 0.95
    """The confidence level of the interval, where there is one."""
    meaning: Meaning = field(default_factory=Meaning)
    verdict: str = ""
    """What the number comes to, in the word of the analysis that made it: "solid", "reversed"."""
    clusters: int | None = None
    """The number of independent things behind the n items, such as hypotheses, if it is worth reporting."""
    bound: Literal["", "<", "≤", ">"] = ""
    """Where the true value can only be said to lie below or above `value`: on which side of it. `low` or
    `high` is None where the interval has no limit on that side."""
    equivalence: Equivalence | None = None
    """For a difference with a margin: whether it lies within the margin. Its verdicts always follow from the
    other fields."""

    def __post_init__(self) -> None:
        """Keep the interval within the range of possible values, and the value within the interval.

        Bootstraps and jackknives ignore the range. An interval that excludes its own value is a mistake in
        the code that made it: the estimate is kept without it, and `why` says so.

        Raises:
            ValueError: A number is not finite: what could not be computed is None, with the reason.
        """
        numbers = (
            self.value, self.low, self.high, self.p, self.p_adjusted, self.mde, self.neutral
        )  # fmt: skip
        # Results hold very many estimates: names are only looked up where one is not finite.
        if not all(number is None or isfinite(number) for number in numbers):
            broken = [n for n in NUMBERS if not _is_finite(getattr(self, n))]
            where = f" at {dict(self.groups)}" if self.groups else ""
            raise ValueError(f"{self.name}{where}: {', '.join(broken)} is not a finite number")
        self._fit_interval()
        if self.equivalence is not None:
            low, high = self._in_range(self.equivalence.low, self.equivalence.high)
            judged = replace(self.equivalence, low=low, high=high).judged(
                significant=self.significant, neutral=self.neutral, better=self.meaning.better
            )
            object.__setattr__(self, "equivalence", judged)

    def _fit_interval(self) -> None:
        """Keep the interval within the range of possible values, or take it away."""
        if self.low is None and self.high is None:
            return
        low, high = self._in_range(self.low, self.high)
        if self.value is not None:
            slack = ROUNDING * max(1.0, abs(self.value))
            below = low is not None and low > self.value + slack
            above = high is not None and high < self.value - slack
            if below or above:
                self._drop_interval(low, high)
                return
            # Ends and values are rounded apart; neither is moved by more than that.
            low = None if low is None else min(low, self.value)
            high = None if high is None else max(high, self.value)
        if low != self.low:
            object.__setattr__(self, "low", low)
        if high != self.high:
            object.__setattr__(self, "high", high)

    def _in_range(self, low: float | None, high: float | None) -> tuple[float | None, float | None]:
        """The ends of an interval, neither beyond the range of possible values."""
        least, most = self.meaning.range(self.unit)
        return None if low is None else max(low, least), None if high is None else min(high, most)

    def _drop_interval(self, low: float | None, high: float | None) -> None:
        """Take away an interval that excludes the value, and say so."""
        ends = " to ".join("no limit" if end is None else f"{end:.6g}" for end in (low, high))
        why = f"no interval: {EXCLUDES} ({ends}); please report this"
        for name, kept in (
            ("low", None), ("high", None), ("interval", ""),
            ("why", "; ".join(filter(None, (self.why, why)))),
        ):  # fmt: skip
            object.__setattr__(self, name, kept)

    def __repr__(self) -> str:
        subset = ", ".join(f"{axis} {value}" for axis, value in self.groups.items())
        value, inside = self._value_and_interval()
        p, adjusted = self.p if self.p_adjusted is None else self.p_adjusted, self.adjustment
        return line(
            f"{self.name} of {subset}" if subset else self.name,
            {
                f"p ({adjusted})" if adjusted and self.p_adjusted is not None else "p": p,
                "n": self.n,
            },
            first=f"{value} ({inside})" if inside else value or f"undefined, {self.why}",
        )

    def _value_and_interval(self) -> tuple[str, str]:
        """The value with its unit, and its interval; "" for each that is not there."""
        ends = ["" if end is None else short(end) for end in (self.low, self.high)]
        inside = " to ".join(ends) if all(ends) else f"{ends[0]} or more" if ends[0] else ""
        inside = inside or (f"{ends[1]} or less" if ends[1] else "")
        value = "" if self.value is None else f"{self.bound}{short(self.value)} {self.unit}".strip()
        return value, inside

    def _repr_html_(self) -> str:
        """HTML for notebooks: the value with its interval and test."""
        value, inside = self._value_and_interval()
        return facts_html(self.meaning.title or self.name, {
            "subset": self.groups, "value": value, f"{100 * self.level:g} % interval": inside,
            "neutral": self.neutral, "p": self.p, f"p, {self.adjustment}": self.p_adjusted, "n": self.n,
            "why": self.why, "model": self.model, "study": self.study, "rule": self.rule,
            "convention": self.convention,
        })  # fmt: skip

    @property
    def significant(self) -> bool | None:
        """Does the value differ significantly from the neutral one? None where nothing says so.

        Nothing does of a size, which is never below neutral, of a bound, nor where no value is neutral. True
        needs both where both are there: an interval without the neutral value, and p < .05 (the adjusted p
        where there is one). An interval with one end only has no limit on the other side.

        >>> Estimate("rate", 57.3, 51.0, 63.4, 0.08, 240, neutral=50, unit="%").significant
        False
        """
        described = self.meaning.magnitude or self.meaning.bounds
        if self.value is None or self.neutral is None or described:
            return None
        p = self.p if self.p_adjusted is None else self.p_adjusted
        if self.low is None and self.high is None:
            return None if p is None else p < ALPHA
        below = self.high is not None and self.high < self.neutral
        above = self.low is not None and self.low > self.neutral
        return (below or above) and (p is None or p < ALPHA)


def weaker_variant(head: Estimate, estimates: Iterable[Estimate]) -> Estimate | None:
    """Another interval of the same number that is not significant where the headline is.

    Such as one that allows for items made from one template, which are not independent.
    """
    if not head.significant:
        return None
    return next(
        (
            e for e in estimates
            if e.meaning.variant_of == head.name and e.groups == head.groups
            and e.value == head.value and e.significant is False
        ),
        None,
    )  # fmt: skip


def only_finite(value: float | None, sure: Inference) -> tuple[float | None, Inference, str]:
    """A number and its uncertainty without what is not finite, and the reason for what is missing.

    >>> only_finite(float("nan"), Inference(0.0, 1.0, 0.5))[::2]
    (None, 'its computation did not give a finite number')
    >>> only_finite(2.0, Inference(1.0, float("nan"), 0.5))[1:]
    (Inference(low=None, high=None, p=0.5, ...), 'no interval: its limits are not finite numbers')
    """
    if not _is_finite(value):
        return None, Inference(None, None), "its computation did not give a finite number"
    why = []
    if not (_is_finite(sure.low) and _is_finite(sure.high)):
        sure = sure._replace(low=None, high=None, interval="")
        why.append("no interval: its limits are not finite numbers")
    if not _is_finite(sure.p):
        sure = sure._replace(p=None, test="")
        why.append("no test: its p is not a finite number")
    if not _is_finite(sure.mde):
        sure = sure._replace(mde=None)
    return value, sure, "; ".join(why)


def estimated(
    name: str, value: float | None, sure: Inference, *, n: int, **further: Any
) -> Estimate:
    """An estimate with the interval and the test of an inference; `further` are all its other fields.

    What is not a finite number is undefined, for that reason.
    """
    value, sure, reason = only_finite(value, sure)
    if reason:
        further["why"] = "; ".join(filter(None, (further.get("why"), reason)))
    return Estimate(
        name, value, sure.low, sure.high, sure.p, n, interval=sure.interval, test=sure.test,
        mde=sure.mde, level=sure.level, **further,
    )  # fmt: skip
