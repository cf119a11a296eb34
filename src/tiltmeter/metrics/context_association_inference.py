"""Intervals, tests and comparisons for StereoSet's scores.

Target terms are resampled, since a score is a mean over them; of a single term, its contexts.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_labels, as_numbers, ties_of, uncertainty
from tiltmeter.core.types import Array, Column, Ties
from tiltmeter.metrics.context_association import by_term, credited, icat_of
from tiltmeter.metrics.preference_inference import FEW, sign_tested
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE, mean_interval, wilson
from tiltmeter.stats.hypothesis_tests.equivalence import claims_of_mean
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip
from tiltmeter.stats.resampling.bootstrap import resampled_sums
from tiltmeter.stats.resampling.bootstrap_intervals import PERCENT

FEW_COMPARED = 20
"""With fewer terms a difference of two models has a caution: 12 of unequal noise are covered in 90 of 100."""


def infer_ss(sample: Sample) -> Inference:
    """Gaffke interval and sign-flip test over whole terms; for one term, Wilson and a sign test.

    Target terms are what varies, whatever `clusters` says, since the score is a mean over them.
    """
    units, terms = _units(sample.columns, sample.ties)
    if terms == 1:
        low, high = wilson(float(units[:, 1].sum()) / 100, len(units))
        return sign_tested(sample.columns, 100 * low, 100 * high)
    return uncertainty(
        lambda: _named_interval(units[:, 1], terms),
        lambda: (
            sign_flip(units[:, 1] - 50, np.arange(terms).astype(str), sample.rng),
            "sign-flip test of whole target terms against 50",
        ),
        rough=few_terms(terms),
    )


def infer_lms(sample: Sample) -> Inference:
    """Gaffke interval over terms; for one term, score interval over contexts.

    No test: 50 is not a null hypothesis.
    """
    units, terms = _units(sample.columns, sample.ties)
    return uncertainty(lambda: _named_interval(units[:, 0], terms), rough=few_terms(terms))


def infer_icat(sample: Sample) -> Inference:
    """Intervals of lms and ss over terms, or contexts if there is one term, combined."""
    units, terms = _units(sample.columns, sample.ties)
    return uncertainty(
        lambda: (
            *_icat_interval(units, terms)[1:],
            f"intervals of lms and ss over {_units_named(terms)}, combined",
        ),
        rough=few_terms(terms),
    )


def score_intervals(units: Array) -> dict[str, tuple[float, float]]:
    """95% intervals of icat, lms and ss, from lms and ss of each target term, shape (terms, 2)."""
    terms = len(units)
    lms, ss = (_mean_interval(column, terms) for column in units.T)
    return {"icat": _icat_interval(units, terms)[1:], "lms": lms, "ss": ss}


def _icat_interval(
    units: Array, terms: int, *, confidence: float = CONFIDENCE
) -> tuple[float, float, float]:
    """The value and its interval, from lms and ss of each unit, shape (units, 2).

    icat falls to either side of ss = 50, so resamples of a model close to it nearly all lie below the value.
    The interval is that of the product of lms and the distance of ss from its ends instead; as far as ss may
    be 50, that distance may be the largest.
    """
    (low_lms, high_lms), ends = (
        _mean_interval(column, terms, confidence=confidence) for column in units.T
    )
    lms, ss = units.mean(axis=0)
    far, *others = (min(x, 100 - x) / 50 for x in (ss, *ends))
    nearest, farthest = min(others), 1.0 if ends[0] <= 50 <= ends[1] else max(others)  # noqa: PLR2004
    value = float(lms * far)
    down = float(np.hypot(far * (lms - low_lms), lms * (far - nearest)))
    up = float(np.hypot(far * (high_lms - lms), lms * (farthest - far)))
    return value, value - down, high_lms if farthest == 1 else value + up


def _compare_means(sample: PairedSample, *, column: int) -> tuple[float, Inference]:
    """A's mean minus B's in one column of `credited`, by terms, or by contexts if there is one term."""
    ties = ties_of(sample.metric)
    (of_a, terms), (of_b, _) = _units(sample.a, ties), _units(sample.b, ties)
    each = of_a[:, column] - of_b[:, column]  # (units,)
    names = np.arange(len(each)).astype(str)
    units = "contexts" if terms == 1 else "whole target terms"
    return float(each.mean()), uncertainty(
        lambda: (
            *mean_interval(each, names, (-100, 100), far=True, confidence=sample.confidence),
            f"score intervals of paired {units}",
        ),
        lambda: (sign_flip(each, names, sample.rng), f"sign-flip test of {units} against 0"),
        rough=few_terms(terms, FEW_COMPARED),
        claims=claims_of_mean(each, names),
    )  # fmt: skip


compare_lms = partial(_compare_means, column=0)
compare_ss = partial(_compare_means, column=1)


def compare_icat(sample: PairedSample) -> tuple[float, Inference]:
    """A's icat minus B's: both intervals, combined by their correlation over resamples of terms. No test."""
    ties = ties_of(sample.metric)
    (of_a, terms), (of_b, _) = _units(sample.a, ties), _units(sample.b, ties)

    def interval() -> tuple[float, float, str]:
        (a, low_a, high_a), (b, low_b, high_b) = (
            _icat_interval(side, terms, confidence=sample.confidence) for side in (of_a, of_b)
        )
        drawn = resampled_sums(np.concatenate([of_a, of_b], axis=1), sample.rng) / len(of_a)
        both = icat_of(drawn[:, :2].T), icat_of(drawn[:, 2:].T)
        alike = float(np.corrcoef(*both)[0, 1]) if min(map(np.ptp, both)) > 0 else 0.0

        def reach(first: float, second: float) -> float:
            return float((first**2 + second**2 - 2 * alike * first * second) ** 0.5)

        low, high = a - b - reach(a - low_a, high_b - b), a - b + reach(high_a - a, b - low_b)
        named = f"intervals of both models over {_units_named(terms)}, combined"
        return max(low, -100.0), min(high, 100.0), named

    value = float(icat_of(of_a.mean(axis=0)) - icat_of(of_b.mean(axis=0)))
    return value, uncertainty(interval, rough=few_terms(terms))


def few_terms(terms: int, least: int = FEW) -> str:
    """A caution where so few terms are resampled that the interval is rough, else ""."""
    return f"only {terms} target terms: the interval is rough" if 1 < terms < least else ""


def _units(columns: Sequence[Column], ties: Ties) -> tuple[Array, int]:
    """The units that are resampled, shape (k, 2), and the number of terms; for one term, its contexts."""
    each = credited(*as_numbers(columns[:3]), ties=ties)
    terms = by_term(each, *as_labels(columns[3:4]))
    return (terms, len(terms)) if len(terms) > 1 else (each, 1)


def _mean_interval(
    values: Array, terms: int, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """Of target terms, of which a few may be unlike those seen; or of one term's contexts."""
    by = bounded_mean if terms > 1 else mean_interval
    return by(values, np.arange(len(values)), PERCENT, confidence=confidence)


def _named_interval(values: Array, terms: int) -> tuple[float, float, str]:
    kind = "Gaffke" if terms > 1 else "score"
    return *_mean_interval(values, terms), f"{kind} interval over {_units_named(terms)}"


def _units_named(terms: int) -> str:
    return "target terms" if terms > 1 else "contexts"
