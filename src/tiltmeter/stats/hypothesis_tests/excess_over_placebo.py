"""Effect minus placebo: do edits of groups change a score more than edits that cannot matter?

Any edit of a text may change a model's score, and a score that is drawn anew differs without any edit. So
the size of a change says little by itself: it is compared with that of control edits of the same texts.

A mean of absolute changes contains the noise of the replies that it rests on, which is larger with fewer of
them. Changes of both kinds are therefore taken at equal repeats: of a text, each edit's score is the mean of
r of its replies, r being the number of replies to the edit with the fewest, averaged over all choices of r
replies. Where groups do not matter, both kinds then have the same distribution, whatever the noise and the
numbers of replies and of edits. Absolute changes as they are raise false alarms in up to 37 of 100 samples;
docs/explanation/coverage/placebo.md has the coverage and the alarms of the numbers here.
"""

from dataclasses import dataclass

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.text import counted
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_mean
from tiltmeter.stats.confidence_intervals.intervals import mean_interval, student, tail_of
from tiltmeter.stats.hypothesis_tests.edit_changes import DECIMALS, EditChanges, Edits, mean_by
from tiltmeter.stats.hypothesis_tests.exact_tests import sign_flip
from tiltmeter.stats.hypothesis_tests.t_tests import freedom_of_spread
from tiltmeter.stats.resampling.bootstrap import clustered

FEWEST = 6
"""The minimum number of clusters for intervals and tests: with 5, sign flips cannot reach p < .05."""
FEW = 30
"""With fewer clusters than this, an interval comes with a caution: if few texts carry the effect, it contains
the true value too seldom (58 of 100 samples of 10 clusters where 8 % of texts change much)."""
TEST = "sign-flip test of whole clusters against 0"


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
    """The mean size of the changes by placebo edits in each cluster, shape (k,)."""
    won: Array
    """How often a group edit changes the score more than a placebo edit of the same text, less how often it
    changes it less, over all pairs; from -1 to 1, shape (k,)."""
    squares: Array
    """The mean square of changes by group edits minus that by placebo edits, without the noise of replies;
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
        """Effect minus placebo; 0 if groups do not matter more than edits that cannot matter."""
        return float(self.differences.mean())

    @property
    def differences(self) -> Array:
        """The effect minus placebo in each cluster, shape (k,)."""
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
        """The effect minus placebo here minus that of another model, in each cluster that both have.

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
    rows = EditChanges.of(edits)
    units, k = clustered(rows.unit)
    group, placebo = (
        mean_by(np.where(rows.control == kind, rows.size, np.nan), units, k) for kind in (0, 1)
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
        *(mean_by(np.where(rows.control == kind, rows.square, np.nan), units, k) for kind in (0, 1))
    )
    cluster = np.zeros(k, dtype=np.int64)
    cluster[units] = rows.cluster
    present, codes = np.unique(cluster[both], return_inverse=True)
    counts = both[units]

    of_clusters = [
        mean_by(values[both], codes, len(present))
        for values in (group, placebo, rows.wins(units, k), squares)
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

    There are fewer degrees of freedom than k - 1 if a few clusters are far from the others
    (`freedom_of_spread`).

    Raises:
        Undefined: There are fewer than 6 clusters, or all have the same value.

    >>> [round(end, 2) for end in t_interval(np.arange(6.0))]
    [0.54, 4.46]
    """
    k = enough_clusters(len(values))
    mean = float(values.mean())
    error, freedom = float(values.std(ddof=1)) / k**0.5, freedom_of_spread(values - mean)
    low, high, _ = student(mean, error, freedom)
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


def _signed_root(square: float) -> float:
    return float(np.sign(square)) * float(abs(square) ** 0.5)
