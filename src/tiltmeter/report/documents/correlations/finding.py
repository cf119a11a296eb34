"""How measures relate, in sentences."""

from collections.abc import Mapping
from typing import TypeAlias

from tiltmeter.analysis.correlate import KENDALL, PEARSON, SPEARMAN, Relations
from tiltmeter.core.results import Estimate
from tiltmeter.report.plots.correlation_heat import is_significant
from tiltmeter.report.text import correlation, final_p, level, p_text, sentence_end, span

Pair: TypeAlias = Mapping[str, Estimate]
"""All correlations of two measures, by name."""
NAMES = {PEARSON: "Pearson’s r", SPEARMAN: "Spearman’s ρ", KENDALL: "Kendall’s τ-b"}


def finding(made: Relations) -> list[str]:
    """What was found, in sentences."""
    every = made.of(made.method)
    known = [e for e in every if e.value is not None]
    if not known:
        return [f"No two of these measures have a correlation: {sentence_end(every[0].why)}"]
    gone = len(every) - len(known)
    undefined = f" {gone} more {'has' if gone == 1 else 'have'} no value." if gone else ""
    sure = [e for e in known if is_significant(e)]
    name = NAMES[made.method]
    among = f"{len(known)} pairs of measures" if len(known) > 1 else "these two measures"
    if sure and len(known) > 1:
        verb = "correlates" if len(sure) == 1 else "correlate"
        head = f"{len(sure)} of {among} {verb} significantly ({name}, p < .05 after Holm’s adjustment)."
    else:
        no = "A" if sure else "No"
        how = (
            f"among {among} ({name}, after Holm’s adjustment)"
            if len(known) > 1
            else f"of {among} ({name})"
        )
        head = f"{no} significant correlation {how}."
    lead = "Strongest, " if len(known) > 1 else ""
    return [head + undefined, f"{lead}{pair(max(sure or known, key=_strength))}."]


def _strength(e: Estimate) -> float:
    return abs(e.value or 0.0)


def pair(e: Estimate) -> str:
    """A correlation in a sentence: whose, how large, over how many points, how sure.

    >>> pair(Estimate("pearson", -0.95, None, None, 0.33, 3, 0.0, "", groups={"x": "a", "y": "b"}))
    'a and b: −0.95 over 3 points (no interval, p = 0.330)'
    """
    ends = span(e, show=correlation)
    p = final_p(e)
    sure = [f"{level(e)} interval {ends}" if ends else "no interval"]
    sure += [] if p is None else [f"p = {p_text(p)}"]
    value = f"{correlation(e.value or 0.0)} over {e.n} points"
    return f"{e.groups['x']} and {e.groups['y']}: {value} ({', '.join(sure)})"


def ranked(made: Relations) -> list[Pair]:
    """All estimates of each pair, by name; the strongest pair first, undefined ones last."""
    rows: dict[tuple[str, str], dict[str, Estimate]] = {}
    for e in made.estimates:
        rows.setdefault((e.groups["x"], e.groups["y"]), {})[e.name] = e

    def rank(row: Pair) -> tuple[bool, float]:
        return row[made.method].value is None, -_strength(row[made.method])

    return sorted(rows.values(), key=rank)
