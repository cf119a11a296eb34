"""How many votes a strategy needs until its loss reaches a target, by the paper's rule and by ours.

The rule of Baumler, Sotnikova and Daumé 2023 (Findings of ACL; Figure 3) compares the first *measured* point
of a strategy within 5 % of its own best with the place where the baseline's curve, interpolated, crosses the
value reached there. The target thus depends on the strategy that is judged.

Our rule sets one target for all strategies: 1.05 times the best loss of any mean curve, or the loss at which
90 % of the gap between the start and training on every vote is closed. Seeds are resampled through the whole
computation, target included. A strategy that does not reach the target within the budget is censored: it
needs more than B votes, and ratios with it are bounds.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.active.curves import Curves, StrategyCurve
from tiltmeter.core.errors import BadInput
from tiltmeter.core.types import Array
from tiltmeter.stats.bootstrap import RESAMPLES, resamples
from tiltmeter.stats.intervals import CONFIDENCE

NEAR = 1.05
"""A target is this many times the best loss."""
CLOSED = 0.9
"""Or the share of the gap to training on every vote that is closed."""
Target: TypeAlias = Literal["best", "gap"]


@dataclass(frozen=True, slots=True)
class PublishedComparison:
    """What the paper's rule gives for a strategy and a baseline."""

    votes: float
    """Of the strategy, at its first measured point within 5 % of its own best."""
    reached: float
    """The strategy's loss there."""
    baseline: float | None
    """Votes at which the baseline reaches that loss; None where it never does."""
    budget: float
    """The baseline's last measured point."""

    @property
    def ratio(self) -> float:
        """Votes of the baseline per vote of the strategy; a lower bound where `baseline` is None."""
        return (self.budget if self.baseline is None else self.baseline) / self.votes


@dataclass(frozen=True, slots=True)
class VotesToTarget:
    """How many votes a strategy needs to reach the target."""

    strategy: str
    votes: float | None
    """None where the mean curve does not reach it within the budget."""
    low: float | None
    high: float | None
    """None where the upper end lies beyond the budget."""
    budget: float
    unreached: float
    """Share of the resamples in which it is not reached."""
    at_start: bool
    """Whether it is reached at the first measured point already, so that fewer votes may do."""


@dataclass(frozen=True, slots=True)
class VotesRatio:
    """Votes that one strategy needs for each vote of another: above 1 the other saves votes."""

    strategy: str
    against: str
    """Whose votes are in the numerator: a strategy, or several of which the best counts."""
    kind: Target
    """The kind of target."""
    value: float | None
    """A bound where `censored` is not ""; None where neither reaches the target."""
    low: float
    high: float | None
    """None where there is no upper limit."""
    censored: Literal["", "above", "below"]
    """Whether the true ratio lies above or below `value`."""
    unreached: float
    """Share of the resamples in which either does not reach the target."""


@dataclass(frozen=True, slots=True)
class TargetTable:
    """Votes to one target, with everything that resampling needs kept in arrays."""

    kind: Target
    loss: float
    """The target of the mean curves."""
    votes: tuple[VotesToTarget, ...]
    drawn: Mapping[str, Array]
    """Votes by strategy on each resample, infinite where the target is not reached; shape (draws,)."""

    def of(self, strategy: str) -> VotesToTarget:
        """The row of a strategy."""
        return next(row for row in self.votes if row.strategy == strategy)


def published_rule(strategy: StrategyCurve, baseline: StrategyCurve) -> PublishedComparison:
    """The paper's comparison of a strategy with a baseline, on mean curves.

    >>> falling = StrategyCurve(np.array([10.0, 20, 30]), np.array([[0.5, 0.21, 0.2]]))
    >>> slower = StrategyCurve(np.array([10.0, 30]), np.array([[0.5, 0.01]]))
    >>> comparison = published_rule(falling, slower)
    >>> comparison.votes, round(comparison.baseline, 1), round(comparison.ratio, 2)
    (20.0, 21.8, 1.09)
    """
    mean = strategy.mean
    first = int(np.argmax(mean <= NEAR * mean.min()))
    reached = float(mean[first])
    crossed = first_crossing(baseline.votes, baseline.mean[None], np.array([reached]))[0]
    votes = float(strategy.votes[first])
    baseline_votes = float(crossed) if np.isfinite(crossed) else None
    return PublishedComparison(votes, reached, baseline_votes, float(baseline.votes[-1]))


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
) -> TargetTable:
    """Votes of every strategy to one target.

    Args:
        curves: Of one measure.
        rng: Where the randomness comes from.
        kind: "best": 1.05 times the best mean loss of any strategy. "gap": 90 % of the gap between the
            common start and training on every vote closed.
        draws: Resamples of the seeds.

    Raises:
        BadInput: "gap", and no loss of training on every vote is known.
    """
    if kind == "gap" and len(curves.full) != curves.seeds:
        raise BadInput(
            "the loss of training on every vote is not known", "use the target 1.05 × best loss"
        )
    ones = np.ones((1, curves.seeds))
    counts = np.concatenate(list(resamples(curves.seeds, rng, draws=draws))).astype(np.float64)
    loss, exact = _crossings(curves, kind, ones)
    _, drawn = _crossings(curves, kind, counts)
    rows = tuple(_row(name, curves.strategies[name], exact[name], drawn[name]) for name in exact)
    return TargetTable(kind, float(loss[0]), rows, drawn)


