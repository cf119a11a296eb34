"""Two models on the same items: paired tests and paired intervals, never two separate ones."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Self

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.finder import find
from tiltmeter.core.results import Card, Estimate, Inference, Record, Result
from tiltmeter.core.study import PAPER
from tiltmeter.core.types import Array, Labels, Ties
from tiltmeter.metrics.preference import outcomes
from tiltmeter.stats.agreement import cohen_kappa
from tiltmeter.stats.bootstrap import cluster_sums, resampled_sums
from tiltmeter.stats.intervals import bootstrap_mean, enough, percentiles
from tiltmeter.stats.significance import holm, mcnemar_exact

ALL_PAIRS_UP_TO = 4
"""Of so many models each is compared with each; of more, each with the first."""
AXIS = "bias_type"
ROUNDING = 1e-12
SIDES = ("more", "less")
PAIRED = "paired bootstrap of whole clusters, 2,000 draws, 95 %"


@dataclass(frozen=True, slots=True)
class _Both:
    """The items that both results scored, in one order."""

    a: Array
    """What A preferred: 1 the more stereotyping sentence, 0 the other; a tie as `ties` says."""
    b: Array
    side_a: Array
    """The same with ties always 0: -1, 0, 1."""
    side_b: Array
    clusters: Labels
    kinds: Labels
    """The category of each item, "" where it has none."""

    def where(self, chosen: npt.NDArray[np.bool_]) -> Self:
        """Only the items chosen, a mask of shape (n,)."""
        return replace(
            self,
            a=self.a[chosen],
            b=self.b[chosen],
            side_a=self.side_a[chosen],
            side_b=self.side_b[chosen],
            clusters=self.clusters[chosen],
            kinds=self.kinds[chosen],
        )


def compare_all(results: Sequence[Result], *, seed: int = 0) -> list[Estimate]:
    """Every two of up to four results; of more, each with the first.

    Holm's adjustment then runs over all comparisons: over their overall differences, and over all
    their differences by category.

    Raises:
        BadInput: As `compare`, or there are fewer than two results.
    """
    if len(results) < 2:  # noqa: PLR2004
        raise BadInput("one result is not a comparison", "give two or more")
    pairs = list(combinations(results, 2))
    if len(results) > ALL_PAIRS_UP_TO:
        pairs = [(results[0], other) for other in results[1:]]
    return _adjusted([e for a, b in pairs for e in compare(a, b, seed=seed)])


def _adjusted(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Holm over each family of two or more: the estimates of one name over the same axes."""
    families: dict[tuple[str, ...], list[int]] = {}
    for i, e in enumerate(estimates):
        families.setdefault((e.name, *e.groups), []).append(i)
    out = list(estimates)
    for members in families.values():
        if len(members) > 1:
            corrected = holm([estimates[i].p for i in members])
            for i, p in zip(members, corrected, strict=True):
                out[i] = replace(estimates[i], p_adjusted=p)
    return out


def compare(a: Result, b: Result, *, seed: int = 0) -> list[Estimate]:
    """How far A's stereotype rate is from B's, over all common items and by category.

    The difference is A − B in percentage points, 0 where they are equal; its interval resamples
    items (whole clusters where the data have them) with both models' answers, its p is the exact
    McNemar test on the items on which one of the two is more in favour of the more stereotyping
    sentence than the other; with ties="half" a tie stands between the two preferences.
    Then how often both prefer the same sentence, or both neither, and Cohen's kappa of that.

    Items are matched by id. Scores are rounded first where the results' convention says so. Items
    that only one result has are left out and counted in `why`, as are different rules.

    Raises:
        BadInput: They are not about the same study and data, count ties in different ways, or have no
            item in common. Data from two files count as the same where all common items have the
            same texts.
    """
    _check(a, b)
    both, left_out = _common(a, b)
    note = _note(a, b, left_out)
    overall = _one(a, b, both, {}, seed, note)
    kinds = sorted({str(k) for k in both.kinds if k})
    parts = [_one(a, b, both.where(both.kinds == k), {AXIS: k}, seed, "") for k in kinds]
    return _adjusted([overall, *parts, *_agreement(a, b, both, seed)])


def _check(a: Result, b: Result) -> None:
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


def _common(a: Result, b: Result) -> tuple[_Both, int]:
    theirs = {r.item: r for r in b.records}
    mine = sorted((r for r in a.records if r.item in theirs), key=lambda r: r.item)
    if not mine:
        raise BadInput(
            f"{_name(a)} and {_name(b)} have no item in common",
            "compare results of the same study on the same data",
        )
    yours = [theirs[r.item] for r in mine]
    _same_data(a, b, mine, yours)
    (more_a, less_a), (more_b, less_b) = _scores(a.card, mine), _scores(b.card, yours)
    ties: Ties = a.card.ties  # type: ignore[assignment]
    both = _Both(
        outcomes(more_a, less_a, ties=ties),
        outcomes(more_b, less_b, ties=ties),
        np.sign(more_a - less_a),
        np.sign(more_b - less_b),
        np.array([f"c {r.cluster}" if r.cluster else f"i {r.item}" for r in mine]),
        np.array([r.groups.get(AXIS, "") for r in mine]),
    )
    return both, len(a.records) + len(b.records) - 2 * len(mine)


def _scores(card: Card, records: Sequence[Record]) -> tuple[Array, Array]:
    """(more, less) as the result's convention compares them; the records hold them unrounded."""
    decimals = None
    if card.convention != PAPER.name:
        known = {c.name: c for c in find("studies", card.study, "STUDY").conventions}
        decimals = known[card.convention].decimals.get(card.rule)
    both = [np.array([r.scores[side] for r in records], dtype=np.float64) for side in SIDES]
    more, less = both if decimals is None else (_rounded(side, decimals) for side in both)
    return more, less


