"""What the terminal shows after a run: a finding in words, a table, and what to know beside it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console

from tiltmeter.analysis.matrix import is_matrix
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.study import Study
from tiltmeter.report.columns import GAP, Column, fitting, lines, total
from tiltmeter.report.conditions import conditions, legend
from tiltmeter.report.estimate_families import (
    FEW,
    Extremes,
    Family,
    by_value,
    extremes,
    families,
    headline_of,
    main_family,
)
from tiltmeter.report.matrix_table import of_cells, print_cells_compared, print_matrix
from tiltmeter.report.measure_table import Table, beside
from tiltmeter.report.plots.scale import Scale, scale_of
from tiltmeter.report.terminal import Sheet
from tiltmeter.report.terms import LMS_SS, SS
from tiltmeter.report.textbar import axis, bar
from tiltmeter.report.wording import (
    adjustment,
    caution,
    final_p,
    finding,
    is_clear,
    neutral_text,
    number,
    overview,
    p_text,
    span,
    subset,
    title,
    verdict,
    visible,
    with_unit,
)

LONGEST_BAR, SHORTEST_BAR = 41, 13
LONGEST_PART = 16
"""Letters of a subset's name that are kept where measures stand side by side."""
MOST_ROWS = 20
"""Of a family beside the main one; the rest is in the files."""


def print_result(
    result: Result,
    study: Study[Any] | None,
    console: Console,
    *,
    files: Mapping[str, str | Path] | None = None,
) -> None:
    """The finding, the categories, the other measures, the conditions, and where the files are.

    Args:
        result: Of one study and one model.
        study: Adds what the number does not show; None where the study is not known here.
        console: No line is wider than it, but for the addresses of files.
        files: What each file is, and where it lies: {"report": "runs/…/report.html"}.
    """
    page = Sheet(console)
    head, model = headline_of(result.estimates), str(result.card.model.get("name", ""))
    if head is not None:
        page.say(finding(head, model, result.estimates), style="bold")
        page.say(verdict(head))
        page.say(caution(head, result.estimates, str(result.card.data.get("clusters", ""))))
    else:
        page.say(overview(result.estimates, model), style="bold")
    if is_matrix(result):
        print_matrix(page, result)
    else:
        _print_families(page, result.estimates)
    page.gap()
    facts = conditions(result.card, result.estimates, study)
    page.facts(of_cells(facts) if is_matrix(result) else facts)
    if files:
        page.gap()
        page.addresses(files)


def print_comparison(estimates: Sequence[Estimate], console: Console) -> None:
    """Differences between models, one row each; the line in the middle is "no difference"."""
    page = Sheet(console)
    if any(e.name == "matrix_tau" for e in estimates):
        print_cells_compared(page, estimates)
        return
    for models in dict.fromkeys(e.model for e in estimates):
        page.gap()
        _print_compared(page, [e for e in estimates if e.model == models])
    page.gap()
    tests = list(dict.fromkeys(visible(e.test) for e in estimates if e.test))
    intervals = list(dict.fromkeys(visible(e.interval) for e in estimates if e.interval))
    page.facts({"Marks": legend(), "Interval": "; ".join(intervals), "p": "; ".join(tests)})


def _print_compared(page: Sheet, estimates: Sequence[Estimate]) -> None:
    """Two models: their first measure with its subsets, then what else was compared."""
    first = [e for e in estimates if e.name == estimates[0].name]
    head = headline_of(first)
    if head is not None:
        page.say(finding(head), style="bold")
        page.say(verdict(head))
    if first[0].name == LMS_SS and len(first) == 1:
        page.say(visible(first[0].why))  # one correlation over all models needs no table
        return
    page.heading(f"{title(first[0].name)}, {_unit_of(first)}")
    _print_rows(page, first, with_axis=len({axis for e in first for axis in e.groups}) > 1)
    together = beside(estimates)
    _print_beside(page, together)
    rest = [e for e in estimates if e not in first and not e.groups]
    _print_others(page, [e for e in rest if not (together and e.name in together.names)], [])


def _print_families(page: Sheet, estimates: Sequence[Estimate]) -> None:
    head, main = headline_of(estimates), main_family(estimates)
    together = beside(estimates)
    covered = together.names if together else ()
    parts = [f for f in families(estimates) if f.axes and f != main]
    small = [f for f in parts if head and f.name == head.name and len(f.estimates) <= FEW]
    small = [f for f in small if not f.is_terms]
    parts = [f for f in parts if f.name not in covered]
    few = [f for f in parts if len(f.estimates) <= FEW]
    _print_beside(page, together)
    if main is not None:
        rows = by_value(main.estimates)
        page.heading(f"{title(main.name)} by {main.title}, {_unit_of(main.estimates)}")
        _print_rows(page, (*rows, head) if head is not None else rows, with_axis=False)
    if small:
        page.heading("Subsets")
        scale = scale_of(main.estimates) if main else None
        _print_rows(page, [e for f in small for e in f.estimates], scale=scale)
    rest = [e for e in estimates if not e.groups and e is not head and e.name not in covered]
    few = [f for f in few if any(e.name == f.name for e in rest)] if head is None else few
    _print_others(page, rest, few)
    for family in parts:
        if family not in few:
            page.heading(f"{title(family.name)} by {family.title}, {_unit_of(family.estimates)}")
            _print_rows(page, by_value(family.estimates), with_axis=False)
    _print_extremes(page, extremes(estimates))


