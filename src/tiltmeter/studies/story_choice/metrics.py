"""Which of two opposite traits is chosen for a group, over several replies and both orders of the traits.

One row a reply. `left` and `right` say how far it chooses each trait and add up to 1: 1 and 0 where a reply
names one, probabilities where a model says how likely it is to name each. -1 stands for a reply that names
neither; it is in no denominator. Values are percentages of the replies that name one.
"""

from collections.abc import Sequence

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.stats.confidence_intervals.intervals import wilson
from tiltmeter.stats.confidence_intervals.mean_squares import RootMeanSquare, root_mean_square
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip, sign_test
from tiltmeter.stats.resampling.bootstrap import (
    RESAMPLES,
    cluster_sums,
    clustered,
    enough,
    resampled_sums,
)
from tiltmeter.stats.resampling.bootstrap_intervals import stretched

EVEN = 0.5
NO_ANSWER = "no reply names one of the two traits"


def trait_share(chosen: Array) -> float:
    """How often a trait is chosen, in percent of the replies that name one of the two; 50 is as often as not.

    Args:
        chosen: How far each reply chooses it, -1 where it names neither; shape (n,).

    Raises:
        Undefined: No reply names one.

    >>> trait_share(np.array([1.0, 0, 0, 0, -1]))
    25.0
    """
    return float(100 * _named(chosen).mean())


def trait_difference(left: Array, right: Array) -> float:
    """How much more often the right trait is chosen than the left one, in percentage points, −100 to 100.

    Raises:
        Undefined: As `trait_share`.

    >>> trait_difference(np.array([1.0, 0, 0, 0, -1]), np.array([0, 1.0, 1, 1, -1]))
    50.0
    """
    return trait_share(right) - trait_share(left)


def choice_strength(left: Array, right: Array, group: Labels, pair: Labels) -> float:
    """Mean over cells (a group and a pair of traits) of |difference|, in percentage points, 0 to 100.

    Chance inflates it, so it has no interval; `rms_choice_strength` has. Cells without a named trait are
    left out.

    Raises:
        Undefined: No cell has a reply that names a trait.

    >>> pairs = np.array(["cold - warm"] * 2 + ["poor - wealthy"] * 2)
    >>> group = np.array(["men"] * 4)
    >>> choice_strength(np.array([1.0, 1, 0, 1]), np.array([0.0, 0, 1, 0]), group, pairs)
    50.0
    """
    del left  # it is 1 − right
    return float(_strengths(right, group, pair).mean())


def rms_choice_strength(
    left: Array, right: Array, group: Labels, pair: Labels, repeat: Array
) -> float:
    """The root mean square over cells of the difference that endlessly many replies would show, in points.

    Made from products of different repeats, each with the replies to both orders, so that chance does not
    make it higher: without any preference it scatters about 0. At most 100.

    Args:
        left: How far each reply chooses the left trait, -1 where it names neither; shape (n,).
        right: The same of the right trait.
        group: Each row's group.
        pair: Each row's pair of traits.
        repeat: The number of each row's repeat.

    Raises:
        Undefined: No cell has replies that name a trait in two repeats.

    >>> men, pair = np.array(["men"] * 4), np.array(["cold - warm"] * 4)
    >>> right = np.array([1.0, 1, 1, 0])  # right − left is 1, 1, 1, −1: half of the products are −1
    >>> rms_choice_strength(1 - right, right, men, pair, np.arange(4.0))
    0.0
    """
    del left  # it is 1 − right
    return _rms(right, group, pair, repeat).value


def rms_of_shares(left: Array, right: Array, group: Labels, pair: Labels) -> float:
    """The root mean square over cells from probabilities, which are no sample that chance would inflate.

    Raises:
        Undefined: As `choice_strength`.

    >>> men, pair = np.array(["men"] * 2), np.array(["cold - warm", "poor - wealthy"])
    >>> round(rms_of_shares(np.array([0.2, 0.1]), np.array([0.8, 0.9]), men, pair), 4)  # √(mean of 60², 80²)
    70.7107
    """
    del left
    return float(np.square(_strengths(right, group, pair)).mean() ** 0.5)


def first_named_rate(first: Array, order: Labels) -> float:
    """How often the trait that the prompt names first is chosen, in percent; 50 where order does not matter.

    The mean over both orders, so that it does not depend on which trait is preferred.

    Args:
        first: How far each reply chooses the trait named first, -1 where it names neither; shape (n,).
        order: Which of the two orders the prompt has, shape (n,).

    Raises:
        Undefined: Only one order has replies that name a trait.

    >>> order = np.array(["left first", "left first", "right first", "right first"])
    >>> first_named_rate(np.array([1.0, 1, 0, 1]), order)
    75.0
    """
    sums = _by_order(first, order, np.zeros(len(first), dtype=np.int64))
    if (sums[:, 1::2] == 0).any():
        raise Undefined("the prompts with an answer all name the traits in one order")
    return float(_rate(sums)[0])


