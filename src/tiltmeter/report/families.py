"""Estimates that belong together: one measure over one crossing of axes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tiltmeter.core.results import Estimate
from tiltmeter.report.wording import axis_title

FEW = 3
"""A family of so few subsets needs no table of its own."""

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
    def title(self) -> str:
        """What the subsets are: "bias type", "race × gender"."""
        return " × ".join(axis_title(axis) for axis in self.axes) or "all items"


def families(estimates: Iterable[Estimate]) -> list[Family]:
    """Grouped by (name, axes), in the order in which each first appears.

    >>> rate = Estimate("rate", 50, 40, 60, None, 9, neutral=50, unit="%")
    >>> age = Estimate("rate", 50, 40, 60, None, 9, neutral=50, unit="%", groups={"kind": "age"})
    >>> [(f.name, f.axes) for f in families([rate, age])]
    [('rate', ()), ('rate', ('kind',))]
    """
    found: dict[tuple[str, tuple[str, ...]], list[Estimate]] = {}
    for estimate in estimates:
        found.setdefault((estimate.name, tuple(estimate.groups)), []).append(estimate)
    return [Family(name, axes, tuple(members)) for (name, axes), members in found.items()]


def headline_of(estimates: Sequence[Estimate]) -> Estimate | None:
    """The study's first measure over all items; None where nothing covers all items."""
    return next((e for e in estimates if not e.groups), None)


def main_family(estimates: Sequence[Estimate]) -> Family | None:
    """The headline's measure over the single axis with the most subsets: the categories.

    An axis with more than `MANY` (target terms, say) does not count.
    """
    head = headline_of(estimates)
    over = [
        f for f in families(estimates) if head is not None and f.name == head.name and f.is_drawn
    ]
    return max(over, key=lambda f: len(f.estimates), default=None)


def by_value(estimates: Iterable[Estimate]) -> list[Estimate]:
    """Highest first; undefined ones last; equal ones by the name of their subset."""
    return sorted(
        estimates,
        key=lambda e: (e.value is None, -(e.value or 0.0), tuple(e.groups.values())),
    )
