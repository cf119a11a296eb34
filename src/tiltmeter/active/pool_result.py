"""Everything that a folder of active-learning runs says, computed once for every renderer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

import numpy as np

from tiltmeter.active.claims import (
    WORDS,
    ClaimKind,
    PaperClaim,
    claims_of,
)
from tiltmeter.active.curves import Curves, ItemLosses, StrategyCurve, differences, growth
from tiltmeter.active.loop import FULL_DATA
from tiltmeter.active.records import (
    LearningCurves,
    RunManifest,
    VoteQuery,
    finished_seeds,
    load_curves,
    load_item_losses,
    load_points,
    load_queries,
)
from tiltmeter.active.targets import Target, TargetTable, VotesRatio, ratio, votes_to_target
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Meaning
from tiltmeter.core.types import Array
from tiltmeter.stats.bootstrap import RESAMPLES
from tiltmeter.stats.intervals import student

MEASURES: Mapping[str, str] = {
    "log_loss": "log loss of single held-out votes",
    "js_nats": "Jensen-Shannon divergence",
}
"""Losses that are compared, the headline first, and what each is."""
FLOOR, SKILL, AGAIN, UNDERESTIMATED = "floor", "f_ent_skill", "reannotated", "f_ent_above_h"
AGREED = "agreed_only"
"""The setting under which all training items are agreed on."""


@dataclass(frozen=True, slots=True)
class MeasureResult:
    """What one measure of loss says about all strategies."""

    curves: Curves
    targets: tuple[TargetTable, ...]
    """1.05 × the best loss; where the fit to every vote is known also 90 % of that gap."""
    ratios: tuple[VotesRatio, ...]
    """Votes of `against` per vote of each other strategy, to each target."""
    differences: tuple[Estimate, ...]
    """In mean loss, of each other strategy less `against`."""

    @property
    def main_target(self) -> TargetTable:
        """The first target that some strategy does not reach at the start already.

        Log loss never falls below the entropy of votes, so 1.05 times the best may say nothing.
        """
        open_ = (t for t in self.targets if not all(row.at_start for row in t.votes))
        return next(open_, self.targets[0])


@dataclass(frozen=True, slots=True)
class ClaimVerdict:
    """What a pool says about one claim."""

    claim: PaperClaim
    measure: str
    """The loss by which votes were counted; "" for claims that need none."""
    estimate: Estimate
    """n counts seeds. An end is None where there is no limit, or no interval."""
    word: str
    """One of the claim's words; "" where it was not tested, for the reason in the estimate."""
    bears_out: bool | None
    """Whether the claim is borne out; None where nothing speaks for or against it."""
    censored: str = ""
    """"above" or "below": on which side of the value the true ratio lies."""


@dataclass(frozen=True, slots=True)
class PoolResult:
    """One folder of runs."""

    folder: Path
    manifest: RunManifest
    against: str
    """The strategy with which others are compared; "" where there is only one."""
    seeds: tuple[int, ...]
    measures: Mapping[str, MeasureResult]
    again: Mapping[str, Array]
    """Share of votes on items that had one, by strategy; (seeds, points − 1)."""
    underestimated: Mapping[str, Array]
    """Share of votes with f_ent(x) > H(f(x)), for strategies with f_ent; (seeds, points − 1)."""
    skill: Mapping[str, Array]
    """1 − MSE / MSE of the mean of f_ent, by strategy; one a seed."""
    floor: float | None
    """The divergence that the true distributions themselves would score, in nats."""
    verdicts: tuple[ClaimVerdict, ...] = ()
    queries: tuple[VoteQuery, ...] = ()
    """The first votes that were chosen, of the first seed, strategy by strategy."""
    notes: tuple[str, ...] = field(default=())

    @property
    def disagreement(self) -> float:
        """Probability that two votes on an item differ; NaN where it is not known."""
        value = self.manifest.pool.get("disagreement")
        return float(value) if isinstance(value, int | float) else float("nan")


