"""How sure gaps between groups are: intervals, tests, their size by chance, and comparisons of models.

Resamples draw texts (whole clusters) within each label, so that every one has positive and negative texts.
They show how much each group's number varies, and a gap has the interval of a difference of two such shares.
The test deals the groups anew within each label, and within a cluster where it has texts of both groups. If
one side also has texts from elsewhere, such as texts of no group, the gaps of random deals are not around 0,
and the test is whether the gap is unlike these. The size of a gap is above 0 by chance alone, and the more so
the fewer texts a group has: the mean size over the random deals is what it would be without any difference.
All numbers about the same two groups are computed from the same resamples and deals. From 5,000 single texts
on, these are drawn as counts of the texts that are alike (`stats.resampling.alike_rows`).
"""

from collections.abc import Callable, Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import ContrastSample, PairedSample, TwoSides, uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.score_intervals import (
    VariedShare,
    interval_of_change,
    interval_of_sum,
)
from tiltmeter.stats.resampling.bootstrap import RESAMPLES
from tiltmeter.stats.resampling.paired_resampling import affordable
from tiltmeter.studies.fairness_gaps.group_gaps import AREAS, GAPS, CrossArea, Gap, read_sides
from tiltmeter.studies.fairness_gaps.group_sides import (
    Drawn,
    Sides,
    both_sides,
    drawn_from,
    few_texts,
    sides_from,
    units_of,
)

ROUNDING = 1e-9


def _table(sides: TwoSides) -> Sides:
    return sides.once("table", lambda _: both_sides(sides))


def _drawn(sides: TwoSides) -> Drawn:
    return sides.once("drawn", lambda _: drawn_from(_table(sides)))


def _value(gap: Gap, sides: TwoSides) -> float:
    table = _table(sides)
    return sides.once(f"value {gap.name}", lambda _: gap(*table.columns, table.side))


def _resampled(metric: Gap | CrossArea, sides: TwoSides) -> Array:
    """The numbers that make up the value, on each resample; shape (numbers, draws)."""
    family: Sequence[Gap | CrossArea] = GAPS if metric in GAPS else AREAS
    table = _drawn(sides)

    def made(rng: np.random.Generator) -> list[Array]:
        blocks = [
            [member.draws(table.columns, table.side, times, table.clusters) for member in family]
            for times in table.resamples(rng)
        ]
        return [np.concatenate(values, axis=1) for values in zip(*blocks, strict=True)]

    return sides.once(f"resampled {family[0].name}", made)[family.index(metric)]


def _dealt(gap: Gap, sides: TwoSides) -> Array:
    """The gap when groups are dealt at random, shape (deals,)."""
    table = _drawn(sides)

    def made(rng: np.random.Generator) -> list[Array]:
        blocks = [
            [member.deals(table.columns, first, second) for member in GAPS]
            for first, second in table.deals(rng)
        ]
        return [np.concatenate(values) for values in zip(*blocks, strict=True)]

    # All gaps between two groups share one set of deals: dealing is what takes time.
    return sides.once("dealt", made)[GAPS.index(gap)]


def contrast_gap(sample: ContrastSample) -> tuple[float, Inference]:
    """The gap with interval and permutation test; for `Contrast.by` of one of `GAPS`."""
    gap, table = _gap(sample.metric), _table(sample.sides)
    value = _value(gap, sample.sides)
    dealt = _dealt(gap, sample.sides)

    def test() -> tuple[float, str]:
        if np.isnan(dealt).any() or (np.ptp(dealt) <= ROUNDING and not dealt[0]):
            raise Undefined("dealing the groups anew changes nothing")
        method = (
            f"permutation test, groups dealt anew within each label, {counted(len(dealt), 'deals')}"
        )
        return _two_sided(dealt, value), method

    few = few_texts(table, gap.needs)
    made = uncertainty(lambda: _interval(gap, sample.sides), test, notes=(few,))
    expected = "" if made.p is None else _expected(dealt)
    return value, made._replace(why="; ".join(filter(None, (made.why, expected))))


def _two_sided(dealt: Array, value: float) -> float:
    """p: the share of random deals whose gap is as far from the mean of all deals, which need not be 0."""
    middle = float(dealt.mean())
    slack = ROUNDING * max(1.0, abs(value))
    extreme = int((np.abs(dealt - middle) >= abs(value - middle) - slack).sum())
    return (1 + extreme) / (1 + len(dealt))


