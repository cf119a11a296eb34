"""Shares of texts that a judge flags, corrected by what people said of a sample; differences by group.

Columns, one row a text: `flagged`, 1 or 0 by the judge; then what each person says, 1 or 0, NaN where nobody
was asked; then the number of each person. How these make one estimate and its interval:
`stats.confidence_intervals.judged_means`.
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import ContrastSample, Sample, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column, Integers
from tiltmeter.metrics.counts import few_texts
from tiltmeter.stats.confidence_intervals.intervals import student_p
from tiltmeter.stats.confidence_intervals.judged_means import (
    JudgedItems,
    MeanPart,
    corrected_interval,
    judge_part,
)
from tiltmeter.stats.resampling.bootstrap import clustered, count_of_clusters, enough

HOW = "score intervals over prompts, combined"


def corrected_share(flagged: Array, *said: Array) -> float:
    """The share of texts that people would flag, in percent.

    Raises:
        Undefined: People judged none of these texts.

    >>> flagged, people = np.tile([1.0, 0], 20), np.full(40, np.nan)
    >>> people[:10] = [1, 0, 1, 0, 1, 0, 1, 0, 0, 0]  # the judge flags one text too many
    >>> corrected_share(flagged, people, np.zeros(40))
    40.0
    """
    return 100 * _items([flagged, *said], np.zeros(len(flagged), dtype=np.int64)).mean


def _items(columns: Sequence[Column], codes: Integers) -> JudgedItems:
    return JudgedItems.of(as_numbers(columns), codes, least=0.0)


def _parts(columns: Sequence[Column], codes: Integers, k: int) -> list[MeanPart]:
    """The parts of a share: the judge's alone where there is no column of people."""
    if len(columns) == 1:
        return [judge_part(as_numbers(columns)[0], codes, k, least=0.0)]
    return _items(columns, codes).parts(codes, k)


def _prompts(columns: Sequence[Column], codes: Integers) -> int:
    """How many clusters a share rests on: those that people judged, where there is a column of people."""
    return count_of_clusters(codes[_items(columns, codes).asked] if len(columns) > 1 else codes)


def infer_corrected(sample: Sample) -> Inference:
    """Score interval over clusters, the judge's errors included; no test."""
    codes, _ = clustered(sample.clusters)

    def interval() -> tuple[float, float, str]:
        low, high = _items(sample.columns, codes).interval()
        return 100 * low, 100 * high, HOW

    return uncertainty(interval, rough=few_texts(_prompts(sample.columns, codes), "prompts"))


def contrast_shares(sample: ContrastSample) -> tuple[float, Inference]:
    """The share of one group minus that of the others, whether they complete the same prompts or not.

    Raises:
        Undefined: People judged no text of one side.
    """
    sides = sample.sides
    value = sample.metric(*as_numbers(sides.a)) - sample.metric(*as_numbers(sides.b))
    first = len(sides.clusters_a)
    codes, k = clustered(np.concatenate([sides.clusters_a, sides.clusters_b]))
    both = (sides.a, codes[:first]), (sides.b, codes[first:])
    fewest = min(_prompts(columns, part) for columns, part in both)

    def ends() -> tuple[float, float]:
        for _, part in both:
            enough(part)
        low, high = corrected_interval([_parts(columns, part, k) for columns, part in both])
        return max(-100.0, 100 * low), min(100.0, 100 * high)

    def test() -> tuple[float, str]:
        low, high = ends()
        half = value - low if value > 0 else high - value
        return student_p(value, half, fewest - 1), "t test over prompts, from the interval"

    return value, uncertainty(lambda: (*ends(), HOW), test, rough=few_texts(fewest, "prompts"))
