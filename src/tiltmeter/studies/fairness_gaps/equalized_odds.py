"""Equalised-odds difference: how far groups are apart in false and true positive rates.

Sources: Hardt, Price and Srebro 2016, doi:10.48550/arXiv.1610.02413; Zou and Donner 2008,
doi:10.1002/sim.3095 (an interval of a difference from the intervals of both numbers, "MOVER").
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from tiltmeter.core.data.labelled_items import NO_GROUP
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import PairedSample, Sample, uncertainty
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Column, Integers, Labels
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE
from tiltmeter.stats.confidence_intervals.share_spread import spread_interval
from tiltmeter.stats.resampling.alike_rows import MANY
from tiltmeter.stats.resampling.paired_resampling import EXCHANGES, affordable, paired_permutation
from tiltmeter.studies.fairness_gaps.gap_inference import ROUNDING
from tiltmeter.studies.fairness_gaps.group_gaps import LABELS
from tiltmeter.studies.fairness_gaps.group_sides import DEALS, dealt_sides, sides_from


def equalized_odds(truth_positive: Column, said_positive: Column, group: Column) -> float:
    """The larger of two spreads over groups: of false positive rates, and of true positive rates.

    In percentage points, at least 0, as `fairlearn.metrics.equalized_odds_difference`.

    Raises:
        Undefined: There are fewer than two groups, or one lacks positive or negative texts.

    >>> truth, called = np.array([1.0, 0, 1, 0]), np.array([1.0, 1, 1, 0])
    >>> equalized_odds(truth, called, np.array(["a", "a", "b", "b"]))
    100.0
    """
    truth, called, group = _of_groups(truth_positive, said_positive, group)
    names, codes = np.unique(group, return_inverse=True)
    if len(names) < 2:  # noqa: PLR2004
        raise Undefined("there are fewer than two groups")
    for label in (0, 1):
        sizes = np.bincount(codes[truth == label], minlength=len(names))
        if (sizes == 0).any():
            raise Undefined(f"{names[int(sizes.argmin())]} has no {LABELS[label]} texts")
    return float(_odds(truth, called, codes[None], len(names))[0])


def _of_groups(truth: Column, called: Column, group: Column) -> tuple[Array, Array, Labels]:
    """Truth, whether called positive, and group of the texts that name a group."""
    labels = np.asarray(group, dtype=np.str_)
    kept = labels != NO_GROUP
    return np.asarray(truth, np.float64)[kept], np.asarray(called, np.float64)[kept], labels[kept]


def _numbered(columns: Sequence[Column], clusters: Labels) -> tuple[Array, Array, Integers, Labels]:
    """Truth, what was said, the group's number and the cluster of each text that names a group."""
    truth, called, groups = _of_groups(columns[0], columns[1], columns[2])
    _, codes = np.unique(groups, return_inverse=True)
    return truth, called, codes, clusters[np.asarray(columns[2], dtype=np.str_) != NO_GROUP]


def _odds(truth: Array, positive: Array, codes: npt.NDArray[np.integer[Any]], k: int) -> Array:
    """The difference for each deal of the texts to groups, `codes` of shape (deals, n); shape (deals,)."""
    hits, whole = [], []
    for label in (0, 1):
        mine = (truth == label).astype(np.float64)
        hits.append(mine * positive)
        whole.append(mine)
    sums = np.stack([*hits, *whole], axis=1)  # (n, 4)
    counts = np.stack([(codes == group) @ sums for group in range(k)])  # (k, deals, 4)
    rates = np.full(counts[..., :2].shape, np.nan)
    np.divide(100 * counts[..., :2], counts[..., 2:], out=rates, where=counts[..., 2:] > 0)
    return np.asarray(np.ptp(rates, axis=0).max(axis=1))


def infer_odds(sample: Sample) -> Inference:
    """Simultaneous score intervals of all differences between groups; permutation test of the groups.

    A difference of extremes is biased upward: `why` says what it would be without any difference between
    groups. The interval allows for that, and covers a true value of 0 too.
    """
    truth, called, codes, clusters = _numbered(sample.columns, sample.clusters)
    low, high = odds_interval(truth, called, codes, clusters)
    value = float(_odds(truth, called, codes[None], int(codes.max()) + 1)[0])
    dealt = _dealt(truth, called, codes, clusters, sample.rng)
    interval = "simultaneous score intervals of all differences between groups"
    if np.isnan(dealt).any():
        return Inference(low, high, interval=interval)
    p = (1 + int((dealt >= value - ROUNDING).sum())) / (1 + len(dealt))
    test = f"permutation test, groups dealt anew within each label, {counted(len(dealt), 'deals')}"
    why = f"{dealt.mean():.1f} points would be expected without any difference between groups"
    return Inference(low, high, p, interval, test, why=why)


