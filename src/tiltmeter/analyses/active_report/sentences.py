"""What active report says: the verdict on every strategy of every set."""

from collections.abc import Sequence

from tiltmeter.active import pool_numbers
from tiltmeter.active.curves import DIFFERENCE
from tiltmeter.active.paper_claims import UNDECIDED, VERDICTS
from tiltmeter.active.pool_runs import LOSSES
from tiltmeter.active.targets import BASELINE_RATIO, RATIO, TARGET
from tiltmeter.analyses.active_report.views import AVERAGE
from tiltmeter.core.analysis import Numbers, paragraphs
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Paragraph
from tiltmeter.report.text import sentence_end, span, value_with_unit

SAVES = VERDICTS["votes"].above


def words(numbers: Numbers) -> list[Paragraph]:
    """The verdict on every strategy of every set, by the headline loss."""
    return paragraphs(
        _of_one_set(numbers, s["set"], s["against"])
        if "against" in s
        else _of_printed(numbers, s["set"])
        for s in numbers.card.sources
        if s["set"] != AVERAGE
    )


def _of_printed(numbers: Numbers, name: str) -> str:
    """What a paper's curves say by its own rule."""
    titles = numbers.card.labels["strategy"]
    ratios = [
        f"{titles[e.groups['baseline']]} needs {value_with_unit(e)} votes for each of "
        f"{titles[e.groups['strategy']]}"
        for e in numbers.all(BASELINE_RATIO, set=name)
    ]
    return f"{name}, curves that a paper prints: {'; '.join(ratios)}, by the paper’s rule."


def _of_one_set(numbers: Numbers, name: str, against: str) -> str:
    targets = numbers.all(TARGET, set=name)
    if not targets:
        return f"{name}: no loss was measured, because no votes were held out."
    target = next(e for e in targets if e.verdict == pool_numbers.MAIN)
    loss = target.groups["loss"]
    ratios = numbers.all(RATIO, **target.groups)
    base = numbers.card.labels["strategy"][against]
    if not ratios:
        return f"{name}: only {base} was run."
    goal = f"{LOSSES[loss]} ≤ {value_with_unit(target)}"
    differences = numbers.all(DIFFERENCE, set=name, loss=loss)
    return (
        f"{name}: {_votes(numbers, ratios, base, goal)} {_mean_losses(numbers, differences, base)}"
    )


def _votes(numbers: Numbers, ratios: Sequence[Estimate], base: str, goal: str) -> str:
    """Which strategies save or cost votes on the way to the target."""
    titles = numbers.card.labels["strategy"]
    clear = [e for e in ratios if e.verdict != UNDECIDED]
    if not clear:
        return f"no strategy clearly saves or costs votes against {base} in reaching {goal}."
    ways = {SAVES: "saves votes", "costs": "costs votes", "no difference": "makes no difference"}
    listed = "; ".join(
        f"{titles[e.groups['strategy']]} {ways[e.verdict]} (ratio {value_with_unit(e)}, 95\u00a0% interval "
        f"{span(e)})"
        for e in sorted(clear, key=lambda e: -(e.value or 0.0))
    )
    open_ = [titles[e.groups["strategy"]] for e in ratios if e.verdict == UNDECIDED]
    undecided = f" Undecided: {', '.join(open_)}." if open_ else ""
    return f"in reaching {goal}, compared with {base}, {sentence_end(listed)}{undecided}"


def _mean_losses(numbers: Numbers, differences: Sequence[Estimate], base: str) -> str:
    """Whose mean loss differs from that of the strategy that others are compared with."""
    titles = numbers.card.labels["strategy"]
    known = [e for e in differences if e.low is not None and e.high is not None]
    higher = [titles[e.groups["strategy"]] for e in known if (e.low or 0.0) > 0]
    lower = [titles[e.groups["strategy"]] for e in known if (e.high or 0.0) < 0]
    ways = [
        f"{way} for {', '.join(of)}" for way, of in (("lower", lower), ("higher", higher)) if of
    ]
    how = "(95\u00a0% intervals over seeds)"
    if not ways:
        return f"No mean loss differs significantly from that of {base} {how}."
    return f"Mean loss compared with {base} {how}: {'; '.join(ways)}."
