"""Intervals, tests and comparisons for StereoSet's scores.

Target terms are resampled, since a score is a mean over them; of a single term, its contexts.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.samples import PairedSample, Sample, as_labels, as_numbers, ties_of, uncertainty
from tiltmeter.core.types import Array, Column, Ties
from tiltmeter.metrics.context_association import by_term, credited, icat_of
from tiltmeter.metrics.preference_inference import FEW, sign_tested
from tiltmeter.stats.bootstrap import resampled_sums
from tiltmeter.stats.bootstrap_intervals import PERCENT, bootstrap_mean, stretched
from tiltmeter.stats.intervals import wilson
from tiltmeter.stats.significance import sign_flip

BY_TERM = "bootstrap of whole target terms, 2,000 draws"
IN_TERM = "bootstrap of contexts, 2,000 draws"


def infer_ss(sample: Sample) -> Inference:
    """Bootstrap of terms and a sign-flip test of whole terms; for one term, Wilson and a sign test.

    Target terms are resampled whatever `clusters` says, since the score is a mean over them.
    """
    units, terms = _units(sample.columns, sample.ties)
    if terms == 1:
        low, high = wilson(float(units[:, 1].sum()) / 100, len(units))
        return sign_tested(sample.columns, 100 * low, 100 * high)
    return uncertainty(
        lambda: (*_mean_ends(units[:, 1], sample.rng), _kind(terms)),
        lambda: (
            sign_flip(units[:, 1] - 50, np.arange(terms).astype(str), sample.rng),
            "sign-flip test of whole target terms against 50",
        ),
        rough=few_terms(terms),
    )


def infer_lms(sample: Sample) -> Inference:
    """Bootstrap of terms, or of contexts if there is one term. No test: 50 is not a null hypothesis."""
    units, terms = _units(sample.columns, sample.ties)
    return uncertainty(
        lambda: (*_mean_ends(units[:, 0], sample.rng), _kind(terms)), rough=few_terms(terms)
    )


def infer_icat(sample: Sample) -> Inference:
    """Bootstrap of terms, lms and ss drawn together; of contexts if there is one term.

    Since icat is highest at ss = 50, all resamples of a model close to it may lie below the value; the
    interval is laid about the value.
    """
    units, terms = _units(sample.columns, sample.ties)
    if len(units) == 1:
        return Inference(None, None, why="no interval: there is only one context")
    drawn = resampled_sums(units, sample.rng) / len(units)  # (draws, 2)
    value = float(icat_of(units.mean(axis=0)))
    low, high = stretched(icat_of(drawn.T), value, len(units), within=PERCENT)
    return Inference(low, high, interval=_kind(terms), why=few_terms(terms))


def _compare_means(sample: PairedSample, *, column: int) -> tuple[float, Inference]:
    """A's mean less B's in one column of `credited`, by terms, or by contexts if there is one term."""
    ties = ties_of(sample.metric)
    (of_a, terms), (of_b, _) = _units(sample.a, ties), _units(sample.b, ties)
    each = of_a[:, column] - of_b[:, column]  # (units,)
    names = np.arange(len(each)).astype(str)
    units = "contexts" if terms == 1 else "whole target terms"
    return float(each.mean()), uncertainty(
        lambda: (
            *bootstrap_mean(each, names, sample.rng, within=(-100.0, 100.0)), _paired_kind(terms)
        ),
        lambda: (sign_flip(each, names, sample.rng), f"sign-flip test of {units} against 0"),
        rough=few_terms(terms),
    )  # fmt: skip


compare_lms = partial(_compare_means, column=0)
compare_ss = partial(_compare_means, column=1)


def compare_icat(sample: PairedSample) -> tuple[float, Inference]:
    """A's icat less B's; terms are resampled with both models' answers. No test.

    The interval is laid about the value, as in `infer_icat`.
    """
    ties = ties_of(sample.metric)
    (of_a, terms), (of_b, _) = _units(sample.a, ties), _units(sample.b, ties)
    value = float(icat_of(of_a.mean(axis=0)) - icat_of(of_b.mean(axis=0)))
    return value, uncertainty(
        lambda: (*_icat_apart(of_a, of_b, value, sample.rng), _paired_kind(terms)),
        rough=few_terms(terms),
    )


def _icat_apart(
    of_a: Array, of_b: Array, value: float, rng: np.random.Generator
) -> tuple[float, float]:
    if len(of_a) == 1:
        raise Undefined("there is only one context, so there is nothing to resample")
    drawn = resampled_sums(np.concatenate([of_a, of_b], axis=1), rng) / len(of_a)  # (draws, 4)
    apart = icat_of(drawn[:, :2].T) - icat_of(drawn[:, 2:].T)
    return stretched(apart, value, len(of_a))


def _paired_kind(terms: int) -> str:
    return f"stretched paired {BY_TERM if terms > 1 else IN_TERM}"


def _kind(terms: int) -> str:
    return f"stretched {BY_TERM if terms > 1 else IN_TERM}"


def few_terms(terms: int) -> str:
    """A caution where so few terms are resampled that the interval is rough, else ""."""
    return f"only {terms} target terms: the interval is rough" if 1 < terms < FEW else ""


def _units(columns: Sequence[Column], ties: Ties) -> tuple[Array, int]:
    """The units that are resampled, shape (k, 2), and the number of terms; for one term, its contexts."""
    each = credited(*as_numbers(columns[:3]), ties=ties)
    terms = by_term(each, *as_labels(columns[3:4]))
    return (terms, len(terms)) if len(terms) > 1 else (each, 1)


def _mean_ends(values: Array, rng: np.random.Generator) -> tuple[float, float]:
    return bootstrap_mean(values, np.arange(len(values)).astype(str), rng, within=PERCENT)
