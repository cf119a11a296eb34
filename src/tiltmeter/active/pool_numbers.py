"""What the runs on one pool say, as estimates and records without the axis of the pool."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from tiltmeter.active.curves import SEEDS, Curves, growth, mean_curves, over_seeds
from tiltmeter.active.paper_claims import BASELINES
from tiltmeter.active.pool_runs import PoolRuns
from tiltmeter.active.run_files import VoteQuery
from tiltmeter.active.targets import TARGET, UNREACHED, baseline_ratio, votes_to_target
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record
from tiltmeter.core.types import Array
from tiltmeter.core.views import HIGH, LOW

ALL, MAIN = "all strategies", "main"
"""In place of a strategy, what is the same for all; and the verdict of the target that counts."""
CURVE, POINT = "curve", "point"
"""Kinds of records: means over seeds with their bands, and what was measured with each seed."""
FULL = quantity(
    "full_data_loss", "Loss after training on every vote", "all votes", counts="seeds", unit="nats",
    interval=SEEDS,
)  # fmt: skip
FLOOR = quantity("noise_floor", "Noise floor", "noise floor", counts="seeds", unit="nats")
DISAGREEMENT = quantity(
    "disagreement", "Probability that two votes on an item differ", "two votes differ", decimals=2
)
SHARES = {
    "again": quantity("asked_again", "Asked again", counts="seeds", decimals=2),
    "underestimated": quantity("f_ent_above_h", "f_ent > H", counts="seeds", decimals=2),
}
"""Shares of votes, among those since the measured point before."""
GROWTHS = {
    name: quantity(
        f"{share.name}_growth", f"{share.meaning.title}, change", "change", counts="seeds", neutral=0.0,
        interval=SEEDS,
    )
    for name, share in SHARES.items()
}  # fmt: skip
"""The mean of the last third of the points minus that of the first."""
SKILL = quantity(
    "f_ent_skill", "Skill of f_ent", "skill", counts="seeds", neutral=0.0, interval=SEEDS
)
CORRELATION = quantity(
    "f_ent_correlation", "Correlation of f_ent with the entropy of all votes", "correlation",
    counts="seeds",
)  # fmt: skip
ERROR = quantity(
    "f_ent_mse", "Mean squared error of f_ent", "squared error", counts="seeds", unit="nats²", decimals=3,
    interval=SEEDS,
)  # fmt: skip
QUANTITIES = (
    FULL,
    FLOOR,
    *SHARES.values(),
    *GROWTHS.values(),
    SKILL,
    CORRELATION,
    ERROR,
    DISAGREEMENT,
)


def pool_estimates(pool: PoolRuns) -> Iterator[Estimate]:
    """Votes to targets, ratios, differences in mean loss, shares of votes, and what f_ent is worth."""
    items = pool.manifest.pool.get("items")
    if not np.isnan(pool.disagreement):
        yield DISAGREEMENT.at(pool.disagreement, n=items if isinstance(items, int) else 0)
    for loss in pool.losses:
        for e in _of_loss(pool, loss):
            yield _at(e, loss=loss)
    yield from _shares(pool)
    yield from _skills(pool.skill)
    yield from _budgets(pool)


def _at(estimate: Estimate, **groups: str) -> Estimate:
    return replace(estimate, groups={**groups, **estimate.groups})


def _of_loss(pool: PoolRuns, loss: str) -> Iterator[Estimate]:
    runs = pool.losses[loss]
    for target in runs.targets:
        others = (name for name in target.exact if name != pool.against)
        ratios = (_at(target.ratio(n, (pool.against,)), strategy=n) for n in others)
        for e in (*target.estimates, *ratios):
            main = e.name == TARGET.name and target is runs.main_target
            yield replace(_at(e, target=target.kind), verdict=MAIN if main else e.verdict)
    yield from baseline_ratios(runs.curves)
    yield from runs.differences
    if len(runs.curves.full):
        yield FULL.at(*over_seeds(runs.curves.full), n=len(runs.curves.full))
    if pool.floor is not None and loss == "js_nats":
        yield FLOOR.at(pool.floor, n=runs.curves.seeds)


def baseline_ratios(curves: Curves, *, seed: int = 0) -> Iterator[Estimate]:
    """By the paper's rule, of every strategy that is no baseline and is trained on single votes."""
    baselines = [name for name in BASELINES if name in curves.strategies]
    for name in curves.strategies:
        if name in BASELINES or name.endswith("_majority"):
            continue
        for other in baselines:
            groups = {"strategy": name, "baseline": other}
            rng = np.random.default_rng(seed)
            yield replace(baseline_ratio(curves, name, other, rng), groups=groups)


def printed_estimates(curves: Curves, loss: str = "js_nats") -> Iterator[Estimate]:
    """Votes to one target for all and ratios, of curves that a paper prints: without intervals."""
    target = votes_to_target(curves, np.random.default_rng(0), draws=1)
    best = min(target.exact, key=lambda name: name not in BASELINES)
    ratios = (_at(target.ratio(n, (best,)), strategy=n) for n in target.exact if n != best)
    at_target = (_at(e, target=target.kind) for e in (*target.estimates, *ratios))
    full = FULL.at(float(curves.full[0]), n=1)
    for e in (*at_target, *baseline_ratios(curves), full):
        if e.name != UNREACHED.name:
            plain = replace(e, low=None, high=None, interval="", verdict="", n=0)
            yield _at(replace(plain, why="" if e.value is not None else e.why), loss=loss)


