"""Gwet's AC1 and AC2: chance-corrected agreement that stays high where one answer prevails.

Where nearly all ratings have one value, kappa and alpha are close to 0 however often raters agree,
because they expect much agreement by chance. AC1 and AC2 expect little: their chance term is largest for
evenly used values.

Sources: Gwet 2008, doi:10.1348/000711006X126600; for AC2 and missing ratings Gwet 2014, Handbook of
inter-rater reliability (4th edition).
"""

from collections.abc import Sequence
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.types import Array
from tiltmeter.stats.raters.agreement_intervals import agreement_interval
from tiltmeter.stats.raters.rating_counts import most_disagreement, value_counts

Weights: TypeAlias = Literal["identity", "ordinal", "linear", "quadratic"]


def gwet_ac1(ratings: Array) -> float:
    """Gwet's AC1 for nominal ratings; 1 is full agreement, 0 chance, below 0 worse than chance.

    AC1 is (p − e) / (1 − e), where p is the share of equal pairs of ratings, averaged over items with two
    ratings or more, and e = Σ π(1 − π) / (k − 1) for k values that are used with shares π, averaged
    over all items with any rating. Ratings have the shape (items, raters), with NaN for missing ratings.

    Raises:
        Undefined: No item has two ratings, or there is only one value.

    >>> gwet_ac1(np.array([[1, 1], [1, 1], [1, 1], [1, 2]]))  # p = .75, e = 2 · 7/8 · 1/8 = .21875
    0.68
    """
    return gwet_ac2(ratings, weights="identity")


def gwet_ac2(
    ratings: Array, *, weights: Weights = "ordinal", declared: Sequence[float] = ()
) -> float:
    """Gwet's AC2: AC1 in which values that are close to each other agree in part.

    Values with the difference d agree by 1 − d/range with linear weights and by 1 − (d/range)² with quadratic
    ones; with ordinal weights, values s places apart among k agree by 1 − C(s + 1, 2) / C(k, 2). With
    identity weights the coefficient is AC1.

    `declared` lists all values of the scale. Without it the values that occur are taken for the whole scale,
    which overstates the agreement expected by chance if nobody chose some value.

    Raises:
        Undefined: No item has two ratings, or there is only one value.

    >>> ratings = np.array([[1, 1], [1, 2], [2, 3], [3, 3]])
    >>> round(gwet_ac2(ratings, weights="linear"), 4)  # p = .75, e = 5/6 · 21/32 = .546875
    0.4483
    """
    counts, known = _counts(ratings, declared)
    return _coefficient(counts, _weight_matrix(known, weights))


def _counts(ratings: Array, declared: Sequence[float]) -> tuple[Array, Array]:
    """The counts by item and value, and the values: those that occur and those declared."""
    counts, occurring = value_counts(ratings)
    known = np.union1d(occurring, np.asarray(declared, dtype=np.float64))
    every = np.zeros((len(counts), len(known)))
    every[:, np.searchsorted(known, occurring)] = counts
    return every, known


def gwet_inference(
    ratings: Array, *, weights: Weights = "identity", declared: Sequence[float] = ()
) -> Inference:
    """The `agreement_interval` of AC1 (identity weights) or AC2, for other items and the same raters.

    The scale always has the values of all items. If the coefficient is undefined without one of the items
    there is no interval, and `why` gives the reason.

    Raises:
        Undefined: There is only one value, or no item has two ratings.
    """
    counts, known = _counts(ratings, declared)
    matrix = _weight_matrix(known, weights)
    return agreement_interval(
        lambda kept: _coefficient(kept, matrix), counts, most=most_disagreement(counts)
    )


def _weight_matrix(values: Array, weights: Weights) -> Array:
    """How far any two values agree, shape (values, values): 1 on the diagonal."""
    k = len(values)
    if k < 2:  # noqa: PLR2004
        raise Undefined("there is only one value, so the agreement by chance cannot be estimated")
    if weights == "identity":
        return np.eye(k)
    if weights == "ordinal":
        steps = np.abs(np.arange(k)[:, None] - np.arange(k))
        return np.asarray(1 - steps * (steps + 1) / (k * (k - 1)), dtype=np.float64)
    apart = np.abs(values[:, None] - values) / (values[-1] - values[0])
    return np.asarray(1 - (apart if weights == "linear" else apart**2), dtype=np.float64)


def _coefficient(counts: Array, matrix: Array) -> float:
    sizes = counts.sum(axis=1)
    several = counts[sizes >= 2]  # noqa: PLR2004
    if not len(several):
        raise Undefined("agreement needs at least one item that two people rated")
    of = sizes[sizes >= 2]  # noqa: PLR2004
    pairs = (several * (several @ matrix - 1)).sum(axis=1)
    observed = float((pairs / (of * (of - 1))).mean())
    rated = sizes > 0
    shares = (counts[rated] / sizes[rated, None]).mean(axis=0)
    k = len(matrix)
    chance = float(matrix.sum() * (shares * (1 - shares)).sum()) / (k * (k - 1))
    return (observed - chance) / (1 - chance)