def _expected(dealt: Array) -> str:
    """A note where groups that do not differ would have a gap: the others have texts of another kind."""
    mean, sd = float(dealt.mean()), float(dealt.std())
    if abs(mean) < sd / 2:
        return ""
    shown = f"{mean:.3g}".replace("-", "−")
    return f"{shown} would be expected of a group that does not differ from the others"


def _interval(metric: Gap | CrossArea, sides: TwoSides) -> tuple[float, float, str]:
    table, drawn = _table(sides), _resampled(metric, sides)
    shares = _shares(metric, table.columns, table, drawn)
    low, high = interval_of_sum(shares, metric.signs)
    kind = "score intervals" if len(metric.signs) > 1 else "score interval"
    name = f"{kind} by a bootstrap of {units_of(table)} within each label, {counted(drawn.shape[1], 'draws')}"
    return metric.most * low, metric.most * high, name


def _shares(
    metric: Gap | CrossArea, columns: Sequence[Array], table: Sides, drawn: Array
) -> list[VariedShare]:
    """The numbers that make up the value, as shares from 0 to 1."""
    n, most = len(table.side), metric.most
    values = metric.draws(columns, table.side, np.ones((1, n)), np.arange(n))[:, 0] / most
    counted = metric.counted(columns, table.side, table.clusters)
    return [
        VariedShare(float(value), numbers / most, of.texts, of.units)
        for value, numbers, of in zip(values, drawn, counted, strict=True)
    ]


def contrast_size(sample: ContrastSample) -> tuple[float, Inference]:
    """The size of the gap, without interval or test: those of the signed gap hold."""
    return abs(_value(_gap(sample.metric), sample.sides)), Inference(None, None)


def contrast_chance(sample: ContrastSample) -> tuple[float, Inference]:
    """The mean size of the gap when groups are dealt at random: its expectation under no difference."""
    gap, table = _gap(sample.metric), _table(sample.sides)
    gap(*table.columns, table.side)
    dealt = _dealt(gap, sample.sides)
    if np.isnan(dealt).any():
        raise Undefined("some deals leave a group without texts of a label")
    return float(np.abs(dealt).mean()), Inference(None, None)


def contrast_area(sample: ContrastSample) -> tuple[float, Inference]:
    """A `CrossArea` with its interval; no test, as no value is neutral."""
    metric, table = sample.metric, _table(sample.sides)
    if not isinstance(metric, CrossArea):
        raise TypeError(f"{metric!r} is no CrossArea")
    value = metric(*table.columns, table.side)
    return value, uncertainty(lambda: _interval(metric, sample.sides))


def compare_gaps(sample: PairedSample) -> tuple[float, Inference]:
    """The gap of model A minus that of model B on the same texts; the last column is `side`.

    The interval resamples texts with both models' answers, within each label; no test beside it, since an
    exchange of probabilities between models of different scale is none.
    """
    metric = sample.metric
    if not isinstance(metric, Gap | CrossArea):
        raise TypeError(f"{metric!r} is neither a Gap nor a CrossArea")
    (of_a, side), (of_b, _) = read_sides(sample.a), read_sides(sample.b)
    sides = sides_from(of_a, side, sample.clusters)
    blocks = [
        [metric.draws(of, side, times, sides.clusters) for of in (of_a, of_b)]
        for times in sides.resamples(sample.rng)
    ]

    def interval() -> tuple[float, float, str]:
        first, second = (
            _shares(metric, of, sides, np.concatenate(drawn, axis=1))
            for of, drawn in zip((of_a, of_b), zip(*blocks, strict=True), strict=True)
        )
        low, high = interval_of_change(first, second, metric.signs, confidence=sample.confidence)
        drawn = affordable(len(side), RESAMPLES)
        how = f"paired bootstrap of {units_of(sides)} within each label, {counted(drawn, 'draws')}"
        return metric.most * low, metric.most * high, f"score intervals by a {how}"

    return sample.difference, uncertainty(interval)


def _gap(metric: Callable[..., float]) -> Gap:
    if not isinstance(metric, Gap) or metric not in GAPS:
        raise TypeError(f"{metric!r} is none of {', '.join(gap.name for gap in GAPS)}")
    return metric