def _dealt(
    truth: Array, called: Array, codes: Integers, clusters: Labels, rng: np.random.Generator
) -> Array:
    """The difference when groups are dealt anew within each label, shape (deals,)."""
    sides, k = sides_from([truth, called], codes, clusters), int(codes.max()) + 1
    if len(truth) >= MANY and sides.k == len(truth):
        return _odds_of_counts(truth, called, codes, rng)
    deals = affordable(len(truth), DEALS)
    return np.concatenate(
        [_odds(truth, called, deal, k) for deal in dealt_sides(sides, rng, deals)]
    )


def _odds_of_counts(
    truth: Array, called: Array, codes: Integers, rng: np.random.Generator
) -> Array:
    """The same for texts that share nothing: only how many called positive each group gets is drawn."""
    spreads = []
    for label in (0, 1):
        mine = truth == label
        sizes = np.bincount(codes[mine])
        positive = rng.multivariate_hypergeometric(
            sizes, int(called[mine].sum()), size=DEALS, method="marginals"
        )
        spreads.append(np.ptp(100 * positive / sizes, axis=1))
    return np.asarray(np.maximum(*spreads), dtype=np.float64)


def compare_odds(sample: PairedSample) -> tuple[float, Inference]:
    """A's difference minus B's; an interval made of both models' own, and a paired permutation test.

    A resample adds its own noise to spreads that noise has widened already, and the more so in the model that
    is nearer to no difference. The interval does not: its half-widths are the root of the sum of squares of
    those of the two models (Zou and Donner). Both answered the same texts, which it does not make use of, so
    it is wider than it has to be.

    Raises:
        Undefined: One of the two has no value.
    """
    draws = affordable(len(sample.clusters), EXCHANGES)
    low, high = odds_apart(sample.a, sample.b, sample.clusters, confidence=sample.confidence)
    return sample.difference, uncertainty(
        lambda: (low, high, "score intervals of both models, combined (MOVER)"),
        lambda: (
            paired_permutation(
                sample.metric, sample.a, sample.b, sample.clusters, sample.rng, draws=draws
            ),
            "permutation test that swaps the two models",
        ),
    )


def odds_apart(
    a: Sequence[Column], b: Sequence[Column], clusters: Labels, *, confidence: float = CONFIDENCE
) -> tuple[float, float]:
    """The interval of A's equalised-odds difference minus B's, in percentage points."""
    (value_a, low_a, high_a), (value_b, low_b, high_b) = (
        (
            equalized_odds(*columns),
            *odds_interval(*_numbered(columns, clusters), confidence=confidence),
        )
        for columns in (a, b)
    )
    value = value_a - value_b
    low = value - np.hypot(value_a - low_a, high_b - value_b)
    high = value + np.hypot(high_a - value_a, value_b - low_b)
    return max(-100.0, float(low)), min(100.0, float(high))


def grouped_texts(columns: Sequence[Column]) -> int:
    """How many texts the value rests on: those that name a group."""
    return int((np.asarray(columns[2], dtype=np.str_) != NO_GROUP).sum())


def odds_interval(
    truth: Array,
    called: Array,
    codes: Integers,
    clusters: Labels,
    *,
    confidence: float = CONFIDENCE,
) -> tuple[float, float]:
    """The interval of the equalised-odds difference, in percentage points.

    Each label's interval has the confidence √`confidence`, so that both hold at once. The true value, the
    larger of the two spreads, is then between the larger lower and the larger upper bound.

    Args:
        truth: 1 where a text is positive.
        called: 1 where it is called so.
        codes: The number of its group, from 0; each has positive and negative texts.
        clusters: Of each text.
        confidence: The confidence level.
    """
    bounds = []
    for label in (0, 1):
        rows = [
            np.flatnonzero((codes == g) & (truth == label)) for g in range(int(codes.max()) + 1)
        ]
        bounds.append(
            spread_interval(
                [called[r] for r in rows], [clusters[r] for r in rows], confidence=confidence**0.5
            )
        )
    low, high = (100 * max(label_bounds) for label_bounds in zip(*bounds, strict=True))
    return low, high
