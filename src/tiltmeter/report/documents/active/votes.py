"""How many votes each strategy needs, and how its mean loss differs: tables."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tiltmeter.active.curves import DIFFERENCE, WITH_ITEMS
from tiltmeter.active.paper_claims import UNDECIDED, WORDS
from tiltmeter.active.pool_result import MEASURES, MeasureResult, PoolResult
from tiltmeter.active.targets import CLOSED, NEAR, TargetTable, VotesRatio, VotesToTarget
from tiltmeter.core.results import Estimate
from tiltmeter.report.columns import TableRows, file_table, interval_columns, p_column
from tiltmeter.report.document import PAGE, Block, On, Table, Text, Value
from tiltmeter.report.documents.active.words import (
    pool_name,
    ratio_span,
    ratio_text,
    share_text,
    signed,
    strategy_column,
    titled,
    votes_span,
    votes_text,
)
from tiltmeter.report.text import counted, number, raised, sentence_end, span

TARGETS = {
    "best": f"{NEAR} × the best mean loss of any strategy",
    "gap": f"{100 * CLOSED:.0f}\u00a0% of the gap between the start and training on every vote closed",
}
SHORT = {"best": f"{NEAR} × the best", "gap": f"{100 * CLOSED:.0f}\u00a0% of the gap closed"}
EXCESS = (
    "Excess log loss: log loss of single held-out votes less the entropy of these votes, which log loss "
    "never falls below. It is the Kullback–Leibler divergence from votes to prediction. Differences "
    "between strategies are those of log loss."
)
EXPLAINED = (
    "Votes: where the mean curve first reaches the target, interpolated between measured points. The "
    "ratio is the votes of {base} for each vote of the strategy: above 1 the strategy saves votes. "
    "Intervals resample seeds through the whole computation, target included. Not reached: share of "
    "resamples in which the budget does not suffice; > marks a lower and < an upper bound. Verdicts: "
    "saves or costs where the interval excludes 1, no difference where it lies between 0.909 and 1.10, "
    "else undecided."
)


_FileRow: TypeAlias = tuple[str, str, TargetTable, VotesToTarget, VotesRatio | None]


@dataclass(frozen=True, slots=True)
class _Row:
    """A strategy's votes, and the ratio to those of the strategy it is compared with."""

    votes: VotesToTarget
    ratio: VotesRatio | None


def votes_blocks(result: PoolResult, *, on: On) -> list[Block]:
    """A table for each measure and target; the headline's first."""
    blocks: list[Block] = []
    for name, found in result.measures.items():
        for table in sorted(found.targets, key=lambda table: table is not found.main_target):
            where = PAGE if blocks else on
            if all(row.unreached == 1 for row in table.votes):
                blocks.append(Text(_never(name, table), "note", where))
            else:
                blocks.append(votes_table(result, name, found, table, on=where))
    notes = (EXCESS, EXPLAINED.format(base=titled(result.against)))
    return [*blocks, *(Text(note, "note", PAGE) for note in notes)]


def _never(measure: str, table: TargetTable) -> str:
    """That no strategy gets there."""
    budget = max(row.budget for row in table.votes)
    goal = f"{MEASURES[measure]} ≤ {number(table.loss)} nats ({SHORT[table.kind]})"
    return f"No strategy reaches {goal} within {budget:,.0f} votes, in any resample."


def votes_table(
    result: PoolResult, measure: str, found: MeasureResult, table: TargetTable, *, on: On
) -> Table:
    """Votes of every strategy to one target, by one measure."""
    ratios = {row.strategy: row for row in found.ratios if row.kind == table.kind}
    rows = [_Row(votes, ratios.get(votes.strategy)) for votes in table.votes]
    of = TableRows(rows)
    goal = f"{MEASURES[measure]} ≤ {number(table.loss)} nats"
    return Table(
        f"{raised(goal)}, {SHORT[table.kind]}",
        [
            strategy_column([row.votes.strategy for row in rows]),
            of.shown("votes", lambda r: r.votes.votes, lambda r: votes_text(r.votes)),
            of.shown("interval", lambda _: None, lambda r: votes_span(r.votes), drop=2, in_files=False),
            of.shown(
                "not reached", lambda r: r.votes.unreached, lambda r: share_text(r.votes.unreached), drop=3
            ),
            of.shown(
                "ratio", lambda r: r.ratio.value if r.ratio else None,
                lambda r: ratio_text(r.ratio.value, r.ratio.censored) if r.ratio else "",
            ),
            of.shown(
                "interval of ratio", lambda _: None, lambda r: ratio_span(r.ratio) if r.ratio else "",
                drop=1, in_files=False,
            ),
            of.words("verdict", lambda r: _word(r.ratio)),
        ],
        notes=[f"Target: {TARGETS[table.kind]}; {counted(len(result.seeds), 'seeds')}."],
        name=f"votes-{measure}-{table.kind}",
        on=on,
    )  # fmt: skip


