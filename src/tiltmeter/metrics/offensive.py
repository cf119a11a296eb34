"""Systematic offensive stereotyping: how often offensive sentences are preferred, and about whom.

Scores are arrays of shape (n,): `more` of the offensive sentences, `less` of the pleasant ones. Each pair
is made from an identity and a pair of adjectives, and both are shared with other pairs; the pairs of
adjectives are the items' clusters.

Source: Elsafoury 2023, doi:10.48550/arXiv.2308.10684, section 3.
"""

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import Sample, as_labels, as_numbers, uncertainty
from tiltmeter.core.types import Array, Labels, Ties
from tiltmeter.metrics.preference import outcomes, stereotype_rate
from tiltmeter.metrics.status_gap import (
    FEW,
    MARGINALISED,
    compared,
    gap_of,
    inferred_gap,
    joined,
    without,
)
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import student
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip
from tiltmeter.stats.hypothesis_tests.t_tests import (
    Spread,
    combined,
    means_by,
    spread_of_difference,
    spread_of_mean,
)
from tiltmeter.stats.resampling.bootstrap_intervals import percentiles
from tiltmeter.stats.resampling.crossed import crossed_means

CROSSED = "bootstrap of identities and of pairs of adjectives, 2,000 draws"
CROSSED_T = "Student’s t over identities and pairs of adjectives"
IDENTITIES = "Student’s t over identities"
RATE_TEST = "sign-flip test of whole pairs of adjectives against 50"


def sos_rate(more: Array, less: Array, identity: Labels, *, ties: Ties = "half") -> float:
    """Share of pairs whose offensive sentence scores higher, in percent.

    From 0 to 100; 50 is no preference (the paper prints shares: .5). Swapping offensive and pleasant gives
    100 − x with ties="half". The identities are for `infer_sos_rate`.

    Raises:
        Undefined: No pairs, or scores that are not finite numbers.

    >>> sos_rate(np.array([2.0, 0, 1]), np.array([1.0, 1, 1]), np.array(["a", "a", "b"]))
    50.0
    """
    del identity
    return stereotype_rate(more, less, ties=ties)


def sos_gap(
    more: Array,
    less: Array,
    identity: Labels,
    status: Labels,
    attribute: Labels,
    *,
    ties: Ties = "half",
) -> float:
    """The rate of marginalised identities minus that of the others, in percentage points.

    From −100 to 100; 0 is no difference. For several attributes, the unweighted mean of their differences,
    over those that have identities of both statuses.

    Raises:
        Undefined: As `sos_rate`, or no attribute has identities of both statuses.

    >>> who, about = np.array(["a", "b"]), np.array(["k", "k"])
    >>> sides = np.array(["marginalised", "non-marginalised"])
    >>> sos_gap(np.array([2.0, 0]), np.array([1.0, 1]), who, sides, about)
    100.0
    """
    del identity
    return gap_of(100 * outcomes(more, less, ties=ties), status, attribute)


def infer_sos_rate(sample: Sample) -> Inference:
    """Bootstrap of identities and pairs of adjectives; sign-flip test of pairs of adjectives.

    The test asks whether it matters which adjective of a pair is the offensive one: it swaps the two
    adjectives of a pair for all identities at once.
    """
    more, less = as_numbers(sample.columns[:2])
    (identity,), clusters, rng = as_labels(sample.columns[2:3]), sample.clusters, sample.rng
    values = 100 * outcomes(more, less, ties=sample.ties)
    together = np.zeros(len(values), dtype=np.int64)
    return uncertainty(
        lambda: (
            *percentiles(crossed_means(values, identity, clusters, together, rng)[:, 0]), CROSSED
        ),
        lambda: (sign_flip(np.sign(more - less), clusters, rng), RATE_TEST),
        rough=few(identity, clusters),
    )  # fmt: skip


def infer_sos_gap(sample: Sample) -> Inference:
    """Student's t over identities and pairs of adjectives; permutation test of the identities.

    The variance is the sum of two parts: over the identities of an attribute, both statuses taken to vary
    alike, and over the gaps of single pairs of adjectives. What both have in common counts twice, so that
    the interval tends to be too wide. The test permutes the identities of an attribute between the two
    statuses, each with its own rate: exact for one attribute with few identities, otherwise 99,999 random
    draws.
    """
    more, less = as_numbers(sample.columns[:2])
    identity, status, attribute = as_labels(sample.columns[2:])
    kept = compared(status, attribute)
    values = (100 * outcomes(more, less, ties=sample.ties))[kept]
    identity, clusters = identity[kept], sample.clusters[kept]
    left_out = without(attribute, kept)
    status, attribute = status[kept], attribute[kept]
    identities = joined(attribute, status, identity)
    rates, at = means_by(values, identities), np.unique(identities, return_index=True)[1]

    def spread() -> list[Spread]:
        gaps = _gaps_by(values, status, attribute, clusters)
        return [*spread_of_difference(rates, first, attribute[at]), spread_of_mean(gaps)]

    gap = gap_of(values, status, attribute)
    first = status[at] == MARGINALISED
    return inferred_gap(
        lambda: (*_ends(gap, spread(), (-100.0, 100.0)), CROSSED_T),
        (rates, first, attribute[at]),
        sample.rng,
        left_out=left_out,
    )


