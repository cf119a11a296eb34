"""What the runs on one pool say about each claim of a paper."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from tiltmeter.active.curves import DIFFERENCE, SEEDS, growth, over_seeds
from tiltmeter.active.paper_claims import VERDICTS, PaperClaim
from tiltmeter.active.pool_numbers import GROWTHS, SKILL
from tiltmeter.active.pool_runs import PoolRuns
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.quantity import quantity
from tiltmeter.core.records import Record

CLAIM = "claim"
"""Kind of the records of claims: what each was compared with, or why it was not tested."""
BORNE_OUT = quantity("borne_out", "Claims borne out", counts="verdicts", decimals=0)
"""1 or 0, with the verdict "yes" or "no"; only of verdicts that speak for or against a claim."""
MEAN = "{}_mean"
"""By which a claim about votes is judged besides votes: the mean of a loss."""
F1: Final = "macro_f1"
F1_DIFFERENCE = quantity(
    "macro_f1_difference", "Difference in mean macro-F1", "difference", counts="seeds", decimals=4,
    neutral=0.0, interval=SEEDS, better="higher", sides=("lower macro-F1", "higher macro-F1"),
    neutral_is="no difference",
)  # fmt: skip


def judged(pool: PoolRuns, claims: Sequence[PaperClaim]) -> Iterator[Estimate | Record]:
    """A verdict on each claim, with the axes `claim` and `by`; on claims about votes two for each loss."""
    for claim in claims:
        if claim.agreed_only != pool.agreed_only:
            continue
        if claim.kind == "votes":
            for loss in pool.losses:
                yield from _by_votes(pool, claim, loss)
            if claim.has_f1:
                yield from _by_f1(pool, claim)
        else:
            yield from _by_seeds(pool, claim)


def _by_votes(pool: PoolRuns, claim: PaperClaim, loss: str) -> Iterator[Estimate | Record]:
    """By votes to the target, and by the mean loss against the best strategy of the others."""
    runs = pool.losses[loss]
    others = [n for n in claim.against if n in runs.curves.strategies and n != claim.strategy]
    if claim.strategy not in runs.curves.strategies or not others:
        ran = claim.strategy in runs.curves.strategies
        missing = " or ".join(claim.against) if ran else claim.strategy
        yield _record(claim, loss, why=f"{missing} was not run")
        return
    yield _record(claim, loss, against=" or ".join(others))
    yield from _verdict(pool, claim, loss, runs.main_target.ratio(claim.strategy, others))
    means = runs.curves.mean_losses()
    best = min(others, key=lambda name: float(means[name].mean()))
    value, ends = over_seeds(means[claim.strategy] - means[best])
    if ends.low is not None:
        word, by = VERDICTS["loss"].judge(ends.low, ends.high, runs.curves.seeds), MEAN.format(loss)
        yield _record(claim, by, against=best)
        difference = DIFFERENCE.at(value, ends, n=runs.curves.seeds, verdict=word)
        yield from _verdict(pool, claim, by, difference)


def _by_f1(pool: PoolRuns, claim: PaperClaim) -> Iterator[Estimate | Record]:
    """By the mean macro-F1 over the measured points, less that of the best of the others."""
    means = {name: rows.mean(axis=1) for name, rows in pool.further.get(F1, {}).items()}
    others = [name for name in claim.against if name in means]
    if claim.strategy not in means or not others:
        return  # said with the losses already
    best = max(others, key=lambda name: float(means[name].mean()))
    value, ends = over_seeds(means[claim.strategy] - means[best])
    seeds = len(means[best])
    word = "" if ends.low is None else VERDICTS[F1].judge(ends.low, ends.high, seeds)
    yield _record(claim, F1, against=best, why=ends.why)
    yield from _verdict(pool, claim, F1, F1_DIFFERENCE.at(value, ends, n=seeds, verdict=word))


def _by_seeds(pool: PoolRuns, claim: PaperClaim) -> Iterator[Estimate | Record]:
    if claim.kind == "skill":
        values = pool.skill.get(claim.strategy)
    else:
        rates = pool.shares[claim.kind]
        values = growth(rates[claim.strategy]) if claim.strategy in rates else None
    if values is None or np.isnan(values).all():
        yield _record(claim, claim.kind, why=_why_unknown(pool, claim))
        return
    known = values[~np.isnan(values)]
    value, ends = over_seeds(known)
    word = "" if ends.low is None else VERDICTS[claim.kind].judge(ends.low, ends.high, len(known))
    measure = SKILL if claim.kind == "skill" else GROWTHS[claim.kind]
    yield _record(claim, claim.kind, why=ends.why)
    yield from _verdict(
        pool, claim, claim.kind, measure.at(value, ends, n=len(known), verdict=word)
    )


def _why_unknown(pool: PoolRuns, claim: PaperClaim) -> str:
    if claim.strategy not in pool.manifest.strategies:
        return f"{claim.strategy} was not run"
    if claim.kind == "skill":
        return "no test item has N votes, or all have the same entropy, so f_ent has nothing to predict"
    return f"{claim.strategy} chose no votes of which this share could be taken"


def _verdict(pool: PoolRuns, claim: PaperClaim, by: str, estimate: Estimate) -> Iterator[Estimate]:
    groups = {"claim": claim.id, "by": by}
    yield replace(estimate, groups=groups)
    if not estimate.verdict:
        return
    bears_out = claim.bears_out(estimate.verdict, pool.disagreement)
    if bears_out is not None:
        yield BORNE_OUT.at(float(bears_out), verdict="yes" if bears_out else "no", groups=groups)


def _record(claim: PaperClaim, by: str, *, against: str = "", why: str = "") -> Record:
    texts = {"against": against, "why": why, "published": claim.published}
    return Record(claim.text, {}, {"claim": claim.id, "by": by}, texts=texts, kind=CLAIM)
