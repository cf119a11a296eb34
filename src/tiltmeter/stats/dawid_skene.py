"""Dawid and Skene's model: true labels and each rater's errors, estimated together.

Each item has one true label, drawn with the shares of the labels; each rater answers by a row of a
confusion matrix of their own, independently of the others given the true label. Fitted by EM (Dawid
and Skene 1979, doi:10.2307/2346806) from several starts. Ratings are nominal, of shape (items, raters),
NaN where a rater said nothing.

The likelihood does not change if labels swap names. Names are settled so that raters answer with the
true label as often as possible: raters are taken to be right more often than not.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.intervals import enough, percentiles
from tiltmeter.stats.rating_counts import rated_twice, value_counts

STARTS = 10
ROUNDS = 2000
"""EM steps of a start, at most."""
CONVERGED = 1e-9
"""EM stops where the log-likelihood per item grows by less."""
SAME_FIT = 1e-3
"""Starts whose log-likelihoods differ by less fit equally well."""
SAME_LABELS = 0.02
"""Probabilities that differ by less are the same."""
_LEAST = 1e-300
"""In place of log 0."""


@dataclass(frozen=True, slots=True)
class DawidSkene:
    """The best fit of all starts."""

    values: Array
    """The labels, ascending, shape (k,)."""
    labels: Array
    """Probability of each label of each item, shape (items, k)."""
    prevalence: Array
    """Share of items with each label, shape (k,)."""
    confusion: Array
    """How a rater answers items of each true label: (raters, true label, answer); rows sum to 1. NaN
    for raters without ratings."""
    log_likelihood: float
    identified: bool
    """Whether the data determine these numbers."""
    why: str = ""
    """Why they do not."""

    @property
    def accuracy(self) -> Array:
        """How often each rater gives the true label, 0 to 1, averaged over labels by prevalence."""
        return _accuracy(self.prevalence, self.confusion)


def dawid_skene(ratings: Array, *, rng: np.random.Generator, starts: int = STARTS) -> DawidSkene:
    """Fit the model: one start from the shares of each item's ratings, the others from random labels.

    Not identified, and said to be so in `why`, if no item has three ratings (two raters can be
    explained by infinitely many error rates), or if starts that fit equally well give different labels
    or shares. Otherwise no such case was found, which is not a proof.

    Raises:
        Undefined: No item has two ratings, or all ratings are the same.

    >>> ratings = np.array([[0, 0, 0]] * 4 + [[1, 1, 1]] * 3 + [[0, 0, 1]])
    >>> fit = dawid_skene(ratings, rng=np.random.default_rng(0))
    >>> fit.accuracy.round(3).tolist(), fit.prevalence.round(3).tolist()
    ([1.0, 1.0, 0.875], [0.625, 0.375])
    """
    given, values = _indicators(ratings)
    n, _, k = given.shape
    shares = given.sum(axis=1) + 1e-9  # an item without ratings starts with equal shares
    first = shares / shares.sum(axis=1, keepdims=True)
    fits = [_fit(given, first)]
    fits += [_fit(given, rng.dirichlet(np.ones(k), size=n)) for _ in range(starts - 1)]
    best = max(fits, key=lambda fit: fit.log_likelihood)
    rated = ~np.isnan(best.confusion[:, 0, 0])
    why = _ambiguity(given, best, fits)
    return DawidSkene(
        values,
        best.labels,
        best.prevalence,
        np.where(rated[:, None, None], best.confusion, np.nan),
        best.log_likelihood,
        identified=not why,
        why=why,
    )


def accuracy_inference(
    ratings: Array,
    fit: DawidSkene,
    *,
    rng: np.random.Generator,
    clusters: Labels | None = None,
    resamples: int = 200,
) -> list[Inference]:
    """Percentile intervals (95 %) of each rater's accuracy from resampling items.

    Each resample is fitted from the labels of `fit`. With `clusters`, shape (items,), whole clusters of
    items are drawn. There are no intervals if the model is not identified.
    """
    raters = ratings.shape[1]
    if not fit.identified:
        return [Inference(None, None, why=f"no interval: not identified, {fit.why}")] * raters
    given, _ = _indicators(ratings)
    codes, k = enough(np.arange(len(given)) if clusters is None else clusters)
    rows = np.arange(len(given))
    drawn = np.full((resamples, raters), np.nan)
    for one in drawn:
        chosen = np.repeat(rows, np.bincount(rng.integers(k, size=k), minlength=k)[codes])
        part = _fit(given[chosen], fit.labels[chosen])
        one[:] = _accuracy(part.prevalence, part.confusion)
    over = "items" if clusters is None else "clusters of items"
    return [_interval(column, f"percentile bootstrap over {over}, {resamples} resamples")
            for column in drawn.T]  # fmt: skip


def _interval(values: Array, name: str) -> Inference:
    try:
        low, high = percentiles(values)
    except Undefined as none:
        return Inference(None, None, why=f"no interval: {none}")
    return Inference(low, high, interval=name)


@dataclass(frozen=True, slots=True)
class _Fit:
    """Where one start ended."""

    labels: Array
    prevalence: Array
    confusion: Array
    log_likelihood: float


def _indicators(ratings: Array) -> tuple[Array, Array]:
    """1 where a rater gave a value to an item, shape (items, raters, values); and the values."""
    table = np.atleast_2d(np.asarray(ratings, dtype=np.float64))
    counts, values = value_counts(table)
    rated_twice(counts)
    if len(values) < 2:  # noqa: PLR2004
        raise Undefined("all ratings are the same")
    return (table[:, :, None] == values).astype(np.float64), values


def _fit(given: Array, labels: Array) -> _Fit:
    """EM from probabilities of the labels, shape (items, k), until the likelihood stops growing."""
    n, raters, k = given.shape
    flat = given.reshape(n, -1)
    before = -np.inf
    for _ in range(ROUNDS):
        prevalence = labels.mean(axis=0)
        times = (labels.T @ flat).reshape(k, raters, k).transpose(1, 0, 2)  # (raters, true, answer)
        sums = times.sum(axis=2, keepdims=True)
        confusion = np.divide(times, sums, out=np.full_like(times, np.nan), where=sums > 0)
        logs = np.log(np.maximum(np.nan_to_num(confusion), _LEAST)).transpose(0, 2, 1)
        joint = flat @ logs.reshape(-1, k) + np.log(np.maximum(prevalence, _LEAST))  # (items, k)
        top = joint.max(axis=1, keepdims=True)
        odds = np.exp(joint - top)
        total = odds.sum(axis=1, keepdims=True)
        likelihood = float((top + np.log(total)).sum())
        labels = odds / total
        if likelihood - before < CONVERGED * n:
            break
        before = likelihood
    return _named(_Fit(labels, prevalence, confusion, likelihood))


def _named(fit: _Fit) -> _Fit:
    """The same fit, with the names of labels under which raters are right most often."""
    from scipy.optimize import linear_sum_assignment

    right = (fit.prevalence[:, None] * np.nan_to_num(fit.confusion)).sum(axis=0)  # (true, answer)
    _, answer = linear_sum_assignment(-right)
    order = np.argsort(answer)
    return _Fit(
        fit.labels[:, order], fit.prevalence[order], fit.confusion[:, order], fit.log_likelihood
    )


def _accuracy(prevalence: Array, confusion: Array) -> Array:
    """Mean of the diagonals, weighted by prevalence; labels that a rater never met do not count."""
    diagonal = np.einsum("rkk->rk", confusion)
    weights = np.where(np.isnan(diagonal), 0, prevalence)
    total = weights.sum(axis=1)
    sums = (np.nan_to_num(diagonal) * weights).sum(axis=1)
    return np.asarray(np.divide(sums, total, out=np.full_like(sums, np.nan), where=total > 0))


def _ambiguity(given: Array, best: _Fit, fits: list[_Fit]) -> str:
    """Why the data do not determine the fit; "" if no reason was found."""
    if given.sum(axis=(1, 2)).max() < 3:  # noqa: PLR2004
        return "no item has three ratings, so errors of raters and true labels cannot be separated"
    equal = [f for f in fits if best.log_likelihood - f.log_likelihood < SAME_FIT]
    apart = max(float(np.abs(f.labels - best.labels).max()) for f in equal)
    if apart > SAME_LABELS:
        return (
            f"{len(equal)} of {len(fits)} starts fit equally well, and their probabilities of a "
            f"label differ by up to {apart:.2f}"
        )
    return ""
