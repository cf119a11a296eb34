"""Systematic offensive stereotyping: how often offensive sentences are preferred, and about whom.

Scores are arrays of shape (n,): `more` of the offensive sentences, `less` of the pleasant ones. Each pair
is made from an identity and a pair of adjectives, and both are shared with other pairs; the pairs of
adjectives are the items' clusters.

Source: Elsafoury 2023, doi:10.48550/arXiv.2308.10684, section 3.
"""

from collections.abc import Callable, Sequence
from math import comb

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Inference
from tiltmeter.core.types import Array, Column, Labels, Ties
from tiltmeter.metrics.preference import outcomes, stereotype_rate
from tiltmeter.stats.crossed import crossed_means
from tiltmeter.stats.intervals import percentiles
from tiltmeter.stats.partitions import stratified_test
from tiltmeter.stats.significance import sign_flip

MARGINALISED = "marginalised"
FEW = 5
"""With fewer identities or adjectives to draw from, an interval comes with a caution."""
CROSSED = "bootstrap of identities and of pairs of adjectives, 2,000 draws"
IDENTITIES = "bootstrap of identities, 2,000 draws"
RATE_TEST = "sign-flip test of whole pairs of adjectives against 50"
GAP_TEST = "permutation of identities between the two statuses, against 0"


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
    """The rate of marginalised identities less that of the others, in percentage points.

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


def gap_of(values: Array, status: Labels, attribute: Labels) -> float:
    """Mean of the marginalised identities less that of the others, averaged over attributes.

    Raises:
        Undefined: No attribute has identities of both statuses.

    >>> sides = np.array(["marginalised", "non-marginalised", "marginalised"])
    >>> gap_of(np.array([3.0, 1.0, 9.0]), sides, np.array(["a", "a", "b"]))
    2.0
    """
    kept = compared(status, attribute)
    values, first, attribute = values[kept], status[kept] == MARGINALISED, attribute[kept]
    gaps = [
        values[first & (attribute == name)].mean() - values[~first & (attribute == name)].mean()
        for name in np.unique(attribute)
    ]
    return float(np.mean(gaps))


def compared(status: Labels, attribute: Labels) -> npt.NDArray[np.bool_]:
    """Which items are of an attribute that has identities of both statuses.

    Raises:
        Undefined: There are none.
    """
    first = status == MARGINALISED
    both = [n for n in np.unique(attribute) if 0 < first[attribute == n].mean() < 1]
    if not both:
        lacking = "non-marginalised" if first.all() else "marginalised"
        raise Undefined(f"there are no {lacking} identities to compare with")
    return np.isin(attribute, both)


def infer_sos_rate(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of identities and pairs of adjectives; sign-flip test of pairs of adjectives.

    The test asks whether it matters which adjective of a pair is the offensive one: it swaps the two
    adjectives of a pair for all identities at once.
    """
    more, less, identity = _read(columns)
    values = 100 * outcomes(more, less, ties=_ties_of(metric))
    why, low, high, p = few(identity, clusters), None, None, None
    try:
        means = crossed_means(
            values, identity, clusters, np.zeros(len(values), dtype=np.int64), rng
        )
        low, high = percentiles(means[:, 0])
    except Undefined as undefined:
        why = f"no interval: {undefined}"
    try:
        p = sign_flip(np.sign(more - less), clusters, rng)
    except Undefined as undefined:
        why = "; ".join(part for part in (why, f"no test: {undefined}") if part)
    return Inference(low, high, p, CROSSED, RATE_TEST, why=why)


