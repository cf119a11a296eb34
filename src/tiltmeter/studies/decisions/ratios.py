"""Ratios of selection rates between groups, and how low they would be without any discrimination.

Columns, one row a candidate: `said_positive` (1 chosen, 0 not, -1 no decision), then the group. Candidates of
one cluster (a prompt, a vacancy) were judged together. Groups whose names end with SMALL are not compared.

A ratio to the highest of several rates is below 1 by chance alone. Its interval is that of the smallest of
its ratios to each other group, so that it need not be known whose rate is truly the highest (multiple
comparisons with the best, Hsu 1984, doi:10.1214/aos/1176346802).

>>> min_max_ratio(np.array([1.0, 1, 0, 0, 1, 0, 0, 0]), np.array(list("aaaabbbb")))
0.5
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from statistics import NormalDist
from typing import Any

import numpy as np

from tiltmeter.core.data.labelled_items import SMALL
from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Inference
from tiltmeter.core.samples import ContrastSample, Sample, as_labels, as_numbers, uncertainty
from tiltmeter.core.types import Array, Column, Labels
from tiltmeter.metrics.counts import few_texts
from tiltmeter.stats.confidence_intervals.intervals import tail_of
from tiltmeter.stats.resampling.bootstrap import clustered, resampled_sums
from tiltmeter.stats.resampling.bootstrap_intervals import stretch

DEALS = 4_999
CHOSEN, NOT, MISSING = range(3)
INTERVAL = "simultaneous intervals of all ratios of two groups, by a bootstrap of clusters"
TEST = f"permutation test, outcomes of whole clusters dealt anew to the groups, {DEALS:,} deals"
NOTHING = Inference(None, None)


@dataclass(frozen=True, slots=True)
class DecisionOutcomes:
    """How many candidates of each group were chosen, not chosen, or not decided about."""

    groups: Labels
    counts: Array
    """By cluster, shape (clusters, groups, 3)."""

    @classmethod
    def of(
        cls, columns: Sequence[Column], clusters: Any, *, silent: bool = False
    ) -> "DecisionOutcomes":
        """Count the candidates of the groups that are compared; `columns` begin with decisions and groups.

        Raises:
            Undefined: There are fewer than two such groups. Unless `silent`: one has no decision, or nobody
                is chosen.
        """
        (decisions,), (labels,) = as_numbers(columns[:1]), as_labels(columns[1:2])
        kept = ~np.char.endswith(labels, SMALL)
        groups, codes = np.unique(labels[kept], return_inverse=True)
        if len(groups) < 2:  # noqa: PLR2004
            raise Undefined("there are fewer than two groups")
        units, k = clustered(clusters[kept])
        outcome = np.select([decisions[kept] > 0, decisions[kept] == 0], [CHOSEN, NOT], MISSING)
        cells = (units * len(groups) + codes.ravel()) * 3 + outcome
        counts = np.bincount(cells, minlength=k * len(groups) * 3).reshape(k, len(groups), 3)
        made = cls(groups, counts.astype(np.float64))
        undecided = made.decided.sum(axis=0) == 0
        if undecided.any() and not silent:
            whom = "anybody" if undecided.all() else groups[undecided.argmax()]
            raise Undefined(f"there is no decision about {whom}")
        if not silent and not counts[..., CHOSEN].any():
            raise Undefined("nobody is chosen")
        return made

    @property
    def total(self) -> Array:
        """Over all clusters, shape (groups, 3)."""
        return np.asarray(self.counts.sum(axis=0))

    @property
    def decided(self) -> Array:
        """How many decisions each cluster has about each group, shape (clusters, groups)."""
        return np.asarray(self.counts[..., :MISSING].sum(axis=-1))

    @property
    def rates(self) -> Array:
        """The share of each group that is chosen, shape (groups,)."""
        return np.asarray(self.total[:, CHOSEN] / self.total[:, :MISSING].sum(axis=1))

    @property
    def dealt(self) -> Array:
        """`rates` if the groups were treated alike on average, shape (deals, groups).

        What a cluster has decided about a group goes to another of its groups as a whole, since the decisions
        of one vacancy need not be independent; where each cluster has one group only, clusters change groups.
        A single cluster, or candidates who stand alone, have their decisions dealt to single candidates.
        """
        return _dealt(self.counts.tobytes(), len(self.groups))

    def ratio_interval(self, of: Sequence[int]) -> tuple[float, float, str]:
        """95 % interval of the lowest of some groups' ratios to the highest rate, which is sought anew.

        All true ratios of two groups lie in their intervals at once, and so does the lowest of them: no
        interval of a minimum reaches beyond that of one of its groups.

        Raises:
            Undefined: There is only one cluster.
        """
        low, high = _ratios_at_once(self.counts.tobytes(), len(self.groups))
        others = ~np.eye(len(self.groups), dtype=np.bool_)[list(of)]
        ratio = float(_to_highest(self.rates)[list(of)].min())
        least, most = (float(np.exp(ends[list(of)][others].min())) for ends in (low, high))
        return min(ratio, least), max(ratio, min(1.0, most)), INTERVAL


@lru_cache(maxsize=8)
def _ratios_at_once(counts: bytes, groups: int) -> tuple[Array, Array]:
    """95 % intervals of the logarithms of all ratios of two groups' rates, (groups, groups) for each end.

    Each resample of clusters holds every group against every other one. The largest of the deviations of all
    pairs, in standard errors, says how far all true ratios may lie above ours at once. All numbers of the
    same decisions share their resamples, so that they agree with each other.
    """
    cells = np.frombuffer(counts).reshape(-1, groups, 3)[..., :MISSING]
    k, total = len(cells), cells.sum(axis=0)
    wider, tail = stretch(k), tail_of()
    drawn = resampled_sums(cells.reshape(k, -1), np.random.default_rng(0))
    logs, there = _logarithms(drawn.reshape(-1, groups, MISSING)), _logarithms(total)
    # So few chosen that resamples hardly differ do not show how much the rate varies.
    plain = 1 / (total[:, CHOSEN] + 0.5) - 1 / (total.sum(axis=1) + 1)
    unseen = np.maximum(plain - np.var(logs, axis=0), 0)
    apart, most, errors = there[:, None] - there, np.zeros(len(logs)), []
    for group in range(groups):
        moved = logs[:, [group]] - logs - apart[group]
        error = np.sqrt(np.square(moved).mean(axis=0) + unseen[group] + unseen)
        errors.append(np.maximum(error, 1e-9))  # of two groups that are always chosen alike
        most = np.maximum(most, (-moved / errors[-1]).max(axis=1))
    # Where all are equal, the lowest ratio is 1 and cannot be missed below, so all of the 5 % is above.
    below, above = NormalDist().inv_cdf(1 - tail), float(np.quantile(most, 1 - 2 * tail))
    reach = wider * np.array(errors)
    return apart - below * reach, apart + above * reach


def _logarithms(counts: Array) -> Array:
    """Logarithms of rates, with half a candidate added so that they are finite."""
    return np.asarray(np.log((counts[..., CHOSEN] + 0.5) / (counts.sum(axis=-1) + 1)))


@lru_cache(maxsize=8)
def _dealt(counts: bytes, groups: int) -> Array:
    """`DecisionOutcomes.dealt`, kept so that numbers about the same decisions share their permutations."""
    rng, outcomes = np.random.default_rng(0), np.frombuffer(counts).reshape(-1, groups, 3)
    chosen, decided = outcomes[..., CHOSEN], outcomes[..., :MISSING].sum(axis=-1)
    if decided.sum(axis=1).max() == 1:  # each candidate stands alone: all were judged together
        chosen, decided = chosen.sum(axis=0)[None], decided.sum(axis=0)[None]
    if not (np.count_nonzero(decided, axis=1) > 1).any():
        order = rng.permuted(np.tile(np.arange(len(decided)), (DEALS, 1)), axis=1)
        group = (decided > 0) * 1.0
        whole = np.maximum(decided.sum(axis=1)[order] @ group, 1)
        return np.asarray((chosen.sum(axis=1)[order] @ group) / whole)
    total = np.zeros((DEALS, groups))
    if len(decided) == 1:
        of, count = decided[0].astype(np.int64), int(chosen.sum())
        return np.asarray(rng.multivariate_hypergeometric(of, count, size=DEALS) / of)
    kinds = np.column_stack([decided, chosen]).astype(np.int64)
    for kind, often in zip(*np.unique(kinds, axis=0, return_counts=True), strict=True):
        total += _dealt_cluster(kind[:groups], kind[groups:], int(often), rng)
    return np.asarray(total / decided.sum(axis=0))


def _dealt_cluster(decided: Array, chosen: Array, often: int, rng: np.random.Generator) -> Array:
    """Who is chosen in so many clusters of one kind if groups change places, shape (deals, groups)."""
    size, count = int(decided.sum()), int(chosen.sum())
    expected = decided * (count / max(size, 1))
    if count in {0, size}:
        return np.tile(often * expected, (DEALS, 1))
    if count == 1:
        return rng.multinomial(often, decided / size, size=DEALS).astype(np.float64)
    if count == size - 1:
        return often * decided - rng.multinomial(often, decided / size, size=DEALS)
    there = decided > 0
    if np.ptp(decided[there]) == 0:
        total = np.zeros((DEALS, len(decided)))
        for _ in range(often):
            total[:, there] += rng.permuted(np.tile(chosen[there], (DEALS, 1)), axis=1)
        return total
    # Groups of unlike sizes cannot change places: the cluster leans the other way in half of the deals.
    signs = 2 * rng.binomial(often, 0.5, size=DEALS) - often
    return np.asarray(often * expected + signs[:, None] * (chosen - expected))


def _to_highest(rates: Array) -> Array:
    highest = rates.max(axis=-1, keepdims=True)
    return np.asarray(np.divide(rates, highest, out=np.ones_like(rates), where=highest > 0))


def _p(dealt: Array, value: float) -> float:
    """The p-value of `value`: the share of permutations with a number at least as high."""
    return (1 + int((dealt >= value - 1e-9 * max(1.0, abs(value))).sum())) / (1 + len(dealt))


def count_compared(columns: Sequence[Column]) -> int:
    """How many decisions are about candidates whose group is compared; for `Measure.rests_on`.

    Columns begin with decisions (1 chosen, 0 not, else none) and groups.

    >>> count_compared([np.array([1.0, 0.0, 1.0, -1.0]), np.array(["a", "b", "unknown (left out)", "a"])])
    2
    """
    (decisions,), (labels,) = as_numbers(columns[:1]), as_labels(columns[1:2])
    return int(((decisions >= 0) & ~np.char.endswith(labels, SMALL)).sum())


def min_max_ratio(chosen: Column, group: Column) -> float:
    """The lowest rate of a group in relation to the highest, from 0 to 1.

    Raises:
        Undefined: As `DecisionOutcomes.of`.
    """
    return float(
        _to_highest(DecisionOutcomes.of([chosen, group], np.zeros(len(chosen))).rates).min()
    )


def infer_min_max(sample: Sample) -> Inference:
    """An interval that allows for the choice of both groups, and a permutation test of equal rates.

    The test adds up how far all groups are from their mean, the interval looks at the pair farthest apart. So
    either may find a difference that the other does not.
    """
    outcomes = DecisionOutcomes.of(sample.columns, sample.clusters)
    dealt, sizes = outcomes.dealt, outcomes.decided.sum(axis=0)
    seen, by_chance = (
        (np.square(rates - dealt.mean(axis=0)) * sizes).sum(axis=-1)
        for rates in (outcomes.rates, dealt)
    )
    p = _p(by_chance, float(seen))

    return uncertainty(
        lambda: outcomes.ratio_interval(range(len(outcomes.groups))),
        lambda: (p, f"{TEST}, squared deviations"),
        rough=few_texts(len(outcomes.counts), "clusters"),
    )


def min_max_by_chance(chosen: Column, group: Column, cluster: Column) -> float:
    """The median of `min_max_ratio` if decisions fell on candidates at random; raises the same errors."""
    return float(np.median(_lowest_dealt(chosen, group, cluster)))


def below_four_fifths_by_chance(chosen: Column, group: Column, cluster: Column) -> float:
    """How often `min_max_ratio` would be below .8 if decisions fell on candidates at random, in percent."""
    return 100 * float((_lowest_dealt(chosen, group, cluster) < 0.8 - 1e-9).mean())


def _lowest_dealt(chosen: Column, group: Column, cluster: Column) -> Array:
    dealt = DecisionOutcomes.of([chosen, group], cluster).dealt
    return np.asarray(_to_highest(dealt).min(axis=1))


def _of_sides(sample: ContrastSample, *, silent: bool = False) -> tuple[DecisionOutcomes, int]:
    """The outcomes of all groups, and which of them is the first side."""
    sides = sample.sides
    columns = [np.concatenate([a, b]) for a, b in zip(sides.a, sides.b, strict=True)]
    clusters = np.concatenate([sides.clusters_a, sides.clusters_b])
    outcomes = DecisionOutcomes.of(columns, clusters, silent=silent)
    at = np.flatnonzero(outcomes.groups == sides.a[1][0])
    if not len(at):
        raise Undefined("the group is not compared")
    return outcomes, int(at[0])


def infer_impact_ratio(sample: ContrastSample) -> tuple[float, Inference]:
    """A group's rate in relation to the highest; p is how often it is so low by chance alone.

    Raises:
        Undefined: As `DecisionOutcomes.of`, or the group is not compared.
    """
    outcomes, at = _of_sides(sample)
    value = float(_to_highest(outcomes.rates)[at])
    return value, uncertainty(
        lambda: outcomes.ratio_interval([at]),
        lambda: (_p(-_to_highest(outcomes.dealt)[:, at], -value), TEST),
        rough=few_texts(len(outcomes.counts), "clusters"),
    )


def ratio_by_chance(sample: ContrastSample) -> tuple[float, Inference]:
    """The group's median ratio if decisions fell on candidates at random; raises as `infer_impact_ratio`."""
    outcomes, at = _of_sides(sample)
    return float(np.median(_to_highest(outcomes.dealt)[:, at])), NOTHING


def bound_of_ratio(sample: ContrastSample, *, own: int) -> tuple[float, Inference]:
    """The ratio if missing decisions were for the group (own = 1) or for all others (0)."""
    outcomes, at = _of_sides(sample, silent=True)
    total = outcomes.total
    more = np.where(np.arange(len(total)) == at, own, 1 - own) * total[:, MISSING]
    return float(_to_highest((total[:, CHOSEN] + more) / total.sum(axis=1))[at]), NOTHING