def _print_beside(page: Sheet, together: Table | None) -> None:
    """Several measures of the same subsets, a row each."""
    if together is None:
        return
    page.heading(f"{together.title}, {_unit_of(together.estimates)}")
    names = ["  " * line.depth + line.label for line in together.lines]
    columns = [
        Column("", names, right=False),
        Column("n", [f"{line.n:,}" for line in together.lines], drop=_COUNT),
    ]
    for i, heading in enumerate(together.headings):
        cells = [line.estimates[i] for line in together.lines]
        value, interval = (1, 5) if heading == SS else (len(together.names) - i + 1, 6 + i)
        columns.append(Column(heading, ["" if e is None else _value(e) for e in cells], drop=value))
        spans = ["" if e is None else span(e, "–") for e in cells]
        if any(spans):
            columns.append(Column("interval", spans, drop=interval))
    kept = fitting(columns, page.width, name_least=min(columns[0].width, LONGEST_PART))
    for line in lines(kept, page.width, [False] * len(names)):
        page.line(line)
    for note in together.notes:
        page.say(note)


def _print_extremes(page: Sheet, terms: Extremes | None) -> None:
    """The target terms at either end of the stereotype score, on one scale."""
    if terms is None:
        return
    scale = scale_of([*terms.most, *terms.least])
    for words, rows in (("Most", terms.most), ("Least", terms.least)):
        page.heading(f"{words} stereotyped target terms, {_unit_of(rows)}")
        _print_rows(page, rows, with_axis=False, scale=scale)
    page.say(terms.caution)


def _print_rows(
    page: Sheet,
    estimates: Sequence[Estimate],
    *,
    with_axis: bool = True,
    scale: Scale | None = None,
) -> None:
    # One row more than the limit is shown rather than counted.
    rows = estimates[:MOST_ROWS] if len(estimates) > MOST_ROWS + 1 else estimates
    columns = _columns(rows, with_axis=with_axis)
    kept = fitting([*columns, _bar_column(rows, scale, SHORTEST_BAR)], page.width)
    if kept[-1].drop == _BAR:
        room = page.width - total(kept[:-1]) - GAP
        kept[-1] = _bar_column(rows, scale, min(max(room, SHORTEST_BAR), LONGEST_BAR))
    for line in lines(kept, page.width, [bool(is_clear(e)) for e in rows]):
        page.line(line)
    for estimate in rows:
        label = subset(estimate.groups, with_axis=with_axis)
        if estimate.value is None:
            page.say(f"{label} is undefined: {_why(estimate)}")
        elif estimate.why:
            page.say(f"{label}: {visible(estimate.why)}")
    if len(rows) < len(estimates):
        page.say(f"… and {len(estimates) - len(rows)} more, in the files.")


_BAR, _MDE, _P, _INTERVAL = 3, 4, 2, 1
_COUNT = 4
"""What is left out first where it is narrow: the highest."""


def _columns(rows: Sequence[Estimate], *, with_axis: bool) -> list[Column]:
    adjusted = adjustment(rows)
    columns = [
        Column("", [subset(e.groups, with_axis=with_axis) for e in rows], right=False),
        Column("n", [f"{e.n:,}" for e in rows]),
        Column("value", [_value(e) for e in rows]),
        Column("interval", [span(e, "–") for e in rows], drop=_INTERVAL),
    ]
    if any(final_p(e) is not None for e in rows):
        cells = ["" if (p := final_p(e)) is None else p_text(p) for e in rows]
        columns.append(Column(f"p ({adjusted})" if adjusted else "p", cells, drop=_P))
    if any(e.mde is not None for e in rows):
        cells = ["" if e.mde is None else number(e.mde, e.unit) for e in rows]
        columns.append(Column("MDE", cells, drop=_MDE))
    return columns


def _bar_column(rows: Sequence[Estimate], scale: Scale | None, width: int) -> Column:
    shown = scale_of(rows) if scale is None else scale
    bars = [bar(e, shown, width).ljust(width) for e in rows]
    return Column(axis(shown, width), bars, right=False, drop=_BAR)


def _print_others(page: Sheet, overall: Sequence[Estimate], few: Sequence[Family]) -> None:
    """The measures beside the headline, each with its few subsets under it."""
    if not overall:
        return
    named = {
        e.name: [e, *(s for f in few if f.name == e.name for s in f.estimates)] for e in overall
    }
    rows = [e for members in named.values() for e in members]
    labels = [f"  {subset(e.groups)}" if e.groups else title(e.name) for e in rows]
    page.heading("Other measures")
    columns = [
        Column("", labels, right=False),
        Column("value", ["undefined" if e.value is None else _with_unit(e) for e in rows]),
        Column("interval", [span(e, "–") for e in rows], drop=1),
        Column("neutral", [neutral_text(e) for e in rows], drop=2),
        Column("n", [f"{e.n:,}" for e in rows], drop=3),
    ]
    for line in lines(fitting(columns, page.width), page.width, [False] * len(rows)):
        page.line(line)
    for estimate in rows:
        if estimate.value is None:
            where = f", {subset(estimate.groups)}," if estimate.groups else ""
            page.say(f"{title(estimate.name)}{where} is undefined: {_why(estimate)}")
        elif estimate.why:
            page.say(f"{title(estimate.name)}: {visible(estimate.why)}")


def _with_unit(estimate: Estimate) -> str:
    return with_unit(estimate.value or 0.0, estimate.unit)


def _value(estimate: Estimate) -> str:
    return "undefined" if estimate.value is None else number(estimate.value, estimate.unit)


def _why(estimate: Estimate) -> str:
    return visible(estimate.why) or "no reason was recorded"


def _unit_of(estimates: Sequence[Estimate]) -> str:
    return visible(estimates[0].unit) or "no unit"