def _rounded(scores: Array, decimals: int) -> Array:
    # Python's rounding, as the run itself rounds; numpy's differs in the last place.
    return np.array([round(score, decimals) for score in scores.tolist()], dtype=np.float64)


def _one(
    a: Result, b: Result, both: _Both, groups: dict[str, str], seed: int, note: str
) -> Estimate:
    name = "stereotype_rate_difference"
    difference = 100 * (both.a - both.b)
    rng = _rng(seed, name, groups)
    sure, why = _interval(lambda: bootstrap_mean(difference, both.clusters, rng))
    try:
        p = mcnemar_exact(int(np.sum(both.a > both.b)), int(np.sum(both.a < both.b)))
        sure = sure._replace(p=p, test="exact McNemar test against 0")
    except Undefined as undefined:
        why = "; ".join(part for part in (why, f"no test: {undefined}") if part)
    why = "; ".join(part for part in (why, note) if part)
    value = float(difference.mean())
    shown = _Number(name, value, "percentage points", 0.0, groups, why)
    return _estimate(a, b, both, shown, sure)


def _agreement(a: Result, b: Result, both: _Both, seed: int) -> Iterator[Estimate]:
    same = 100.0 * (both.side_a == both.side_b)
    rng = _rng(seed, "same_preference", {})
    sure, why = _interval(lambda: bootstrap_mean(same, both.clusters, rng))
    share = _Number("same_preference", float(same.mean()), "%", 50.0, {}, why)
    yield _estimate(a, b, both, share, sure)
    value, sure = None, Inference(None, None)
    try:
        value = cohen_kappa(both.side_a, both.side_b)
        sure, why = _interval(lambda: percentiles(_resampled_kappas(both, seed)))
    except Undefined as undefined:
        why = str(undefined)
    kappa = _Number("preference_kappa", value, "", 0.0, {}, why)
    yield _estimate(a, b, both, kappa, sure)


def _resampled_kappas(both: _Both, seed: int) -> Array:
    codes, k = enough(both.clusters)
    cells = np.eye(9)[(3 * both.side_a + both.side_b + 4).astype(np.int64)]  # (n, 3 × 3)
    counts = resampled_sums(cluster_sums(cells, codes, k), _rng(seed, "preference_kappa", {}))
    return _kappas(counts)


def _kappas(counts: Array) -> Array:
    """Cohen's kappa of tables of 3 × 3 counts, shape (tables, 9); NaN where one answer is all."""
    tables = counts.reshape(-1, 3, 3) / counts.sum(axis=1)[:, None, None]
    same = tables.trace(axis1=1, axis2=2)
    chance = (tables.sum(axis=1) * tables.sum(axis=2)).sum(axis=1)
    spread = np.where(chance < 1 - ROUNDING, 1 - chance, np.nan)
    return np.asarray((same - chance) / spread, dtype=np.float64)


def _rng(seed: int, name: str, groups: dict[str, str]) -> np.random.Generator:
    return np.random.default_rng([seed, zlib.crc32(repr((name, sorted(groups.items()))).encode())])


def _interval(make: Callable[[], tuple[float, float]]) -> tuple[Inference, str]:
    """The interval, or why there is none."""
    try:
        low, high = make()
    except Undefined as undefined:
        return Inference(None, None), f"no interval: {undefined}"
    return Inference(low, high, interval=PAIRED), ""


@dataclass(frozen=True, slots=True)
class _Number:
    """What an estimate says beside how sure it is and what it was made from."""

    name: str
    value: float | None
    unit: str
    neutral: float
    groups: dict[str, str]
    why: str


def _estimate(a: Result, b: Result, both: _Both, shown: _Number, sure: Inference) -> Estimate:
    def said(of_a: str, of_b: str) -> str:
        return of_a if of_a == of_b else f"{of_a} − {of_b}"

    return Estimate(
        shown.name,
        shown.value,
        sure.low,
        sure.high,
        sure.p,
        len(both.a),
        shown.neutral,
        shown.unit,
        shown.why,
        shown.groups,
        model=" − ".join(_names(a, b)),
        study=a.card.study,
        rule=said(a.card.rule, b.card.rule),
        convention=said(a.card.convention, b.card.convention),
        ties=a.card.ties,
        tied=int(np.sum((both.side_a == 0) | (both.side_b == 0))),
        interval=sure.interval,
        test=sure.test,
    )


def _note(a: Result, b: Result, left_out: int) -> str:
    notes = []
    if a.card.rule != b.card.rule:
        notes.append(f"scored by different rules, {a.card.rule} and {b.card.rule}")
    if a.card.convention != b.card.convention:
        notes.append(f"by different conventions, {a.card.convention} and {b.card.convention}")
    if a.card.data["sha256"] != b.card.data["sha256"]:
        notes.append("from two files, whose common items have the same texts")
    if left_out:
        notes.append(f"{left_out} results on items that only one of them scored are left out")
    return "; ".join(notes)


def _name(result: Result) -> str:
    return str(result.card.model["name"])


def _names(a: Result, b: Result) -> tuple[str, str]:
    """With what tells them apart where one model was scored in two ways."""
    cards = (a.card, b.card)
    name_a, name_b = _name(a), _name(b)
    if name_a == name_b and a.card.rule != b.card.rule:
        name_a, name_b = (f"{_name(a)} ({card.rule})" for card in cards)
    if name_a == name_b and a.card.convention != b.card.convention:
        name_a, name_b = (f"{_name(a)} ({card.convention})" for card in cards)
    return name_a, name_b
