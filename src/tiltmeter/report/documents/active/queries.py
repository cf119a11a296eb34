"""What each strategy asks for: how often an item again, how often where the model seems too confident."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tiltmeter.active.curves import growth, mean_interval
from tiltmeter.active.entropy_predictor import EntropyBudget
from tiltmeter.active.pool_result import PoolResult
from tiltmeter.active.run_files import VoteQuery
from tiltmeter.core.types import Array
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import PAGE, Block, Picture, Table
from tiltmeter.report.documents.active.curves import curve_pictures, mean_lines
from tiltmeter.report.documents.active.words import open_span, share_text, strategy_column, titled
from tiltmeter.report.text import raised

AGAIN = "Share of votes on items that had one already"
UNDERESTIMATED = "Share of votes where annotators are expected to disagree more than the model does"
SKILL = (
    "Skill of f_ent: 1 − its squared error / that of the mean entropy, on the test items. At 0 or below, "
    "f_ent knows no more than the mean, and disagreement-aware strategies rank items by |H − constant|."
)


def asked_blocks(result: PoolResult, prefix: str) -> list[Block]:
    """Pictures and tables of what was asked."""
    blocks: list[Block] = []
    for name, title, rates in (
        ("again", AGAIN, result.again), ("underestimated", UNDERESTIMATED, result.underestimated),
    ):  # fmt: skip
        if rates:
            blocks += _rates(result, f"{prefix}{name}", title, rates)
    return blocks


def _rates(result: PoolResult, name: str, title: str, rates: Mapping[str, Array]) -> list[Picture]:
    votes = result.votes[1:]
    lines = mean_lines(votes, rates)
    caption = f"{title}, among the votes since the measured point before; means over seeds."
    return curve_pictures(lines, name, title, caption, _rate_table(title, rates, name))


def _rate_table(title: str, rates: Mapping[str, Array], name: str) -> Table:
    of = TableRows(list(rates))
    third = {s: max(1, values.shape[1] // 3) for s, values in rates.items()}
    grown = {s: growth(values) for s, values in rates.items()}
    return Table(
        f"{title}: first and last third of the points",
        [
            strategy_column(list(rates)),
            of.numbers("first third", lambda s: _mean(rates[s][:, : third[s]]), share_text),
            of.numbers("last third", lambda s: _mean(rates[s][:, -third[s] :]), share_text),
            of.numbers("change", lambda s: _mean(grown[s]), _points),
        ],
        folded=True,
        name=name,
    )


def skill_blocks(result: PoolResult) -> list[Block]:
    """The skill of f_ent in each strategy; once where it is the same for all, as with a common start."""
    if not result.skill:
        return []
    first, *others = result.skill.values()
    same = all(np.array_equal(first, other) for other in others)
    shown = {"all strategies": first} if same else {titled(k): v for k, v in result.skill.items()}
    settings = result.manifest.settings
    made = f"{settings.get('entropy_items')} items with {settings.get('votes_each')} votes each"
    of = TableRows([(name, *mean_interval(values), len(values)) for name, values in shown.items()])
    table = Table(
        f"Skill of f_ent, trained on {made}",
        [
            of.words("strategy", lambda r: r[0]),
            of.numbers("skill", lambda r: r[1]),
            of.shown("interval", lambda _: None, lambda r: open_span(r[2], r[3]), in_files=False),
            of.counts("seeds", lambda r: r[4]),
            *of.hidden({"low": lambda r: r[2], "high": lambda r: r[3]}),
        ],
        notes=[SKILL],
        name="skill",
    )
    return [table, *_budget_blocks(result)]


def _budget_blocks(result: PoolResult) -> list[Block]:
    """The skill of f_ent by the number of items and of votes on each, as far as the pool has them."""
    sizes = sorted({(one.votes_each, one.items) for one in result.budgets})
    rows = [_BudgetRow.of(size, result.budgets) for size in sizes]
    of = TableRows(rows)
    return [
        Table(
            "Skill of f_ent by its budget",
            [
                of.counts("votes each", lambda r: r.votes_each),
                of.counts("items", lambda r: r.items),
                of.numbers("skill", lambda r: r.skill[0]),
                of.shown("interval", lambda _: None, lambda r: open_span(*r.skill[1:]), in_files=False),
                of.numbers("correlation", lambda r: r.correlation),
                of.counts("seeds", lambda r: r.seeds),
                *of.hidden({"low": lambda r: r.skill[1], "high": lambda r: r.skill[2]}),
            ],
            notes=[
                "Correlation of f_ent with the entropy of all votes of the test items.",
                "Intervals are Student’s over seeds.",
            ],
            folded=True,
            name="budgets",
        )
    ] if rows else []  # fmt: skip


@dataclass(frozen=True, slots=True)
class _BudgetRow:
    """What f_ent is worth with one budget, over seeds."""

    votes_each: int
    items: int
    skill: tuple[float | None, float | None, float | None]
    """Mean and interval."""
    correlation: float | None
    seeds: int

    @classmethod
    def of(cls, size: tuple[int, int], budgets: Sequence[EntropyBudget]) -> "_BudgetRow":
        """The budgets of one size, (votes each, items)."""
        mine = [one for one in budgets if (one.votes_each, one.items) == size]
        skills = np.array([one.skill for one in mine if one.skill is not None])
        together = np.array([one.correlation for one in mine if one.correlation is not None])
        skill = mean_interval(skills) if len(skills) else (None, None, None)
        return cls(*size, skill, _mean(together), len(skills))


def query_table(result: PoolResult) -> Table:
    """The first votes that each strategy chose, with the reason."""
    of: TableRows[VoteQuery] = TableRows(result.queries)
    seed = result.queries[0].seed if result.queries else 0
    return Table(
        f"The first votes that each strategy chose, seed {seed}",
        [
            strategy_column([query.strategy for query in result.queries]),
            of.counts("votes", lambda q: q.votes),
            of.words("item", lambda q: q.item),
            of.words("label", lambda q: q.label),
            of.words("reason", lambda q: raised(q.reason)),
            of.numbers("score", lambda q: q.score),
            of.numbers("H, nats", lambda q: q.h, name="h"),
            of.numbers("f_ent, nats", lambda q: q.f_ent, name="f_ent"),
            of.words("asked before", lambda q: "yes" if q.repeated else ""),
        ],
        folded=True,
        name="queries",
        on=PAGE,
    )


def _mean(values: Array) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _points(share: float) -> str:
    return f"{100 * share:+.0f} points".replace("-", "−")
