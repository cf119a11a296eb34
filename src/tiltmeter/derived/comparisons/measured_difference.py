"""The difference of two results in one measure, over some items, with its uncertainty."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tiltmeter.core.conventions import FIXED_LABELS
from tiltmeter.core.equivalence_margins import EquivalenceMargins
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, Meaning, estimated
from tiltmeter.core.measures import Compare, Comparison, Measure
from tiltmeter.core.results import Result
from tiltmeter.core.samples import PairedSample, rng_of
from tiltmeter.core.types import Array, Integers
from tiltmeter.derived.comparisons.equivalence import ComparedMeasure, value_or_none
from tiltmeter.derived.comparisons.paired import PairedColumns, between
from tiltmeter.metrics.paired_difference import compare_resampled
from tiltmeter.run.measuring.over_wordings import in_other_wordings, row_values, wordings_of
from tiltmeter.run.measuring.repeat_intervals import Repeated
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE


@dataclass(frozen=True, slots=True)
class ComparedRows:
    """The rows, the side and the axes of one estimate of a comparison."""

    measure: Measure
    comparison: Comparison
    groups: dict[str, str]
    rows: Integers
    """The rows that both results answer."""
    side: tuple[Array, ...]
    """On which side of a contrast each row is; () for a measure without one."""
    incomparable: str
    """Why there is no value, where the results' rules forbid one."""
    notes: str


def measured_difference(
    a: Result,
    b: Result,
    pairing: PairedColumns,
    of: ComparedRows,
    seed: int,
    margins: EquivalenceMargins,
) -> Estimate:
    """The difference in one measure over some rows; without a value it says why."""
    measure, comparison, rows = of.measure, of.comparison, of.rows
    name = comparison.name_of(measure.name)
    value, sure, why = None, Inference(None, None), of.incomparable
    equivalence = None
    metric = partial(measure.metric, ties=a.card.ties) if measure.uses_ties else measure.metric
    if not why:
        try:
            sides = pairing.read(
                (*measure.columns, *comparison.reads), rows, optional=measure.optional
            )
            brought: Compare = getattr(measure.metric, "compare", compare_resampled)
            first, second = ([*columns, *of.side] for columns in sides)
            clusters = pairing.a.units(measure.units, rows)
            fixed = bool(a.card.data.get(FIXED_LABELS))
            layers = None if measure.samples_replies else _layers(pairing, rows)

            def compared(confidence: float) -> tuple[float, Inference]:
                # The same draws at each level, so that the interval at a lower one lies inside.
                rng = rng_of(seed, name)
                paired = PairedSample(metric, first, second, clusters, rng, fixed, confidence)
                made, sure = (comparison.by or brought)(paired)
                sure = sure._replace(level=confidence)
                if layers is None:
                    return made, sure
                return made, _over_layers(
                    paired, comparison.by or brought, layers, made, sure, seed, name
                )

            value, sure = compared(CONFIDENCE)
            why = sure.why
            if margins:
                columns_of_b = [*second[: len(measure.columns)], *of.side]
                equivalence = ComparedMeasure(
                    measure, comparison, len(rows), lambda level: compared(level)[1],
                    lambda: value_or_none(lambda: metric(*columns_of_b)),
                ).equivalence(margins, sure, value)  # fmt: skip
        except Undefined as reason:
            why = str(reason)
    made = estimated(
        name, value, sure, n=len(rows), neutral=comparison.neutral, unit=comparison.unit_of(measure.unit),
        why="; ".join(filter(None, (why, of.notes))), groups=of.groups,
        tied=pairing.tied(rows) if a.card.ties else 0, adjustment=measure.adjustment,
        meaning=difference_meaning(measure, comparison), equivalence=equivalence,
    )  # fmt: skip
    return between(a, b, made)


def _layers(pairing: PairedColumns, rows: Integers) -> Integers | None:
    """Which of the answers to its question each row is, by repeat and wording; None where there is one."""
    repeats = None if pairing.repeats is None else pairing.repeats[rows]
    wordings = pairing.a.wordings(rows)
    if repeats is None or wordings is None:
        return repeats if wordings is None else wordings
    return wordings * (int(repeats.max()) + 1) + repeats


def difference_in_other_wordings(
    a: Result, b: Result, pairing: PairedColumns, of: ComparedRows, difference: Estimate
) -> Iterator[Estimate]:
    """The difference in wordings like these, of the values of both in each wording: what is common cancels.

    Nothing where the comparison is of another kind than a difference.
    """
    m, by_wording = of.measure, {}
    metric = partial(m.metric, ties=a.card.ties) if m.uses_ties else m.metric

    def apart(rows: Integers) -> float:
        first, second = pairing.read(m.columns, rows, optional=m.optional)
        return metric(*first) - metric(*second)

    for wording, rows in wordings_of(pairing.a, of.rows):
        with suppress(Undefined):
            by_wording[wording] = apart(rows)
    if difference.value is None or len(by_wording) < 2:  # noqa: PLR2004
        return
    if np.isclose(apart(of.rows), difference.value, rtol=1e-6, atol=1e-9):
        yield between(
            a,
            b,
            in_other_wordings(
                replace(difference, equivalence=None),
                by_wording,
                difference.meaning,
                of_rows=row_values(m) is not None,
            ),
        )


def _over_layers(
    paired: PairedSample, compare: Compare, layers: Integers, value: float, sure: Inference, seed: int,
    name: str,
) -> Inference:  # fmt: skip
    """The uncertainty of a difference that rests on several replies to each item."""

    def by(rows: Integers) -> tuple[float, Inference]:
        a, b = ([column[rows] for column in side] for side in (paired.a, paired.b))
        clusters, rng = paired.clusters[rows], rng_of(seed, name)
        return compare(replace(paired, a=a, b=b, clusters=clusters, rng=rng))

    return Repeated([*paired.a, *paired.b], layers, by).inference(value, sure)


def difference_meaning(measure: Measure, comparison: Comparison) -> Meaning:
    """The meaning of a difference: what the comparison declares and, for the rest, what its measure does."""
    of_measure, declared = measure.meaning, comparison.meaning
    title = of_measure.title or measure.name.replace("_", " ")
    lowered = title if title[1:2].isupper() else title[:1].lower() + title[1:]
    meaning = replace(
        declared,
        title=declared.title or f"Difference in {lowered}",
        role=of_measure.role,
        counts=of_measure.counts,
        better=of_measure.better,
        neutral_is=declared.neutral_is or "no difference",
        difference_of=measure.name,
    )
    return meaning.of_difference(of_measure, measure.unit)
