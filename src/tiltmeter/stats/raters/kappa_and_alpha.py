"""Agreement of annotators: average majority, Cohen's and Fleiss' kappa, Krippendorff's alpha.

Ratings are an array of shape (items, raters) with NaN for missing ratings; `coded` makes one
from labels. The order of raters has no meaning except in `cohen_kappa`.
"""

from collections.abc import Hashable, Iterable, Sequence
from typing import Literal, TypeAlias

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Column, Labels, Signs
from tiltmeter.stats.raters.rating_counts import rated_twice, value_counts
from tiltmeter.stats.raters.unseen_items import unseen_items_interval

Level: TypeAlias = Literal["nominal", "ordinal", "interval", "ratio"]


def coded(labels: Iterable[Sequence[str | None]]) -> Array:
    """Labels as numbers in order of first appearance; None and missing places become NaN.

    For nominal labels only: the numbers have no order. Rows may differ in length.

    >>> coded([["a", "b"], [None, "a", "a"]])
    array([[ 0.,  1., nan],
           [nan,  0.,  0.]])
    """
    rows = list(labels)
    codes: dict[str, int] = {}
    ratings = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
    for row, given in zip(ratings, rows, strict=True):
        for place, label in enumerate(given):
            if label is not None:
                row[place] = codes.setdefault(label, len(codes))
    return ratings


def average_majority(ratings: Array) -> float:
    """The share of an item's raters who gave its most frequent answer, averaged over items, in per cent.

    Nangia et al. 2020 (doi:10.18653/v1/2020.emnlp-main.154, section 5) call this inter-annotator
    agreement. It is not corrected for chance: with five raters and two answers it cannot be below
    60, with six not below 50. Items with fewer than two ratings are left out.

    Raises:
        Undefined: If no item has two ratings.

    >>> average_majority(np.array([[1, 1, 1, 0, 0], [1, 1, 1, 1, 1]]))
    80.0
    """
    counts = rated_twice(value_counts(ratings)[0])
    return float(100 * np.mean(counts.max(axis=1) / counts.sum(axis=1)))


def cohen_kappa(
    first: Sequence[Hashable] | Column | Signs, second: Sequence[Hashable] | Column | Signs
) -> float:
    """Chance-corrected agreement of two raters (Cohen's kappa); 1 is full agreement.

    0 is the agreement expected by chance; negative values are below chance. Cohen 1960
    (doi:10.1177/001316446002000104). Unweighted.

    Raises:
        Undefined: There are no items, or both raters gave the same answer to every item.

    >>> cohen_kappa(list("yyyn"), list("yynn"))
    0.5
    """
    if len(first) != len(second):
        raise Undefined(
            f"one rater has {counted(len(first), 'ratings')} and the other {len(second)}"
        )
    if not len(first):
        raise Undefined("agreement needs at least one item")
    arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    both = np.concatenate([first, second]) if arrays else np.array([*first, *second])
    labels, codes = np.unique(both, return_inverse=True)
    cells = codes[: len(first)] * len(labels) + codes[len(first) :]
    table = np.bincount(cells, minlength=len(labels) ** 2).reshape(len(labels), -1) / len(first)
    chance = float(table.sum(axis=0) @ table.sum(axis=1))
    if len(labels) == 1:
        raise Undefined("both raters gave the same answer to every item")
    return (float(np.trace(table)) - chance) / (1 - chance)


def fleiss_kappa(ratings: Array) -> float:
    """Chance-corrected agreement of a fixed number of raters per item (Fleiss' kappa), nominal.

    1 is full agreement, 0 chance. Raters may differ from item to item. Fleiss 1971
    (doi:10.1037/h0031619).

    Raises:
        Undefined: If items differ in the number of ratings, have fewer than two, or all ratings
            are the same.

    >>> round(fleiss_kappa(np.array([[0, 0, 0], [1, 1, 0], [1, 1, 1]])), 3)  # (7/9 - 41/81)/(40/81)
    0.55
    """
    return _fleiss(_as_many(value_counts(ratings)[0]))


def _as_many(counts: Array) -> Array:
    sizes = counts.sum(axis=1)
    if not len(sizes) or sizes.min() < 2 or sizes.min() != sizes.max():  # noqa: PLR2004
        raise Undefined(
            "Fleiss' kappa needs the same number of ratings, two or more, on every item; "
            "Krippendorff's alpha does not"
        )
    return counts


def _fleiss(counts: Array) -> float:
    """Fleiss' kappa from the value counts of items that all have the same number of ratings."""
    totals = counts.sum(axis=0)
    if np.count_nonzero(totals) < 2:  # noqa: PLR2004
        raise Undefined("all ratings are the same")
    raters = counts[0].sum()
    seen = ((counts**2).sum(axis=1) - raters) / (raters * (raters - 1))
    chance = float(((totals / totals.sum()) ** 2).sum())
    return (float(seen.mean()) - chance) / (1 - chance)


def _distances(values: Array, totals: Array, level: Level) -> Array:
    """The squared distance between any two values at a level of measurement, shape (values, values)."""
    if level == "nominal":
        return 1.0 - np.eye(len(values))
    if level == "ratio":
        if values.min() < 0:
            raise Undefined("the ratio level needs values of zero or more")
        total = values[:, None] + values[None, :]
        return ((values[:, None] - values[None, :]) / np.where(total > 0, total, 1)) ** 2
    # The ordinal distance of two values is the number of ratings between them, with each end counted half:
    # that is the interval distance of their mid-ranks.
    scale = np.cumsum(totals) - totals / 2 if level == "ordinal" else values
    return np.asarray((scale[:, None] - scale[None, :]) ** 2, dtype=np.float64)


