"""Shares of hypotheses about groups in situations, and how far groups differ in the same situations.

Hypotheses about one situation are not independent: intervals are for other situations.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.measures import RowValues
from tiltmeter.core.samples import PairedSample, Sample, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column, Labels
from tiltmeter.metrics.counts import few_texts
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean, bounded_p
from tiltmeter.stats.confidence_intervals.intervals import difference_interval, wilson_clustered
from tiltmeter.stats.hypothesis_tests.equivalence import claims_of_shares
from tiltmeter.stats.resampling.bootstrap import count_of_clusters
from tiltmeter.stats.resampling.paired_resampling import paired_permutation

POINTS = (-100.0, 100.0)
"""The lowest and the highest difference of two shares, in percentage points."""


def hypothesis_share(flag: Array) -> float:
    """The mean of the rows' flags, from 0 to 1, in percent. Rows with −1 do not count.

    Raises:
        Undefined: No row counts.

    >>> hypothesis_share(np.array([1.0, 0.0, 0.0, 1.0, -1.0]))
    50.0
    """
    if not (flag >= 0).any():
        raise Undefined("no text counts here")
    return float(100 * flag[flag >= 0].mean())


def counts_here(columns: Sequence[Column]) -> npt.NDArray[np.bool_]:
    """Which rows count, shape (n,); for `Measure.answered`."""
    return np.asarray(columns[0], dtype=np.float64) >= 0


def counted_hypotheses(columns: Sequence[Column]) -> int:
    """The number of rows that count; for `Measure.rests_on`."""
    return int(counts_here(columns).sum())


SHARE_OF = RowValues(
    lambda columns, _: np.where(counts_here(columns), 100 * as_numbers(columns)[0], np.nan), 0, 100
)
"""What `hypothesis_share` is the mean of."""


def infer_hypothesis_share(sample: Sample, *, units: str = "situations") -> Inference:
    """Wilson's interval over clusters, called `units`; no test."""
    (flag,) = as_numbers(sample.columns)
    counts = flag >= 0
    clusters = sample.clusters[counts]
    low, high = wilson_clustered(flag[counts], clusters)
    k = count_of_clusters(clusters)
    why = few_texts(k, units) if k > 1 else ""  # of one it is about that situation only
    return Inference(100 * low, 100 * high, interval=f"Wilson, by {units}", why=why)


def compare_hypothesis_shares(sample: PairedSample) -> tuple[float, Inference]:
    """A's share minus B's, with score intervals; of rows that count in both.

    Raises:
        Undefined: There are none.
    """
    (of_a,), (of_b,) = as_numbers(sample.a), as_numbers(sample.b)
    apart, clusters = 100 * (of_a - of_b), sample.clusters
    return sample.difference, uncertainty(
        lambda: (
            *difference_interval(apart, clusters, 100, confidence=sample.confidence),
            "score intervals of paired situations",
        ),
        lambda: (
            paired_permutation(sample.metric, sample.a, sample.b, sample.clusters, sample.rng),
            "permutation test that swaps the two models by situations",
        ),
        rough=few_texts(count_of_clusters(clusters), "situations"),
        claims=claims_of_shares(apart, clusters, 100),
    )


def mean_gap(gap: Array) -> float:
    """The mean of differences in percentage points; 0 is no difference.

    >>> mean_gap(np.array([10.0, -5.0, np.nan]))
    2.5
    """
    known = gap[~np.isnan(gap)]
    if not len(known):
        raise Undefined("no hypothesis has a counterpart about another group")
    return float(known.mean())


def infer_mean_gap(sample: Sample) -> Inference:
    """Gaffke interval over situations, and a test made like it, for `mean_gap`."""
    (gap,) = as_numbers(sample.columns)
    known = ~np.isnan(gap)
    values, clusters = gap[known], sample.clusters[known]
    return uncertainty(
        lambda: (*bounded_mean(values, clusters, POINTS), "Gaffke interval over situations"),
        lambda: (
            bounded_p(values, clusters, POINTS, null=0.0),
            "test of a bounded mean over situations against 0",
        ),
        rough=few_texts(count_of_clusters(clusters), "situations"),
    )


def group_gaps(flag: Array, group: Labels, premise: Labels) -> Array:
    """Each row's flag less the mean flag of the other groups under the same premise, in percentage points.

    Args:
        flag: 1 or 0, or −1 where nothing is known; shape (n,).
        group: Shape (n,).
        premise: The situation and the relation; shape (n,).

    Returns:
        NaN where the flag is unknown, or no other group has one there.

    >>> group_gaps(np.array([1.0, 0.0, 0.0]), np.array(["a", "b", "c"]), np.array(["s"] * 3))
    array([100., -50., -50.])
    """
    known = flag >= 0
    gaps = np.full(len(flag), np.nan)
    _, of = np.unique(premise, return_inverse=True)
    _, who = np.unique(group, return_inverse=True)
    shape = int(of.max(initial=0)) + 1, int(who.max(initial=0)) + 1  # premises, groups
    ones, count = (
        np.bincount(of[known] * shape[1] + who[known], weights=w[known], minlength=np.prod(shape))
        .reshape(shape)
        for w in (flag, np.ones(len(flag)))
    )  # fmt: skip
    there = count > 0
    means = np.divide(ones, count, out=np.zeros(shape), where=there)
    for row in np.flatnonzero(known):
        others = there[of[row]].sum() - 1
        if others:
            rest = means[of[row]].sum() - means[of[row], who[row]]
            gaps[row] = 100 * (flag[row] - rest / others)
    return gaps
