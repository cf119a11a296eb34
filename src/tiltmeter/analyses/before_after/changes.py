"""What changed between two models, on the same items of several studies.

The differences are those of `compare`, study by study. A measure of how far the model leans is set against
its neutral value; one of how well the model handles the language itself counts as a cost. Which of the two
a measure is, its role says (`Meaning.role`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.analyses.before_after.matched_runs import matched, names
from tiltmeter.core.equivalence_margins import EquivalenceMargins
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import ALPHA, Estimate, Inference, Role
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.derived.comparisons.compare import check_margins, compare
from tiltmeter.derived.comparisons.equivalence import NO_MARGINS
from tiltmeter.derived.model_origin import done
from tiltmeter.stats.hypothesis_tests.t_tests import t_test

Way: TypeAlias = Literal["closer", "farther", "same", ""]
ROUNDING = 1e-9
BEFORE = {"state": "before"}
"""The coordinates of values before. Values after have none, so that thresholds are about these."""
CLOSER = quantity(
    "closer_studies", "Studies closer to neutral over all items", counts="studies", decimals=0
)
CHANGED_CELLS = quantity(
    "changed_cells", "Cells of a matrix that changed significantly", counts="cells", decimals=0
)
T_TEST = quantity(
    "elsafoury2023_t",
    "t of the groups’ scores before and after, as independent samples",
    counts="groups",
    decimals=2,
    neutral=0.0,
    test="t-test of independent samples (elsafoury2023)",
)
DECIMALS = {"standard deviations": 2, "bits": 3}
"""Decimals for units whose numbers are all of about the same size."""


@dataclass(frozen=True, slots=True)
class Change:
    """One number before and after."""

    before: Estimate
    after: Estimate
    difference: Estimate
    """After minus before (after divided by before for ratios), paired over the items."""

    @property
    def way(self) -> Way:
        """Whether the value is closer to neutral now, farther from it or as far; "" if nothing is neutral.

        A rate that goes from 45 to 30 is farther from 50, whatever the sign of the difference.
        """
        sides = self._from_neutral
        if sides is None:
            return ""
        was, is_ = map(abs, sides)
        if abs(was - is_) <= ROUNDING * max(1.0, was, is_):
            return "same"
        return "closer" if is_ < was else "farther"

    @property
    def crossed(self) -> bool:
        """Whether the two values lie on different sides of the neutral value."""
        sides = self._from_neutral
        return sides is not None and sides[0] * sides[1] < 0

    @property
    def _from_neutral(self) -> tuple[float, float] | None:
        """The signed distances of both values from neutral."""
        before, after = self.before, self.after
        if before.value is None or after.value is None:
            return None
        if before.neutral is None or after.neutral is None:
            return None
        return before.value - before.neutral, after.value - after.neutral

    @property
    def worse(self) -> bool | None:
        """For a cost, whether the model became significantly worse (True) or better (False).

        None where the change is not significant, or neither direction is better.
        """
        e, better = self.difference, self.before.meaning.better
        if not better or e.value is None or e.neutral is None or not e.significant:
            return None
        return (e.value > e.neutral) == (better == "lower")

    @property
    def verdict(self) -> str:
        """For a cost "worse" or "better"; for a leaning its way, and whether it crossed the neutral value."""
        if self.before.meaning.role == "cost":
            return "" if self.worse is None else "worse" if self.worse else "better"
        return f"{self.way}, crossed" if self.crossed else self.way

    def estimates(self) -> Iterator[Estimate]:
        """The value before and after, and the change with its verdict."""
        yield _sized(replace(self.before, groups={**self.before.groups, **BEFORE}))
        yield _sized(self.after)
        difference = self.difference
        undefined = difference.value is None
        why = (undefined and (self.before.why or self.after.why)) or difference.why
        yield _sized(replace(difference, verdict=self.verdict, why=why))


def _sized(e: Estimate) -> Estimate:
    """The estimate with the decimals of its unit, where that has a fixed number of them."""
    decimals = DECIMALS.get(e.unit)
    return e if decimals is None else replace(e, meaning=replace(e.meaning, decimals=decimals))


@dataclass(frozen=True, slots=True)
class StudyChanges:
    """What changed in a study that was run before and after."""

    card: Card
    """The card of the run before: its study, data and rule are those of both runs."""
    leanings: tuple[Change, ...]
    costs: tuple[Change, ...]
    cells: Estimate | None = None
    """For a matrix, how many cells changed significantly."""
    t_test: Estimate | None = None
    """Elsafoury's t-test of the groups' scores; only if it was asked for."""

    @property
    def overall(self) -> Change | None:
        """The first leaning over all items; None where no measure covers all items."""
        return next((c for c in self.leanings if not c.difference.groups), None)


@dataclass(frozen=True, slots=True)
class BeforeAfter:
    """Two models compared over all studies that both were run on."""

    before: str
    after: str
    """Names of the models."""
    done: str
    """What was done to the model, where its card says so."""
    studies: tuple[StudyChanges, ...]
    missing: tuple[tuple[str, str], ...]
    """Studies that are not compared, and why."""

    @property
    def costs(self) -> tuple[Change, ...]:
        """Changes in how well the model handles the language itself, over all studies."""
        return tuple(change for study in self.studies for change in study.costs)

    def estimates(self) -> Iterator[Estimate]:
        """How many studies are closer to neutral; then each change, with the values before and after."""
        heads = [study.overall for study in self.studies]
        known = [change for change in heads if change is not None and change.way]
        yield CLOSER.at(
            sum(change.way == "closer" for change in known), n=len(known),
            why="" if known else "no study here has one number for all items",
        )  # fmt: skip
        for study in self.studies:
            for change in (*study.leanings, *study.costs):
                yield from change.estimates()
            yield from (e for e in (study.cells, study.t_test) if e is not None)


def before_after(
    before: Sequence[Result],
    after: Sequence[Result],
    *,
    missing: Sequence[tuple[str, str]] = (),
    scores: bool = False,
    seed: int = 0,
    margins: EquivalenceMargins = NO_MARGINS,
) -> BeforeAfter:
    """Compare two models study by study.

    Args:
        before: Results of one model: of different studies, or of one study run in different ways.
        after: Results of the other model, by the same rules on the same data.
        missing: Studies that could not be run, and why.
        scores: Whether to run Elsafoury's t-test as well.
        seed: For bootstraps.
        margins: The differences that count as none.

    Raises:
        BadInput: Results of a study differ in data, rule or settings, or the models have no study in
            common.
    """
    check_margins(margins, before)
    pairs, alone = matched(before, after)
    studies = tuple(
        _study_changes(a, b, scores=scores, seed=seed, margins=margins) for a, b in pairs
    )
    change = ", ".join(text for text in dict.fromkeys(map(done, after)) if text)
    return BeforeAfter(*names(before, after), change, studies, (*missing, *alone))


def _study_changes(
    before: Result, after: Result, *, scores: bool, seed: int, margins: EquivalenceMargins
) -> StudyChanges:
    differences = compare(after, before, seed=seed, margins=margins)
    cells = [e for e in differences if _is_cell(e, after.card)]
    rest = [e for e in differences if not _is_cell(e, after.card)]
    leanings = tuple(_changes(before, after, rest, "lean"))
    costs = _changes(before, after, rest, "cost")
    # A matrix has too many cells to list: they are counted, and `compare` lists them.
    changed = sum(e.p_adjusted is not None and e.p_adjusted < ALPHA for e in cells)
    card = before.card
    count = CHANGED_CELLS.at(changed, n=len(cells), groups={"benchmark": card.study})
    return StudyChanges(
        card,
        leanings,
        tuple(c for c in costs if not c.difference.groups),
        replace(count, study=card.study, rule=card.rule) if cells else None,
        _t_test(leanings, card) if scores else None,
    )


def _is_cell(difference: Estimate, card: Card) -> bool:
    """Whether the difference is about one cell of a matrix."""
    return any(
        isinstance(view, Matrix)
        and difference.meaning.difference_of == view.measure
        and set(difference.groups) == {view.rows, view.columns}
        for view in card.views
    )


def _changes(
    before: Result, after: Result, differences: Sequence[Estimate], role: Role
) -> Iterator[Change]:
    """The differences of measures with this role, each with the values before and after."""
    values = [
        {(e.name, *sorted(e.groups.items())): e for e in result.estimates}
        for result in (before, after)
    ]
    for difference in differences:
        key = (difference.meaning.difference_of, *sorted(difference.groups.items()))
        both = [of.get(key) for of in values]
        if both[0] is not None and both[1] is not None and both[0].meaning.role == role:
            yield Change(both[0], both[1], difference)


def _t_test(leanings: Sequence[Change], card: Card) -> Estimate:
    """Elsafoury 2023, section 5: the groups' scores before against those after, as independent samples."""
    axes: dict[str, list[Change]] = {}
    for change in leanings:
        if len(change.difference.groups) == 1 and change.way:
            (axis,) = change.difference.groups
            axes.setdefault(axis, []).append(change)
    axis, rows = max(axes.items(), key=lambda item: len(item[1]), default=("none", []))
    value, p, why = None, None, "" if rows else "no scores of groups"
    try:
        if rows:
            before = np.array([change.before.value for change in rows])
            value, _, p = t_test(before, np.array([change.after.value for change in rows]))
    except Undefined as undefined:
        why = str(undefined)
    groups = {"benchmark": card.study, "axis": axis}
    estimate = T_TEST.at(value, Inference(None, None, p), n=len(rows), why=why, groups=groups)
    return replace(estimate, study=card.study, rule=card.rule)
