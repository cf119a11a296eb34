"""What the runs say about each claim of a paper, in words that were fixed beforehand."""

from collections.abc import Sequence
from typing import NamedTuple

from tiltmeter.active.paper_claims import PaperClaim
from tiltmeter.active.pool_result import ClaimVerdict, PoolResult
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import PAGE, Block, Column, Table, Text
from tiltmeter.report.documents.active.words import (
    open_span,
    pool_name,
    ratio_text,
    signed,
    strategy_column,
)
from tiltmeter.report.text import counted, number, sentence_end, span

BORNE_OUT = {True: "yes", False: "no", None: ""}
MEASURED = {
    "excess_log_loss": "log loss",
    "js_nats": "JS",
    "again": "asked again",
    "underestimated": "f_ent > H",
    "skill": "skill",
}
EXPLAINED = (
    "Log loss, as the excess over the entropy of the held-out votes, and JS: votes of the other strategy, "
    "or of the best of the others, for each vote of this one, to the common target; above 1 this one saves "
    "votes. Mean: its mean loss less that of the best of the others, in nats. Asked again and f_ent > H: how "
    "much that share of votes grows from the first to the last third. The best is chosen anew in each "
    "resample. Verdicts follow from the 95\u00a0% interval: no difference if it lies within ±10\u00a0%, else "
    "saves or costs if it excludes 1, else undecided. They are not adjusted for the number of claims. Borne "
    "out: whether the verdict is what the claim says; undecided speaks neither for nor against it."
)


class _Judged(NamedTuple):
    result: PoolResult
    verdict: ClaimVerdict


def verdict_blocks(results: Sequence[PoolResult]) -> list[Block]:
    """A table for each claim over all pools, the paper's numbers, and how to read it."""
    judged = [_Judged(r, v) for r in results for v in r.verdicts]
    tested = [row for row in judged if row.verdict.word]
    if not tested:
        return []
    blocks: list[Block] = []
    claims = dict.fromkeys(row.verdict.claim.text for row in tested)
    for text in claims:
        rows = [row for row in tested if row.verdict.claim.text == text]
        claim = rows[0].verdict.claim
        blocks.append(_claim_table(claim, rows))
        if claim.published:
            blocks.append(Text(f"The paper: {sentence_end(claim.published)}", "note"))
    return [
        *blocks,
        *(Text(text, "note") for text in _untested(judged)),
        Text(EXPLAINED, "note", PAGE),
    ]


def _claim_table(claim: PaperClaim, rows: Sequence[_Judged]) -> Table:
    """A row a pool and measure; the seeds below if all rows have the same number."""
    of, seeds = TableRows(rows), {row.verdict.estimate.n for row in rows}
    counted_apart = [] if len(seeds) == 1 else [of.counts("seeds", _seeds, drop=5)]
    return Table(
        f"Claim {claim.number}: {claim.text}",
        [*_shown(rows), *counted_apart, *_hidden(rows)],
        notes=[f"{counted(seeds.pop(), 'seeds')}."] if len(seeds) == 1 else [],
        most=60,
        name=f"verdicts-{claim.number}-{claim.strategy}-{claim.kind}",
    )


def verdict_file(results: Sequence[PoolResult]) -> Table:
    """Every verdict for a file, those that were not tested too."""
    rows = [_Judged(r, v) for r in results for v in r.verdicts]
    of = TableRows(rows)
    first = of.counts("claim", lambda r: r.verdict.claim.number)
    named = strategy_column([row.verdict.claim.strategy for row in rows])
    columns = [first, named, *_shown(rows), of.counts("seeds", _seeds), *_hidden(rows)]
    return Table("Claims and verdicts", columns, name="verdicts")


def _shown(rows: Sequence[_Judged]) -> list[Column]:
    of = TableRows(rows)
    return [
        of.words("set", lambda r: pool_name(r.result)),
        Column(
            "measure", [row.verdict.measure or row.verdict.claim.kind for row in rows],
            shown=[_measure(row) for row in rows], number=False,
        ),
        of.shown("value", lambda r: r.verdict.estimate.value, _value),
        of.shown("interval", lambda _: None, _span, drop=1, in_files=False),
        of.words("verdict", lambda r: r.verdict.word),
        of.shown(
            "borne out", lambda r: r.verdict.bears_out, lambda r: BORNE_OUT[r.verdict.bears_out], drop=2
        ),
    ]  # fmt: skip


def _hidden(rows: Sequence[_Judged]) -> list[Column]:
    return TableRows(rows).hidden({
        "kind": lambda r: r.verdict.estimate.name,
        "against": lambda r: r.verdict.estimate.groups.get("against"),
        "low": lambda r: r.verdict.estimate.low, "high": lambda r: r.verdict.estimate.high,
        "censored": lambda r: r.verdict.censored, "why": lambda r: r.verdict.estimate.why,
        "disagreement": lambda r: r.result.manifest.pool.get("disagreement"),
    })  # fmt: skip


def _seeds(row: _Judged) -> int:
    return row.verdict.estimate.n


def _untested(judged: Sequence[_Judged]) -> list[str]:
    """Claims that were not tested, with the pools and the reason."""
    pools: dict[tuple[int, str], dict[str, None]] = {}
    for result, verdict in judged:
        if not verdict.word:
            key = verdict.claim.number, verdict.estimate.why
            pools.setdefault(key, {})[pool_name(result)] = None
    return [
        sentence_end(f"Claim {claim} not tested on {', '.join(names)}: {why}")
        for (claim, why), names in sorted(pools.items())
    ]


def _measure(row: _Judged) -> str:
    name = MEASURED[row.verdict.measure or row.verdict.claim.kind]
    return f"{name}, mean" if row.verdict.estimate.name == "loss" else name


def _value(row: _Judged) -> str:
    estimate = row.verdict.estimate
    if estimate.name == "loss":
        return signed(estimate.value or 0.0)
    if row.verdict.claim.kind == "votes":
        return ratio_text(estimate.value, row.verdict.censored)
    return "" if estimate.value is None else number(estimate.value)


def _span(row: _Judged) -> str:
    estimate = row.verdict.estimate
    if estimate.name == "loss":
        return span(estimate, show=signed)
    return "" if estimate.value is None else open_span(estimate.low, estimate.high)
