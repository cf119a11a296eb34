"""How well the items of a benchmark tell models apart: reliability, pairs of models, items needed."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import combinations
from math import exp, inf, isfinite

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import ALPHA, Estimate, Inference, Meaning, estimated
from tiltmeter.core.measures import EVERY, PAIRED, RowValues
from tiltmeter.core.quantity import computed, quantity
from tiltmeter.core.records import Record
from tiltmeter.core.samples import rng_of
from tiltmeter.core.text import counted
from tiltmeter.core.types import Integers
from tiltmeter.derived.comparisons.item_values import ItemValues
from tiltmeter.stats.confidence_intervals.bounded_means import bounded_p
from tiltmeter.stats.confidence_intervals.intervals import difference_interval, student
from tiltmeter.stats.correlations.generalisability import (
    FEWEST_MODELS,
    Generalisability,
    generalisability,
    items_needed,
)
from tiltmeter.stats.correlations.reliability import split_half
from tiltmeter.stats.hypothesis_tests.exact_tests import holm

RELIABILITY = quantity(
    "model_reliability", "Reliability of differences", "reliability", decimals=2, most=1,
    interval="noncentral F, Greenhouse and Geisser’s degrees of freedom",
    test="F test that all models have the same mean",
)  # fmt: skip
SPLIT_HALF = quantity(
    "split_half_reliability", "Split-half reliability", "split half", decimals=2, most=1
)
ITEMS_NEEDED = quantity("items_needed", "Items for reliability .80", "items for .80", decimals=0)
PAIRS = quantity(
    "pairs_apart", "Pairs of models that differ", "pairs apart", counts="pairs of models",
    decimals=0,
)  # fmt: skip
QUANTITIES = (PAIRS, RELIABILITY, SPLIT_HALF, ITEMS_NEEDED)
SPREAD, DETECTABLE = "{}_model_sd", "{}_detectable"
"""Names of a measure's standard deviation over models and of its smallest detectable difference."""
SPLITS = 200
FEW = 10
"""Over fewer models than this correlations are said to be rough."""
PAIR = "pair"
"""`Record.kind` of two models held against each other."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The models' numbers for every item, and what they say of the models."""

    values: ItemValues
    models: Sequence[str]
    """A name for each run, all different."""
    design: Generalisability

    @classmethod
    def of(cls, values: ItemValues, models: Sequence[str]) -> "Compared":
        """Raises Undefined where all items belong to one cluster."""
        return cls(values, models, generalisability(values.table, values.clusters))

    @property
    def unit(self) -> str:
        """The unit of the numbers of single items."""
        return "" if self.values.of_logarithm else self.values.measure.unit

    @property
    def most(self) -> float | None:
        """How far two models can be apart on an item; None where there is no limit."""
        m = self.values.measure
        bounds: RowValues | None = m.mean_of or getattr(m.metric, "mean_of", None)
        most = inf if bounds is None else bounds.most - bounds.least
        return most if isfinite(most) else None

    @property
    def clusters(self) -> int | None:
        """How many clusters the items are of; None where each is on its own."""
        return self.design.clusters if self.values.has_clusters else None


def model_values(of: Compared) -> Iterator[Estimate]:
    """The measure of each model over the items that all answer; intervals are those of the runs."""
    m = of.values.measure
    for name, mean in zip(of.models, of.design.means, strict=True):
        value = exp(mean) if of.values.of_logarithm else float(mean)
        yield estimated(
            m.name, value, Inference(None, None), n=len(of.values.items), neutral=m.neutral, unit=m.unit,
            model=name, meaning=m.meaning, clusters=of.clusters,
        )  # fmt: skip


def reliabilities(of: Compared, seed: int) -> Iterator[Estimate]:
    """Over all items: reliability, split halves, the items needed, and what differences could be found."""
    n, models = len(of.values.items), len(of.models)
    few = f"rough: only {models} models" if models < FEW else ""
    yield _reliability(of.design, n, of.clusters)
    value, sure = computed(lambda: _split_half(of, seed))
    yield SPLIT_HALF.at(
        value, sure, n=n, clusters=of.clusters, why=few if value is not None else ""
    )
    needed, sure = computed(
        lambda: float(items_needed(of.design.reliability, n)), lambda: Inference(None, None)
    )
    yield ITEMS_NEEDED.at(needed, sure, n=n, clusters=of.clusters)
    m = of.values.measure
    log = " (logarithm)" if of.values.of_logarithm else ""
    for key, number, title in (
        (SPREAD, of.design.between**0.5, f"Standard deviation of models{log}"),
        (DETECTABLE, of.design.detectable(), f"Detectable difference{log}"),
    ):
        meaning = Meaning(title, role="description", counts=m.meaning.counts, least=0.0)
        yield estimated(
            key.format(m.name), float(number), Inference(None, None), n=n, neutral=None,
            unit=PAIRED.unit_of(of.unit), meaning=meaning, clusters=of.clusters,
        )  # fmt: skip


def by_axis(of: Compared, axis: str) -> Iterator[Estimate]:
    """The reliability of the items with each label of an axis, where the measure is reported by it.

    Their p are adjusted by Holm over all labels.
    """
    made = [*_of_labels(of, axis)]
    for e, p in zip(made, holm([e.p for e in made]), strict=True):
        yield replace(e, p_adjusted=p, adjustment="" if p is None else "Holm")


