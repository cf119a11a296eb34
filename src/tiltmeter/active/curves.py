"""Learning curves over seeds, and the paired comparison of strategies by their mean loss.

Within a seed all strategies share the split into pool and test items, the start and the order of votes. So
differences are taken seed by seed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference
from tiltmeter.core.quantity import quantity
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.confidence_intervals.intervals import student, student_half_width
from tiltmeter.stats.hypothesis_tests.exact_tests import holm, sign_flip
from tiltmeter.stats.resampling.bootstrap import RESAMPLES
from tiltmeter.stats.resampling.bootstrap_intervals import stretched
from tiltmeter.stats.resampling.crossed import crossed_means

CELLS = 20_000_000
"""Cells of one array of resamples, at most: bounds the memory where there are many test items."""
FEWEST = 199
SEEDS = "Student over seeds"
"""How intervals of means over seeds are made."""
DIFFERENCE, WITH_ITEMS = (
    quantity(
        f"mean_loss_difference{suffix}", "Difference in mean loss", "difference", counts="seeds",
        unit="nats", decimals=4, neutral=0.0, interval=interval, test="sign-flip over seeds", role="cost",
        better="lower", sides=("less loss", "more loss"), neutral_is="no difference",
        variant_of="mean_loss_difference" if suffix else "",
    )
    for suffix, interval in (("", SEEDS), ("_items", "stretched bootstrap of seeds and test items"))
)  # fmt: skip
"""Mean loss over the measured points, less that of another strategy with the same seeds."""


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


@dataclass(frozen=True, slots=True)
class Curves:
    """All strategies on one set of items, with the same seeds and for one measure of loss."""

    strategies: Mapping[str, StrategyCurve]
    full: Array = field(default_factory=lambda: np.empty(0))
    """The loss after training on every vote of the pool, one a seed; empty where it is not known."""

    @property
    def seeds(self) -> int:
        """How many seeds each strategy has."""
        return len(next(iter(self.strategies.values())).losses)

    def mean_losses(self) -> dict[str, Array]:
        """The mean over the measured points, by strategy; one a seed."""
        return {name: curve.losses.mean(axis=1) for name, curve in self.strategies.items()}


def growth(rates: Array) -> Array:
    """The mean of the last third of the points minus that of the first third; one a seed.

    Args:
        rates: Such as the share of votes on items that had one, shape (seeds, points); NaN where unknown.

    Returns:
        Shape (seeds,); NaN where either third has no known value.

    >>> growth(np.array([[np.nan, 0.0, 0.5, 0.5, 0.6, 0.8]])).round(2)
    array([0.7])
    """
    third = max(1, rates.shape[1] // 3)
    return _column_means(rates[:, -third:].T) - _column_means(rates[:, :third].T)


@dataclass(frozen=True, slots=True)
class MeanCurve:
    """The mean of one strategy over seeds at each point, in a band; each of shape (points,)."""

    mean: Array
    low: Array
    high: Array
    """NaN where they are not known."""


def mean_curves(values: Mapping[str, Array]) -> dict[str, MeanCurve]:
    """The mean of each strategy over seeds, in bands that can be compared with each other.

    What all strategies share in a seed, such as easy test items, is taken out of the bands (Cousineau 2005,
    corrected by Morey 2008, doi:10.20982/tqmp.04.2.p061).

    Args:
        values: By strategy, shape (seeds, points); NaN where unknown.
    """
    if not values:
        return {}
    shared = _column_means(np.concatenate([*values.values()]))
    by_seed = [_column_means(np.stack(rows)) for rows in zip(*values.values(), strict=True)]
    several = len(values) > 1
    level = np.stack(by_seed) - shared if several else np.zeros((len(by_seed), len(shared)))
    wider = (len(values) / (len(values) - 1)) ** 0.5 if several else 1.0
    return {name: _mean_curve(rows, rows - level, wider) for name, rows in values.items()}


def _mean_curve(values: Array, apart: Array, wider: float) -> MeanCurve:
    """One strategy; `apart` is without what all share in a seed, and `wider` makes up for that."""
    count = (~np.isnan(values)).sum(axis=0).astype(np.float64)
    mean = _column_means(values)
    squares = np.nansum((apart - _column_means(apart)) ** 2, axis=0)
    half = wider * student_half_width(squares, count)
    return MeanCurve(mean, mean - half, mean + half)


def _column_means(values: Array) -> Array:
    """Means of the known values of each column; NaN where none is known."""
    count = (~np.isnan(values)).sum(axis=0)
    total = np.nansum(values, axis=0)
    return np.asarray(np.where(count, total / np.maximum(count, 1), np.nan), dtype=np.float64)


def over_seeds(values: Array) -> tuple[float, Inference]:
    """A mean over seeds and Student's interval, without ends where the spread cannot be estimated.

    >>> over_seeds(np.array([1.0]))[1].low, over_seeds(np.array([1.0, 3.0]))[0]
    (None, 2.0)
    """
    value, n = float(values.mean()), len(values)
    try:
        low, high, _ = student(value, float(values.std(ddof=1)) / n**0.5 if n > 1 else 0.0, n - 1)
        return value, Inference(low, high)
    except Undefined as undefined:
        return value, Inference(None, None, why=str(undefined))


def differences(
    curves: Curves, against: str, rng: np.random.Generator, *, draws: int = RESAMPLES
) -> list[Estimate]:
    """Each strategy's mean loss over the grid minus that of `against`, below 0 where it is better.

    Returns:
        For each other strategy `DIFFERENCE`, with Student's interval over seeds and the p of a sign-flip
        test, adjusted by Holm; then `WITH_ITEMS`, the same value with an interval that resamples test
        items too. The first is about these test items, the second about items like them.
    """
    means = curves.mean_losses()
    apart = {name: means[name] - means[against] for name in means if name != against}
    inferences = [_over_seeds(values, rng) for values in apart.values()]
    estimates = [
        DIFFERENCE.at(
            float(values.mean()), inference, n=len(values), groups={"strategy": name}, p_adjusted=p
        )
        for (name, values), inference, p in zip(
            apart.items(), inferences, holm([i.p for i in inferences]), strict=True
        )
    ]
    for name, values in apart.items():
        inference = _over_items(curves, name, against, rng, draws)
        estimates.append(
            WITH_ITEMS.at(float(values.mean()), inference, n=len(values), groups={"strategy": name})
        )
    return estimates


def _over_seeds(apart: Array, rng: np.random.Generator) -> Inference:
    _, ends = over_seeds(apart)
    if ends.low is None:
        return ends
    return ends._replace(p=sign_flip(apart, np.arange(len(apart)), rng))


def _over_items(
    curves: Curves, strategy: str, against: str, rng: np.random.Generator, draws: int
) -> Inference:
    """The interval over seeds and test items."""
    mine, other = curves.strategies[strategy].items, curves.strategies[against].items
    if mine is None or other is None:
        return Inference(None, None, why="losses of single test items were not stored")
    apart = _aligned(mine, other)
    width = len(np.unique(apart.items))
    try:
        means = crossed_means(
            apart.values, apart.seeds, apart.items, np.zeros(len(apart.values), dtype=np.int64), rng,
            draws=min(draws, max(FEWEST, CELLS // max(width, 1))),
        )  # fmt: skip
        return Inference(*stretched(means[:, 0], float(apart.values.mean()), curves.seeds))
    except Undefined as undefined:
        return Inference(None, None, why=str(undefined))


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
