"""What the terminal and the page say alike about correlations."""

from tiltmeter.analysis.correlate import CORRECTED, KENDALL, PEARSON, SPEARMAN, Relations
from tiltmeter.core.results import Estimate
from tiltmeter.report.plots.correlation_heat import is_told, two
from tiltmeter.report.wording import final_p, p_text, visible

LETTERS = {PEARSON: "r", SPEARMAN: "ρ", KENDALL: "τ"}
NAMES = {
    PEARSON: "Pearson’s r",
    SPEARMAN: "Spearman’s ρ",
    KENDALL: "Kendall’s τ-b",
    CORRECTED: "r without noise",
}
POINTS = {
    "models": "a model",
    "groups": "a group, or a subset of the items",
    "cells": "a group or subset of one model",
}


def finding(made: Relations) -> list[str]:
    """What was found, in sentences."""
    known = [e for e in made.of(made.method) if e.value is not None]
    gone = len(made.of(made.method)) - len(known)
    undefined = f" {gone} more have no value." if gone else ""
    name = NAMES[made.method]
    if not known:
        return [
            f"No two of these measures have a correlation: {visible(made.of(made.method)[0].why)}."
        ]
    told = [e for e in known if is_told(e)]
    strongest = max(known, key=lambda e: abs(e.value or 0.0))
    pairs = f"{len(known)} {'pairs' if len(known) > 1 else 'pair'} of measures"
    if not told:
        start = (
            f"Of {pairs} none can be told from no correlation ({name}, after Holm’s adjustment)."
            if len(known) > 1
            else f"The {name} of these two measures cannot be told from no correlation."
        )
        return [start + undefined, f"The strongest is that of {pair(strongest)}."]
    how = f"{name}, p < .05 after Holm’s adjustment"
    start = f"{len(told)} of {pairs} can be told from no correlation ({how})."
    strongest = max(told, key=lambda e: abs(e.value or 0.0))
    return [start + undefined, f"The strongest of them is that of {pair(strongest)}."]


def pair(e: Estimate) -> str:
    """A correlation in a sentence: whose, how large, over how many points, how sure.

    >>> pair(Estimate("pearson", -0.95, None, None, 0.33, 3, 0.0, "", groups={"x": "a", "y": "b"}))
    'a and b: −0.95 over 3 points, without an interval, p = 0.330'
    """
    both = f"{visible(e.groups['x'])} and {visible(e.groups['y'])}"
    if e.value is None:
        return f"{both}: undefined, {visible(e.why)}"
    inside = ends(e)
    sure = f"95 % interval {inside}" if inside else "without an interval"
    p = final_p(e)
    return f"{both}: {two(e.value)} over {e.n} points, {sure}{'' if p is None else f', p = {p_text(p)}'}"


def ends(e: Estimate, between: str = " to ") -> str:
    """The interval with two decimals; "" where there is none."""
    return "" if e.low is None or e.high is None else f"{two(e.low)}{between}{two(e.high)}"


def ranked(made: Relations) -> list[dict[str, Estimate]]:
    """All estimates of each pair, by name; the strongest pair first, undefined ones last."""
    rows: dict[tuple[str, str], dict[str, Estimate]] = {}
    for e in made.estimates:
        rows.setdefault((e.groups["x"], e.groups["y"]), {})[e.name] = e

    def rank(row: dict[str, Estimate]) -> tuple[bool, float]:
        value = row[made.method].value
        return value is None, -abs(value or 0.0)

    return sorted(rows.values(), key=rank)
