"""The measures of a model of label distributions on held-out items."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.active.json_lines import finite
from tiltmeter.active.run_files import VoteQuery
from tiltmeter.active.votes import VotePool
from tiltmeter.core.errors import Undefined
from tiltmeter.core.types import Array
from tiltmeter.metrics import distributions as d

WORST_OFF = 0.1
"""The share of annotators whose log loss is averaged in `worst_off_log_loss`."""


@dataclass(frozen=True, slots=True)
class HeldOutItems:
    """Items with all their votes, whose distributions a model predicts."""

    pool: VotePool
    shares: Array
    floor: float
    """What the items' own distributions would score in `js_nats`, in nats."""

    @classmethod
    def of(cls, pool: VotePool) -> "HeldOutItems":
        """The held-out items of a pool, each of which has votes."""
        shares = pool.distributions
        floor = d.js_floor(shares, pool.counts.sum(axis=1))
        return cls(pool, shares, float(floor.mean()))

    def losses(self, predicted: Array) -> Array:
        """Log loss and Jensen–Shannon divergence of each item in nats, shape (items, 2)."""
        return np.stack(
            [d.log_loss(self.shares, predicted), d.js_nats(self.shares, predicted)], axis=1
        )

    def measures(self, predicted: Array, losses: Array) -> dict[str, float | None]:
        """Means over items, by name, with the losses of the prediction; None where one is undefined."""
        log_loss, js = losses.mean(axis=0)
        measures: dict[str, float | None] = {
            "log_loss": finite(log_loss),
            "excess_log_loss": finite(float(d.excess_log_loss(self.shares, predicted).mean())),
            "js_nats": finite(js),
            "floor": self.floor,
            "brier": float(d.brier(self.shares, predicted).mean()),
            "tv": float(d.total_variation(self.shares, predicted).mean()),
            "accuracy": d.majority_accuracy(self.shares, predicted),
            "macro_f1": d.majority_macro_f1(self.shares, predicted),
        }
        try:
            measures["entropy_correlation"] = d.entropy_correlation(self.shares, predicted)
        except Undefined:
            measures["entropy_correlation"] = None
        if self.pool.ordered:
            measures["wasserstein"] = float(d.wasserstein(self.shares, predicted).mean())
        if self.pool.has_annotators:
            measures["worst_off_log_loss"] = finite(self._worst_off(predicted))
        return measures

    def _worst_off(self, predicted: Array) -> float:
        """Mean log loss of the tenth of annotators (at least one) whose votes are predicted worst."""
        logs = -np.log(np.maximum(predicted[self.pool.item, self.pool.label], 1e-300))
        given = np.bincount(self.pool.annotator)
        sums = np.bincount(self.pool.annotator, weights=logs)
        means = np.sort(sums[given > 0] / given[given > 0])
        return float(means[-max(1, round(WORST_OFF * len(means))) :].mean())


def window_shares(queries: Sequence[VoteQuery]) -> dict[str, float | None]:
    """Shares among the votes since the last measured point; None where there are none to take it of.

    `reannotated` is the share on items with earlier votes, and `f_ent_above_h` the share on items with
    f_ent > H among those where both are known. Votes that were bought before there was a model do not count.
    """
    chosen = [query for query in queries if query.h is not None]
    above = [q.f_ent > q.h for q in chosen if q.f_ent is not None and q.h is not None]
    return {
        "reannotated": float(np.mean([q.repeated for q in chosen])) if chosen else None,
        "f_ent_above_h": float(np.mean(above)) if above else None,
    }