def read_result(
    folder: Path,
    *,
    against: str = "passive",
    convention: str = "baumler2023",
    draws: int = RESAMPLES,
    shown: int = 20,
    seed: int = 0,
) -> PoolResult:
    """Read a folder of runs and compute everything that is shown of it.

    Args:
        folder: As `active simulate` and `active live` write it.
        against: The strategy with which others are compared; where it was not run, the first one.
        convention: Whose claims are judged.
        draws: Resamples of every bootstrap.
        shown: Queries of each strategy to keep for the reader.
        seed: Of the resamples.

    Raises:
        BadInput: The folder has no finished run.
        UnknownName: There is no such convention.
    """
    claims = claims_of(convention)
    manifest = RunManifest.read(folder)
    found = load_curves(folder)
    base = against if against in found.strategies else found.strategies[0]
    rng = np.random.default_rng(seed)
    measures = {
        name: _measured(_curves(folder, found, name), base, rng, draws)
        for name in MEASURES
        if name in found.values and not np.isnan(list(found.values[name].values())).any()
    }
    result = PoolResult(
        folder, manifest, base, found.seeds, measures, _rates(found, AGAIN),
        _rates(found, UNDERESTIMATED), dict(_skills(found)), _floor(found),
        queries=tuple(_first_queries(folder, found, shown)),
    )  # fmt: skip
    return replace(result, verdicts=tuple(_judged(result, claims)))


# ---- Reading


def _curves(folder: Path, found: LearningCurves, measure: str) -> Curves:
    votes = found.votes.astype(np.float64)
    curves = {
        name: StrategyCurve(votes, losses, _item_losses(folder, name, found.seeds, measure))
        for name, losses in found.values[measure].items()
    }
    return Curves(measure, curves, _full(folder, found.seeds, measure))


def _item_losses(
    folder: Path, strategy: str, seeds: Sequence[int], measure: str
) -> ItemLosses | None:
    rows = [
        (getattr(loss, measure), loss.seed, loss.item)
        for seed in seeds
        for loss in load_item_losses(folder, strategy, seed)
    ]
    if not rows:
        return None
    values, of_seed, items = zip(*rows, strict=True)
    return ItemLosses(np.array(values), np.array(of_seed), np.array(items))


def _full(folder: Path, seeds: Sequence[int], measure: str) -> Array:
    """The loss after training on every vote, one a seed; empty where a seed lacks it."""
    if not set(seeds) <= finished_seeds(folder, FULL_DATA):
        return np.empty(0)
    values = [load_points(folder, FULL_DATA, seed)[-1].measures.get(measure) for seed in seeds]
    known = [value for value in values if value is not None]
    return np.array(known if len(known) == len(seeds) else [], dtype=np.float64)


def _rates(found: LearningCurves, measure: str) -> dict[str, Array]:
    """A share among the votes since the point before, from the second point on; by strategy."""
    known = found.values.get(measure, {})
    return {name: rates[:, 1:] for name, rates in known.items() if not np.isnan(rates).all()}


def _first_queries(folder: Path, found: LearningCurves, shown: int) -> Iterator[VoteQuery]:
    """The first votes that each strategy chose with the first seed."""
    for name in found.strategies:
        chosen = (q for q in load_queries(folder, name, found.seeds[0]) if q.h is not None)
        yield from islice(chosen, shown)


def _floor(found: LearningCurves) -> float | None:
    known = found.values.get(FLOOR, {})
    values = [losses[:, -1] for losses in known.values()]
    return float(np.nanmean(values)) if values and not np.isnan(values).all() else None


def _skills(found: LearningCurves) -> Iterator[tuple[str, Array]]:
    for name, values in found.values.get(SKILL, {}).items():
        last = values[:, -1]
        if not np.isnan(last).any():
            yield name, last


# ---- Computing


def _measured(curves: Curves, against: str, rng: np.random.Generator, draws: int) -> MeasureResult:
    kinds: list[Target] = ["best", "gap"] if len(curves.full) else ["best"]
    targets = tuple(votes_to_target(curves, rng, kind=kind, draws=draws) for kind in kinds)
    others = [name for name in curves.strategies if name != against]
    ratios = tuple(ratio(curves, t, name, (against,)) for t in targets for name in others)
    return MeasureResult(
        curves, targets, ratios, tuple(differences(curves, against, rng, draws=draws))
    )