def printed_records(curves: Curves, loss: str = "js_nats") -> Iterator[Record]:
    """The points of curves that a paper prints."""
    for name, curve in curves.strategies.items():
        for votes, value in zip(curve.votes.tolist(), curve.losses[0].tolist(), strict=True):
            groups = {"strategy": name, "votes": f"{votes:g}"}
            yield Record(f"{name}, {votes:g} votes", {loss: value}, groups, kind=CURVE)


def _shares(pool: PoolRuns) -> Iterator[Estimate]:
    for name, by_strategy in pool.shares.items():
        for strategy, rates in by_strategy.items():
            third, groups = max(1, rates.shape[1] // 3), {"strategy": strategy}
            for part, values in (("first", rates[:, :third]), ("last", rates[:, -third:])):
                known = values[~np.isnan(values)]
                if len(known):
                    yield SHARES[name].at(
                        float(known.mean()), n=len(rates), groups={**groups, "third": part}
                    )
            grown = growth(rates)
            known = grown[~np.isnan(grown)]
            if len(known):
                yield GROWTHS[name].at(*over_seeds(known), n=len(known), groups=groups)


def _skills(skill: Mapping[str, Array]) -> Iterator[Estimate]:
    """The skill of f_ent in each strategy; once where it is the same for all, as with a common start."""
    if not skill:
        return
    first, *others = skill.values()
    same = all(np.array_equal(first, other) for other in others)
    for name, values in {ALL: first}.items() if same else skill.items():
        yield SKILL.at(*over_seeds(values), n=len(values), groups={"strategy": name})


def _budgets(pool: PoolRuns) -> Iterator[Estimate]:
    """What f_ent is worth by the number of items and of votes on each, as far as the pool has them."""
    for votes_each, items in sorted({(b.votes_each, b.items) for b in pool.budgets}):
        budgets = [b for b in pool.budgets if (b.votes_each, b.items) == (votes_each, items)]
        groups = {"votes_each": str(votes_each), "items": str(items)}
        skills = np.array([b.skill for b in budgets if b.skill is not None])
        together = np.array([b.correlation for b in budgets if b.correlation is not None])
        errors = np.array([b.mse for b in budgets if b.mse is not None])
        if len(errors):
            yield ERROR.at(*over_seeds(errors), n=len(errors), groups=groups)
        if len(skills):
            yield SKILL.at(*over_seeds(skills), n=len(skills), groups=groups)
        else:
            yield SKILL.at(None, why="all test items have the same entropy", groups=groups)
        if len(together):
            yield CORRELATION.at(float(together.mean()), n=len(together), groups=groups)


def pool_records(pool: PoolRuns) -> Iterator[Record]:
    """Learning curves with their bands, and what was measured with each seed."""
    series = {name: {s: c.losses for s, c in runs.curves.strategies.items()}
              for name, runs in pool.losses.items()}  # fmt: skip
    series |= {name: dict(by_strategy) for name, by_strategy in pool.further.items()}
    unknown = np.full((len(pool.table.seeds), 1), np.nan)  # at the first point nothing was asked
    for name, rates in pool.shares.items():
        series[name] = {s: np.hstack([unknown, values]) for s, values in rates.items()}
    curves = {name: mean_curves(by_strategy) for name, by_strategy in series.items()}
    votes = [str(v) for v in pool.table.votes.tolist()]
    for strategy in pool.table.strategies:
        for point, at in enumerate(votes):
            scores: dict[str, float] = {}
            for name, means in curves.items():
                if strategy in means:
                    curve = means[strategy]
                    scores[name] = curve.mean[point]
                    scores[LOW.format(name)] = curve.low[point]
                    scores[HIGH.format(name)] = curve.high[point]
            groups = {"strategy": strategy, "votes": at}
            yield Record(f"{strategy}, {at} votes", _known(scores), groups, kind=CURVE)
    for strategy in pool.table.strategies:
        for row, seed in enumerate(pool.table.seeds):
            for point, at in enumerate(votes):
                scores = {n: by[strategy][row, point] for n, by in series.items() if strategy in by}
                if point == len(votes) - 1 and strategy in pool.skill:
                    scores[SKILL.name] = pool.skill[strategy][row]
                groups = {"strategy": strategy, "seed": str(seed), "votes": at}
                yield Record(
                    f"{strategy}, seed {seed}, {at} votes", _known(scores), groups, kind=POINT
                )


def _known(scores: Mapping[str, float]) -> dict[str, float]:
    return {name: float(value) for name, value in scores.items() if not np.isnan(value)}


def query_record(query: VoteQuery, kind: str) -> Record:
    """A vote that was bought, and why, as a record of this kind."""
    scores = {"votes": query.votes, "score": query.score, "h": query.h, "f_ent": query.f_ent}
    groups = {
        "strategy": query.strategy, "seed": str(query.seed), "item": query.item,
        "annotator": query.annotator or "",
    }  # fmt: skip
    return Record(
        query.item, {name: float(v) for name, v in scores.items() if v is not None}, groups,
        texts={
            "label": query.label, "reason": query.reason, "asked before": "yes" if query.repeated else "",
        },
        kind=kind,
    )  # fmt: skip