def votes_file(results: Sequence[PoolResult]) -> Table:
    """Votes of every strategy on every pool to every target, for a file."""
    rows: list[_FileRow] = [
        (pool_name(result), measure, table, votes, ratios.get((table.kind, votes.strategy)))
        for result in results
        for measure, found in result.measures.items()
        for ratios in [{(r.kind, r.strategy): r for r in found.ratios}]
        for table in found.targets
        for votes in table.votes
    ]
    return file_table("Votes", rows, {
        "set": lambda r: r[0], "measure": lambda r: r[1], "target": lambda r: r[2].kind,
        "loss": lambda r: r[2].loss, "strategy": lambda r: r[3].strategy,
        "votes": lambda r: r[3].votes, "low": lambda r: r[3].low, "high": lambda r: r[3].high,
        "budget": lambda r: r[3].budget, "unreached": lambda r: r[3].unreached,
        "against": _of_ratio("against"), "ratio": _of_ratio("value"),
        "ratio_low": _of_ratio("low"), "ratio_high": _of_ratio("high"),
        "censored": _of_ratio("censored"), "verdict": lambda r: _word(r[4]),
    })  # fmt: skip


def _of_ratio(field: str) -> Callable[[_FileRow], Value]:
    """What to read of a row's ratio; nothing where it has none."""
    return lambda row: getattr(row[4], field) if row[4] else None


def _word(row: VotesRatio | None) -> str:
    if row is None:
        return ""
    return UNDECIDED if row.value is None else WORDS["votes"].judge(row.low, row.high)


def difference_blocks(result: PoolResult) -> list[Block]:
    """Mean loss over the grid against the strategy that others are compared with."""
    if all(not found.differences for found in result.measures.values()):
        return []
    tables = [_differences(result, name, found) for name, found in result.measures.items()]
    note = (
        f"Mean loss over the measured points, less that of {titled(result.against)} with the same "
        "seed. The first interval is Student’s over seeds, p a sign-flip test over seeds with Holm’s "
        "adjustment. The second resamples seeds and test items, so it is about items like these and "
        "not these alone."
    )
    return [*tables, Text(note, "note", PAGE)]


def _differences(result: PoolResult, measure: str, found: MeasureResult) -> Table:
    first = [e for e in found.differences if e.name == DIFFERENCE]
    second = {e.groups["strategy"]: e for e in found.differences if e.name == WITH_ITEMS}
    wide = [second[e.groups["strategy"]] for e in first]
    of = TableRows(first)
    return Table(
        f"Mean {MEASURES[measure]}, difference from {titled(result.against)}",
        [
            strategy_column([e.groups["strategy"] for e in first]),
            *of.hidden({"measure": lambda _: measure}),
            of.numbers("difference, nats", lambda e: e.value, signed),
            *interval_columns(first, "over seeds", _signed_span, drop=1),
            *interval_columns(wide, "over seeds and items", _signed_span, prefix="items_", drop=2),
            p_column(first, drop=3),
            of.counts("seeds", lambda e: e.n, drop=4),
        ],
        [e.significant is True for e in first],
        notes=_reasons([*first, *wide]),
        name=f"differences-{measure}",
    )  # fmt: skip


def _signed_span(e: Estimate) -> str:
    return span(e, show=signed)


def _reasons(estimates: Sequence[Estimate]) -> list[str]:
    """Why intervals are missing; each reason once."""
    return [sentence_end(why) for why in dict.fromkeys(e.why for e in estimates if e.why)]