def _judged(result: PoolResult, claims: Sequence[PaperClaim]) -> Iterator[ClaimVerdict]:
    """A verdict on each claim; on claims about votes one for each measure."""
    agreed = bool(result.manifest.settings.get(AGREED, False))
    for claim in claims:
        if claim.agreed_only != agreed:
            continue
        if claim.kind == "votes":
            for measure in result.measures:
                yield _by_votes(result, claim, measure)
                yield from _by_loss(result, claim, measure)
        else:
            yield _by_seeds(result, claim)


def _by_votes(result: PoolResult, claim: PaperClaim, measure: str) -> ClaimVerdict:
    found = result.measures[measure]
    run = found.curves.strategies
    others = tuple(name for name in claim.against if name in run and name != claim.strategy)
    if claim.strategy not in run or not others:
        missing = claim.strategy if claim.strategy not in run else " or ".join(claim.against)
        return _untested(claim, measure, f"{missing} was not run")
    row = ratio(found.curves, found.main_target, claim.strategy, others)
    estimate = _estimate(claim, row.value, row.low, row.high, result, "times the votes")
    named = {"strategy": claim.strategy, "against": row.against}
    estimate = replace(estimate, interval="bootstrap of seeds", groups=named)
    if row.value is None:
        why = "both reach the target at the start, or neither does"
        estimate = replace(estimate, low=None, high=None, why=why)
    return _verdict(result, claim, measure, estimate, row.censored)


def _by_loss(result: PoolResult, claim: PaperClaim, measure: str) -> Iterator[ClaimVerdict]:
    """The same by the mean loss, against the strategy of the others that has the lowest."""
    means = result.measures[measure].curves.mean_losses()
    others = [name for name in claim.against if name in means and name != claim.strategy]
    if claim.strategy not in means or not others:
        return
    best = min(others, key=lambda name: float(means[name].mean()))
    value, low, high = mean_interval(means[claim.strategy] - means[best])
    estimate = replace(
        _estimate(claim, value, low, high, result, "nats"), name="loss", neutral=0.0,
        interval="Student over seeds", groups={"strategy": claim.strategy, "against": best},
    )  # fmt: skip
    if low is not None:
        word = WORDS["loss"].judge(low, high)
        yield ClaimVerdict(
            claim, measure, estimate, word, claim.bears_out(word, result.disagreement)
        )


def _by_seeds(result: PoolResult, claim: PaperClaim) -> ClaimVerdict:
    if claim.kind == "skill":
        values = result.skill.get(claim.strategy)
    else:
        rates = result.again if claim.kind == "again" else result.underestimated
        values = growth(rates[claim.strategy]) if claim.strategy in rates else None
    if values is None or np.isnan(values).all():
        return _untested(claim, "", f"{claim.strategy} was not run, or has no such number")
    known = values[~np.isnan(values)]
    value, low, high = mean_interval(known)
    estimate = _estimate(claim, value, low, high, result, "")
    estimate = replace(estimate, n=len(known), interval="Student over seeds")
    if low is None:
        why = "the spread cannot be estimated from these seeds"
        return ClaimVerdict(claim, "", replace(estimate, why=why, interval=""), "", None)
    return _verdict(result, claim, "", estimate)


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


def _verdict(
    result: PoolResult, claim: PaperClaim, measure: str, estimate: Estimate, censored: str = ""
) -> ClaimVerdict:
    word = WORDS[claim.kind].judge(estimate.low, estimate.high)
    bears_out = claim.bears_out(word, result.disagreement)
    return ClaimVerdict(claim, measure, estimate, word, bears_out, censored)


def _untested(claim: PaperClaim, measure: str, why: str) -> ClaimVerdict:
    bare = Estimate(claim.kind, None, None, None, None, 0, WORDS[claim.kind].neutral, "", why=why)
    return ClaimVerdict(claim, measure, bare, "", None)


def _estimate(
    claim: PaperClaim,
    value: float | None,
    low: float | None,
    high: float | None,
    result: PoolResult,
    unit: str,
) -> Estimate:
    kind: ClaimKind = claim.kind
    groups = {"strategy": claim.strategy, "against": " or ".join(claim.against)}
    return Estimate(
        kind, value, low, high, None, len(result.seeds), WORDS[kind].neutral, unit,
        groups=groups, meaning=Meaning(counts="seeds"),
    )  # fmt: skip
