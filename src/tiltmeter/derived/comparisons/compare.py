"""Two models on the same items: paired tests and paired intervals, never two separate ones.

What is compared, and how, is declared by the measures of the study (`core.measures.Comparison`); this module
matches items, lays both models' scores side by side and writes the estimates.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import cast

import numpy as np

from tiltmeter.core.equivalence import Equivalence
from tiltmeter.core.equivalence_margins import EquivalenceMargins
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.measures import EVERY, Comparison, Measure
from tiltmeter.core.quantity import Quantity
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Margins, Matrix
from tiltmeter.core.types import Array, Integers, Ties
from tiltmeter.core.views import View
from tiltmeter.derived.comparisons import preference_agreement
from tiltmeter.derived.comparisons.equivalence import NO_MARGINS, NOT_BY_ITEM, scale_of
from tiltmeter.derived.comparisons.measured_difference import (
    ComparedRows,
    difference_in_other_wordings,
    measured_difference,
)
from tiltmeter.derived.comparisons.measures_over_models import rank_correlations
from tiltmeter.derived.comparisons.paired import (
    Answered,
    HeldColumns,
    PairedColumns,
    check,
    names,
    note,
    pair_up,
)
from tiltmeter.derived.comparisons.preference_agreement import agreement, margins_view
from tiltmeter.derived.comparisons.unpaired_items import UnpairedItems, what_they_hide
from tiltmeter.derived.comparisons.wording_ranks import wording_ranks
from tiltmeter.derived.installed_study import measures_of
from tiltmeter.derived.matrices import matrix_comparison
from tiltmeter.derived.matrices.matrix import is_matrix
from tiltmeter.derived.matrices.matrix_comparison import compare_cells
from tiltmeter.run.measuring.contrasts import sides_of
from tiltmeter.run.measuring.estimates import ADJUSTMENTS
from tiltmeter.run.measuring.over_wordings import has_variant

ALL_PAIRS_UP_TO = 4
"""Up to this many models, each is compared with each; beyond it, each with the first."""


@dataclass(frozen=True, slots=True)
class Comparisons:
    """How far results are apart, and what only one of two could be compared on."""

    estimates: Sequence[Estimate]
    unpaired: Sequence[Record]
    """The items that only one of two results answers, in the order of their ids."""


def compare_all(
    results: Sequence[Result], *, seed: int = 0, margins: EquivalenceMargins = NO_MARGINS
) -> Comparisons:
    """Every two of up to four results; of more, each with the first.

    The adjustment then runs over all comparisons: over their overall differences, and over all their
    differences by category. Over three results or more, the rank correlation of two measures that the
    study shows in one plane.

    Raises:
        BadInput: As `compare`, or there are fewer than two results.
        UnknownName: A margin is for a measure that the study does not compare.
    """
    if len(results) < 2:  # noqa: PLR2004
        raise BadInput("a comparison needs at least two results", "give two or more")
    pairs = list(combinations(results, 2))
    if len(results) > ALL_PAIRS_UP_TO:
        pairs = [(results[0], other) for other in results[1:]]
    check_margins(margins, results)
    read: HeldColumns | None = {} if len(pairs) > 1 else None
    compared = [_compared(a, b, seed, margins, read) for a, b in pairs]
    differences = [e for each in compared for e in each.estimates]
    return Comparisons(
        _adjusted([*differences, *rank_correlations(results, seed=seed), *wording_ranks(results)]),
        [record for each in compared for record in each.unpaired],
    )


def check_margins(margins: EquivalenceMargins, results: Iterable[Result]) -> None:
    """Check margins that are for one measure against those that the studies of these results compare.

    Raises:
        UnknownName: One is for no such measure.
        BadInput: One is as wide as the scale of its measure.
    """
    if margins:
        measures = (m for result in results for m in measures_of(result.card))
        margins.check({m.name: scale_of(m) for m in measures if m.comparison is not None})


def compare(
    a: Result, b: Result, *, seed: int = 0, margins: EquivalenceMargins = NO_MARGINS
) -> list[Estimate]:
    """How far A is from B in each measure that its study compares, over common items and by category.

    Without another declaration that is A's value minus B's, 0 where they are equal, with an interval that
    resamples items (whole clusters where the data have them) with both models' answers, and a test that
    exchanges the two models item by item. Where a study shows which of two texts a model prefers, then how
    often both prefer the same, and Cohen's kappa of that. Two matrices: see `compare_cells`.

    Items are matched by id, and each measure is compared over those for which both results have what it
    needs (`run.measuring.answered_rows`): n counts these, and `why` names what only one of the two answers.
    Scores are rounded first where the results' convention says so; `why` also tells different rules and
    settings.

    Raises:
        BadInput: They are not about the same study and data, count ties in different ways, or have no
            item in common; or their study is not installed here, or compares nothing. Data from two files
            count as the same where all common items have the same texts.
    """
    return _adjusted(_compared(a, b, seed, margins).estimates)


def _compared(
    a: Result, b: Result, seed: int, margins: EquivalenceMargins, read: HeldColumns | None = None
) -> Comparisons:
    """All estimates of two results, their p not adjusted yet; `read` as of `pair_up`."""
    check(a, b)
    unpaired = UnpairedItems(*names(a, b))
    estimates = list(_item_by_item(a, b, seed, margins, read, unpaired))
    if is_matrix(a) and is_matrix(b):
        estimates += compare_cells(a, b, unpaired)
    if margins:
        estimates = [_with_reason(e) for e in estimates]
    if not estimates:
        raise BadInput(
            f"results of {a.card.study} are not comparable between models",
            "read each one separately",
        )
    return Comparisons(estimates, unpaired.records())


def _adjusted(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Over each family of two or more: the estimates of one name over the same axes.

    In the way that the estimates name, by Holm's where they name none.
    """
    families: dict[tuple[str, ...], list[int]] = {}
    for i, e in enumerate(estimates):
        families.setdefault((e.name, *e.groups), []).append(i)
    out = [replace(e, adjustment="") for e in estimates]
    for members in families.values():
        if len(members) > 1:
            way = estimates[members[0]].adjustment or "Holm"
            corrected = ADJUSTMENTS[way]([estimates[i].p for i in members])
            for i, p in zip(members, corrected, strict=True):
                out[i] = replace(out[i], p_adjusted=p, adjustment="" if p is None else way)
    return out


