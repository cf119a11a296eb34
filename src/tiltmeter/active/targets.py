"""How many votes a strategy needs until its loss reaches a target.

There is one target for all strategies: 1.05 times the best loss of any mean curve, or the loss at which 90 %
of the gap between the start and training on every vote is closed. (In Baumler, Sotnikova and Daumé 2023, the
target is within 5 % of the best of the strategy that is judged, and so depends on it.) Seeds are resampled
through the whole computation, target included. A strategy that does not reach the target within the budget
is censored: it needs more than B votes, and ratios with it are bounds.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.active.curves import Curves
from tiltmeter.active.paper_claims import UNDECIDED, VERDICTS
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.types import Array
from tiltmeter.stats.confidence_intervals.intervals import CONFIDENCE
from tiltmeter.stats.resampling.bootstrap import RESAMPLES, resamples

NEAR = 1.05
"""A target is this many times the best loss."""
CLOSED = 0.9
"""Or the share of the gap to training on every vote that is closed."""
Target: TypeAlias = Literal["best", "gap"]
RESAMPLED = "widened percentiles of resampled seeds"


VOTES = quantity(
    "votes", "Votes to the target", "votes", counts="seeds", decimals=0, interval=RESAMPLED
)
UNREACHED = quantity(
    "not_reached", "Resamples in which the target is not reached", "not reached", counts="resamples",
    unit="%", decimals=0,
)  # fmt: skip
RATIO = quantity(
    "ratio", "Votes of the other strategy for each vote of this one", "ratio", counts="seeds",
    neutral=1.0, interval=RESAMPLED, sides=("costs votes", "saves votes"), neutral_is="as many votes",
)  # fmt: skip
"""Above 1 the strategy saves votes. Its verdicts are those of claims about votes."""
BASELINE_RATIO = quantity(
    "baseline_ratio", "Votes of a baseline for each vote of the strategy, by the paper’s rule", "ratio",
    counts="seeds", decimals=2, neutral=1.0, interval=RESAMPLED, sides=("costs votes", "saves votes"),
    neutral_is="as many votes",
)  # fmt: skip
"""By the rule of Baumler, Sotnikova and Daumé 2023: the target is the strategy's own, and its votes are those
of its first measured point that is near enough."""
TARGET = quantity("target_loss", "Loss of the target", "loss", counts="seeds", unit="nats")


@dataclass(frozen=True, slots=True)
class TargetVotes:
    """Votes of every strategy to one target: of the mean curves, and on each resample of the seeds."""

    curves: Curves
    kind: Target
    loss: float
    """The target of the mean curves."""
    exact: Mapping[str, float]
    """Votes by strategy, infinite where the target is not reached."""
    drawn: Mapping[str, Array]
    """The votes on each resample, by strategy, shape (draws,) each; infinite where the target is not
    reached."""

    def is_at_start(self, strategy: str) -> bool:
        """Whether the target is reached at the first measured point already, so that fewer votes may do."""
        return self.exact[strategy] == float(self.curves.strategies[strategy].votes[0])

    def budget(self, strategy: str) -> float:
        """Votes at the last measured point."""
        return float(self.curves.strategies[strategy].votes[-1])

    @property
    def estimates(self) -> Iterator[Estimate]:
        """The target, votes to it by strategy, and how often each does not reach it."""
        yield TARGET.at(self.loss, n=self.curves.seeds)
        for name, votes in self.exact.items():
            drawn, groups = self.drawn[name], {"strategy": name}
            low, high = _ends(drawn, drawn, self.curves.seeds)
            ends = Inference(_finite(low), _finite(high))
            if self.curves.seeds == 1:
                ends = Inference(
                    None, None, why="no interval: one seed does not show how seeds differ"
                )
            reached = bool(np.isfinite(votes))
            yield VOTES.at(
                votes if reached else self.budget(name), ends,
                n=self.curves.seeds, groups=groups,
                bound="" if reached and not self.is_at_start(name) else "≤" if reached else ">",
            )  # fmt: skip
            unreached = 100 * float(np.isinf(drawn).mean())
            yield UNREACHED.at(unreached, n=len(drawn), groups=groups)

    def ratio(self, strategy: str, against: Sequence[str]) -> Estimate:
        """Votes of the best of the strategies `against` for each vote of another, with the verdict.

        The best is the one with the fewest votes, and is chosen anew on each resample.
        """
        seeds, budget = self.curves.seeds, max(map(self.budget, against))
        value, bound = self._ratio_of_means(strategy, against, budget)
        if value is None:
            why = "both reach the target at the start, or neither does"
            return RATIO.at(None, n=seeds, why=why, verdict=UNDECIDED)
        ours = self.drawn[strategy]
        theirs = np.min([self.drawn[name] for name in against], axis=0)
        at_start = self._from_start(strategy, ours), self._from_start(against[0], theirs)
        with np.errstate(divide="ignore", invalid="ignore"):  # 0 / 0 where nothing is known
            under = np.where(at_start[1], 0.0, np.minimum(theirs, budget)) / ours
            over = theirs / np.where(at_start[0], 0.0, np.minimum(ours, self.budget(strategy)))
        low, high = _ends(under, over, seeds)
        ends = Inference(low, _finite(high))
        word = VERDICTS["votes"].judge(ends.low, ends.high, seeds)
        return RATIO.at(value, ends, n=seeds, verdict=word, bound=bound)

    def _ratio_of_means(
        self, strategy: str, against: Sequence[str], budget: float
    ) -> tuple[float | None, Literal["", "<", ">"]]:
        """The ratio of the mean curves, and on which side of it the true one lies if one is censored."""
        mine, other = self.exact[strategy], min(self.exact[name] for name in against)
        if self.is_at_start(strategy):
            # Fewer votes may do: the ratio may be larger, and is unknown if the other's may too.
            return (other / mine, ">") if mine < other < np.inf else (None, "")
        if np.isinf(mine):
            return (None, "") if np.isinf(other) else (other / self.budget(strategy), "<")
        return (budget / mine, ">") if np.isinf(other) else (other / mine, "")

    def _from_start(self, strategy: str, votes: Array) -> npt.NDArray[np.bool_]:
        """On which resamples the target is reached at the first point, so that fewer votes may do."""
        return np.asarray(votes <= self.curves.strategies[strategy].votes[0], dtype=np.bool_)


def baseline_ratio(
    curves: Curves,
    strategy: str,
    baseline: str,
    rng: np.random.Generator,
    *,
    draws: int = RESAMPLES,
) -> Estimate:
    """Votes of a baseline for each vote of a strategy, by the paper's rule.

    A lower bound where the baseline does not get there within its budget.
    """
    mine, other, seeds = curves.strategies[strategy], curves.strategies[baseline], curves.seeds

    def votes_of_both(counts: Array) -> tuple[Array, Array]:
        weights = counts / counts.sum(axis=1, keepdims=True)  # (draws, seeds)
        losses = weights @ mine.losses
        first = (losses <= NEAR * losses.min(axis=1, keepdims=True)).argmax(axis=1)
        reached = losses[np.arange(len(losses)), first]
        return mine.votes[first], first_crossing(other.votes, weights @ other.losses, reached)

    (ours,), (theirs,) = votes_of_both(np.ones((1, seeds)))
    budget = float(other.votes[-1])
    ends = Inference(None, None, why="one seed has no spread")
    if seeds > 1:
        counts = np.concatenate(list(resamples(seeds, rng, draws=draws))).astype(np.float64)
        drawn, others = votes_of_both(counts)
        low, high = _ends(np.minimum(others, budget) / drawn, others / drawn, seeds)
        ends = Inference(low, _finite(high))
    bound: Literal["", "<", "≤", ">"] = ">" if np.isinf(theirs) else ""
    return BASELINE_RATIO.at(float(min(theirs, budget) / ours), ends, n=seeds, bound=bound)


def first_crossing(votes: Array, losses: Array, targets: Array) -> Array:
    """Where curves first reach their targets, interpolated linearly between measured points.

    A curve that rises again afterwards does not matter: it is where its running minimum reaches the target.

    Args:
        votes: At the measured points, ascending, shape (points,).
        losses: One curve a row, shape (curves, points).
        targets: One a curve.

    Returns:
        Votes, shape (curves,): those of the first point where that is low enough already, and infinity
        where the target is not reached.

    >>> first_crossing(np.array([100.0, 200, 400]), np.array([[0.3, 0.2, 0.25]]), np.array([0.24]))
    array([160.])
    """
    below = losses <= targets[:, None]
    at = below.argmax(axis=1)
    rows, before = np.arange(len(losses)), np.maximum(at - 1, 0)
    high, low = losses[rows, before], losses[rows, at]
    drop = np.where(high > low, high - low, 1.0)
    share = np.clip((high - targets) / drop, 0.0, 1.0)
    crossings = np.where(at == 0, votes[0], votes[before] + share * (votes[at] - votes[before]))
    return np.asarray(np.where(below.any(axis=1), crossings, np.inf), dtype=np.float64)


def votes_to_target(
    curves: Curves, rng: np.random.Generator, *, kind: Target = "best", draws: int = RESAMPLES
) -> TargetVotes:
    """Votes of every strategy to one target.

    The kind "best" is 1.05 times the best mean loss of any strategy; "gap", 90 % of the gap between the
    common start and training on every vote closed, is BadInput where no loss of the latter is known.
    """
    if kind == "gap" and len(curves.full) != curves.seeds:
        raise BadInput(
            "the loss of training on every vote is not known", "use the target 1.05 × best loss"
        )
    ones = np.ones((1, curves.seeds))
    counts = np.concatenate(list(resamples(curves.seeds, rng, draws=draws))).astype(np.float64)
    loss, exact = _crossings(curves, kind, ones)
    _, drawn = _crossings(curves, kind, counts)
    votes = {name: float(crossings[0]) for name, crossings in exact.items()}
    return TargetVotes(curves, kind, float(loss[0]), votes, drawn)


def _crossings(curves: Curves, kind: Target, counts: Array) -> tuple[Array, dict[str, Array]]:
    """Target and votes of every strategy, for each row of how often a seed was drawn."""
    weights = counts / counts.sum(axis=1, keepdims=True)  # (draws, seeds)
    means = {name: weights @ c.losses for name, c in curves.strategies.items()}  # (draws, points)
    if kind == "best":
        target = NEAR * np.min([mean.min(axis=1) for mean in means.values()], axis=0)
    else:
        start = np.mean([mean[:, 0] for mean in means.values()], axis=0)
        target = start - CLOSED * (start - weights @ curves.full)
    crossings = {
        name: first_crossing(curves.strategies[name].votes, mean, target)
        for name, mean in means.items()
    }
    return target, crossings


def _ends(under: npt.NDArray[np.float64], over: Array, seeds: int) -> tuple[float, float]:
    """Percentile interval from bounds on each resample, widened for few seeds."""
    tail = _tail(seeds)
    low = np.quantile(under, tail, method="inverted_cdf")
    high = np.quantile(over, 1 - tail, method="inverted_cdf")
    return float(low), float(high)


def _finite(end: float) -> float | None:
    return end if np.isfinite(end) else None


def _tail(seeds: int) -> float:
    """The percentile, as a share, so that few seeds are covered as often as many.

    More extreme percentiles make up for the same as `stretched` ends do (Hesterberg 2015,
    doi:10.1080/00031305.2015.1089789), and can be had of resamples some of which are infinite.

    >>> round(_tail(20), 3), round(_tail(10**6), 3)
    (0.016, 0.025)
    """
    from scipy.special import ndtr, stdtrit  # noqa: PLC0415  (slow to import)

    tail = (1 - CONFIDENCE) / 2
    if seeds < 2:  # noqa: PLR2004  # nothing to resample
        return tail
    return float(ndtr((seeds / (seeds - 1)) ** 0.5 * float(stdtrit(seeds - 1, tail))))
