"""One model before and after something was done to it, on the same items of several studies.

What is compared is what `compare` compares, study by study; here it stands beside the neutral value, and
beside what it cost: how much worse the model became at the language itself.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.analysis.compare import compare
from tiltmeter.analysis.compare_texts import APART, RATIO
from tiltmeter.analysis.matched_runs import done, matched, names
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Card, Estimate, Result
from tiltmeter.stats.two_samples import TTest, t_test

Way: TypeAlias = Literal["nearer", "farther", "same", ""]
LEANINGS = {
    "stereotype_rate_difference": "stereotype_rate",
    "sos_rate_difference": "sos_rate",
    "ss_difference": "ss",
    "effect_size_difference": "effect_size",
    "combined_effect_difference": "combined_effect",
    "strength_difference": "mean_strength",
}
"""Differences that tell of a leaning: of which measure each is."""
COSTS = {
    RATIO: "perplexity",
    APART: "bits_per_byte",
    "lms_difference": "lms",
    "icat_difference": "icat",
}
"""Those that tell what it cost."""
LESS_IS_BETTER = (RATIO, APART)
CELLS = "association_difference"
FAMILY = "mean_absolute_effect"
ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class Change:
    """One number before and after."""

    before: Estimate
    after: Estimate
    difference: Estimate
    """After less before (of perplexities: after divided by before), paired over the items."""

    @property
    def way(self) -> Way:
        """Is it nearer to the neutral value than it was? "" where it has no value.

        A rate that goes from 45 to 30 is farther from 50, whatever sign the difference has.
        """
        if self.before.value is None or self.after.value is None:
            return ""
        was, is_ = (abs(e.value - (e.neutral or 0.0)) for e in (self.before, self.after))  # type: ignore[operator]
        if abs(was - is_) <= ROUNDING * max(1.0, was, is_):
            return "same"
        return "nearer" if is_ < was else "farther"

    @property
    def crossed(self) -> bool:
        """Do the two lie on different sides of the neutral value?"""
        if self.before.value is None or self.after.value is None:
            return False
        return (self.before.value - (self.before.neutral or 0.0)) * (
            self.after.value - (self.after.neutral or 0.0)
        ) < 0

    @property
    def worse(self) -> bool | None:
        """Of a cost: did the model become worse? None where it has no value or did not change."""
        value, neutral = self.difference.value, self.difference.neutral or 0.0
        if value is None or value == neutral:
            return None
        return (value > neutral) == (self.difference.name in LESS_IS_BETTER)


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
    """Of groups and traits: how many cells changed by more than chance, of how many."""
    scores: Scores | None = None
    """Only where it was asked for."""

    @property
    def study(self) -> str:
        """Its name."""
        return self.before.study

    @property
    def overall(self) -> Change | None:
        """The leaning over all items; None where no number covers all."""
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
    known = [{(e.name, *sorted(e.groups.items())): e for e in r.estimates} for r in (before, after)]

    def changes(names: dict[str, str]) -> Iterator[Change]:
        for difference in found:
            key = (names.get(difference.name, ""), *sorted(difference.groups.items()))
            if all(key in of for of in known):
                yield Change(known[0][key], known[1][key], difference)

    leanings = [*changes(LEANINGS), *_families(before, after)]
    costs = [c for c in changes(COSTS) if not c.difference.groups]
    cells = [e for e in found if e.name == CELLS]
    changed = sum(e.p_adjusted is not None and e.p_adjusted < 0.05 for e in cells)  # noqa: PLR2004
    return Part(
        before.card,
        after.card,
        tuple(leanings),
        tuple(costs),
        (changed, len(cells)),
        _scores(leanings) if scores else None,
    )


def _families(before: Result, after: Result) -> Iterator[Change]:
    """Means over families of association tests, of which no interval is made."""
    theirs = {repr(sorted(e.groups.items())): e for e in after.estimates if e.name == FAMILY}
    for one in before.estimates:
        other = theirs.get(repr(sorted(one.groups.items())))
        if one.name != FAMILY or other is None:
            continue
        value = None if one.value is None or other.value is None else other.value - one.value
        difference = Estimate(
            f"{FAMILY}_difference", value, None, None, None, one.n, 0.0, one.unit, one.why or other.why,
            one.groups, study=one.study, rule=one.rule, convention=one.convention,
        )  # fmt: skip
        yield Change(one, other, difference)


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