def _alpha(counts: Array, values: Array, level: Level) -> float:
    """Krippendorff's alpha from the value counts of items with two or more ratings."""
    totals = counts.sum(axis=0)
    if np.count_nonzero(totals) < 2:  # noqa: PLR2004
        raise Undefined("all ratings are the same, so the expected disagreement is zero")
    pairs = counts / (counts.sum(axis=1, keepdims=True) - 1)
    # Each rating is also paired with itself here; the distances' diagonal of zeros drops these pairs.
    coincidences = counts.T @ pairs  # (values, values)
    distances = _distances(values, totals, level)
    observed = float((coincidences * distances).sum())
    expected = float(totals @ distances @ totals) / float(totals.sum() - 1)
    return 1 - observed / expected


def krippendorff_alpha(ratings: Array, *, level: Level = "nominal") -> float:
    """Krippendorff's alpha: 1 − observed / expected disagreement; 1 is full agreement, 0 is chance.

    Values below 0 are worse than chance. There may be any number of raters, and ratings may be missing; items
    with one rating are left out. The level of measurement is nominal (same or not), ordinal, interval or
    ratio. Krippendorff 2011, Computing Krippendorff's alpha-reliability
    (https://repository.upenn.edu/handle/20.500.14332/2089).

    Raises:
        Undefined: If no item has two ratings, if all ratings are the same, or if the level is
            ratio and a value is negative.

    >>> krippendorff_alpha(np.array([[1, 1], [2, 2], [1, 2], [1, 2]]))  # 1 - (4/8)/(32/56)
    0.125
    """
    counts, values = value_counts(ratings)
    return _alpha(rated_twice(counts), values, level)


MANY_VALUES = 30
"""The maximum number of values of an ordinal scale for which each draw has distances of its own; for larger
scales all draws use those of the whole sample, since memory grows with the square of the number."""


def alpha_inference(
    ratings: Array, *, level: Level = "nominal", clusters: Labels | None = None
) -> Inference:
    """The interval of Krippendorff's alpha by `unseen_items_interval`.

    The raters are held fixed: the interval is about other items judged by similar raters. With
    `clusters`, shape (items,), whole clusters of items are weighted instead of single items.

    Raises:
        Undefined: Alpha of the ratings is undefined; see `krippendorff_alpha`.
    """
    every, values = value_counts(ratings)
    counts = rated_twice(every)
    value = _alpha(counts, values, level)
    twice = every.sum(axis=1) >= 2  # noqa: PLR2004
    totals = counts.sum(axis=0)
    k = len(values)
    # The distances of an ordinal scale depend on how often each value was given, and so on the weights.
    varies = level == "ordinal" and k <= MANY_VALUES
    fixed = _distances(values, totals, level)

    def features(of: Array) -> Array:
        pairs = of / (of.sum(axis=1, keepdims=True) - 1)
        if varies:
            return np.concatenate(
                [(of[:, :, None] * pairs[:, None, :]).reshape(-1, k * k), of], axis=1
            )
        return np.concatenate([((pairs @ fixed) * of).sum(axis=1, keepdims=True), of], axis=1)

    def value_of(sums: Array) -> Array:
        given = sums[:, -k:]
        n = given.sum(axis=1)
        if varies:
            middle = np.cumsum(given, axis=1) - given / 2
            distances = (middle[:, :, None] - middle[:, None, :]) ** 2
            observed = (sums[:, :-k].reshape(-1, k, k) * distances).sum(axis=(1, 2))
            expected = np.einsum("di,dij,dj->d", given, distances, given) / (n - 1)
        else:
            observed = sums[:, 0]
            expected = ((given @ fixed) * given).sum(axis=1) / (n - 1)
        return _one_minus(observed, expected)

    return unseen_items_interval(
        value, counts, fixed, features, value_of, None if clusters is None else clusters[twice]
    )


def fleiss_inference(ratings: Array, *, clusters: Labels | None = None) -> Inference:
    """The interval of Fleiss' kappa by `unseen_items_interval`; see `alpha_inference`.

    Raises:
        Undefined: Kappa of the ratings is undefined; see `fleiss_kappa`.
    """
    counts = _as_many(value_counts(ratings)[0])
    value = _fleiss(counts)
    raters = float(counts[0].sum())

    def features(of: Array) -> Array:
        apart = 1 - ((of**2).sum(axis=1) - raters) / (raters * (raters - 1))
        return np.column_stack([apart, np.ones(len(of)), of])

    def value_of(sums: Array) -> Array:
        shares = sums[:, 2:] / sums[:, 2:].sum(axis=1, keepdims=True)
        return _one_minus(sums[:, 0] / sums[:, 1], 1 - (shares**2).sum(axis=1))

    apart = 1 - np.eye(counts.shape[1])
    return unseen_items_interval(value, counts, apart, features, value_of, clusters)


def _one_minus(observed: Array, expected: Array) -> Array:
    """1 − observed / expected disagreement; NaN where the expected disagreement is 0."""
    ratio = np.full(len(observed), np.nan)
    np.divide(observed, expected, out=ratio, where=expected > 0)
    return np.asarray(1 - ratio)