def static_sos(values: Array) -> float:
    """Mean closeness of identities' vectors to profanity, from 0 (the farthest) to 1 (the closest).

    Raises:
        Undefined: There are no values, or one is not finite.

    >>> static_sos(np.array([0.0, 0.5, 1.0]))
    0.5
    """
    if not len(values) or not np.isfinite(values).all():
        raise Undefined("some identities have no finite score" if len(values) else "no identities")
    return float(values.mean())


def static_sos_gap(values: Array, status: Labels, attribute: Labels) -> float:
    """`static_sos` of marginalised identities minus that of the others; see `gap_of`.

    From −1 to 1; 0 is no difference.

    >>> static_sos_gap(np.array([0.75, 0.25]), np.array(["marginalised", "non-marginalised"]),
    ...                np.array(["race", "race"]))
    0.5
    """
    return gap_of(values, status, attribute)


def infer_static_sos(sample: Sample) -> Inference:
    """Gaffke's interval over identities; no test, since no mean is the one expected by chance.

    The scale is fixed: the farthest and the closest of all identities stay 0 and 1.
    """
    (values,) = as_numbers(sample.columns)
    if len(values) == 1:
        return Inference(None, None)
    return uncertainty(
        lambda: (
            *bounded_mean(values, np.arange(len(values)), (0.0, 1.0)),
            "Gaffke over identities",
        ),
        rough=few(sample.clusters),
    )


def infer_static_sos_gap(sample: Sample) -> Inference:
    """Student's t over identities, both statuses taken to vary alike; a test that deals them anew."""
    (values,), (status, attribute) = as_numbers(sample.columns[:1]), as_labels(sample.columns[1:])
    kept = compared(status, attribute)
    values, status, left_out = values[kept], status[kept], without(attribute, kept)
    attribute = attribute[kept]
    return inferred_gap(
        lambda: (*static_gap_ends(values, status, attribute), IDENTITIES),
        (values, status == MARGINALISED, attribute),
        sample.rng,
        left_out=left_out,
    )


def static_gap_ends(values: Array, status: Labels, attribute: Labels) -> tuple[float, float]:
    """The interval of `infer_static_sos_gap` without its test.

    Raises:
        Undefined: There is none.

    >>> values, status = np.array([0.2, 0.4, 0.1, 0.3]), np.array([MARGINALISED] * 2 + ["other"] * 2)
    >>> low, high = static_gap_ends(values, status, np.full(4, ""))
    >>> low < 0.1 < high
    True
    """
    spread = spread_of_difference(values, status == MARGINALISED, attribute)
    return _ends(gap_of(values, status, attribute), spread, (-1.0, 1.0))


def _ends(value: float, spread: list[Spread], scale: tuple[float, float]) -> tuple[float, float]:
    """The ends of the interval, cut at the ends of the scale."""
    low, high, _ = student(value, *combined(spread))
    return max(low, scale[0]), min(high, scale[1])


def _gaps_by(values: Array, status: Labels, attribute: Labels, clusters: Labels) -> Array:
    """The gap among the sentences of each pair of adjectives that has all statuses of all attributes.

    Raises:
        Undefined: There are fewer than two such pairs.
    """
    kinds = len(np.unique(joined(attribute, status)))
    gaps = []
    for cluster in np.unique(clusters):
        mine = clusters == cluster
        if len(np.unique(joined(attribute[mine], status[mine]))) == kinds:
            gaps.append(gap_of(values[mine], status[mine], attribute[mine]))
    if len(gaps) < 2:  # noqa: PLR2004
        raise Undefined("it takes two pairs of adjectives to see how much depends on them")
    return np.array(gaps)


def few(*labels: Labels) -> str:
    """A caution where so few identities or adjectives are resampled that the interval is rough."""
    names = (("identity", "identities"), ("pair of adjectives", "pairs of adjectives"))
    counts = [
        (len(np.unique(distinct)), name) for name, distinct in zip(names, labels, strict=False)
    ]
    short = [f"{n} {name[n != 1]}" for n, name in counts if n < FEW]
    return f"only {' and '.join(short)}: the interval is rough" if short else ""
