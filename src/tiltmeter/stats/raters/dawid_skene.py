"""Dawid and Skene's model: true labels and each rater's errors, estimated together.

Each item has one true label, drawn with the shares of the labels; each rater answers by a row of a confusion
matrix of their own, independently of the others given the true label. The model is fitted by EM (Dawid and
Skene 1979, doi:10.2307/2346806) from several starts. Ratings are nominal, of shape (items, raters), with NaN
for missing ratings.

The likelihood does not change if labels swap names. Labels are named so that raters answer with the true
label as often as possible, which assumes that raters are right more often than not.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import uncertainty
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.score_intervals import score_interval
from tiltmeter.stats.raters.rating_counts import rated_twice, value_counts
from tiltmeter.stats.resampling.bootstrap import enough

STARTS = 10
RESAMPLES = 200
ROUNDS = 2000
"""The maximum number of EM steps from one start."""
CONVERGED = 1e-9
"""EM stops once the log-likelihood per item grows by less than this."""
SAME_FIT = 1e-3
"""Starts whose log-likelihoods differ by less than this fit equally well."""
SAME_LABELS = 0.02
"""Probabilities of labels that differ by no more than this count as the same."""
_LEAST = 1e-300
"""The lowest probability of which a logarithm is taken, in place of 0."""


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """The fit with the highest likelihood: the true labels, their prevalence, and the raters' errors."""

    values: Array
    """The labels, ascending, shape (k,)."""
    labels: Array
    """The probability of each label for each item, shape (items, k)."""
    prevalence: Array
    """The share of items with each label, shape (k,)."""
    confusion: Array
    """The confusion matrix of each rater, shape (raters, true label, answer); rows sum to 1. NaN for raters
    without ratings."""
    log_likelihood: float
    identified: bool
    """Whether the data determine these numbers."""
    why: str = ""
    """The reason why the data do not determine the fit; "" if they do."""

    @property
    def accuracy(self) -> Array:
        """How often each rater gives the true label, 0 to 1, averaged over labels by prevalence."""
        return _accuracy(self.prevalence, self.confusion)


def dawid_skene(ratings: Array, *, rng: np.random.Generator, starts: int = STARTS) -> DawidSkene:
    """Fit the model: one start from the shares of each item's ratings, the others from random labels.

    The fit is not identified, with the reason in `why`, if no item has three ratings (the answers of two
    raters can be explained by infinitely many error rates), or if starts that fit equally well give different
    labels. Otherwise no such case was found, which is no proof that the fit is identified.

    Raises:
        Undefined: No item has two ratings, or all ratings are the same.

    >>> ratings = np.array([[0, 0, 0]] * 4 + [[1, 1, 1]] * 3 + [[0, 0, 1]])
    >>> fit = dawid_skene(ratings, rng=np.random.default_rng(0))
    >>> fit.accuracy.round(3).tolist(), fit.prevalence.round(3).tolist()
    ([1.0, 1.0, 0.875], [0.625, 0.375])
    """
    given, pattern, values = _patterns(ratings)
    n, _, k = given.shape
    shares = given.sum(axis=1) + 1e-9  # an item without ratings starts with equal shares
    first = shares / shares.sum(axis=1, keepdims=True)
    begun = np.stack([first, *rng.dirichlet(np.ones(k), size=(starts - 1, n))])
    weights = np.bincount(pattern).astype(np.float64)
    fits = _fits(given, begun, np.broadcast_to(weights, (starts, n)))
    best = max(fits, key=lambda fit: fit.log_likelihood)
    rated = ~np.isnan(best.confusion[:, 0, 0])
    why = _ambiguity(given, best, fits)
    return DawidSkene(
        values,
        best.labels[pattern],
        best.prevalence,
        np.where(rated[:, None, None], best.confusion, np.nan),
        best.log_likelihood,
        identified=not why,
        why=why,
    )


def accuracy_inference(
    ratings: Array, fit: DawidSkene, *, rng: np.random.Generator
) -> list[Inference]:
    """The 95 % score interval of each rater's accuracy, by a bootstrap of items.

    Since the true labels are estimated, the effective number of items is lower than the number that the rater
    answered, and never higher (see `score_interval`). The fit to each resample starts from the labels of
    `fit`. If the model is not identified there are no intervals.
    """
    raters = ratings.shape[1]
    if not fit.identified:
        return [Inference(None, None, why=f"no interval: not identified, {fit.why}")] * raters
    given, pattern, _ = _patterns(ratings)
    _, k = enough(np.arange(len(pattern)))
    weights = np.empty((RESAMPLES, len(given)))
    for row_weights in weights:
        times = np.bincount(rng.integers(k, size=k), minlength=k)
        row_weights[:] = np.bincount(pattern, weights=times, minlength=len(given))
    begun = np.empty((len(given), fit.labels.shape[1]))
    begun[pattern] = fit.labels
    fits = _fits(given, np.broadcast_to(begun, (RESAMPLES, *begun.shape)), weights)
    drawn = np.array([_accuracy(part.prevalence, part.confusion) for part in fits])
    name = f"score interval, bootstrap over items, {RESAMPLES:,} resamples"
    answered = (~np.isnan(np.asarray(ratings, dtype=np.float64))).sum(axis=0).tolist()

    def interval(value: float, column: Array, n: int) -> tuple[float, float, str]:
        return *score_interval(value, column, items=n, units=n), name

    columns = zip(fit.accuracy, drawn.T, answered, strict=True)
    return [uncertainty(partial(interval, *of)) for of in columns]


