"""Learning curves over seeds, and the paired comparison of strategies by their mean loss.

Within a seed all strategies share the split into pool and test items, the start and the order of votes. So
differences are taken seed by seed.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.results import Estimate, Meaning
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.bootstrap import RESAMPLES
from tiltmeter.stats.bootstrap_intervals import stretched
from tiltmeter.stats.crossed import crossed_means
from tiltmeter.stats.intervals import student
from tiltmeter.stats.significance import holm, sign_flip

GRID = 20
"""Points of the grid on which strategies are compared if they were measured at different points."""
CELLS = 20_000_000
"""Cells of one array of resamples, at most: bounds the memory where there are many test items."""
FEWEST = 199
DIFFERENCE, WITH_ITEMS = "mean_loss_difference", "mean_loss_difference_items"


@dataclass(frozen=True, slots=True)
class ItemLosses:
    """Losses of single test items, each a mean over the points of the grid."""

    values: Array
    """One a seed and test item, shape (n,)."""
    seeds: Labels
    """The seed of each, shape (n,)."""
    items: Labels
    """The test item of each, shape (n,)."""


@dataclass(frozen=True, slots=True)
class StrategyCurve:
    """The loss of one strategy by the number of votes, for several seeds."""

    votes: Array
    """Votes paid for at each measured point, ascending, shape (points,)."""
    losses: Array
    """On the test items, shape (seeds, points)."""
    items: ItemLosses | None = None
    """None where losses of single items were not stored."""

    @property
    def mean(self) -> Array:
        """The mean over seeds, shape (points,)."""
        return np.asarray(self.losses.mean(axis=0), dtype=np.float64)

    def at(self, grid: Array) -> Array:
        """The losses at other numbers of votes, interpolated linearly; shape (seeds, len(grid))."""
        return np.stack([np.interp(grid, self.votes, row) for row in self.losses])


@dataclass(frozen=True, slots=True)
class Curves:
    """All strategies on one set of items, for one measure of loss."""

    measure: str
    strategies: Mapping[str, StrategyCurve]
    full: Array = field(default_factory=lambda: np.empty(0))
    """The loss after training on every vote of the pool, one a seed; empty where it is not known."""

    def __post_init__(self) -> None:
        """Check that strategies can be paired.

        Raises:
            BadInput: There is no strategy, or they have different numbers of seeds.
        """
        seeds = {len(curve.losses) for curve in self.strategies.values()}
        if len(seeds) != 1:
            counts = ", ".join(f"{name}: {len(c.losses)}" for name, c in self.strategies.items())
            raise BadInput(
                f"strategies cannot be compared seed by seed ({counts or 'there are none'})",
                "finish the simulation with the same seeds for every strategy",
            )

    @property
    def seeds(self) -> int:
        """How many seeds each strategy has."""
        return len(next(iter(self.strategies.values())).losses)

    @property
    def grid(self) -> Array:
        """The numbers of votes at which all are measured.

        Where they differ, equal steps from where the last strategy starts to where the first ends.

        Raises:
            BadInput: No number of votes is measured for all strategies.
        """
        first, *others = (curve.votes for curve in self.strategies.values())
        if all(np.array_equal(first, votes) for votes in others):
            return first
        start = max(float(curve.votes[0]) for curve in self.strategies.values())
        end = min(float(curve.votes[-1]) for curve in self.strategies.values())
        if start >= end:
            raise BadInput(
                "one strategy ends before another begins", "simulate all with the same budget"
            )
        return np.linspace(start, end, GRID)

    def mean_losses(self) -> dict[str, Array]:
        """The mean over the grid, by strategy; one a seed."""
        grid = self.grid
        return {
            name: np.asarray(curve.at(grid).mean(axis=1), dtype=np.float64)
            for name, curve in self.strategies.items()
        }


def curve_of(runs: Sequence[tuple[Array, Array]], items: ItemLosses | None = None) -> StrategyCurve:
    """One strategy's curve from (votes, losses) of each seed, at the points of the shortest run.

    >>> first = (np.array([10.0, 20.0]), np.array([0.5, 0.4]))
    >>> second = (np.array([10.0, 15.0, 20.0]), np.array([0.7, 0.6, 0.5]))
    >>> curve_of([first, second]).mean
    array([0.6 , 0.45])
    """
    votes = min((votes for votes, _ in runs), key=len)
    return StrategyCurve(votes, np.stack([np.interp(votes, *run) for run in runs]), items)


def growth(rates: Array) -> Array:
    """The mean of the last third of the points less that of the first third; one a seed.

    Args:
        rates: Such as the share of votes on items that had one, shape (seeds, points); NaN where unknown.

    Returns:
        Shape (seeds,); NaN where either third has no known value.

    >>> growth(np.array([[np.nan, 0.0, 0.5, 0.5, 0.6, 0.8]])).round(2)
    array([0.7])
    """
    third = max(1, rates.shape[1] // 3)
    return _known_mean(rates[:, -third:]) - _known_mean(rates[:, :third])


def mean_interval(values: Array) -> tuple[float, float | None, float | None]:
    """Mean and Student's interval; None for the ends where the spread cannot be estimated.

    >>> mean_interval(np.array([1.0])), mean_interval(np.array([1.0, 3.0]))[0]
    ((1.0, None, None), 2.0)
    """
    value, n = float(values.mean()), len(values)
    try:
        low, high, _ = student(value, float(values.std(ddof=1)) / n**0.5 if n > 1 else 0.0, n - 1)
    except Undefined:
        return value, None, None
    return value, low, high


def _known_mean(rates: Array) -> Array:
    known = ~np.isnan(rates)
    count = known.sum(axis=1)
    total = np.where(known, rates, 0.0).sum(axis=1)
    return np.asarray(np.where(count, total / np.maximum(count, 1), np.nan), dtype=np.float64)


def differences(
    curves: Curves, against: str, rng: np.random.Generator, *, draws: int = RESAMPLES
) -> list[Estimate]:
    """Each strategy's mean loss over the grid less that of another, below 0 where it is better.

    Args:
        curves: Of one measure.
        against: The strategy that the others are compared with.
        rng: Where the randomness comes from.
        draws: Resamples of the second interval.

    Returns:
        For each other strategy `DIFFERENCE`, with Student's interval over seeds and the p of a sign-flip
        test, adjusted by Holm; then `WITH_ITEMS`, the same value with an interval that resamples test
        items too. The first is about these test items, the second about items like them.
    """
    means = curves.mean_losses()
    others = [name for name in curves.strategies if name != against]
    estimates = [
        _paired(curves, name, against, means[name] - means[against], rng) for name in others
    ]
    adjusted = [
        replace(estimate, p_adjusted=p, adjustment="Holm" if p is not None else "")
        for estimate, p in zip(estimates, holm([estimate.p for estimate in estimates]), strict=True)
    ]
    return [*adjusted, *(_with_items(curves, estimate, rng, draws) for estimate in adjusted)]


def _paired(
    curves: Curves, name: str, against: str, apart: Array, rng: np.random.Generator
) -> Estimate:
    value, n = float(apart.mean()), len(apart)
    meaning = Meaning(
        "Difference in mean loss", counts="seeds", role="cost", better="lower",
        sides=("less loss", "more loss"), neutral_is="no difference",
    )  # fmt: skip
    bare = Estimate(
        DIFFERENCE, value, None, None, None, n, 0.0, "nats",
        groups={"strategy": name, "against": against}, rule=curves.measure, meaning=meaning,
    )  # fmt: skip
    try:
        low, high, _ = student(value, float(apart.std(ddof=1)) / n**0.5 if n > 1 else 0.0, n - 1)
        p = sign_flip(apart, np.arange(n), rng)
    except Undefined as undefined:
        return replace(bare, why=str(undefined))
    return replace(
        bare, low=low, high=high, p=p, interval="Student over seeds", test="sign-flip over seeds"
    )


def _with_items(
    curves: Curves, estimate: Estimate, rng: np.random.Generator, draws: int
) -> Estimate:
    """The same difference with an interval over seeds and test items."""
    meaning = replace(estimate.meaning, variant_of=DIFFERENCE)
    bare = replace(
        estimate, name=WITH_ITEMS, low=None, high=None, p=None, p_adjusted=None, adjustment="", test="",
        interval="", meaning=meaning,
    )  # fmt: skip
    sides = [curves.strategies[estimate.groups[side]].items for side in ("strategy", "against")]
    mine, other = sides
    if mine is None or other is None:
        return replace(bare, why="losses of single test items were not stored")
    apart = _aligned(mine, other)
    width = len(np.unique(apart.items))
    try:
        means = crossed_means(
            apart.values, apart.seeds, apart.items, np.zeros(len(apart.values), dtype=np.int64), rng,
            draws=min(draws, max(FEWEST, CELLS // max(width, 1))),
        )  # fmt: skip
        low, high = stretched(means[:, 0], float(apart.values.mean()), estimate.n)
    except Undefined as undefined:
        return replace(bare, why=str(undefined))
    return replace(bare, low=low, high=high, interval="stretched bootstrap of seeds and test items")


def _aligned(first: ItemLosses, second: ItemLosses) -> ItemLosses:
    """Differences of the losses of the same item under the same seed."""
    places = {key: i for i, key in enumerate(_keys(second))}
    shared = [(i, places[key]) for i, key in enumerate(_keys(first)) if key in places]
    mine, theirs = np.array(shared, dtype=np.int64).reshape(-1, 2).T
    return ItemLosses(
        first.values[mine] - second.values[theirs], first.seeds[mine], first.items[mine]
    )


def _keys(losses: ItemLosses) -> Iterable[tuple[object, object]]:
    return zip(losses.seeds.tolist(), losses.items.tolist(), strict=True)
