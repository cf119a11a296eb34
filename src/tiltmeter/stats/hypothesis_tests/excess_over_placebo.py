"""Effect less placebo: do edits of groups change a score more than edits that cannot matter?

Any edit of a text may change a model's score, and a score that is drawn anew differs without any edit. So
the size of a change says little by itself: it is compared with that of control edits of the same texts.

A mean of absolute changes contains the noise of the replies that it rests on, which is larger with fewer of
them. Changes of both kinds are therefore taken at equal repeats: of a text, each edit's score is the mean of
r of its replies, r being the number of replies to the edit with the fewest, averaged over all choices of r
replies. Where groups do not matter, both kinds then have the same distribution, whatever the noise and the
numbers of replies and of edits. Absolute changes as they are raise false alarms in up to 37 of 100 samples;
docs/intervals.md has the coverage and the alarms of the numbers here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Integers, Labels
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import mean_interval, student, tail_of
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip
from tiltmeter.stats.resampling.bootstrap import cluster_sums, clustered

FEWEST = 6
"""The minimum number of clusters for intervals and tests: with 5, sign flips cannot reach p < .05."""
FEW = 10
"""With fewer clusters than this, an interval comes with a caution."""
MOST_CHOICES = 100
"""If there are more ways to choose r of an edit's replies, only those in a row count, first after last."""
DECIMALS = 10
"""Changes are rounded to so many decimals, so that equal ones are equal."""
TEST = "sign-flip test of whole clusters against 0"


@dataclass(frozen=True, slots=True)
class Edits:
    """Scores of edited texts, one row for each reply to an edited text."""

    before: Array
    """The score of the text before the edit, shape (n,); NaN where there is none. With `texts`, the score
    before an edit is the mean over all rows of its text; else each row has its own."""
    after: Array
    """The score after the edit, shape (n,); NaN where there is none."""
    edits: Labels
    """Which edit it is: rows with the same label, of the same text and kind, are replies to one edit."""
    control: npt.NDArray[np.bool_]
    """True for edits that cannot matter (placebo), False for edits of groups; shape (n,)."""
    clusters: Labels
    """What is independent: the text, or what several texts share."""
    texts: Labels | None = None
    """The text that is edited, where a cluster has several. Edits are compared within a text; without it,
    within a cluster."""
    yes_no: bool = False
    """Whether scores are single answers, 1 or 0. The size of a change is then the probability that one
    answer before the edit and one after it differ, which needs no equal repeats."""


