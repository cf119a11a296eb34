"""What the runs on one pool say about each claim of a paper."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from tiltmeter.active.curves import growth, mean_interval
from tiltmeter.active.paper_claims import WORDS, ClaimKind, PaperClaim
from tiltmeter.active.pool_result import ClaimVerdict, PoolResult
from tiltmeter.active.targets import ratio
from tiltmeter.core.results import Estimate, Meaning

AGREED = "agreed_only"
"""The setting under which all training items are agreed on."""


def judged(result: PoolResult, claims: Sequence[PaperClaim]) -> Iterator[ClaimVerdict]:
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
    of_measure = result.measures[measure]
    run = of_measure.curves.strategies
    others = tuple(name for name in claim.against if name in run and name != claim.strategy)
    if claim.strategy not in run or not others:
        missing = claim.strategy if claim.strategy not in run else " or ".join(claim.against)
        return _untested(claim, measure, f"{missing} was not run")
    row = ratio(of_measure.curves, of_measure.main_target, claim.strategy, others)
    estimate = _estimate(claim, row.value, row.low, row.high, result, "times the votes")
    groups = {"strategy": claim.strategy, "against": row.against}
    estimate = replace(estimate, interval="bootstrap of seeds", groups=groups)
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
        return _untested(claim, "", _why_unknown(result, claim))
    known = values[~np.isnan(values)]
    value, low, high = mean_interval(known)
    estimate = _estimate(claim, value, low, high, result, "")
    estimate = replace(estimate, n=len(known), interval="Student over seeds")
    if low is None:
        why = "the spread cannot be estimated from these seeds"
        return ClaimVerdict(claim, "", replace(estimate, why=why, interval=""), "", None)
    return _verdict(result, claim, "", estimate)


def _why_unknown(result: PoolResult, claim: PaperClaim) -> str:
    if claim.strategy not in result.manifest.strategies:
        return f"{claim.strategy} was not run"
    if claim.kind == "skill":
        return "no test item has N votes, or all have the same entropy, so f_ent has nothing to predict"
    return f"{claim.strategy} chose no votes of which this share could be taken"


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
