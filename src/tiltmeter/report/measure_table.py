"""Measures that are read beside each other: one row a subset, one column a measure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tiltmeter.core.results import Estimate
from tiltmeter.core.types import Groups
from tiltmeter.report.estimate_families import FEW, MANY, families
from tiltmeter.report.terms import ICAT, LMS, SS
from tiltmeter.report.wording import subset, visible

UNSEEN = "no minimum detectable effect"
"""Of which there is no column in such a table."""
Key: TypeAlias = tuple[tuple[str, str], ...]
"""A subset that can be looked up: (axis, value), once or more."""

SIDE_BY_SIDE = (
    (LMS, SS, ICAT),
    tuple(f"{name}_difference" for name in (LMS, SS, ICAT)),
)
"""Sets of measures over the same axes that make one table, in the order of their columns."""


@dataclass(frozen=True, slots=True)
class Line:
    """One subset, with every measure of it."""

    label: str
    groups: Groups
    depth: int
    """0, or 1 where it is a part of the line above it."""
    estimates: Sequence[Estimate | None]
    """One a column; None where that measure was not made of this subset."""

    @property
    def whole(self) -> str:
        """What a part is a part of."""
        return subset(dict(list(self.groups.items())[:1]), with_axis=False)

    @property
    def n(self) -> int:
        """How many items the measures were computed from."""
        return next((e.n for e in self.estimates if e is not None), 0)


@dataclass(frozen=True, slots=True)
class Table:
    """Several measures of the same subsets."""

    names: tuple[str, ...]
    lines: Sequence[Line]

    @property
    def title(self) -> str:
        """What the table is, for its heading."""
        of_models = any(name.endswith("_difference") for name in self.names)
        return "Differences side by side" if of_models else "Side by side"

    @property
    def headings(self) -> list[str]:
        """The measures by their short names."""
        return [name.removesuffix("_difference") for name in self.names]

    @property
    def estimates(self) -> list[Estimate]:
        """All numbers of the table, row by row."""
        return [e for line in self.lines for e in line.estimates if e is not None]

    @property
    def notes(self) -> list[str]:
        """What there is to know of single cells: each said once, with the rows it is said of."""
        found: dict[str, list[str]] = {}
        for line in self.lines:
            for text in dict.fromkeys(_note(e) for e in line.estimates if e is not None):
                if text:
                    found.setdefault(text, []).append(subset(line.groups, with_axis=False))
        count = len(self.lines)
        return [
            f"{'; '.join(rows) if len(rows) <= FEW else f'{len(rows)} of {count} rows'}: {text}"
            for text, rows in found.items()
        ]


def beside(estimates: Sequence[Estimate]) -> Table | None:
    """The first set of `SIDE_BY_SIDE` of which two measures or more are there; None without any.

    All items first; then the axes; the parts of a crossing stand under the value they are part of.
    Axes with more than `MANY` values, and target terms, are left out.
    """
    for measures in SIDE_BY_SIDE:
        names = tuple(m for m in measures if any(e.name == m for e in estimates))
        if len(names) > 1:
            return Table(names, _ordered([e for e in estimates if e.name in names], names))
    return None


def read_beside(name: str) -> bool:
    """Is the measure one that stands in such a table?"""
    return any(name in measures for measures in SIDE_BY_SIDE)


def _ordered(estimates: Sequence[Estimate], names: tuple[str, ...]) -> list[Line]:
    """All items, axes that are never crossed, and every part of a crossing under its whole."""
    found: dict[Key, dict[str, Estimate]] = {}
    for family in families(estimates):
        if len(family.estimates) <= MANY and not family.is_terms:
            for e in family.estimates:
                found.setdefault(tuple(e.groups.items()), {})[e.name] = e
    crossed = {key[0][0] for key in found if len(key) > 1}
    whole = sorted(
        (key for key in found if len(key) <= 1),
        key=lambda key: len(key) + any(axis in crossed for axis, _ in key),
    )
    keys = [part for key in whole for part in (key, *_parts(key, found, whole))]
    keys += [key for key in found if key not in keys]
    return [_line(key, whole, found[key], names) for key in keys]


def _note(estimate: Estimate) -> str:
    said = [part for part in estimate.why.split("; ") if not part.startswith(UNSEEN)]
    why = visible("; ".join(said))
    if estimate.value is not None:
        return why
    return f"{visible(estimate.name)} is undefined: {why or 'no reason was recorded'}"


def _parts(key: Key, keys: Iterable[Key], whole: Sequence[Key]) -> list[Key]:
    """What the subset `key` is crossed with, in the same order wherever that is possible."""
    parts = [part for part in keys if len(part) > 1 and part[:1] == key]
    place = {inner: i for i, inner in enumerate(whole)}
    return sorted(parts, key=lambda part: place.get(part[1:], len(place)))


def _line(
    key: Key, whole: Iterable[Key], found: Mapping[str, Estimate], names: Sequence[str]
) -> Line:
    within = len(key) > 1 and key[:1] in whole
    label = subset(dict(key[1:] if within else key), with_axis=False)
    return Line(label, dict(key), int(within), [found.get(name) for name in names])
