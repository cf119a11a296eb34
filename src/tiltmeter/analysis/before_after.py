"""One model before and after something was done to it, on the same items of several studies.

What is compared is what `compare` compares, study by study; here it stands beside the neutral value, and
beside what it cost: how much worse the model became at the language itself. Which is which, the role of a
measure says (`Meaning.role`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.analysis.compare import compare
from tiltmeter.analysis.matched_runs import done, matched, names
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import ALPHA, Card, Estimate, Result, Role
from tiltmeter.core.views import Matrix
from tiltmeter.stats.two_samples import TTest, t_test

Way: TypeAlias = Literal["nearer", "farther", "same", ""]
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Change:
    """One number before and after."""

    before: Estimate
    after: Estimate
    difference: Estimate
    """After less before (or after divided by before), paired over the items."""

    @property
    def way(self) -> Way:
        """Is it nearer to the neutral value than it was? "" where there is no value, or none is neutral.

        A rate that goes from 45 to 30 is farther from 50, whatever sign the difference has.
        """
        sides = self._from_neutral
        if sides is None:
            return ""
        was, is_ = map(abs, sides)
        if abs(was - is_) <= ROUNDING * max(1.0, was, is_):
            return "same"
        return "nearer" if is_ < was else "farther"

    @property
    def crossed(self) -> bool:
        """Do the two lie on different sides of the neutral value?"""
        sides = self._from_neutral
        return sides is not None and sides[0] * sides[1] < 0

    @property
    def _from_neutral(self) -> tuple[float, float] | None:
        """How far both values lie from neutral, with a sign."""
        before, after = self.before, self.after
        if before.value is None or after.value is None:
            return None
        if before.neutral is None or after.neutral is None:
            return None
        return before.value - before.neutral, after.value - after.neutral

    @property
    def worse(self) -> bool | None:
        """Of a cost: did the model become significantly worse (True) or better (False)?

        None where the change is not significant, or no way is better.
        """
        e, better = self.difference, self.before.meaning.better
        if not better or e.value is None or e.neutral is None or not e.significant:
            return None
        return (e.value > e.neutral) == (better == "lower")


@dataclass(frozen=True, slots=True)
class Scores:
    """The published t-test: scores of groups before and after, as if they were independent samples."""

    axis: str
    groups: int
    test: TTest | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """One study."""

    before: Card
    after: Card
    leanings: tuple[Change, ...]
    costs: tuple[Change, ...]
    cells: tuple[int, int] = (0, 0)
    """Of a matrix: how many cells changed significantly, of how many."""
    scores: Scores | None = None
    """Only where it was asked for."""

    @property
    def study(self) -> str:
        """Its name."""
        return self.before.study

    @property
    def overall(self) -> Change | None:
        """The first leaning over all items; None where no number covers all."""
        return next((c for c in self.leanings if not c.difference.groups), None)


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """All studies."""

    before: str
    after: str
    """Names of the models."""
    done: str
    """What was done to the model, where its card says so."""
    parts: tuple[Part, ...]
    missing: tuple[tuple[str, str], ...]
    """Studies that are not compared, and why."""
    seed: int

    @property
    def costs(self) -> tuple[Change, ...]:
        """Of all studies."""
        return tuple(change for part in self.parts for change in part.costs)


def before_after(
    before: Sequence[Result],
    after: Sequence[Result],
    *,
    missing: Sequence[tuple[str, str]] = (),
    scores: bool = False,
    seed: int = 0,
) -> BeforeAfter:
    """Compare two models study by study.

    Args:
        before: Results of one model, each of another study, or of one study in different ways.
        after: Results of the other one, by the same rules on the same items.
        missing: Studies that could not be run, and why.
        scores: Whether to make the published t-test too.
        seed: For bootstraps.

    Raises:
        BadInput: Results of a study differ in items, rule or settings; or there is nothing in common.
    """
    pairs, alone = matched(before, after)
    parts = tuple(_part(a, b, scores=scores, seed=seed) for a, b in pairs)
    first, last = names(before, after)
    said = ", ".join(text for text in dict.fromkeys(map(done, after)) if text)
    return BeforeAfter(first, last, said, parts, (*missing, *alone), seed)


def _part(before: Result, after: Result, *, scores: bool, seed: int) -> Part:
    found = compare(after, before, seed=seed)
    cells = [e for e in found if _is_cell(e, after.card)]
    rest = [e for e in found if not _is_cell(e, after.card)]
    leanings = tuple(_changes(before, after, rest, "lean"))
    costs = _changes(before, after, rest, "cost")
    changed = sum(e.p_adjusted is not None and e.p_adjusted < ALPHA for e in cells)
    return Part(
        before.card,
        after.card,
        leanings,
        tuple(c for c in costs if not c.difference.groups),
        (changed, len(cells)),
        _scores(leanings) if scores else None,
    )


def _is_cell(difference: Estimate, card: Card) -> bool:
    """Whether it is about one cell of a matrix, of which there are too many to list."""
    return any(
        isinstance(view, Matrix)
        and difference.meaning.difference_of == view.measure
        and set(difference.groups) == {view.rows, view.columns}
        for view in card.views
    )


def _changes(
    before: Result, after: Result, differences: Sequence[Estimate], role: Role
) -> Iterator[Change]:
    """Differences of measures that have this role, each with the value before and after."""
    values = [
        {(e.name, *sorted(e.groups.items())): e for e in result.estimates}
        for result in (before, after)
    ]
    for difference in differences:
        key = (difference.meaning.difference_of, *sorted(difference.groups.items()))
        both = [of.get(key) for of in values]
        if both[0] is not None and both[1] is not None and both[0].meaning.role == role:
            yield Change(both[0], both[1], difference)


def _scores(leanings: Sequence[Change]) -> Scores:
    """Elsafoury 2023, section 5: the groups' scores before, against those after."""
    axes: dict[str, list[Change]] = {}
    for change in leanings:
        if len(change.difference.groups) == 1 and change.way:
            (axis,) = change.difference.groups
            axes.setdefault(axis, []).append(change)
    if not axes:
        return Scores("", 0, None, "no scores of groups")
    axis, rows = max(axes.items(), key=lambda one: len(one[1]))
    try:
        sides = [np.array([getattr(c, side).value for c in rows]) for side in ("before", "after")]
        return Scores(axis, len(rows), t_test(*sides))
    except Undefined as undefined:
        return Scores(axis, len(rows), None, str(undefined))
