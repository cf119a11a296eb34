"""What active learning brought, in sentences."""

from collections.abc import Sequence

from tiltmeter.active.curves import DIFFERENCE
from tiltmeter.active.paper_claims import UNDECIDED, WORDS
from tiltmeter.active.pool_result import MEASURES, MeasureResult, PoolResult
from tiltmeter.active.targets import VotesRatio
from tiltmeter.report.documents.active.words import pool_name, ratio_span, ratio_text, titled
from tiltmeter.report.text import number, sentence_end


def finding(results: Sequence[PoolResult]) -> list[str]:
    """The verdict on every strategy of every pool, by the headline measure."""
    return [_of_pool(result) for result in results]


def _of_pool(result: PoolResult) -> str:
    if not result.measures:
        return f"{pool_name(result)}: no loss was measured, because no votes were held out."
    measure, found = next(iter(result.measures.items()))
    target = found.main_target
    ratios = [row for row in found.ratios if row.kind == target.kind]
    if not ratios:
        return f"{pool_name(result)}: only {titled(result.against)} was run."
    goal = f"{MEASURES[measure]} ≤ {number(target.loss)} nats"
    return f"{pool_name(result)}: {_votes(result, ratios, goal)} {_mean_losses(result, found)}"


def _votes(result: PoolResult, ratios: Sequence[VotesRatio], goal: str) -> str:
    """Which strategies save or cost votes on the way to the target."""
    base = titled(result.against)
    clear = [row for row in ratios if _word(row) != UNDECIDED]
    if not clear:
        return f"no strategy clearly saves or costs votes against {base} in reaching {goal}."
    said = "; ".join(_ratio(row) for row in sorted(clear, key=lambda row: -(row.value or 0.0)))
    open_ = [titled(row.strategy) for row in ratios if _word(row) == UNDECIDED]
    undecided = f" Undecided: {', '.join(open_)}." if open_ else ""
    return f"in reaching {goal}, compared with {base}, {sentence_end(said)}{undecided}"


def _mean_losses(result: PoolResult, found: MeasureResult) -> str:
    """Whose mean loss differs from that of the strategy that others are compared with."""
    known = [e for e in found.differences if e.name == DIFFERENCE and e.low is not None]
    higher = [titled(e.groups["strategy"]) for e in known if (e.low or 0.0) > 0]
    lower = [titled(e.groups["strategy"]) for e in known if (e.high or 0.0) < 0]
    ways = [
        f"{way} for {', '.join(of)}" for way, of in (("lower", lower), ("higher", higher)) if of
    ]
    base, how = titled(result.against), "(95\u00a0% intervals over seeds)"
    if not ways:
        return f"No mean loss differs significantly from that of {base} {how}."
    return f"Mean loss compared with {base} {how}: {'; '.join(ways)}."


def _word(row: VotesRatio) -> str:
    return UNDECIDED if row.value is None else WORDS["votes"].judge(row.low, row.high)


def _ratio(row: VotesRatio) -> str:
    words = {"saves": "saves votes", "costs": "costs votes", "no difference": "makes no difference"}
    value = f"ratio {ratio_text(row.value, row.censored)}, 95\u00a0% interval {ratio_span(row)}"
    return f"{titled(row.strategy)} {words[_word(row)]} ({value})"
