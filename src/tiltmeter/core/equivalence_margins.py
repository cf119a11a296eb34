"""EquivalenceMargins as users write them: the largest differences that count as none."""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from tiltmeter.core.errors import BadInput, UnknownName

_MARGIN = re.compile(r"(?:(?P<measure>[^=]*\S)\s*=\s*)?(?P<number>[0-9.eE+-]+)\s*(?P<percent>%)?")
POINTS = "percentage points"
MOST_POINTS = 100.0


@dataclass(frozen=True, slots=True)
class EquivalenceMargin:
    """The largest difference that counts as none, for all measures or for one."""

    number: float
    """In the unit of the measure, or in percent of the second result's value."""
    relative: bool = False
    measure: str = ""
    """The measure that it is for; "" for all that it fits."""


@dataclass(frozen=True, slots=True)
class EquivalenceMargins:
    """The margins of a comparison, by measure and for all others."""

    given: tuple[EquivalenceMargin, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.given)

    def over(self, others: "EquivalenceMargins") -> "EquivalenceMargins":
        """These, and those of the others that are about something else."""
        mine = {_key(m) for m in self.given}
        return EquivalenceMargins((*(m for m in others.given if _key(m) not in mine), *self.given))

    def adding(self, others: "EquivalenceMargins") -> "EquivalenceMargins":
        """Both sets of margins together.

        Raises:
            BadInput: A measure would have two margins.
        """
        mine = {_key(m): m for m in self.given}
        for margin in others.given:
            if margin.measure and mine.get(_key(margin), margin) != margin:
                raise BadInput(f"{margin.measure} is given two margins", "give the same or one")
        return others.over(self)

    def check(self, ranges: Mapping[str, tuple[float, float]]) -> None:
        """Check margins that are for one measure against the lowest and highest values of each measure.

        Raises:
            UnknownName: A margin is for none of these measures.
            BadInput: It is so wide that every difference would be within it.
        """
        for margin in self.given:
            if not margin.measure:
                continue
            if margin.measure not in ranges:
                raise UnknownName("measure that is compared", margin.measure, ranges)
            if not margin.relative and (why := _too_wide(margin, *ranges[margin.measure])):
                given = f"--margin {margin.measure}={margin.number:g}"
                raise BadInput(f"{given}: {why}", "name a smaller number")

    def bounds(
        self,
        measure: str,
        unit: str,
        *,
        is_ratio: bool,
        scale: tuple[float, float],
        reference: Callable[[], float | None],
    ) -> "EquivalenceBounds":
        """The differences of a measure that count as none.

        A number without a sign is in the unit of the measure: without a name it is in points, and about
        measures in percent only. A number with a percent sign is a share of the second result's value, which
        is about measures that cannot be negative and are not in percent themselves: 2 % of these could mean
        two things.

        Args:
            measure: The name of the measure.
            unit: Of the difference.
            is_ratio: Whether the values are divided by each other instead.
            scale: The lowest and the highest value that the measure may have.
            reference: Computes the second result's value; None where it has none.
        """
        in_points = unit == POINTS
        margin = self._for(measure, in_points=in_points)
        if margin is None:
            return EquivalenceBounds("", why=f"no margin is given for {measure}")
        shown = f"{margin.number:g}"
        if margin.relative:
            reach, why = _share_of(margin, measure, in_points, is_ratio, scale[0], reference)
            bounds = (1 / (1 + reach), 1 + reach) if is_ratio else (-reach, reach)
            called = f"{shown} %"
        else:
            bounds, why = (-margin.number, margin.number), _why_not(margin, measure, unit, is_ratio)
            why = why or _too_wide(margin, *scale)
            points = "point" if margin.number == 1 else "points"
            called = f"{shown} {unit if margin.measure and not in_points else points}".strip()
        return EquivalenceBounds(called, why=why) if why else EquivalenceBounds(called, *bounds)

    def _for(self, measure: str, *, in_points: bool) -> EquivalenceMargin | None:
        """The margin for a measure: its own, else the one of its kind, else one of the other kind."""
        named = [m for m in self.given if m.measure == measure]
        plain = [m for m in self.given if not m.measure]
        fitting = named or [m for m in plain if m.relative != in_points] or plain
        return fitting[-1] if fitting else None


