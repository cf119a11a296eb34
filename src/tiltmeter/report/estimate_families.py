"""Estimates that belong together: one measure over one crossing of axes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tiltmeter.core.results import Estimate
from tiltmeter.report.terms import ASSOCIATIONS, SS, TERMS
from tiltmeter.report.wording import axis_title, final_p, is_clear

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
        return len(self.axes) == 1 and len(self.estimates) <= MANY and not self.is_terms

    @property
    def is_terms(self) -> bool:
        """Is it a score of context associations, target term by target term?"""
        return self.name.removesuffix("_difference") in ASSOCIATIONS and self.axes == (TERMS,)

    @property
    def title(self) -> str:
        """What the subsets are: "bias type", "race × gender"."""
        return " × ".join(axis_title(axis) for axis in self.axes) or "all items"


ENDS = 5
"""How many target terms are shown at either end."""


@dataclass(frozen=True, slots=True)
class Extremes:
    """The target terms at either end of the stereotype score."""

    most: Sequence[Estimate]
    """Highest first."""
    least: Sequence[Estimate]
    """Lowest first; none is among `most`."""
    ranked: Sequence[Estimate]
    """All terms, highest first."""

    @property
    def caution(self) -> str:
        """Why the ends of a long list say little about the terms that stand there."""
        known = [e for e in self.ranked if e.value is not None]
        few, many = min(e.n for e in known), max(e.n for e in known)
        size = f"{few:,}" if few == many else f"{few:,} to {many:,}"
        tested = sum(final_p(e) is not None for e in known)
        clear = sum(bool(is_clear(e)) for e in known)
        found = f" Of {tested:,} terms tested, {clear or 'none'} can be told from no preference"
        holm = " after Holm’s adjustment" if any(e.p_adjusted is not None for e in known) else ""
        return (
            f"A term has only {size} contexts, so its interval is wide, and of {len(known):,} terms some "
            "stand at either end by chance: other contexts would bring others there."
            f"{f'{found}{holm}.' if tested else ''}"
        )


def extremes(estimates: Iterable[Estimate]) -> Extremes | None:
    """The most and the least stereotyped target terms; None with fewer than two."""
    terms = [e for e in estimates if e.name == SS and tuple(e.groups) == (TERMS,)]
    ranked = by_value(terms)
    known = [e for e in ranked if e.value is not None]
    count = min(ENDS, len(known) // 2)
    if known and known[0].value == known[-1].value:
        return None  # there are no ends
    return Extremes(known[:count], known[::-1][:count], ranked) if count else None


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

    The first measure where nothing covers all items. An axis with more than `MANY` (target terms, say)
    does not count.
    """
    first = headline_of(estimates) or next(iter(estimates), None)
    over = [f for f in families(estimates) if first and f.name == first.name and f.is_drawn]
    return max(over, key=lambda f: len(f.estimates), default=None)


def by_value(estimates: Iterable[Estimate]) -> list[Estimate]:
    """Highest first; undefined ones last; equal ones by the name of their subset."""
    return sorted(
        estimates,
        key=lambda e: (e.value is None, -(e.value or 0.0), tuple(e.groups.values())),
    )
