"""The table of differences with a margin, and what it says in a sentence."""

import re
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor, log10

from tiltmeter.core.comparison_views import EquivalenceTable
from tiltmeter.core.equivalence import Equivalence
from tiltmeter.core.equivalence_margins import POINTS
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.text import raised, visible
from tiltmeter.report import text
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, FILES_ONLY, Column, On, Table
from tiltmeter.report.row_remarks import said_once

_DIFFERENCE = re.compile("^Difference (?:in|of|between) ")
"""The start of most titles, which a column of differences need not repeat."""
HOW = (
    "Equivalent: the interval lies inside the margin, which are two one-sided tests at 5 %. Different: a "
    "significant difference that is not shown to be within it; undecided: neither. Not worse: at 5 % on one "
    "side, not worse by more than the margin. Each verdict stands alone: none is adjusted for the others."
)


def equivalence_of(result: Result, view: EquivalenceTable) -> Table:
    """The table of a view."""
    return equivalence_table(
        result.estimates,
        result.card.labels,
        name=view.name,
        of_studies=view.of_studies,
        asked=view.asked,
    )


def with_margin(estimates: Sequence[Estimate]) -> list[Estimate]:
    """The differences for which a margin was given."""
    return [e for e in estimates if e.equivalence is not None]


def equivalence_table(
    estimates: Sequence[Estimate],
    labels: text.Labels,
    *,
    name: str,
    title: str = "",
    of_studies: bool = False,
    on: On = BOTH,
    asked: bool = True,
) -> Table:
    """A row for each difference with a margin.

    Args:
        estimates: Differences; those without a margin are left out.
        labels: Plain names of subsets.
        name: The name of the table's file.
        title: Its heading.
        of_studies: Whether the differences are of several studies, which rows are then named after.
        on: Where it stands.
        asked: Whether the terminal shows it in any case.
    """
    rows = with_margin(estimates)
    depths = [int(bool(e.groups)) for e in rows]
    of = TableRows(rows)
    names = [_named(e, labels, of_studies=of_studies) for e in rows]
    axes = dict.fromkeys(axis for e in rows for axis in e.groups)
    worse = any(_margin(e).not_worse for e in rows)
    remarks = [[why] if (why := _margin(e).why) else [] for e in rows]
    columns = [
        Column("", names, number=False, in_files=False),
        *of.hidden({"study": lambda e: e.study} if of_studies else {}),
        *of.hidden({"model": lambda e: e.model, "measure": lambda e: e.name}),
        *(Column(axis, [e.groups.get(axis) for e in rows], on=FILES_ONLY) for axis in axes),
        of.counts("n", lambda e: e.n, drop=4),
        of.shown("difference", lambda e: e.value, _difference, drop=1, name="value"),
        of.words("interval", _interval, drop=2, in_files=False),
        of.words("margin", lambda e: _margin(e).margin or None, drop=3),
        of.words("verdict", lambda e: _margin(e).verdict),
        *([of.words("not worse", _not_worse, name="not_worse")] if worse else []),
        of.words("would decide", _needed, drop=5, in_files=False),
        *of.hidden({
            "unit": lambda e: e.unit, "low": lambda e: _margin(e).low, "high": lambda e: _margin(e).high,
            "level": lambda e: _margin(e).level, "least": lambda e: _margin(e).least,
            "most": lambda e: _margin(e).most, "p": text.final_p, "needed": lambda e: _margin(e).needed,
            "needed_of": lambda e: _margin(e).needed_of, "why": lambda e: _margin(e).why,
        }),
    ]  # fmt: skip
    strong = [_margin(e).verdict == "equivalent" for e in rows]
    notes = [*said_once(names, remarks), HOW]
    return Table(
        title, columns, strong, notes=notes, name=name, most=200, on=on, asked=asked, depths=depths
    )


def equivalence_sentence(e: Estimate, models: tuple[str, str] | None = None) -> str:
    """The verdict as a sentence with the margin and the interval; "" where no margin was asked for.

    Args:
        e: A difference.
        models: Both results' names as they are shown, where a sentence may say which is not worse.
    """
    made = e.equivalence
    if made is None:
        return ""
    margin = f"within {made.margin}" if made.margin else "within a margin"
    if made.verdict == "no verdict":
        return f"No verdict on whether they are equivalent {margin}: {text.sentence_end(visible(made.why))}"
    inside = f" ({_interval(e)} interval)" if _interval(e) else ""
    if made.verdict == "equivalent":
        if e.significant:
            return f"Different, and yet equivalent {margin}{inside}: the difference is small."
        return f"Equivalent {margin}{inside}."
    one_sided = _one_sided(e, models)
    if made.verdict == "different":
        how = f"by more than {made.margin}" if made.beyond else f"and not shown to be {margin}"
        return f"Different {how}{inside}.{one_sided}"
    why = f": {visible(made.why)}" if made.why else ""
    more = "" if (needed := _needed(e)) is None else (
        f" {raised(needed)} would show it in 4 of 5 samples if the true difference is none."
    )  # fmt: skip
    return f"Undecided whether they are equivalent {margin}{inside}{why}.{one_sided}{more}"


def claim_text(e: Estimate) -> str:
    """The difference with the interval that a verdict follows from: "+0.4 points (−0.8 to +1.6, 90 %)"."""
    unit = "\u00a0points" if e.unit == POINTS else ""
    inside = _interval(e)
    return f"{_difference(e)}{unit}{f' ({inside})' if inside else ''}"


def _one_sided(e: Estimate, models: tuple[str, str] | None) -> str:
    """Which result is not worse than the other by more than the margin; "" where neither is shown to be."""
    made, better = _margin(e), e.meaning.better
    if not better or models is None:
        return ""
    first, second = models
    worse_above = better == "lower"
    if made.within("above" if worse_above else "below"):
        return f" {first} is not worse than {second} by more than {made.margin}."
    if made.within("below" if worse_above else "above"):
        return f" {second} is not worse than {first} by more than {made.margin}."
    return ""


def _margin(e: Estimate) -> Equivalence:
    return e.equivalence or Equivalence("")


def _named(e: Estimate, labels: text.Labels, *, of_studies: bool) -> str:
    if e.groups:
        return text.subset(e.groups, labels, with_axis=False)
    bare = _DIFFERENCE.sub("", text.title(e))
    return f"{f'{visible(e.study)}: ' if of_studies else ''}{raised(bare)}"


def _difference(e: Estimate) -> str:
    return "undefined" if e.value is None else text.change_text(e)


def _interval(e: Estimate) -> str | None:
    """The interval that the verdict follows from, with its level; None where there is none."""
    made = _margin(e)
    if made.low is None or made.high is None or made.level is None or e.value is None:
        return None
    ends = text.change_span(replace(e, low=made.low, high=made.high, equivalence=None))
    return f"{ends}, {100 * made.level:g}\u00a0%"


def _not_worse(e: Estimate) -> str | None:
    return {"": None, "not worse": "yes", "worse": "no, worse", "undecided": "undecided"}[
        _margin(e).not_worse
    ]


def _needed(e: Estimate) -> str | None:
    """How many units would show equivalence, rounded up to two digits; only where it is undecided."""
    made = _margin(e)
    if made.needed is None or made.verdict != "undecided":
        return None
    step = 10 ** max(floor(log10(max(made.needed, 1))) - 1, 0)
    return f"about {ceil(made.needed / step) * step:,} {made.needed_of}"