def _item_by_item(
    a: Result,
    b: Result,
    seed: int,
    margins: EquivalenceMargins,
    read: HeldColumns | None,
    unpaired: UnpairedItems,
) -> Iterator[Estimate]:
    """The differences that the study declares, and the agreement of preferences."""
    theirs = {m.name: m for m in reversed(measures_of(b.card))}  # the first of a name counts
    compared = [
        (m, comparison, compared_over(m, comparison, a.card.categories))
        for m in measures_of(a.card)
        if (comparison := m.comparison) is not None and m.name in theirs
    ]
    axes = {axis for *_, crossings in compared for crossing in crossings for axis in crossing}
    there = _axes_of(a, axes)
    compared = [
        (m, comparison, kept)
        for m, comparison, crossings in compared
        if (kept := [crossing for crossing in crossings if there.issuperset(crossing)])
    ]
    view = margins_view(a, b)
    if not compared and view is None:
        return
    for _, comparison, _ in compared:
        _check_same(a, b, comparison)
    wanted = {name for m, comparison, _ in compared for name in (*m.reads, *comparison.reads)}
    pairing = pair_up(a, b, [*wanted, *(view.sides if view else ())], read)
    for m, comparison, crossings in compared:
        if not pairing.a.has_parts_of(m):
            continue
        other = theirs[m.name].comparison
        apart = comparison.same_rule or (other is not None and other.same_rule)
        rules = (a.card.rule, b.card.rule)
        why = f"the rules {' and '.join(rules)} measure different things"
        incomparable = why if apart and len(set(rules)) > 1 else ""
        answered = pairing.answered(m, further=comparison.reads)
        incomparable = incomparable or pairing.why_nothing(m, answered)
        only = (pairing.ids(rows) for rows in (answered.only_a, answered.only_b))
        left_out = unpaired.add(m.name, *only, counts=m.meaning.counts)
        ties = cast("Ties", a.card.ties or "half")
        for groups, rows, side in _held_apart(m, pairing, answered, crossings):
            notes = ""
            if not groups or () not in crossings:
                hidden = what_they_hide(m, pairing, answered, ties)
                notes = "; ".join(filter(None, (left_out, hidden, note(a, b))))
            of = ComparedRows(m, comparison, groups, rows, side, incomparable, notes)
            difference = measured_difference(a, b, pairing, of, seed, margins)
            yield difference
            if not groups and m.contrast is None and has_variant(m):
                yield from difference_in_other_wordings(a, b, pairing, of, difference)
    if view is not None:
        yield from agreement(a, b, pairing, view, seed=seed)


