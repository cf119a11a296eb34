"""What two results on the same items have in common, whatever the items are."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.finder import find
from tiltmeter.core.results import Card, Estimate, Inference, Record, Result
from tiltmeter.core.study import PAPER
from tiltmeter.core.types import Array, Labels
from tiltmeter.stats.agreement import cohen_kappa
from tiltmeter.stats.bootstrap import cluster_sums, resampled_sums
from tiltmeter.stats.intervals import bootstrap_mean, enough, percentiles

Table = TypeVar("Table", bound=Any)
ROUNDING = 1e-12
PAIRED = "paired bootstrap of whole clusters, 2,000 draws"


def check(a: Result, b: Result) -> None:
    """Whether the two are of one study and count ties alike.

    Raises:
        BadInput: They are not.
    """
    for what, of_a, of_b in (
        ("studies", a.card.study, b.card.study),
        ("ways to count ties", a.card.ties, b.card.ties),
    ):
        if of_a != of_b:
            raise BadInput(
                f"{_name(a)} and {_name(b)} have different {what}: {of_a!r} and {of_b!r}",
                "compare results of the same study on the same data",
            )


def _same_data(a: Result, b: Result, mine: Sequence[Record], yours: Sequence[Record]) -> None:
    """The same file; or, for scores that came in files of their own, the same texts."""
    if a.card.data["sha256"] == b.card.data["sha256"] != "":
        return
    other = [m.item for m, y in zip(mine, yours, strict=True) if m.texts != y.texts or not m.texts]
    if other:
        raise BadInput(
            f"{_name(a)} and {_name(b)} have different data: "
            f"{len(other):,} of {len(mine):,} items with the same id ({other[0]!r} is one) "
            "are not known to have the same text",
            "compare results of the same study on the same data",
        )


def matched(a: Result, b: Result) -> tuple[list[Record], list[Record]]:
    """The records of the items that both have, in one order.

    Raises:
        BadInput: There is none, or they are not about the same data.
    """
    theirs = {r.item: r for r in b.records}
    mine = sorted((r for r in a.records if r.item in theirs), key=lambda r: r.item)
    if not mine:
        raise BadInput(
            f"{_name(a)} and {_name(b)} have no item in common",
            "compare results of the same study on the same data",
        )
    yours = [theirs[r.item] for r in mine]
    _same_data(a, b, mine, yours)
    return mine, yours


def where(table: Table, chosen: npt.NDArray[np.bool_]) -> Table:
    """The rows chosen by a mask of shape (n,), of a dataclass of arrays or dictionaries of arrays."""

    def cut(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: cut(some) for key, some in value.items()}
        return value[chosen]

    return replace(table, **{f.name: cut(getattr(table, f.name)) for f in fields(table)})


def columns(card: Card, records: Sequence[Record], names: Sequence[str]) -> list[Array]:
    """The scores of these names, as the result's convention compares them; records are unrounded."""
    decimals = None
    if card.convention != PAPER.name:
        known = {c.name: c for c in find("studies", card.study, "STUDY").conventions}
        decimals = known[card.convention].decimals.get(card.rule)
    found = [np.array([r.scores[name] for r in records], dtype=np.float64) for name in names]
    return found if decimals is None else [_rounded(side, decimals) for side in found]


def _rounded(scores: Array, decimals: int) -> Array:
    # Python's rounding, as the run itself rounds; numpy's differs in the last place.
    return np.array([round(score, decimals) for score in scores.tolist()], dtype=np.float64)


def rng_of(seed: int, name: str, groups: dict[str, str]) -> np.random.Generator:
    """Draws that depend on what is estimated, and on nothing else that is."""
    return np.random.default_rng([seed, zlib.crc32(repr((name, sorted(groups.items()))).encode())])


def interval(
    make: Callable[[], tuple[float, float]], *, kind: str = PAIRED
) -> tuple[Inference, str]:
    """The interval, or why there is none."""
    try:
        low, high = make()
    except Undefined as undefined:
        return Inference(None, None), f"no interval: {undefined}"
    return Inference(low, high, interval=kind), ""


@dataclass(frozen=True, slots=True)
class Number:
    """What an estimate says beside how sure it is and what it was made from."""

    name: str
    value: float | None
    unit: str
    neutral: float
    groups: dict[str, str]
    why: str


def estimate(
    a: Result, b: Result, shown: Number, sure: Inference, *, n: int, tied: int
) -> Estimate:
    """The number with the names of both results; `n` items, `tied` of them with a tie."""

    def said(of_a: str, of_b: str) -> str:
        return of_a if of_a == of_b else f"{of_a} − {of_b}"

    return Estimate(
        shown.name,
        shown.value,
        sure.low,
        sure.high,
        sure.p,
        n,
        shown.neutral,
        shown.unit,
        shown.why,
        shown.groups,
        model=" − ".join(names(a, b)),
        study=a.card.study,
        rule=said(a.card.rule, b.card.rule),
        convention=said(a.card.convention, b.card.convention),
        ties=a.card.ties,
        tied=tied,
        interval=sure.interval,
        test=sure.test,
    )


