"""A model before and after, in the terminal."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from tiltmeter.analysis.before_after import BeforeAfter, Change, Part
from tiltmeter.core.results import Estimate
from tiltmeter.report.change_words import (
    LEGEND,
    cost_title,
    finding,
    heading,
    interval,
    moved,
    scores_told,
    shown,
    signed,
    tables,
    told,
    towards,
)
from tiltmeter.report.columns import Column, fitting, lines, total
from tiltmeter.report.plots.svg import shortened
from tiltmeter.report.terminal import Sheet
from tiltmeter.report.wording import (
    adjustment,
    final_p,
    is_clear,
    neutral_text,
    p_text,
    subset,
    visible,
)

ADJUSTED = "groups after adjustment within each study"
NAME = 20
"""Letters of a name that are kept, if it has so many."""
MOST_ROWS = 40
"""Of one study; the files have all."""


def print_before_after(
    made: BeforeAfter, console: Console, *, files: Mapping[str, str | Path] | None = None
) -> None:
    """The finding, a table a study, what it cost, and what is not there.

    Args:
        made: What was found.
        console: No line is wider than it, but for the addresses of files.
        files: What each file is, and where it lies.
    """
    page = Sheet(console)
    for i, text in enumerate(finding(made)):
        page.say(text, style="" if i else "bold")
    for part in made.parts:
        if part.leanings:
            _print_part(page, part)
    if made.costs:
        page.heading("What it cost")
        _print_costs(page, made.costs)
    page.gap()
    tests = dict.fromkeys(e.test for e in _differences(made) if e.test)
    intervals = dict.fromkeys(e.interval for e in _differences(made) if e.interval)
    page.facts(
        {
            "Before": visible(made.before),
            "After": visible(f"{made.after}{f', {made.done}' if made.done else ''}"),
            "Not there": "; ".join(
                f"{visible(name)}: {visible(why)}" for name, why in made.missing
            ),
            "Marks": f"bold: told from no change. {LEGEND}",
            "Interval": visible("; ".join(intervals)),
            "p": visible("; ".join([*tests, ADJUSTED]) if tests else ""),
        }
    )
    if files:
        page.gap()
        page.addresses(files)


def _differences(made: BeforeAfter) -> list[Estimate]:
    return [c.difference for part in made.parts for c in (*part.leanings, *part.costs)]


def _print_part(page: Sheet, part: Part) -> None:
    for rows in tables(part):
        page.heading(heading(part, rows))
        _print_rows(page, rows)
    page.gap()
    for text in told(part):
        page.say(text)
    if part.scores is not None:
        page.say(scores_told(part.scores))
    card = part.before
    data = visible(str(card.data.get("name") or ""))
    page.say(
        f"Rule {visible(card.rule)}, convention {visible(card.convention)}, data {data}.",
        style="dim",
    )


def _print_rows(page: Sheet, changes: Sequence[Change]) -> None:
    rows = changes[:MOST_ROWS]
    adjusted = adjustment(c.difference for c in rows)
    with_axis = len({axis for c in rows for axis in c.difference.groups}) > 1
    names = [subset(c.difference.groups, with_axis=with_axis) for c in rows]
    ps = [final_p(c.difference) for c in rows]
    columns = [
        Column("", names, right=False),
        Column("before", [shown(c.before) for c in rows]),
        Column("after", [shown(c.after) for c in rows]),
        Column("change", [_change(c) for c in rows]),
        Column("interval", [interval(c.difference) for c in rows], drop=2),
        Column(
            f"p ({adjusted})" if adjusted else "p",
            ["" if p is None else p_text(p) for p in ps],
            drop=1,
        ),
        Column(f"to {neutral_text(rows[0].before)}", [towards(c) for c in rows], right=False),
    ]
    _print_lines(page, [c for c in columns if any(c.cells)], rows)
    if len(rows) < len(changes):
        page.say(f"… and {len(changes) - len(rows)} more, in the files.")
    _print_reasons(page, names, rows)


def _print_costs(page: Sheet, rows: Sequence[Change]) -> None:
    ps = [final_p(c.difference) for c in rows]
    worse = {True: "worse", False: "better", None: ""}
    names = [cost_title(c) for c in rows]
    columns = [
        Column("", names, right=False),
        Column("before", [shown(c.before) for c in rows]),
        Column("after", [shown(c.after) for c in rows]),
        Column("change", [moved(c, unit=False) for c in rows]),
        Column("interval", [interval(c.difference) for c in rows], drop=2),
        Column("p", ["" if p is None else p_text(p) for p in ps], drop=1),
        Column("", [worse[c.worse] for c in rows], right=False),
    ]
    _print_lines(page, columns, rows)
    _print_reasons(page, names, rows)


def _print_lines(page: Sheet, columns: Sequence[Column], rows: Sequence[Change]) -> None:
    kept = fitting(columns, page.width, name_least=min(NAME, columns[0].width))
    over = total(kept) - page.width
    if over > 0:  # names of tests differ at their ends
        room = kept[0].width - over
        kept[0] = Column("", [shortened(name, room) for name in kept[0].cells], right=False)
    for line in lines(kept, page.width, [bool(is_clear(c.difference)) for c in rows]):
        page.line(line)


def _print_reasons(page: Sheet, names: Sequence[str], rows: Sequence[Change]) -> None:
    """Why a row lacks something; each reason once."""
    reasons: dict[str, list[str]] = {}
    for name, c in zip(names, rows, strict=True):
        why = c.difference.why
        if c.difference.value is None:
            why = c.before.why or c.after.why or why
        if why:
            reasons.setdefault(why, []).append(name)
    for why, which in reasons.items():
        page.say(f"{', '.join(which)}: {visible(why)}")


def _change(change: Change) -> str:
    e = change.difference
    return "" if e.value is None else signed(e.value, e.unit)
