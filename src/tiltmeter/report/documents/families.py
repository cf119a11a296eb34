"""Estimates that belong together: one measure over one crossing of axes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.views import Extremes, SideBySide, View
from tiltmeter.report.text import axis_title

FEW = 3
"""A family of so few subsets needs no table of its own."""
LONG = 12
"""More values than these, and without an interval or a test, are for the page."""
MANY = 40
"""A family of more subsets than these is for the list of all numbers, not for a picture."""


@dataclass(frozen=True, slots=True)
class Family:
    """One measure over one crossing of axes, in the order the estimates came."""

    name: str
    axes: tuple[str, ...]
    estimates: tuple[Estimate, ...]

    @property
    def is_drawn(self) -> bool:
        """Is it over one axis, and few enough to be looked at?"""
        return len(self.axes) == 1 and len(self.estimates) <= MANY

    @property
    def is_long_and_bare(self) -> bool:
        """Has it so many values without an interval or a test that a terminal is better off without them?"""
        bare = all(e.low is None and e.p is None for e in self.estimates)
        return bare and len(self.estimates) > LONG

    @property
    def title(self) -> str:
        """What the subsets are: "bias type", "race × gender"."""
        return " × ".join(map(axis_title, self.axes)) or "all items"


def families(estimates: Iterable[Estimate]) -> list[Family]:
    """Grouped by (name, axes), in the order in which each first appears.

    >>> rate = Estimate("rate", 50, 40, 60, None, 9, neutral=50, unit="%")
    >>> age = Estimate("rate", 50, 40, 60, None, 9, neutral=50, unit="%", groups={"kind": "age"})
    >>> [(f.name, f.axes) for f in families([rate, age])]
    [('rate', ()), ('rate', ('kind',))]
    """
    members_of: dict[tuple[str, tuple[str, ...]], list[Estimate]] = {}
    for estimate in estimates:
        members_of.setdefault((estimate.name, tuple(estimate.groups)), []).append(estimate)
    return [Family(name, axes, tuple(members)) for (name, axes), members in members_of.items()]


def repeats_all(family: Family, estimates: Sequence[Estimate]) -> bool:
    """Has its axis a single value, which all items have, so that it says nothing new?"""
    only, *others = family.estimates
    whole = next((e for e in estimates if e.name == family.name and not e.groups), None)
    same = whole is not None and (whole.n, whole.value) == (only.n, only.value)
    return bool(family.axes) and not others and same


def headline_of(estimates: Sequence[Estimate]) -> Estimate | None:
    """The study's first measure over all items; None where nothing covers all items."""
    return next((e for e in estimates if not e.groups), None)


def main_family(estimates: Sequence[Estimate], views: Sequence[View] = ()) -> Family | None:
    """The headline's measure over the single axis with the most subsets: the categories.

    The first measure where nothing covers all items. An axis with more than `MANY` values does not
    count, nor one of which only the ends are shown.
    """
    first = headline_of(estimates) or next(iter(estimates), None)
    over = [
        f
        for f in families(estimates)
        if first and f.name == first.name and f.is_drawn and not shows_ends(f, views)
    ]
    return max(over, key=lambda f: len(f.estimates), default=None)


def shows_ends(family: Family, views: Iterable[View]) -> bool:
    """Is it over an axis of which the study wants only the highest and lowest values shown?"""
    return any(
        isinstance(v, Extremes) and family.axes in {(v.axis,), (v.within, v.axis)} for v in views
    )


def together(estimates: Sequence[Estimate], views: Sequence[View]) -> tuple[str, ...]:
    """The measures that are read side by side, as far as two or more are there; () for none.

    Of two results compared, the differences of these measures. A measure of too many subsets alone does not
    count: it has no line to stand in.
    """
    shown = [
        f for f in families(estimates) if len(f.estimates) <= MANY and not shows_ends(f, views)
    ]
    names = {measure_of(f.estimates[0]): f.name for f in shown}
    for view in views:
        if isinstance(view, SideBySide):
            present = tuple(names[measure] for measure in view.measures if measure in names)
            if len(present) > 1:
                return present
    return ()


def measure_of(estimate: Estimate) -> str:
    """The measure of which this is a value, or a difference of values."""
    return estimate.meaning.difference_of or estimate.name


def by_value(estimates: Iterable[Estimate]) -> list[Estimate]:
    """Highest first; undefined ones last; equal ones by the name of their subset."""
    return sorted(
        estimates, key=lambda e: (e.value is None, -(e.value or 0.0), tuple(e.groups.values()))
    )