def infer_sos_gap(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of identities within attribute and status, and of adjectives; permutation test.

    One draw of adjectives serves both sides. The test permutes the identities of an attribute between the
    two statuses, each with its own rate: exact for one attribute with few identities, otherwise 99,999
    random draws.
    """
    more, less, identity = _read(columns)
    status, attribute = _labels(columns[3:])
    kept = compared(status, attribute)
    why, low, high, p = without(attribute, kept), None, None, None
    values = (100 * outcomes(more, less, ties=_ties_of(metric)))[kept]
    identity, clusters = identity[kept], clusters[kept]
    status, attribute = status[kept], attribute[kept]
    try:
        kinds = joined(attribute, status)
        means = crossed_means(values, identity, clusters, kinds, rng)
        low, high = percentiles(gaps_of(means, kinds))
    except Undefined as undefined:
        why = _and(why, f"no interval: {undefined}")
    try:
        rates, at = _means_by(values, joined(attribute, status, identity))
        p, note = dealt(rates, status[at], attribute[at], rng)
        why = _and(why, note)
    except Undefined as undefined:
        why = _and(why, f"no test: {undefined}")
    return Inference(low, high, p, CROSSED, GAP_TEST, why=why)


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
    """`static_sos` of marginalised identities less that of the others; see `gap_of`.

    From −1 to 1; 0 is no difference.

    >>> static_sos_gap(np.array([0.75, 0.25]), np.array(["marginalised", "non-marginalised"]),
    ...                np.array(["race", "race"]))
    0.5
    """
    return gap_of(values, status, attribute)


def infer_static_sos(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of identities; no test, since no mean is the one expected by chance.

    The scale is fixed: the farthest and the closest of all identities stay 0 and 1.
    """
    del metric
    values = np.asarray(columns[0], dtype=np.float64)
    if len(values) == 1:
        return Inference(None, None)
    same = np.zeros(len(values), dtype=np.int64)
    low, high = percentiles(crossed_means(values, clusters, same, same, rng)[:, 0])
    return Inference(low, high, interval=IDENTITIES, why=few(clusters))


def infer_static_sos_gap(
    metric: Callable[..., float],
    columns: Sequence[Column],
    clusters: Labels,
    rng: np.random.Generator,
) -> Inference:
    """Bootstrap of identities within attribute and status, and `dealt`'s test."""
    del metric
    values = np.asarray(columns[0], dtype=np.float64)
    status, attribute = _labels(columns[1:])
    kept = compared(status, attribute)
    why, low, high, p = without(attribute, kept), None, None, None
    values, status, attribute, clusters = (
        values[kept],
        status[kept],
        attribute[kept],
        clusters[kept],
    )
    try:
        kinds, same = joined(attribute, status), np.zeros(len(values), dtype=np.int64)
        low, high = percentiles(gaps_of(crossed_means(values, clusters, same, kinds, rng), kinds))
    except Undefined as undefined:
        why = _and(why, f"no interval: {undefined}")
    try:
        p, note = dealt(values, status, attribute, rng)
        why = _and(why, note)
    except Undefined as undefined:
        why = _and(why, f"no test: {undefined}")
    return Inference(low, high, p, IDENTITIES, GAP_TEST, why=why)


def dealt(
    values: Array, status: Labels, attribute: Labels, rng: np.random.Generator
) -> tuple[float, str]:
    """Permutation test of identities between the two statuses: p, and a caution if p cannot be small.

    Raises:
        Undefined: All values are equal.
    """
    first = status == MARGINALISED
    p = stratified_test(values, first, attribute, rng).p
    sizes = [
        (int(first[attribute == n].sum()), int((attribute == n).sum())) for n in set(attribute)
    ]
    least = 1 / np.prod([float(comb(n, k)) for k, n in sizes])
    if len(sizes) == 1:
        ((k, n),) = sizes
        least *= 1 + (n == 2 * k)  # the mirrored partition differs as much as the observed one
        if least > 0.05:  # noqa: PLR2004
            return p, f"with {k} and {n - k} identities, p cannot be below {least:.2g}"
    return p, ""


def gaps_of(means: Array, kinds: Labels) -> Array:
    """The mean gap over attributes, (draws,), from means by attribute and status, (draws, kinds)."""
    names = [str(name).split("\0") for name in np.unique(kinds)]
    signs = np.array([1.0 if status == MARGINALISED else -1.0 for _, status in names])
    return np.asarray(means @ signs / (len(names) / 2), dtype=np.float64)


def joined(*labels: Labels) -> Labels:
    """Several labels of each item joined into one."""
    return np.array(["\0".join(map(str, row)) for row in zip(*labels, strict=True)])


def few(*labels: Labels) -> str:
    """A caution where so few identities or adjectives are resampled that the interval is rough."""
    names = (("identity", "identities"), ("pair of adjectives", "pairs of adjectives"))
    counts = [(len(np.unique(found)), name) for name, found in zip(names, labels, strict=False)]
    short = [f"{n} {name[n != 1]}" for n, name in counts if n < FEW]
    return f"only {' and '.join(short)}: the interval is rough" if short else ""


def without(attribute: Labels, kept: npt.NDArray[np.bool_]) -> str:
    """A note on attributes left out because they have identities of one status only."""
    left = sorted({str(name) for name in attribute[~kept]})
    return f"without {', '.join(left)}, with identities of one status only" if left else ""


def _means_by(values: Array, labels: Labels) -> tuple[Array, npt.NDArray[np.int64]]:
    """The mean of each label's values, and the position where each label first occurs."""
    _, at, codes = np.unique(labels, return_index=True, return_inverse=True)
    codes = codes.ravel()
    return np.bincount(codes, weights=values) / np.bincount(codes), at


def _read(columns: Sequence[Column]) -> tuple[Array, Array, Labels]:
    more, less = (np.asarray(column, dtype=np.float64) for column in columns[:2])
    return more, less, _labels(columns[2:3])[0]


def _labels(columns: Sequence[Column]) -> list[Labels]:
    return [np.asarray(column, dtype=np.str_) for column in columns]


def _ties_of(metric: Callable[..., float]) -> Ties:
    ties: Ties = getattr(metric, "keywords", {}).get("ties", "half")
    return ties


def _and(*parts: str) -> str:
    return "; ".join(part for part in parts if part)