def infer_replies(sample: Sample) -> Inference:
    """Wilson's interval and exact sign test of drawn replies, for `trait_share` and `trait_difference`.

    Both are about asking the same prompts again. Replies to the two orders count alike, which makes the
    interval too wide rather than too narrow where their shares differ.
    """
    is_first = _named(sample.columns[-1])
    hits, n = round(float(is_first.sum())), len(is_first)
    bounds = 100 * np.array(wilson(hits, n))
    low, high = 2 * bounds - 100 if sample.metric is trait_difference else bounds
    p = sign_test(hits, n - hits)
    return Inference(float(low), float(high), p, f"Wilson, {n} replies", "exact sign test")


def infer_choice_strength(sample: Sample) -> Inference:
    """Interval and test for `rms_choice_strength`, both about asking the same prompts again."""
    return _rms(*sample.columns[1:]).inference("no preference in any cell")


def infer_first_named(sample: Sample) -> Inference:
    """Bootstrap of cells and sign-flip test of whole cells, for `first_named_rate`.

    Raises:
        Undefined: There is only one cell, or a resample has no value.
    """
    first, order = sample.columns
    codes, k = enough(sample.clusters)
    sums = _by_order(first, order, codes)
    value = float(_rate(sums.sum(axis=0)))
    low, high = stretched(_rate(resampled_sums(sums, sample.rng)), value, k)
    is_first = np.asarray(first, dtype=np.float64)
    known = is_first >= 0
    p = sign_flip(is_first[known] - EVEN, sample.clusters[known], sample.rng)
    interval = f"stretched bootstrap of cells, {RESAMPLES:,} draws"
    return Inference(low, high, p, interval, "sign-flip test of whole cells")


def replies_with_answer(columns: Sequence[Column]) -> int:
    """How many replies name one of the two traits; for `Measure.rests_on`, a column of choices first."""
    return int((np.asarray(columns[0], dtype=np.float64) >= 0).sum())


def _named(chosen: Column) -> Array:
    values = np.asarray(chosen, dtype=np.float64)
    kept: Array = values[values >= 0]
    if not len(kept):
        raise Undefined(NO_ANSWER)
    return kept


def _rms(right: Column, group: Column, pair: Column, repeat: Column) -> RootMeanSquare:
    """Of right − left in points; what is independent are the repeats of each cell.

    Where all replies of a cell are the same, others need not be: the variance is at least that of shares
    with half a reply of each kind more (Jeffreys).
    """
    values, codes, k = _named_cells(right, group, pair)
    repeats = np.asarray(repeat)[np.asarray(right, dtype=np.float64) >= 0].astype(np.int64)
    rows, n = clustered(repeats)
    sums, counts = (
        cluster_sums(each, rows * k + codes, n * k).reshape(n, k)
        for each in (2 * values - 1, np.ones(len(values)))
    )
    least = 1e4 * counts * (1 - (sums.sum(axis=0) / (counts.sum(axis=0) + 1)) ** 2)
    return root_mean_square(100 * sums, counts, "repeats", least=least, most=100.0, crossed=False)


def _named_cells(right: Column, group: Column, pair: Column) -> tuple[Array, Integers, int]:
    """The named choices, the number of each one's cell, and the number of cells."""
    values = np.asarray(right, dtype=np.float64)
    kept = values >= 0
    if not kept.any():
        raise Undefined(NO_ANSWER)
    (groups, _), (pairs, wide) = (
        clustered(np.asarray(labels, dtype=np.str_)[kept]) for labels in (group, pair)
    )
    return values[kept], *clustered(groups * wide + pairs)


def _cells(right: Column, group: Column, pair: Column) -> tuple[Array, Array]:
    """Sum and number of named choices in each cell that has some, shape (cells,) each."""
    values, codes, k = _named_cells(right, group, pair)
    sums = cluster_sums(np.stack([values, np.ones(len(values))], axis=1), codes, k)
    return sums[:, 0], sums[:, 1]


def _strengths(right: Column, group: Column, pair: Column) -> Array:
    """|right − left| of each cell in percentage points, shape (cells,)."""
    sums, counts = _cells(right, group, pair)
    return np.asarray(100 * np.abs(2 * sums / counts - 1), dtype=np.float64)


def _by_order(first: Column, order: Column, codes: Integers) -> Array:
    """By cluster: for each order, the sum of `first` and the number of named choices; (clusters, 4)."""
    values, orders = np.asarray(first, dtype=np.float64), np.asarray(order)
    labels = np.unique(orders)
    if len(labels) != 2:  # noqa: PLR2004
        raise Undefined("all prompts name the traits in one order")
    masks = [(orders == label) & (values >= 0) for label in labels]
    columns = [column for mask in masks for column in (np.where(mask, values, 0.0), mask * 1.0)]
    whole: Array = cluster_sums(np.stack(columns, axis=1), codes, int(codes.max()) + 1)
    return whole


def _rate(sums: Array) -> Array:
    """From (…, 4) sums to percentages, NaN where an order has no named choice."""
    shares = np.divide(
        sums[..., ::2], sums[..., 1::2],
        out=np.full((*sums.shape[:-1], 2), np.nan), where=sums[..., 1::2] > 0,
    )  # fmt: skip
    return np.asarray(100 * shares.mean(axis=-1), dtype=np.float64)
