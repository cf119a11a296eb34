"""What the terminal shows after a run: a finding in words, a table, and what to know beside it."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from tiltmeter.core.results import Card, Estimate, Result
from tiltmeter.core.study import Study
from tiltmeter.report.columns import GAP, Column, fitting, lines, total
from tiltmeter.report.families import FEW, Family, by_value, families, headline_of, main_family
from tiltmeter.report.scale import Scale, scale_of
from tiltmeter.report.textbar import CLEAR_MARK, UNCLEAR_MARK, axis, bar
from tiltmeter.report.wording import (
    axis_title,
    caution,
    final_p,
    finding,
    is_clear,
    number,
    p_text,
    span,
    subset,
    title,
    verdict,
    visible,
    with_unit,
)

WIDEST = 120
"""Lines longer than this are hard to read, however wide the terminal is."""
LONGEST_BAR, SHORTEST_BAR = 41, 13
MOST_ROWS = 20
"""Of a family beside the main one; the rest is in the files."""

_ASCII = str.maketrans("─├┤│┼●○–−×…’“”\u00a0", '-||||*o--x.\'"" ')
_HELD = "\ue000"
"""Stands for a space that must not break, which wrapping would take for any other space."""
_RAISED = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


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
    page = _Page(console)
    head, model = headline_of(result.estimates), str(result.card.model.get("name", ""))
    if head is not None:
        page.say(finding(head, model), style="bold")
        page.say(verdict(head))
        page.say(caution(head, result.estimates, str(result.card.data.get("clusters", ""))))
    _print_families(page, result.estimates)
    page.gap()
    page.facts(_conditions(result.card, result.estimates, study))
    if files:
        page.gap()
        page.addresses(files)


def print_comparison(estimates: Sequence[Estimate], console: Console) -> None:
    """Differences between models, one row each; the line in the middle is "no difference"."""
    page = _Page(console)
    for models in dict.fromkeys(e.model for e in estimates):
        page.gap()
        _print_compared(page, [e for e in estimates if e.model == models])
    page.gap()
    tests = list(dict.fromkeys(visible(e.test) for e in estimates if e.test))
    intervals = list(dict.fromkeys(visible(e.interval) for e in estimates if e.interval))
    page.facts({"Marks": _legend(), "Interval": "; ".join(intervals), "p": "; ".join(tests)})


def _print_compared(page: "_Page", estimates: Sequence[Estimate]) -> None:
    """Two models: their first measure with its subsets, then what else was compared."""
    first = [e for e in estimates if e.name == estimates[0].name]
    head = headline_of(first)
    if head is not None:
        page.say(finding(head), style="bold")
        page.say(verdict(head))
    page.heading(f"{title(first[0].name)}, {_unit_of(first)}")
    _print_rows(page, first, with_axis=len({axis for e in first for axis in e.groups}) > 1)
    _print_others(page, [e for e in estimates if e not in first and not e.groups], [])


class _Page:
    """A console that keeps lines short, and to ASCII where the output can hold nothing else."""

    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = min(console.width, WIDEST)

    def say(self, text: str, style: str = "") -> None:
        if text:
            for line in self.wrapped(text, self.width):
                line.stylize(style)
                self.line(line)

    def line(self, text: Text) -> None:
        text.plain = self.plain(text.plain).replace("\u00a0", " ").replace(_HELD, " ")
        self.console.print(text, no_wrap=True, overflow="ignore", crop=False, highlight=False)

    def heading(self, text: str) -> None:
        self.gap()
        self.say(text, style="bold underline")

    def gap(self) -> None:
        self.console.print()

    def facts(self, facts: Mapping[str, str]) -> None:
        """Names to the left, what there is to say of each wrapped beside it."""
        kept = {name: text for name, text in facts.items() if text}
        indent = max(map(len, kept), default=0) + GAP
        for name, text in kept.items():
            for i, line in enumerate(self.wrapped(text, max(self.width - indent, 1))):
                start = (name if i == 0 else "").ljust(indent)
                self.line(Text.assemble((start, "dim"), line))

    def wrapped(self, text: str, width: int) -> list[Text]:
        held = self.plain(text.replace("\u00a0", _HELD))
        lines = Text(held).wrap(self.console, width, overflow="fold")
        for line in lines:
            line.rstrip()
        return list(lines)

    def addresses(self, files: Mapping[str, str | Path]) -> None:
        # A path that is broken over lines cannot be copied: these alone may be wider.
        for name, path in files.items():
            text = Text.assemble((f"{name}: ", "dim"), visible(str(path)))
            self.console.print(text, soft_wrap=True, highlight=False)

    def plain(self, text: str) -> str:
        if not self.console.options.ascii_only:
            return text
        known = text.translate(_ASCII).translate(_RAISED)
        parts = known.split(_HELD)
        return _HELD.join(p.encode("ascii", "backslashreplace").decode("ascii") for p in parts)


def _print_families(page: _Page, estimates: Sequence[Estimate]) -> None:
    head, main = headline_of(estimates), main_family(estimates)
    beside = [f for f in families(estimates) if f.axes and f != main]
    few = [f for f in beside if len(f.estimates) <= FEW]
    small = [f for f in few if head and f.name == head.name]
    if main is not None and head is not None:
        page.heading(f"{title(head.name)} by {main.title}, {_unit_of(main.estimates)}")
        _print_rows(page, (*by_value(main.estimates), head), with_axis=False)
    if small:
        page.heading("Subsets")
        scale = scale_of(main.estimates) if main else None
        _print_rows(page, [e for f in small for e in f.estimates], scale=scale)
    _print_others(page, [e for e in estimates if not e.groups and e is not head], few)
    for family in beside:
        if family not in few:
            page.heading(f"{title(family.name)} by {family.title}, {_unit_of(family.estimates)}")
            _print_rows(page, by_value(family.estimates), with_axis=False)


def _print_rows(
    page: _Page,
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
"""What is left out first where it is narrow: the highest."""


def _columns(rows: Sequence[Estimate], *, with_axis: bool) -> list[Column]:
    adjusted = any(e.p_adjusted is not None for e in rows)
    columns = [
        Column("", [subset(e.groups, with_axis=with_axis) for e in rows], right=False),
        Column("n", [f"{e.n:,}" for e in rows]),
        Column("value", [_value(e) for e in rows]),
        Column("interval", [span(e, "–") for e in rows], drop=_INTERVAL),
    ]
    if any(final_p(e) is not None for e in rows):
        cells = ["" if (p := final_p(e)) is None else p_text(p) for e in rows]
        columns.append(Column("p (Holm)" if adjusted else "p", cells, drop=_P))
    if any(e.mde is not None for e in rows):
        cells = ["" if e.mde is None else number(e.mde, e.unit) for e in rows]
        columns.append(Column("MDE", cells, drop=_MDE))
    return columns


def _bar_column(rows: Sequence[Estimate], scale: Scale | None, width: int) -> Column:
    shown = scale_of(rows) if scale is None else scale
    bars = [bar(e, shown, width).ljust(width) for e in rows]
    return Column(axis(shown, width), bars, right=False, drop=_BAR)


def _print_others(page: _Page, overall: Sequence[Estimate], few: Sequence[Family]) -> None:
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
        Column("neutral", [f"{e.neutral:g}" for e in rows], drop=2),
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


def _legend() -> str:
    return f"{CLEAR_MARK} told from the neutral line, {UNCLEAR_MARK} not told from it (p < .05)"


def _conditions(
    card: Card, estimates: Sequence[Estimate], study: Study[Any] | None
) -> dict[str, str]:
    """What has to be known to read the numbers rightly, by its heading."""
    head, counts = headline_of(estimates), card.counts
    skipped = counts.get("invalid", 0)
    tied, scored = counts.get("tied", 0), counts.get("scored", 0)
    left_out = f"{skipped:,} of {counts.get('total', 0):,} items; the card lists them"
    return {
        "Marks": f"{_legend()}; MDE is the smallest distance found in 4 of 5 such samples",
        "Interval": visible(head.interval) if head else "",
        "p": _tests(estimates),
        "Scored by": f"rule {visible(card.rule)}, convention {visible(card.convention)}",
        "Ties": f"{tied:,} of {scored:,}; policy {visible(card.ties)}",
        "Left out": left_out if skipped else "nothing",
        "Data": visible(" ".join(str(card.data.get(k, "")) for k in ("name", "version"))).strip(),
        "Not shown": visible(study.not_what) if study else "",
    }


def _tests(estimates: Sequence[Estimate]) -> str:
    head = headline_of(estimates)
    adjusted = families(e for e in estimates if e.p_adjusted is not None)
    over = list(dict.fromkeys(axis_title(axis) for f in adjusted for axis in f.axes))
    holm = f'Holm\'s adjustment within each of: {", ".join(over)}; "all" is a single test'
    holm = holm if over else ""
    return "; ".join(text for text in (visible(head.test) if head else "", holm) if text)
