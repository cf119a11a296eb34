"""What the runs say about each claim of a paper, in words that were fixed beforehand."""

from collections.abc import Sequence
from typing import NamedTuple

from tiltmeter.active.pool_result import ClaimVerdict, PoolResult
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import PAGE, Block, Table, Text
from tiltmeter.report.documents.active.words import (
    open_span,
    pool_name,
    ratio_text,
    signed,
    strategy_column,
)
from tiltmeter.report.text import number, sentence_end, span

BORNE_OUT = {True: "yes", False: "no", None: ""}
MEASURED = {
    "excess_log_loss": "excess log loss",
    "js_nats": "JS",
    "again": "asked again",
    "underestimated": "f_ent > H",
    "skill": "skill",
}
EXPLAINED = (
    "Excess log loss and JS: votes of the other strategy, or of the best of the others, for each vote of "
    "this one, to the common target; above 1 this one saves votes. Mean: its mean loss less that of the best "
    "of the others, in nats. Asked again and f_ent > H: how much that share of votes grows from the first "
    "to the last third. The best is chosen anew in each resample. Verdicts follow from the 95\u00a0% "
    "interval: no difference if it lies within ±10\u00a0%, else saves or costs if it excludes 1, else "
    "undecided. They are not adjusted for the number of claims. Borne out: whether the verdict is what "
    "the claim says; undecided speaks neither for nor against it."
)


class _Judged(NamedTuple):
    result: PoolResult
    verdict: ClaimVerdict


def verdict_blocks(results: Sequence[PoolResult]) -> list[Block]:
    """One table over all pools, and how to read it."""
    rows = [_Judged(r, v) for r in results for v in r.verdicts if v.word]
    rows.sort(key=lambda row: row.verdict.claim.number)
    if not rows:
        return []
    missing = dict.fromkeys(
        f"Claim {v.claim.number} not tested on {pool_name(r)}: {v.estimate.why}"
        for r in results for v in r.verdicts if not v.word
    )  # fmt: skip
    texts = {v.verdict.claim.number: _paper(rows, v.verdict.claim.number) for v in rows}
    return [
        verdict_table(rows, [sentence_end(text) for text in missing]),
        *(Text(text, "note", PAGE) for text in texts.values()),
        Text(EXPLAINED, "note", PAGE),
    ]


def verdict_table(rows: Sequence[_Judged], notes: Sequence[str] = ()) -> Table:
    """A row a claim, pool and measure."""
    of = TableRows(rows)
    return Table(
        "Claims and verdicts",
        [
            of.counts("claim", lambda r: r.verdict.claim.number),
            strategy_column([row.verdict.claim.strategy for row in rows]),
            of.words("set", lambda r: pool_name(r.result)),
            of.shown("measure", lambda r: r.verdict.measure or r.verdict.claim.kind, _measure),
            of.shown("value", lambda r: r.verdict.estimate.value, _value),
            of.shown("interval", lambda _: None, _span, drop=1, in_files=False),
            of.words("verdict", lambda r: r.verdict.word),
            of.shown(
                "borne out", lambda r: r.verdict.bears_out, lambda r: BORNE_OUT[r.verdict.bears_out], drop=2
            ),
            of.counts("seeds", lambda r: r.verdict.estimate.n, drop=5),
            *of.hidden({
                "kind": lambda r: r.verdict.estimate.name,
                "against": lambda r: r.verdict.estimate.groups.get("against"),
                "low": lambda r: r.verdict.estimate.low, "high": lambda r: r.verdict.estimate.high,
                "censored": lambda r: r.verdict.censored, "why": lambda r: r.verdict.estimate.why,
                "disagreement": lambda r: r.result.manifest.pool.get("disagreement"),
            }),
        ],
        notes=notes,
        most=60,
        name="verdicts",
    )  # fmt: skip


def verdict_file(results: Sequence[PoolResult]) -> Table:
    """Every verdict for a file, those that were not tested too."""
    return verdict_table([_Judged(r, v) for r in results for v in r.verdicts])


def _paper(rows: Sequence[_Judged], number_: int) -> str:
    """What the paper says on one claim."""
    claims = {r.verdict.claim.text: r.verdict.claim for r in rows}
    said = [c for c in claims.values() if c.number == number_ and c.published]
    return f"Claim {number_}: {' '.join(f'{c.text}. The paper: {c.published}.' for c in said)}"


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
