"""Intervals, tests and comparisons for StereoSet's scores.

Target terms are resampled, since a score is a mean over them; of a single term, its contexts.
"""

from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Column, Labels, Ties
from tiltmeter.metrics.context_association import by_term, credited, icat_of
from tiltmeter.metrics.preference_inference import FEW
from tiltmeter.stats.bootstrap import resampled_sums
from tiltmeter.stats.bootstrap_intervals import PERCENT, bootstrap_mean, stretched
from tiltmeter.stats.intervals import wilson
from tiltmeter.stats.power import minimum_detectable_effect
from tiltmeter.stats.significance import sign_flip, sign_test

BY_TERM = "bootstrap of whole target terms, 2,000 draws"
IN_TERM = "bootstrap of contexts, 2,000 draws"


def infer_ss(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of terms and a sign-flip test of whole terms; for one term, Wilson and a sign test.

    Target terms are resampled whatever `clusters` says, since the score is a mean over them.
    """
    del clusters
    units, terms = _units(metric, columns)
    if terms == 1:
        return _of_one_term(columns, units)
    found, why = _bootstrapped(units[:, 1], terms, rng)
    p = None
    try:
        p = sign_flip(units[:, 1] - 50, np.arange(terms).astype(str), rng)
    except Undefined as undefined:
        why = "; ".join(part for part in (why, f"no test: {undefined}") if part)
    return found._replace(p=p, test="sign-flip test of whole target terms against 50", why=why)


def infer_lms(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of terms, or of contexts if there is one term. No test: 50 is not a null hypothesis."""
    del clusters
    units, terms = _units(metric, columns)
    found, why = _bootstrapped(units[:, 0], terms, rng)
    return found._replace(why=why)


def infer_icat(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of terms, lms and ss drawn together; of contexts if there is one term.

    Since icat is highest at ss = 50, all resamples of a model close to it may lie below the value; the
    interval is laid about the value.
    """
    del clusters
    units, terms = _units(metric, columns)
    if len(units) == 1:
        return Inference(None, None, why="no interval: there is only one context")
    drawn = resampled_sums(units, rng) / len(units)  # (draws, 2)
    value = float(icat_of(units.mean(axis=0)))
    low, high = stretched(icat_of(drawn.T), value, len(units), within=PERCENT)
    return Inference(low, high, interval=_kind(terms), why=few_terms(terms))


def _compare_means(
    metric: Callable[..., float],
    a: Sequence[Column],
    b: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
    *,
    column: int,
) -> tuple[float, Inference]:
    """A's mean less B's in one column of `credited`, by terms, or by contexts if there is one term."""
    del clusters
    (of_a, terms), (of_b, _) = _units(metric, a), _units(metric, b)
    each = of_a[:, column] - of_b[:, column]  # (units,)
    names = np.arange(len(each)).astype(str)
    low, high, p, why = None, None, None, []
    try:
        low, high = bootstrap_mean(each, names, rng, within=(-100.0, 100.0))
    except Undefined as undefined:
        why.append(f"no interval: {undefined}")
    try:
        p = sign_flip(each, names, rng)
    except Undefined as undefined:
        why.append(f"no test: {undefined}")
    why += filter(None, [few_terms(terms)])
    interval = "" if low is None else _paired_kind(terms)
    what = "contexts" if terms == 1 else "whole target terms"
    test = "" if p is None else f"sign-flip test of {what} against 0"
    return float(each.mean()), Inference(low, high, p, interval, test, why="; ".join(why))


compare_lms = partial(_compare_means, column=0)
compare_ss = partial(_compare_means, column=1)


def compare_icat(
    metric: Callable[..., float],
    a: Sequence[Column],
    b: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> tuple[float, Inference]:
    """A's icat less B's; terms are resampled with both models' answers. No test.

    The interval is laid about the value, as in `infer_icat`.
    """
    del clusters
    (of_a, terms), (of_b, _) = _units(metric, a), _units(metric, b)
    value = float(icat_of(of_a.mean(axis=0)) - icat_of(of_b.mean(axis=0)))
    low, high, why = None, None, []
    try:
        low, high = _icat_apart(of_a, of_b, value, rng)
    except Undefined as undefined:
        why.append(f"no interval: {undefined}")
    why += filter(None, [few_terms(terms)])
    interval = "" if low is None else _paired_kind(terms)
    return value, Inference(low, high, interval=interval, why="; ".join(why))


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


def _units(metric: Callable[..., float], columns: Sequence[Column]) -> tuple[Array, int]:
    """The units that are resampled, shape (k, 2), and the number of terms; for one term, its contexts."""
    ties: Ties = getattr(metric, "keywords", {}).get("ties", "half")
    scores = [np.asarray(column, dtype=np.float64) for column in columns[:3]]
    each = credited(*scores, ties=ties)
    target = np.asarray(columns[3], dtype=np.str_)
    terms = by_term(each, target)
    return (terms, len(terms)) if len(terms) > 1 else (each, 1)


def _bootstrapped(values: Array, terms: int, rng: np.random.Generator) -> tuple[Inference, str]:
    names = np.arange(len(values)).astype(str)
    try:
        low, high = bootstrap_mean(values, names, rng, within=PERCENT)
    except Undefined as undefined:
        return Inference(None, None), f"no interval: {undefined}"
    return Inference(low, high, interval=_kind(terms)), few_terms(terms)


def _of_one_term(columns: Sequence[Column], units: Array) -> Inference:
    """For one term the score is a plain share of its contexts."""
    low, high = wilson(float(units[:, 1].sum()) / 100, len(units))
    more, less = (np.asarray(column, dtype=np.float64) for column in columns[:2])
    wins, losses = int(np.sum(more > less)), int(np.sum(more < less))
    p, mde, why = None, None, ""
    try:
        p = sign_test(wins, losses)
        mde = 100 * minimum_detectable_effect(wins + losses)
    except Undefined as undefined:
        why = f"{'no test' if p is None else 'no minimum detectable effect'}: {undefined}"
    test = "exact two-sided sign test against 50"
    return Inference(100 * low, 100 * high, p, "Wilson", test, mde, why)