@dataclass(frozen=True, slots=True)
class ExcessOverPlacebo:
    """What the edits of each cluster change; created by `excess_over_placebo`.

    Clusters count equally, as do texts in a cluster and edits of one kind in a text. Only texts with edits of
    both kinds count.
    """

    clusters: Labels
    """The clusters with edits of both kinds, shape (k,)."""
    by_group: Array
    """The mean size of the changes by group edits in each cluster, shape (k,)."""
    by_placebo: Array
    """The same of placebo edits."""
    won: Array
    """How often a group edit changes the score more than a placebo edit of the same text, less how often it
    changes it less, over all pairs; from -1 to 1, shape (k,)."""
    squares: Array
    """The mean square of changes by group edits less that by placebo edits, without the noise of replies;
    shape (k,), NaN for clusters in which no text has edits of both kinds with two replies each."""
    repeats: tuple[int, int]
    """The lowest and the highest number of replies that changes of a text were compared at."""
    edits: tuple[int, int]
    """The numbers of group edits and of placebo edits that count."""

    @property
    def raw(self) -> float:
        """The mean size of changes by group edits, noise included."""
        return float(self.by_group.mean())

    @property
    def placebo(self) -> float:
        """The mean size of changes by placebo edits, with equal noise."""
        return float(self.by_placebo.mean())

    @property
    def excess(self) -> float:
        """Effect less placebo; 0 if groups do not matter more than edits that cannot matter."""
        return float(self.differences.mean())

    @property
    def differences(self) -> Array:
        """The effect less placebo in each cluster, shape (k,)."""
        return np.round(self.by_group - self.by_placebo, DECIMALS)

    @property
    def share(self) -> float:
        """The share of the raw effect that placebo edits have too, in percent; above 100 if they have more.

        Raises:
            Undefined: No group edit changes anything.
        """
        if self.raw == 0:
            raise Undefined("no group edit changes the score")
        return 100 * self.placebo / self.raw

    def share_interval(self) -> tuple[float, float]:
        """The 95 % interval of the share, by Fieller 1954 (doi:10.1111/j.2517-6161.1954.tb00159.x).

        It contains each ratio for which placebo less ratio × raw is not significantly different from 0 by
        Student's t over clusters.

        Raises:
            Undefined: There are fewer than 6 clusters, or the raw effect is not significantly above 0.
        """
        from scipy.special import stdtrit

        k = self._enough()
        raw, placebo = self.raw, self.placebo
        t = float(-stdtrit(k - 1, tail_of()))
        spread = t * t / k * np.cov(self.by_group, self.by_placebo)
        square = raw * raw - spread[0, 0]
        if square <= 0:
            raise Undefined("the raw effect is not significantly above 0")
        middle = raw * placebo - spread[0, 1]
        reach = max(middle**2 - square * (placebo**2 - spread[1, 1]), 0.0) ** 0.5
        return max(0.0, 100 * (middle - reach) / square), 100 * (middle + reach) / square

    def size_interval(self, sizes: Array, most: float) -> tuple[float, float]:
        """The 95 % interval of the mean of `by_group` or `by_placebo`; no change is larger than `most`.

        Raises:
            Undefined: There are fewer than 6 clusters.
        """
        return bounded_mean(sizes, np.arange(self._enough()), (0.0, most))

    @property
    def wins(self) -> float:
        """How often a group edit changes the score more than a placebo edit of the same text, in percent.

        Ties count half, so that it is 50 if groups do not matter.
        """
        return _as_percent(float(self.won.mean()))

    def wins_interval(self) -> tuple[float, float]:
        """The 95 % interval of `wins`.

        Raises:
            Undefined: There are fewer than 6 clusters.
        """
        low, high = mean_interval(self.won, np.arange(self._enough()), (-1.0, 1.0))
        return _as_percent(low), _as_percent(high)

    def wins_p(self, rng: np.random.Generator) -> float:
        """The two-sided p that `wins` is 50, by flipping signs of clusters.

        Raises:
            Undefined: There are fewer than 6 clusters, or wins and losses are equally many in each.
        """
        return flipped(self.won, rng)

    @property
    def magnitude(self) -> float:
        """The root of the difference of mean squares, without noise, with the sign of that difference.

        Noise cancels out even if it depends on the kind of edit. There is no interval: where sizes differ
        between clusters, a few of them make up the mean square, and Student’s t contained the true value in
        82 of 100 samples or fewer, also of those that do not look so.

        Raises:
            Undefined: No text has edits of both kinds with two replies each.
        """
        return _signed_root(float(self._squares.mean()))

    def magnitude_p(self, rng: np.random.Generator) -> float:
        """The two-sided p that both mean squares are equal, by flipping signs of clusters.

        Raises:
            Undefined: No text has two replies to edits of both kinds, or there are fewer than 6 clusters.
        """
        return flipped(self._squares, rng)

    @property
    def _squares(self) -> Array:
        squares = self.squares[np.isfinite(self.squares)]
        if not len(squares):
            raise Undefined("it takes two replies to group edits and to placebo edits of a text")
        return squares

    def _enough(self) -> int:
        return enough_clusters(len(self.clusters))

    def less(self, other: "ExcessOverPlacebo") -> Array:
        """The effect less placebo here minus that of another model, in each cluster that both have.

        Raises:
            Undefined: There is no such cluster.
        """
        _, mine, theirs = np.intersect1d(self.clusters, other.clusters, return_indices=True)
        if not len(mine):
            raise Undefined("no cluster has edits of both kinds in both results")
        return np.round(self.differences[mine] - other.differences[theirs], DECIMALS)