def note(a: Result, b: Result, left_out: int) -> str:
    """What a reader of the differences should know: other rules, other files, items left out."""
    notes = []
    if a.card.rule != b.card.rule:
        notes.append(f"scored by different rules, {a.card.rule} and {b.card.rule}")
    if a.card.convention != b.card.convention:
        notes.append(f"by different conventions, {a.card.convention} and {b.card.convention}")
    if told := _settings_apart(a.card, b.card):
        notes.append(f"with different settings: {'; '.join(map(' and '.join, told))}")
    precisions = [card.model.get("precision") for card in (a.card, b.card)]
    if all(precisions) and len(set(precisions)) > 1:
        notes.append(f"in different precisions, {' and '.join(map(str, precisions))}")
    if a.card.data["sha256"] != b.card.data["sha256"]:
        notes.append("from two files, whose common items have the same texts")
    if left_out:
        notes.append(f"{left_out} results on items that only one of them scored are left out")
    return "; ".join(notes)


def _name(result: Result) -> str:
    return str(result.card.model["name"])


def names(a: Result, b: Result) -> tuple[str, str]:
    """With what tells them apart where one model was scored in two ways."""
    cards = (a.card, b.card)
    name_a, name_b = _name(a), _name(b)
    if name_a == name_b and a.card.rule != b.card.rule:
        name_a, name_b = (f"{_name(a)} ({card.rule})" for card in cards)
    if name_a == name_b and a.card.convention != b.card.convention:
        name_a, name_b = (f"{_name(a)} ({card.convention})" for card in cards)
    apart = _settings_apart(*cards)
    if name_a == name_b and apart:
        name_a, name_b = (f"{_name(a)} ({', '.join(side)})" for side in zip(*apart, strict=True))
    precision_a, precision_b = (card.model.get("precision") for card in cards)
    if name_a == name_b and precision_a != precision_b:
        name_a, name_b = (f"{_name(a)} ({precision})" for precision in (precision_a, precision_b))
    return name_a, name_b


def _settings_apart(a: Card, b: Card) -> list[tuple[str, str]]:
    """Settings in which two results differ, each as both have it: [("prior mask", "prior noun")]."""
    names = [n for n in {**a.settings, **b.settings} if a.settings.get(n) != b.settings.get(n)]
    return [tuple(f"{n} {c.settings.get(n) or 'not set'}" for c in (a, b)) for n in names]  # type: ignore[misc]


def agreement(
    a: Result,
    b: Result,
    side_a: Array,
    side_b: Array,
    clusters: Labels,
    *,
    seed: int,
    tied: int,
    kind: str = PAIRED,
) -> Iterator[Estimate]:
    """How often both prefer the same (1, 0 or -1), in percent, and Cohen's kappa of that."""
    n = len(side_a)
    same = 100.0 * (side_a == side_b)
    rng = rng_of(seed, "same_preference", {})
    sure, why = interval(lambda: bootstrap_mean(same, clusters, rng), kind=kind)
    share = Number("same_preference", float(same.mean()), "%", 50.0, {}, why)
    yield estimate(a, b, share, sure, n=n, tied=tied)
    value, sure = None, Inference(None, None)
    try:
        value = cohen_kappa(side_a, side_b)
        sure, why = interval(
            lambda: percentiles(_resampled_kappas(side_a, side_b, clusters, seed)), kind=kind
        )
    except Undefined as undefined:
        why = str(undefined)
    kappa = Number("preference_kappa", value, "", 0.0, {}, why)
    yield estimate(a, b, kappa, sure, n=n, tied=tied)


def _resampled_kappas(side_a: Array, side_b: Array, clusters: Labels, seed: int) -> Array:
    codes, k = enough(clusters)
    cells = np.eye(9)[(3 * side_a + side_b + 4).astype(np.int64)]  # (n, 3 × 3)
    counts = resampled_sums(cluster_sums(cells, codes, k), rng_of(seed, "preference_kappa", {}))
    return _kappas(counts)


def _kappas(counts: Array) -> Array:
    """Cohen's kappa of tables of 3 × 3 counts, shape (tables, 9); NaN where one answer is all."""
    tables = counts.reshape(-1, 3, 3) / counts.sum(axis=1)[:, None, None]
    same = tables.trace(axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    spread = np.where(chance < 1 - ROUNDING, 1 - chance, np.nan)
    return np.asarray((same - chance) / spread, dtype=np.float64)