@dataclass(frozen=True, slots=True)
class _Fit:
    """The labels and parameters at which EM from one start stopped."""

    labels: Array
    prevalence: Array
    confusion: Array
    log_likelihood: float


def _patterns(ratings: Array) -> tuple[Array, Labels, Array]:
    """Group the items that have the same ratings, so that each pattern is computed once.

    Returns:
        An indicator of the value that each rater gave, shape (patterns, raters, values); the pattern of each
        item; and the values.
    """
    table = np.atleast_2d(np.asarray(ratings, dtype=np.float64))
    counts, values = value_counts(table)
    rated_twice(counts)
    if len(values) < 2:  # noqa: PLR2004
        raise Undefined("all ratings are the same")
    codes = np.where(np.isnan(table), -1, np.searchsorted(values, table))
    patterns, pattern = np.unique(codes, axis=0, return_inverse=True)
    given = (patterns[:, :, None] == np.arange(len(values))).astype(np.float64)
    return given, pattern.reshape(-1), values


def _fits(given: Array, labels: Array, weights: Array) -> list[_Fit]:
    """Run EM until the likelihood stops growing, from several starts or on several samples at once.

    Args:
        given: 1 where a rater gave a value, shape (patterns, raters, values).
        labels: The initial probabilities of the labels, shape (fits, patterns, values).
        weights: The number of items of each pattern, shape (fits, patterns).
    """
    from scipy.sparse import csr_array

    # Most raters rate few items: nearly all of the table is zeros.
    flat = csr_array(given.reshape(len(given), -1))
    labels, likelihood = labels.copy(), np.full(len(labels), -np.inf)
    going = np.arange(len(labels))
    for _ in range(ROUNDS):
        prevalence, confusion = _maximised(given.shape, flat, labels[going], weights[going])
        logs = np.log(np.maximum(np.nan_to_num(confusion), _LEAST)).transpose(1, 3, 0, 2)
        joint = flat @ logs.reshape(flat.shape[1], -1)  # (patterns, fits and values)
        joint = joint.reshape(len(given), len(going), -1).transpose(1, 0, 2)
        joint += np.log(np.maximum(prevalence, _LEAST))[:, None]
        top = joint.max(axis=2, keepdims=True)
        odds = np.exp(joint - top)
        total = odds.sum(axis=2, keepdims=True)
        labels[going] = odds / total
        now = ((top + np.log(total))[:, :, 0] * weights[going]).sum(axis=1)
        grew = now - likelihood[going] >= CONVERGED * weights[going].sum(axis=1)
        likelihood[going] = now
        going = going[grew]
        if not len(going):
            break
    prevalence, confusion = _maximised(given.shape, flat, labels, weights)
    ended = zip(labels, prevalence, confusion, likelihood, strict=True)
    return [_named(_Fit(*arrays[:3], float(arrays[3]))) for arrays in ended]


def _maximised(
    shape: tuple[int, ...], flat: Any, labels: Array, weights: Array
) -> tuple[Array, Array]:
    """The M step: prevalence (fits, true) and confusion (fits, raters, true, answer) from the labels."""
    patterns, raters, k = shape
    counted = labels * weights[:, :, None]
    prevalence = counted.sum(axis=1) / weights.sum(axis=1, keepdims=True)
    times = flat.T @ counted.transpose(1, 0, 2).reshape(patterns, -1)
    times = times.reshape(raters, k, -1, k).transpose(2, 0, 3, 1)  # (fits, raters, true, answer)
    sums = times.sum(axis=3, keepdims=True)
    return prevalence, np.divide(times, sums, out=np.full_like(times, np.nan), where=sums > 0)


def _named(fit: _Fit) -> _Fit:
    """The same fit with its labels renamed so that raters are right most often."""
    from scipy.optimize import linear_sum_assignment

    right = (fit.prevalence[:, None] * np.nan_to_num(fit.confusion)).sum(axis=0)  # (true, answer)
    _, answer = linear_sum_assignment(-right)
    order = np.argsort(answer)
    return _Fit(
        fit.labels[:, order], fit.prevalence[order], fit.confusion[:, order], fit.log_likelihood
    )


def _accuracy(prevalence: Array, confusion: Array) -> Array:
    """The mean of each confusion matrix's diagonal, weighted by prevalence, over labels the rater met."""
    diagonal = np.einsum("rkk->rk", confusion)
    weights = np.where(np.isnan(diagonal), 0, prevalence)
    total = weights.sum(axis=1)
    sums = (np.nan_to_num(diagonal) * weights).sum(axis=1)
    return np.asarray(np.divide(sums, total, out=np.full_like(sums, np.nan), where=total > 0))


def _ambiguity(given: Array, best: _Fit, fits: list[_Fit]) -> str:
    """The reason why the data do not determine the fit; "" if none was found."""
    if given.sum(axis=(1, 2)).max() < 3:  # noqa: PLR2004
        return "no item has three ratings, so errors of raters and true labels cannot be separated"
    equal = [f for f in fits if best.log_likelihood - f.log_likelihood < SAME_FIT]
    apart = max(float(np.abs(f.labels - best.labels).max()) for f in equal)
    if apart > SAME_LABELS:
        return (
            f"{len(equal)} of {counted(len(fits), 'starts')} {verb_for(len(equal), 'fit')} "
            "equally well, and their probabilities of a "
            f"label differ by up to {apart:.2f}"
        )
    return ""