@dataclass(frozen=True, slots=True)
class EquivalenceBounds:
    """The differences that count as none."""

    margin: str
    """The margin in words, such as "2 points"; "" if there is none."""
    least: float | None = None
    most: float | None = None
    why: str = ""
    """Why the margin has no limits for this measure; "" where it has."""


def _share_of(
    margin: EquivalenceMargin,
    measure: str,
    in_points: bool,  # noqa: FBT001
    is_ratio: bool,  # noqa: FBT001
    least: float,
    reference: Callable[[], float | None],
) -> tuple[float, str]:
    """How far a margin in percent reaches, or why it is none for this measure."""
    share = margin.number / 100
    if in_points:
        points = f"{measure}={margin.number:g}" if margin.measure else f"{margin.number:g}"
        return 0.0, (
            f"{margin.number:g} % of a number in percent could mean points, too; write --margin {points} "
            "for points"
        )
    if is_ratio:
        return share, ""
    value = reference() if least >= 0 else None
    if not value:
        return 0.0, f"a share of a number that may be 0 or less is no margin; {_own(measure)}"
    return share * value, ""


def _why_not(margin: EquivalenceMargin, measure: str, unit: str, is_ratio: bool) -> str:  # noqa: FBT001
    """Why a margin without a percent sign is none for this measure; "" where it is one."""
    if is_ratio:
        return f"the values are divided by each other; write --margin {measure}={margin.number:g}%"
    if margin.measure or unit == POINTS:
        return ""
    in_unit = f"in {unit}" if unit else "not in percent"
    return f"the margin is in points and this measure is {in_unit}; {_own(measure)}"


def _too_wide(margin: EquivalenceMargin, least: float, most: float) -> str:
    """Why every difference on a scale would be within a margin in its unit; "" where it may be larger."""
    if margin.number < most - least:
        return ""
    return (
        f"the scale ends at {least:g} and {most:g}, so every difference is within {margin.number:g}"
    )


def _own(measure: str) -> str:
    return f"write --margin {measure}=NUMBER for one in its own unit"


def read_margins(texts: Sequence[str]) -> EquivalenceMargins:
    """The margins of an option that is given any number of times.

    >>> [(m.measure, m.number, m.relative) for m in read_margins(["2", "perplexity=2%"]).given]
    [('', 2.0, False), ('perplexity', 2.0, True)]

    Raises:
        BadInput: One is none, or two are about the same.
    """
    made: list[EquivalenceMargin] = []
    for text in texts:
        match = _MARGIN.fullmatch(text.strip())
        form = "write --margin 2 (points), --margin 2% (of the second value) or --margin MEASURE=2"
        if match is None:
            raise BadInput(f"--margin {text!r} is not [MEASURE=]NUMBER[%]", form)
        try:
            number = float(match["number"])
        except ValueError:
            raise BadInput(f"--margin {text!r}: {match['number']} is no number", form) from None
        margin = EquivalenceMargin(number, bool(match["percent"]), (match["measure"] or "").strip())
        if not (math.isfinite(number) and number > 0):
            raise BadInput(f"--margin {text!r}: a margin is above 0", "name a larger number")
        if number >= MOST_POINTS and (margin.relative or not margin.measure):
            raise BadInput(
                f"--margin {text!r}: no difference is larger than that", "name a smaller number"
            )
        if any((m.measure, m.relative and not m.measure) == _key(margin) for m in made):
            raise BadInput(
                f"--margin is given twice for {margin.measure or 'the same'}", "give one"
            )
        made.append(margin)
    return EquivalenceMargins(tuple(made))


def _key(margin: EquivalenceMargin) -> tuple[str, bool]:
    """What can have only one margin: a measure, all in points, all in shares."""
    return margin.measure, margin.relative and not margin.measure