def _of_labels(of: Compared, axis: str) -> Iterator[Estimate]:
    if not {(axis,), EVERY} & {*of.values.measure.over}:
        return
    labels = np.array([record.groups.get(axis, "") for record in of.values.records])
    for label in dict.fromkeys(labels.tolist()):
        mine = labels == label
        if not label or mine.all():
            continue
        groups = {axis: label}
        try:
            design = generalisability(of.values.table[:, mine], of.values.clusters[mine])
        except Undefined as undefined:
            yield RELIABILITY.at(None, n=int(mine.sum()), why=str(undefined), groups=groups)
            continue
        clusters = design.clusters if of.values.has_clusters else None
        yield _reliability(design, int(mine.sum()), clusters, groups)


def _reliability(
    design: Generalisability, n: int, clusters: int | None, groups: dict[str, str] | None = None
) -> Estimate:
    def inference() -> Inference:
        low, high = design.interval()
        # An estimate below 0 says that the models differ by less than chance; the true value is 0 or more.
        return Inference(min(low, design.reliability), high, design.p())

    value, sure = computed(lambda: design.reliability)
    if value is not None:
        try:
            sure = inference()
        except Undefined as undefined:
            sure = Inference(None, None, why=f"no interval: {undefined}")
    return RELIABILITY.at(value, sure, n=n, clusters=clusters, groups=groups)


def _split_half(of: Compared, seed: int) -> float:
    """The halves' means, correlated over models, over many splits of whole clusters."""
    table, clusters = of.values.table, of.values.clusters
    if len(table) < FEWEST_MODELS:
        raise Undefined(f"it takes {FEWEST_MODELS} models, there are {len(table)}")
    rng = rng_of(seed, SPLIT_HALF.name)
    codes = np.unique(clusters, return_inverse=True)[1].ravel()
    halves = []
    for _ in range(SPLITS):
        first = _half(codes, rng)
        halves.append([table[:, first].mean(axis=1), table[:, ~first].mean(axis=1)])
    one, other = np.swapaxes(np.array(halves), 0, 1)
    return split_half(one, other)


def _half(codes: Integers, rng: np.random.Generator) -> npt.NDArray[np.bool_]:
    """Which items are of a random half of the clusters, shape (items,)."""
    k = int(codes.max()) + 1
    return np.asarray((rng.permutation(k) < k // 2)[codes], dtype=np.bool_)


def pairs(of: Compared) -> tuple[Estimate, list[Record]]:
    """How many pairs of models differ significantly, and a record of each pair, the farthest apart first."""
    places = [*combinations(range(len(of.models)), 2)]
    ps = [_p(of, i, j) for i, j in places]
    adjusted, errors = holm(ps), of.design.pair_errors()
    records = []
    for (i, j), p in zip(places, adjusted, strict=True):
        apart = float(of.design.means[i] - of.design.means[j])
        scores = {"difference": apart, "error": float(errors[i, j])}
        ends = _interval(of, i, j)
        if ends is not None:
            scores |= {"low": ends[0], "high": ends[1]}
        if p is not None:
            scores["p"] = p
        with suppress(Undefined):
            scores["items"] = float(of.design.items_for(apart, scores["error"]))
        excludes = ends is None or not ends[0] <= 0 <= ends[1]
        is_apart = p is not None and p < ALPHA and excludes
        groups = {
            "first": of.models[i],
            "second": of.models[j],
            "apart": "yes" if is_apart else "no",
        }
        records.append(Record(f"{of.models[i]} − {of.models[j]}", scores, groups, kind=PAIR))
    records.sort(key=lambda record: -abs(record.scores["difference"]))
    count = sum(record.groups["apart"] == "yes" for record in records)
    return PAIRS.at(float(count), n=len(records)), records


def _p(of: Compared, i: int, j: int) -> float | None:
    """The p that two models are equal; None where they are on all items, or nothing says how it varies."""
    with suppress(Undefined):
        return of.design.pair_p(i, j)
    apart, most = of.values.table[i] - of.values.table[j], of.most
    if most is None or not apart.any():
        return None
    # Both differ by the same everywhere, so only what unseen clusters may hide speaks against it.
    return bounded_p(apart, of.values.clusters, (-most, most), null=0.0)


def _interval(of: Compared, i: int, j: int) -> tuple[float, float] | None:
    """The 95 % interval of the difference of two models; None where there is none."""
    with suppress(Undefined):
        if of.most is not None:
            table = of.values.table
            return difference_interval(table[i] - table[j], of.values.clusters, of.most)
        apart = float(of.design.means[i] - of.design.means[j])
        return student(apart, float(of.design.pair_errors()[i, j]), of.design.clusters - 1)[:2]
    return None


def few_models(models: int) -> str:
    """What cannot be said of so few models; "" where there are enough."""
    if models >= FEWEST_MODELS:
        return ""
    return (
        f"With {counted(models, 'models')} there is one difference, so the reliability of differences "
        f"and the correlation of items with the rest are undefined: they take {FEWEST_MODELS} models."
    )
