"""Groups estimates into families: those of one measure over the same axes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.study_views import Extremes, SideBySide
from tiltmeter.core.views import View
from tiltmeter.core.wordings import AXIS as WORDING
from tiltmeter.report.text import axis_title

FEW = 3
"""A family with at most this many subsets gets no table of its own."""
LONG = 12
"""A family with more subsets than this, and without intervals or tests, is shown on the page only."""
MANY = 40
"""A family with more subsets than this is not drawn; only the table of all numbers has it."""


@dataclass(frozen=True, slots=True)
class Family:
    """The estimates of one measure over the same axes, in their original order."""

    name: str
    axes: tuple[str, ...]
    estimates: tuple[Estimate, ...]

    @property
    def is_drawn(self) -> bool:
        """Whether the family has a single axis and few enough subsets for a picture."""
        return len(self.axes) == 1 and len(self.estimates) <= MANY

    @property
    def is_long_and_bare(self) -> bool:
        """Whether it has so many values without intervals and tests that the terminal leaves them out."""
        bare = all(e.low is None and e.p is None for e in self.estimates)
        return bare and len(self.estimates) > LONG

    @property
    def title(self) -> str:
        """The axes in words: "bias type", "race × gender", or "all items"."""
        return " × ".join(map(axis_title, self.axes)) or "all items"


def families(estimates: Iterable[Estimate]) -> list[Family]:
    """The estimates grouped by measure and axes, in the order in which each family first appears.

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
    """Whether the family has a single subset that is the same as all items, so that it says nothing new."""
    only, *others = family.estimates
    whole = next((e for e in estimates if e.name == family.name and not e.groups), None)
    same = whole is not None and (whole.n, whole.value) == (only.n, only.value)
    return bool(family.axes) and not others and same


def headline_of(estimates: Sequence[Estimate]) -> Estimate | None:
    """The first estimate over all items; None where no estimate covers all items."""
    return next((e for e in estimates if not e.groups), None)


def main_family(estimates: Sequence[Estimate], views: Sequence[View] = ()) -> Family | None:
    """The categories: the headline's measure over the single axis with the most subsets.

    Where no estimate covers all items, the first measure is used. Axes with more than `MANY` values and those
    of which a view shows only the ends are not considered. None where no axis is left.
    """
    first = headline_of(estimates) or next(iter(estimates), None)
    over = [
        f
        for f in families(estimates)
        if first and f.name == first.name and f.is_drawn and not shows_ends(f, views)
    ]
    # Wordings are no categories: they come after any other axis, however many there are.
    return max(over, key=lambda f: (f.axes != (WORDING,), len(f.estimates)), default=None)


def shows_ends(family: Family, views: Iterable[View]) -> bool:
    """Whether a view shows only the highest and lowest values of this family's axis."""
    return any(
        isinstance(v, Extremes) and family.axes in {(v.axis,), (v.within, v.axis)} for v in views
    )


def together(estimates: Sequence[Estimate], views: Sequence[View]) -> tuple[str, ...]:
    """The names of the measures that a view shows side by side; () where fewer than two have values.

    For a comparison, these are the differences of those measures. A measure that only has families with more
    than `MANY` subsets does not count, as the table has no rows for these.
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
    """The measure of which the estimate is a value or a difference of values."""
    return estimate.meaning.difference_of or estimate.name


def by_value(estimates: Iterable[Estimate]) -> list[Estimate]:
    """The estimates by value, highest first, undefined ones last; ties by the names of their subsets."""
    return sorted(
        estimates, key=lambda e: (e.value is None, -(e.value or 0.0), tuple(e.groups.values()))
    )
