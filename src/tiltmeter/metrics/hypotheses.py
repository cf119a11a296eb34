"""Shares of hypotheses about groups in situations, and how far groups differ in the same situations.

Hypotheses about one situation are not independent: intervals are for other situations.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.samples import Sample, as_numbers
from tiltmeter.core.types import Array, Column, Labels
from tiltmeter.metrics.labels import infer_rate
from tiltmeter.metrics.traits import infer_over_templates


def hypothesis_share(flag: Array) -> float:
    """The share of rows whose flag is 1, in percent. Rows with −1 do not count.

    Raises:
        Undefined: No row counts.

    >>> hypothesis_share(np.array([1.0, 0.0, 0.0, 1.0, -1.0]))
    50.0
    """
    return float(100 * _kept(flag).mean())


def counted_hypotheses(columns: Sequence[Column]) -> int:
    """How many rows count, for `Measure.rests_on`."""
    return int((np.asarray(columns[0], dtype=np.float64) >= 0).sum())


infer_hypothesis_share = partial(infer_rate, units="situations")
"""Wilson's interval, where all hypotheses about a situation are one cluster; no test."""


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
    """Student's t over situations, for `mean_gap`."""
    (gap,) = as_numbers(sample.columns)
    known = ~np.isnan(gap)
    there = replace(sample, columns=[gap[known]], clusters=sample.clusters[known])
    return infer_over_templates(there, units="situations")


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


def _kept(flag: Array) -> Array:
    kept = np.asarray(flag, dtype=np.float64)
    kept = kept[kept >= 0]
    if not len(kept):
        raise Undefined("no hypothesis counts here")
    return kept