def _held_apart(
    m: Measure, pairing: PairedColumns, answered: Answered, crossings: Sequence[tuple[str, ...]]
) -> Iterator[tuple[dict[str, str], Integers, tuple[Array, ...]]]:
    """What to compare over, the rows, and of a measure with a contrast on which side each row is."""
    for groups, rows in _subsets(
        m, pairing, answered.both, pairing.a.crossings(crossings, m.of_several)
    ):
        if m.contrast is None:
            yield groups, rows, ()
            continue
        for name, first, second in sides_of(m.contrast, pairing.a, rows):
            side = np.repeat([0.0, 1.0], [len(first), len(second)])
            both = np.concatenate([first, second])
            yield {**groups, m.contrast.axis: name}, both, (side,)


def further_numbers(views: Iterable[View]) -> list[Quantity]:
    """Numbers of a comparison besides differences of measures, for results that have these views."""
    numbers: list[Quantity] = []
    for view in views:
        if isinstance(view, Margins):
            numbers += preference_agreement.QUANTITIES.values()
        elif isinstance(view, Matrix):
            numbers += matrix_comparison.QUANTITIES.values()
            numbers.append(Quantity(matrix_comparison.difference_name(view), Meaning()))
    return numbers


def compared_over(
    measure: Measure, comparison: Comparison, categories: str
) -> list[tuple[str, ...]]:
    """The axes that a measure is compared over; `categories` is the axis of the study's categories, or "".

    Without a declaration: all items, the categories, and the first single axis that it is reported over.
    """
    if comparison.over is not None:
        return list(comparison.over)
    single = [axes for axes in measure.over if len(axes) == 1 and axes != EVERY]
    of_study = (categories,)
    is_reported = of_study in single or (EVERY in measure.over and not single)
    over = [
        *([()] if () in measure.over else []),
        *([of_study] if categories and is_reported else []),
        *single[:1],
    ]
    return [*dict.fromkeys(over)]


def _axes_of(result: Result, wanted: set[str]) -> set[str]:
    """Which of these axes some record has; looks no further than it must."""
    lacking, axes = set(wanted), set[str]()
    for record in result.records:
        if not lacking:
            break
        axes |= lacking & record.groups.keys()
        lacking -= axes
    return axes


def _check_same(a: Result, b: Result, comparison: Comparison) -> None:
    """Raise where two results differ in what they must agree in."""
    sides = [
        {name: card.data.get(name, card.settings.get(name)) for name in comparison.same}
        for card in (a.card, b.card)
    ]
    apart = [name for name in comparison.same if sides[0][name] != sides[1][name]]
    if apart:
        differences = "; ".join(f"{name} {sides[0][name]} and {sides[1][name]}" for name in apart)
        raise BadInput(
            f"the two results were not produced in the same way: {differences}",
            "run both models with the same data and settings",
        )


def _subsets(
    measure: Measure, pairing: PairedColumns, rows: Integers, crossings: Sequence[tuple[str, ...]]
) -> Iterator[tuple[dict[str, str], Integers]]:
    """What to compare over, without axes whose only value covers all these rows and repeats all of them.

    All rows come even where there are none, so that the difference says why it has no value.
    """
    columns = pairing.a.taken(rows)
    everything = np.arange(len(rows))
    for axes in crossings:
        subsets = list(columns.subsets_of(measure, axes))
        if axes and () in crossings and len(subsets) == 1 and len(subsets[0][1]) == len(rows):
            continue
        for labels, mine in subsets:
            yield dict(zip(axes, labels, strict=True)), rows[everything[mine]]


def _with_reason(e: Estimate) -> Estimate:
    """With the reason why there is no verdict on equivalence, of a difference without any yet."""
    if not e.meaning.difference_of or e.equivalence is not None:
        return e
    why = NOT_BY_ITEM if e.value is not None else "the difference is undefined"
    return replace(e, equivalence=Equivalence("", why=why))