def excess_over_placebo(edits: Edits) -> ExcessOverPlacebo:
    """Compare the changes by group edits with those by placebo edits, within the same texts.

    Raises:
        Undefined: No text has scores of edits of both kinds.
        BadInput: `yes_no` is set and a score is neither 0 nor 1.

    Two texts, of which a group edit moves the score by 3 and by 1, and a placebo edit by 1:

    >>> made = excess_over_placebo(Edits(
    ...     before=np.array([5.0, 5, 4, 4]), after=np.array([8.0, 4, 5, 5]), edits=np.arange(4),
    ...     control=np.array([False, True, False, True]), clusters=np.array(["a", "a", "b", "b"]),
    ... ))
    >>> made.raw, made.placebo, made.excess, made.share, made.wins
    (2.0, 1.0, 1.0, 50.0, 75.0)
    """
    rows = _Rows.of(edits)
    units, k = clustered(rows.unit)
    group, placebo = (
        _mean_by(np.where(rows.control == kind, rows.size, np.nan), units, k) for kind in (0, 1)
    )
    both = np.isfinite(group) & np.isfinite(placebo)
    if not both.any():
        of_group, of_placebo = np.isfinite(group).any(), np.isfinite(placebo).any()
        lacking = (
            "edits of both kinds"
            if of_group == of_placebo
            else "placebo edits"
            if of_group
            else "group edits"
        )
        raise Undefined(f"no text has scores of {lacking}")
    squares = np.subtract(
        *(
            _mean_by(np.where(rows.control == kind, rows.square, np.nan), units, k)
            for kind in (0, 1)
        )
    )
    won = np.zeros(k)
    for unit, places in enumerate(_places(units, k)):
        won[unit] = rows.wins(places) if both[unit] else 0.0
    cluster = np.zeros(k, dtype=np.int64)
    cluster[units] = rows.cluster
    present, codes = np.unique(cluster[both], return_inverse=True)
    counts = both[units]

    of_clusters = [
        _mean_by(values[both], codes, len(present)) for values in (group, placebo, won, squares)
    ]
    first = np.unique(clustered(edits.clusters)[0], return_index=True)[1]
    return ExcessOverPlacebo(
        edits.clusters[first][present],
        by_group=of_clusters[0],
        by_placebo=of_clusters[1],
        won=of_clusters[2],
        squares=of_clusters[3],
        repeats=(int(rows.repeats[counts].min()), int(rows.repeats[counts].max())),
        edits=(
            int((counts & (rows.control == 0)).sum()),
            int((counts & (rows.control == 1)).sum()),
        ),
    )


def enough_clusters(k: int) -> int:
    """k, the number of clusters.

    Raises:
        Undefined: It is below 6.
    """
    if k < FEWEST:
        raise Undefined(f"{counted(k, 'clusters')}, and it takes {FEWEST}")
    return k


def t_interval(values: Array) -> tuple[float, float]:
    """The 95 % interval of the mean of one value per cluster, by Student's t.

    Raises:
        Undefined: There are fewer than 6 clusters, or all have the same value.

    >>> [round(end, 2) for end in t_interval(np.arange(6.0))]
    [0.54, 4.46]
    """
    k = enough_clusters(len(values))
    low, high, _ = student(float(values.mean()), float(values.std(ddof=1)) / k**0.5, k - 1)
    return low, high


def flipped(values: Array, rng: np.random.Generator) -> float:
    """The two-sided p that the mean of one value per cluster is 0, by flipping signs of clusters.

    All ways are tried with up to 15 clusters; otherwise flips are drawn.

    Raises:
        Undefined: There are fewer than 6 clusters, or all values are 0.

    >>> flipped(np.arange(1.0, 7), np.random.default_rng(0))  # 2 of 2⁶ ways are as extreme
    0.03125
    """
    return sign_flip(values, np.arange(enough_clusters(len(values))), rng)


def _as_percent(won: float) -> float:
    return 50 * (1 + won)


def _places(codes: Integers, k: int) -> Iterator[Integers]:
    """The places of each of k codes."""
    order = np.argsort(codes, kind="stable")
    return iter(np.split(order, np.cumsum(np.bincount(codes, minlength=k))[:-1]))


