"""How often two models prefer the same of two texts, for studies that show which one a model prefers."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate, Inference, estimated
from tiltmeter.core.quantity import quantity
from tiltmeter.core.results import Result
from tiltmeter.core.samples import rng_of, uncertainty
from tiltmeter.core.study_views import Margins
from tiltmeter.core.types import Array, Column, Labels, Signs
from tiltmeter.derived.comparisons.paired import PairedColumns, between
from tiltmeter.stats.confidence_intervals.intervals import wilson_clustered
from tiltmeter.stats.raters.kappa_and_alpha import cohen_kappa
from tiltmeter.stats.resampling.bootstrap import (
    are_few,
    cluster_sums,
    count_of_clusters,
    enough,
    resampled_kinds,
    resampled_sums,
)
from tiltmeter.stats.resampling.bootstrap_intervals import stretched

SAME, KAPPA = "same_preference", "preference_kappa"
_QUANTITIES = (
    quantity(SAME, "Both prefer the same text", "same", neutral_is="chance"),
    quantity(
        KAPPA, "Agreement of preferences (Cohen’s κ)", "κ", neutral_is="agreement by chance", least=-1,
        most=1,
    ),
)  # fmt: skip
QUANTITIES = {q.name: q for q in _QUANTITIES}
ROUNDING = 1e-12


def margins_view(a: Result, b: Result) -> Margins | None:
    """The two texts of an item that both results hold against each other; None where they do not."""
    views = [[v for v in result.card.views if isinstance(v, Margins)] for result in (a, b)]
    return next((view for view in views[0] if view in views[1] and len(view.sides) > 1), None)


def agreement(
    a: Result, b: Result, pairing: PairedColumns, view: Margins, *, seed: int
) -> Iterator[Estimate]:
    """How often both prefer the same text, or neither, in percent; and Cohen's kappa of that."""
    rows = np.flatnonzero(
        np.all([columns.has(view.sides[:2]) for columns in (pairing.a, pairing.b)], axis=0)
    )
    if not len(rows):  # scores of another kind: there is no preference to agree on
        return
    columns, clusters = pairing.read(view.sides[:2], rows), pairing.clusters[rows]
    side_a, side_b = (_signs(first, second) for first, second in columns)
    tied = pairing.tied(rows) if a.card.ties else 0
    of = "items" if count_of_clusters(clusters) == len(clusters) else "whole clusters"

    def made(
        name: str, value: float | None, unit: str, neutral: float, sure: Inference, why: str = ""
    ) -> Estimate:
        meaning = replace(QUANTITIES[name].meaning, counts=view.called)
        estimate = estimated(
            name, value, sure, n=len(rows), neutral=neutral, unit=unit, why=why, tied=tied, meaning=meaning
        )  # fmt: skip
        return between(a, b, estimate)

    same = (side_a == side_b).astype(np.float64)
    low, high = wilson_clustered(same, clusters)
    share = Inference(100 * low, 100 * high, interval=f"Wilson, by {of}")
    yield made(SAME, 100 * float(same.mean()), "%", 50.0, share)
    try:
        kappa = cohen_kappa(side_a, side_b)
    except Undefined as undefined:
        yield made(KAPPA, None, "", 0.0, Inference(None, None), str(undefined))
        return
    how = f"stretched paired bootstrap of {of}, 2,000 draws"

    def interval() -> tuple[float, float, str]:
        drawn = _resampled_kappas(side_a, side_b, clusters, seed)
        return *stretched(drawn, kappa, count_of_clusters(clusters)), how

    yield made(KAPPA, kappa, "", 0.0, uncertainty(interval))


def _signs(first: Column, second: Column) -> Signs:
    apart = np.asarray(first, dtype=np.float64) - np.asarray(second, dtype=np.float64)
    return np.asarray(np.sign(apart), dtype=np.int8)


def _resampled_kappas(side_a: Signs, side_b: Signs, clusters: Labels, seed: int) -> Array:
    codes, k = enough(clusters)
    cells = (3 * side_a + side_b + 4).astype(np.int8)  # which of 3 × 3
    rng = rng_of(seed, KAPPA)
    times = np.bincount(cells, minlength=9)
    kinds = np.eye(9)[times > 0][::-1]  # in the order of `resampled_sums`
    if k == len(cells) and are_few(kinds, k):
        return _kappas(resampled_kinds(kinds, times[times > 0][::-1], rng))
    sums = [cluster_sums((cells == cell).astype(np.float64), codes, k) for cell in range(9)]
    return _kappas(resampled_sums(np.stack(sums, axis=1), rng))


def _kappas(counts: Array) -> Array:
    """Cohen's kappa of tables of 3 × 3 counts, shape (tables, 9); NaN where one answer is all."""
    tables = counts.reshape(-1, 3, 3) / counts.sum(axis=1)[:, None, None]
    same = tables.trace(axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    spread = np.where(chance < 1 - ROUNDING, 1 - chance, np.nan)
    return np.asarray((same - chance) / spread, dtype=np.float64)
