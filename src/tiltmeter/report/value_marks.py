"""Marks behind values: of those that rest on few items, and of those whose interval and p disagree.

Whoever shows values marks them with `value_mark` and explains the marks with `mark_notes`, in every renderer.
"""

from collections.abc import Iterable
from typing import Literal

from tiltmeter.core.estimates import ALPHA, Estimate
from tiltmeter.report.few_items import FEW_MARK, few_mark, few_note, shown_significant

APART_MARK = "§"
MARKS = (FEW_MARK, APART_MARK)


def value_mark(estimate: Estimate) -> str:
    """The mark behind a value, "" for most.

    >>> value_mark(Estimate("rate", 60.0, 51.0, 69.0, 0.03, 90, 50.0, "%", p_adjusted=0.09))
    '§'
    """
    return few_mark(estimate) or apart_mark(estimate)


def mark_notes(estimates: Iterable[Estimate | None]) -> list[str]:
    """Notes that explain the marks of these values; [] where none has one."""
    known = [e for e in estimates if e is not None]
    apart = [e for e in known if value_mark(e) == APART_MARK]
    return [*few_note(known), *apart_note(apart)]


def apart_mark(estimate: Estimate) -> str:
    """The mark of a value whose interval and p disagree, for tables that do not mark few items; else ""."""
    apart = shown_significant(estimate) is not None and interval_against_p(estimate)
    return APART_MARK if apart else ""


def apart_note(estimates: Iterable[Estimate]) -> list[str]:
    """A note that explains `apart_mark`, with each reason once; [] where no value has it."""
    reasons = dict.fromkeys(_why_apart(e) for e in estimates if apart_mark(e))
    why = "; or ".join(reasons)
    words = f"{APART_MARK} The interval and p disagree, because {why}; significant needs both."
    return [words] if reasons else []


def interval_against_p(estimate: Estimate) -> Literal["", "includes", "excludes"]:
    """What an interval that contradicts p does with the neutral value; "" where there is no contradiction.

    >>> interval_against_p(Estimate("rate", 60.0, 49.0, 70.0, 0.04, 90, 50.0, "%"))
    'includes'
    """
    low, high, neutral = estimate.low, estimate.high, estimate.neutral
    p = estimate.p if estimate.p_adjusted is None else estimate.p_adjusted
    if p is None or neutral is None or (low is None and high is None):
        return ""
    includes = (low is None or low <= neutral) and (high is None or neutral <= high)
    if estimate.meaning.magnitude or estimate.meaning.bounds or includes == (p >= ALPHA):
        return ""
    return "includes" if includes else "excludes"


def _why_apart(estimate: Estimate) -> str:
    p, adjusted = estimate.p, estimate.p_adjusted
    if p is not None and adjusted is not None and p < ALPHA <= adjusted:
        return "p is adjusted for several tests and the interval is not"
    return "they come from different methods"
