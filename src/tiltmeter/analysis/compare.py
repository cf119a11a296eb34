"""Two models on the same items: paired tests and paired intervals, never two separate ones."""

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Self

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, Undefined
from tiltmeter.core.results import Estimate, Inference, Record, Result
from tiltmeter.core.types import Array, Labels, Ties
from tiltmeter.metrics.preference import outcomes
from tiltmeter.stats.agreement import cohen_kappa
from tiltmeter.stats.intervals import bootstrap, bootstrap_mean
from tiltmeter.stats.significance import holm, mcnemar_exact

ALL_PAIRS_UP_TO = 4
"""Of so many models each is compared with each; of more, each with the first."""
AXIS = "bias_type"
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
    """Every two of up to four results; of more, each with the first. Holm over the overall rates.

    Raises:
        BadInput: As `compare`.
    """
    pairs = list(combinations(results, 2))
    if len(results) > ALL_PAIRS_UP_TO:
        pairs = [(results[0], other) for other in results[1:]]
    made = [compare(a, b, seed=seed) for a, b in pairs]
    if len(pairs) == 1:
        return made[0]
    corrected = holm([estimates[0].p for estimates in made])
    return [
        replace(e, p_adjusted=p) if i == 0 else e
        for estimates, p in zip(made, corrected, strict=True)
        for i, e in enumerate(estimates)
    ]


def compare(a: Result, b: Result, *, seed: int = 0) -> list[Estimate]:
    """How far A's stereotype rate is from B's, over all common items and by category.

    The difference is A − B in percentage points, 0 where they are equal; its interval resamples
    items (whole clusters where the data have them) with both models' answers, its p is the exact
    McNemar test on the items where only one of the two prefers the more stereotyping sentence.
    Then how often both prefer the same sentence, and Cohen's kappa.

    Raises:
        BadInput: They are not about the same study and data, or have no item in common.
    """
    _check(a, b)
    both, left_out = _common(a, b)
    note = _note(a, b, left_out)
    overall = _one(a, b, both, {}, seed, note)
    kinds = sorted({str(k) for k in both.kinds if k})
    parts = [_one(a, b, both.where(both.kinds == k), {AXIS: k}, seed, "") for k in kinds]
    corrected = holm([part.p for part in parts])
    parts = [replace(e, p_adjusted=p) for e, p in zip(parts, corrected, strict=True)]
    return [overall, *parts, *_agreement(a, b, both, seed)]


def _check(a: Result, b: Result) -> None:
    for what, of_a, of_b in (
        ("studies", a.card.study, b.card.study),
        ("data", a.card.data["sha256"], b.card.data["sha256"]),
        ("ways to count ties", a.card.ties, b.card.ties),
    ):
        if of_a != of_b:
            raise BadInput(
                f"{_name(a)} and {_name(b)} have different {what}: {of_a!r} and {of_b!r}",
                "compare results of the same study on the same data",
            )


def _common(a: Result, b: Result) -> tuple[_Both, int]:
    theirs = {r.item: r for r in b.records}
    mine = sorted((r for r in a.records if r.item in theirs), key=lambda r: r.item)
    if not mine:
        raise BadInput(f"{_name(a)} and {_name(b)} have no item in common")
    yours = [theirs[r.item] for r in mine]
    ties: Ties = a.card.ties  # type: ignore[assignment]
    both = _Both(
        _outcomes(mine, ties),
        _outcomes(yours, ties),
        _sides(mine),
        _sides(yours),
        np.array([f"c {r.cluster}" if r.cluster else f"i {r.item}" for r in mine]),
        np.array([r.groups.get(AXIS, "") for r in mine]),
    )
    return both, len(a.records) + len(b.records) - 2 * len(mine)


def _scores(records: Sequence[Record], side: str) -> Array:
    return np.array([r.scores[side] for r in records], dtype=np.float64)


def _outcomes(records: Sequence[Record], ties: Ties) -> Array:
    return outcomes(_scores(records, "more"), _scores(records, "less"), ties=ties)