def _crossings(curves: Curves, kind: Target, counts: Array) -> tuple[Array, dict[str, Array]]:
    """Target and votes of every strategy, for each row of how often a seed was drawn."""
    weights = counts / counts.sum(axis=1, keepdims=True)  # (draws, seeds)
    means = {name: weights @ c.losses for name, c in curves.strategies.items()}  # (draws, points)
    if kind == "best":
        target = NEAR * np.min([mean.min(axis=1) for mean in means.values()], axis=0)
    else:
        at = curves.grid[:1]
        start = np.mean([weights @ c.at(at)[:, 0] for c in curves.strategies.values()], axis=0)
        target = start - CLOSED * (start - weights @ curves.full)
    crossings = {
        name: first_crossing(curves.strategies[name].votes, mean, target)
        for name, mean in means.items()
    }
    return target, crossings


def _row(name: str, curve: StrategyCurve, exact: Array, drawn: Array) -> VotesToTarget:
    budget, votes = float(curve.votes[-1]), float(exact[0])
    low, high = _ends(drawn, drawn, len(curve.losses))
    return VotesToTarget(
        name, votes if np.isfinite(votes) else None, low if np.isfinite(low) else None,
        high if np.isfinite(high) else None, budget, float(np.isinf(drawn).mean()),
        votes == float(curve.votes[0]),
    )  # fmt: skip


def ratio(
    curves: Curves, table: TargetTable, strategy: str, against: tuple[str, ...]
) -> VotesRatio:
    """Votes of the best of some strategies for each vote of another.

    Which of them is best is chosen anew on each resample.

    Args:
        curves: From which the table was made.
        table: Votes to the target.
        strategy: In the denominator.
        against: In the numerator; the one with the fewest votes counts.
    """
    mine, rows = table.of(strategy), [table.of(name) for name in against]
    known = [row.votes for row in rows if row.votes is not None]
    budget = max(row.budget for row in rows)
    value, censored = _point(mine, min(known) if known else None, budget)
    ours = table.drawn[strategy]
    theirs = np.min([table.drawn[name] for name in against], axis=0)
    at_start = _from_start(curves, strategy, ours), _from_start(curves, against[0], theirs)
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 / 0 where nothing is known
        under = np.where(at_start[1], 0.0, np.minimum(theirs, budget)) / ours
        over = theirs / np.where(at_start[0], 0.0, np.minimum(ours, mine.budget))
    low, high = _ends(under, over, curves.seeds)
    lost = float((np.isinf(ours) | np.isinf(theirs)).mean())
    end = high if np.isfinite(high) else None
    return VotesRatio(strategy, " or ".join(against), table.kind, value, low, end, censored, lost)


def _from_start(curves: Curves, strategy: str, votes: Array) -> npt.NDArray[np.bool_]:
    """On which resamples the target is reached at the first point, so that fewer votes may do."""
    return np.asarray(votes <= curves.strategies[strategy].votes[0], dtype=np.bool_)


def _point(
    mine: VotesToTarget, other: float | None, budget: float
) -> tuple[float | None, Literal["", "above", "below"]]:
    """The ratio of the mean curves, and on which side of it the true one lies where one is censored."""
    if (
        mine.at_start
    ):  # fewer votes may do: the ratio may be larger, and unknown if the other's may too
        known = other is not None and other > (mine.votes or 0.0)
        return (None, "") if not known else ((other or 0.0) / (mine.votes or 1.0), "above")
    if mine.votes is None:
        return (None, "") if other is None else (other / mine.budget, "below")
    return (budget / mine.votes, "above") if other is None else (other / mine.votes, "")


def _ends(under: npt.NDArray[np.float64], over: Array, seeds: int) -> tuple[float, float]:
    """Percentile interval from bounds on each resample, widened for few seeds."""
    tail = _tail(seeds)
    low = np.quantile(under, tail, method="inverted_cdf")
    high = np.quantile(over, 1 - tail, method="inverted_cdf")
    return float(low), float(high)


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
