"""Single items: which do not vary over models, which go against the rest, and a record of each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.core.estimates import ALPHA, Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.core.samples import rng_of
from tiltmeter.core.types import Array
from tiltmeter.derived.comparisons.item_values import ItemValues
from tiltmeter.derived.comparisons.model_families import families_of
from tiltmeter.stats.correlations.item_rest import against_rest, item_rest

SAME = quantity(
    "items_without_variation", "Items on which models agree", "no variation", decimals=0
)
NEGATIVE = quantity("items_below_zero", "Items with r below 0", "below 0", decimals=0)
AGAINST = quantity("items_against_rest", "Items against the rest", "against", decimals=0)
MEDIAN = quantity(
    "median_item_rest", "Median item–rest r", "median r", decimals=2, neutral=None, least=-1,
    most=1,
)  # fmt: skip
QUANTITIES = (SAME, NEGATIVE, AGAINST, MEDIAN)
ITEM = "item"
"""`Record.kind` of an item of the benchmark."""
VERDICTS = ("against the rest", "below 0", "with the rest", "not known", "all agree")
"""What an item comes to, in the order of the list."""


@dataclass(frozen=True, slots=True)
class SingleItems:
    """What each item does over the models, in the order of the items."""

    values: ItemValues
    r: Array
    """Item–rest correlations, NaN where there is none; shape (items,)."""
    p: Array
    """That an item is not against the rest, adjusted over all items; NaN where r is not negative."""
    verdicts: Sequence[str]
    """What each item comes to, one of `VERDICTS`."""
    families: int
    """How many independent families the models are of."""

    @classmethod
    def of(
        cls, values: ItemValues, models: Sequence[str], families: Mapping[str, str], seed: int
    ) -> "SingleItems":
        """The correlations of the items; p is over the means of related models."""
        names = np.array(families_of(models, families))
        kinds = sorted(set(names.tolist()))
        means = np.array([values.table[names == kind].mean(axis=0) for kind in kinds])
        r = item_rest(values.table, values.clusters)
        p = against_rest(means, values.clusters, rng_of(seed, AGAINST.name))
        p = np.where(r < 0, p, np.nan)
        conditions = [np.ptp(values.table, axis=0) == 0, np.isnan(r), p < ALPHA, r < 0]
        verdicts = np.select(conditions, ["all agree", "not known", "against the rest", "below 0"],
                             "with the rest")  # fmt: skip
        return cls(values, r, p, verdicts.tolist(), len(kinds))

    def estimates(self) -> Iterator[Estimate]:
        """How many items are of each kind, and the median correlation."""
        verdicts, known = Counter(self.verdicts), np.isfinite(self.r)
        yield SAME.at(float(verdicts["all agree"]), n=len(self.r))
        why = "" if known.any() else self._why_unknown()
        negative = float((self.r[known] < 0).sum())
        yield NEGATIVE.at(negative if known.any() else None, n=int(known.sum()), why=why)
        against = float(verdicts["against the rest"])
        yield AGAINST.at(against if known.any() else None, n=int(known.sum()), why=why)
        median = float(np.median(self.r[known])) if known.any() else None
        yield MEDIAN.at(median, n=int(known.sum()), why=why)

    def records(self, axis: str) -> Iterator[Record]:
        """A record of each item, by verdict and by correlation.

        `axis` is the axis of the items' categories, or "".
        """
        ranks = [VERDICTS.index(verdict) for verdict in self.verdicts]
        for i in np.lexsort((self.r, np.array(ranks))).tolist():
            found, verdict = self.values.records[i], self.verdicts[i]
            of_item = self.values.table[:, i]
            scores = {
                "item_rest": float(self.r[i]), "p": float(self.p[i]), "mean": float(of_item.mean()),
                "sd": float(of_item.std(ddof=1)),
            }  # fmt: skip
            groups = {
                "item": self.values.items[i],
                "verdict": verdict,
                "leave_out": "yes" if verdict in {"against the rest", "all agree"} else "no",
                "varies": "no" if verdict == "all agree" else "yes",
            }
            if axis in found.groups:
                groups[axis] = found.groups[axis]
            if found.cluster:
                groups["cluster"] = found.cluster
            known = {name: score for name, score in scores.items() if np.isfinite(score)}
            yield Record(found.item, known, groups, found.cluster, texts=found.texts, kind=ITEM)

    def _why_unknown(self) -> str:
        if len(self.values.table) < 3:  # noqa: PLR2004
            return f"it takes 3 models, there are {len(self.values.table)}"
        if {*self.verdicts} == {"all agree"}:
            return "all models agree on every item"
        return "there is no rest: all items are of one cluster, or no model varies on it"