def _sides(records: Sequence[Record]) -> Array:
    return np.sign(_scores(records, "more") - _scores(records, "less"))


def _one(
    a: Result, b: Result, both: _Both, groups: dict[str, str], seed: int, note: str
) -> Estimate:
    name = "stereotype_rate_difference"
    difference = 100 * (both.a - both.b)

    def infer(rng: np.random.Generator) -> Iterator[Inference]:
        low, high = bootstrap_mean(difference, both.clusters, rng)
        yield Inference(low, high, interval=PAIRED)
        p = mcnemar_exact(int(np.sum(both.a > both.b)), int(np.sum(both.a < both.b)))
        yield Inference(low, high, p, PAIRED, "exact McNemar test against 0")

    value = float(difference.mean())
    sure, why = _as_far_as_possible(infer, seed, name, groups)
    return _estimate(
        a,
        b,
        name,
        value,
        sure,
        len(difference),
        groups,
        "percentage points",
        0.0,
        "; ".join(w for w in (why, note) if w),
    )


def _agreement(a: Result, b: Result, both: _Both, seed: int) -> list[Estimate]:
    same = 100.0 * (both.side_a == both.side_b)

    def share(rng: np.random.Generator) -> Iterator[Inference]:
        low, high = bootstrap_mean(same, both.clusters, rng)
        yield Inference(low, high, interval=PAIRED)

    def kappa(rng: np.random.Generator) -> Iterator[Inference]:
        columns = [both.side_a, both.side_b]
        low, high = bootstrap(cohen_kappa, columns, both.clusters, rng)
        yield Inference(low, high, interval=PAIRED)

    sure, why = _as_far_as_possible(share, seed, "same_preference", {})
    out = [
        _estimate(a, b, "same_preference", float(same.mean()), sure, len(same), {}, "%", 50.0, why)
    ]
    value: float | None = None
    try:
        value = cohen_kappa(both.side_a, both.side_b)
        sure, why = _as_far_as_possible(kappa, seed, "preference_kappa", {})
    except Undefined as undefined:
        sure, why = Inference(None, None), str(undefined)
    out.append(_estimate(a, b, "preference_kappa", value, sure, len(same), {}, "kappa", 0.0, why))
    return out


def _as_far_as_possible(
    infer: Callable[[np.random.Generator], Iterator[Inference]],
    seed: int,
    name: str,
    groups: dict[str, str],
) -> tuple[Inference, str]:
    """The last step that has a value, and why the next one has none."""
    rng = np.random.default_rng([seed, zlib.crc32(repr((name, sorted(groups.items()))).encode())])
    sure = Inference(None, None)
    try:
        for step in infer(rng):
            sure = step
    except Undefined as undefined:
        missing = "interval" if sure.low is None else "test"
        return sure, f"no {missing}: {undefined}"
    return sure, ""


def _estimate(  # noqa: PLR0913, PLR0917 one for each field of the estimate
    a: Result, b: Result, name: str, value: float | None, sure: Inference, n: int,
    groups: dict[str, str], unit: str, neutral: float, why: str,
) -> Estimate:  # fmt: skip
    def said(of_a: str, of_b: str) -> str:
        return of_a if of_a == of_b else f"{of_a} − {of_b}"

    return Estimate(
        name, value, sure.low, sure.high, sure.p, n, neutral, unit, why, groups,
        model=f"{_name(a)} − {_name(b)}", study=a.card.study,
        rule=said(a.card.rule, b.card.rule),
        convention=said(a.card.convention, b.card.convention),
        ties=a.card.ties, interval=sure.interval, test=sure.test,
    )  # fmt: skip


def _note(a: Result, b: Result, left_out: int) -> str:
    notes = []
    if a.card.rule != b.card.rule:
        notes.append(f"scored by different rules, {a.card.rule} and {b.card.rule}")
    if left_out:
        notes.append(f"{left_out} results on items that only one of them scored are left out")
    return "; ".join(notes)


def _name(result: Result) -> str:
    return str(result.card.model["name"])