@dataclass(frozen=True, slots=True)
class _Rows:
    """One row for each edit that has a reply."""

    unit: Integers
    """The text, or the cluster where there are no texts."""
    cluster: Integers
    control: Integers
    """1 for placebo edits, 0 for group edits."""
    repeats: Integers
    """The number of replies that changes of its text are compared at."""
    sizes: list[Array]
    """The absolute change for each choice of that many of its replies."""
    size: Array
    """The mean size of the change."""
    square: Array
    """The square of the change without noise; NaN where there is only one reply."""

    @classmethod
    def of(cls, edits: Edits) -> "_Rows":
        cluster, _ = clustered(edits.clusters)
        unit = cluster if edits.texts is None else _joined(cluster, clustered(edits.texts)[0])
        before = edits.before
        if edits.texts is not None:
            codes, k = clustered(unit)
            before = _mean_by(before, codes, k)[codes]
        known = np.isfinite(before) & np.isfinite(edits.after)
        if not known.any():
            raise Undefined("no edit has a score before it and after it")
        kind = edits.control[known].astype(np.int64)
        edit, n = clustered(_joined(unit[known], clustered(edits.edits)[0][known], kind))
        first = np.full(n, len(edit), dtype=np.int64)
        np.minimum.at(first, edit, np.arange(len(edit)))
        units, cluster, control = unit[known][first], cluster[known][first], kind[first]
        counts = np.bincount(edit, minlength=n)
        codes, k = clustered(units)
        least = np.full(k, len(edit), dtype=np.int64)
        np.minimum.at(least, codes, counts)
        repeats = least[codes]
        changes = np.round(edits.after[known] - before[known], DECIMALS)
        sums, squares = (cluster_sums(values, edit, n) for values in (changes, changes**2))
        square = np.divide(
            sums**2 - squares, counts * (counts - 1), out=np.full(n, np.nan), where=counts > 1
        )
        sizes = [_sizes(changes[rows], int(repeats[i])) for i, rows in enumerate(_places(edit, n))]
        size = np.array([choices.mean() for choices in sizes])
        if edits.yes_no:
            size = _flips(before[known], edits.after[known], edit, n)
        return cls(units, cluster, control, repeats, sizes, size, square)

    def wins(self, places: Integers) -> float:
        """How often a group edit among these changes more than a placebo edit, less the opposite."""
        sides = []
        for kind in (0, 1):
            mine = [self.sizes[i] for i in places if self.control[i] == kind]
            weights = np.concatenate([np.full(len(s), 1 / len(s) / len(mine)) for s in mine])
            sides.append((np.concatenate(mine), weights))
        (a, of_a), (b, of_b) = sides
        return float(of_a @ np.sign(a[:, None] - b) @ of_b)


def _sizes(changes: Array, r: int) -> Array:
    """The absolute mean of each choice of r changes, shape (choices,)."""
    n = len(changes)
    if r == n:
        return np.array([round(abs(float(changes.mean())), DECIMALS)])
    if comb(n, r) <= MOST_CHOICES:
        chosen = np.array(list(combinations(range(n), r)))
    else:
        chosen = (np.arange(n)[:, None] + np.arange(r)) % n
    sizes: Array = np.abs(changes[chosen].mean(axis=1)).round(DECIMALS)
    return sizes


def _flips(before: Array, after: Array, edit: Integers, n: int) -> Array:
    """The probability that an answer before each edit and one after it differ, shape (n,)."""
    if not (np.isin(after, (0.0, 1.0)).all() and (before >= 0).all() and (before <= 1).all()):
        raise BadInput("answers are numbers other than 0 and 1")
    counts = np.bincount(edit, minlength=n)
    b, e = (cluster_sums(values, edit, n) / counts for values in (before, after))
    flips: Array = (e + b - 2 * e * b).round(DECIMALS)
    return flips


def _signed_root(square: float) -> float:
    return float(np.sign(square)) * float(abs(square) ** 0.5)


def _mean_by(values: Array, codes: Integers, k: int) -> Array:
    """The mean of the finite values with each of k codes, shape (k,); NaN where there is none."""
    known = np.isfinite(values)
    n = np.bincount(codes[known], minlength=k)
    sums, means = cluster_sums(values[known], codes[known], k), np.full(k, np.nan)
    np.divide(sums, n, out=means, where=n > 0)
    return means


def _joined(*codes: Integers) -> Integers:
    """A number for each row that is the same where all codes are; in the order of the codes."""
    joined = np.zeros(len(codes[0]), dtype=np.int64)
    for part in codes:
        joined = clustered(joined * (int(part.max(initial=0)) + 1) + part)[0]
    return joined
