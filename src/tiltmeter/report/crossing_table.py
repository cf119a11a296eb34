"""What the terminal shows of crossed groups."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from tiltmeter.analysis.intersections.emergent_traits import Row, Way
from tiltmeter.analysis.intersections.summary import WAYS, Intersections
from tiltmeter.report.columns import Column, fitting, lines
from tiltmeter.report.crossing_page import LABELS, raised, turned
from tiltmeter.report.terminal import Sheet
from tiltmeter.report.wording import number, p_text, span, visible

SHOWN = 10
"""Rows of each list; the rest is in the files."""


def print_intersections(
    made: Intersections, console: Console, *, files: Mapping[str, str | Path] | None = None
) -> None:
    """Order, domains, emergent traits, agreement with findings, and where the files are."""
    page = Sheet(console)
    c = made.crossings
    page.say(
        f"{visible(c.name)}: {len(c.crossed):,} crossed groups of {len(c.singles)} single ones, "
        f"{len(c.templates)} template{'s' if len(c.templates) != 1 else ''}.",
        style="bold",
    )
    for note in c.notes:
        page.say(f"{visible(note)}.")
    _order(page, made)
    _domains(page, made)
    for way in WAYS:
        _emergent(page, made, way)
    _findings(page, made)
    if files:
        page.gap()
        page.addresses(files)


def _order(page: Sheet, made: Intersections) -> None:
    page.heading("Mean Kendall’s τ of a crossed group with …")
    rows = [e for e in made.order if e.value is not None]
    _table(
        page,
        Column("", [LABELS[e.name] for e in rows], right=False),
        Column("n", [f"{e.n:,}" for e in rows], drop=1),
        Column("value", [number(e.value or 0.0) for e in rows]),
        Column("interval", [span(e, "–") for e in rows], drop=2),
    )
    for e in made.order:
        if e.value is None:
            page.say(f"{raised(LABELS[e.name])}: undefined: {visible(e.why)}.")
    for why in dict.fromkeys(e.why for e in rows if e.why):
        page.say(f"{raised(visible(why))}.")


def _domains(page: Sheet, made: Intersections) -> None:
    rows = [d for d in turned(made.domains) if d.difference.value is not None]
    if not rows:
        return
    page.heading("Which domain’s part it is more like: difference of mean τ")
    shown = rows[:SHOWN]
    _table(
        page,
        Column("", [f"{visible(d.domain)} over {visible(d.other)}" for d in shown], right=False),
        Column("n", [f"{d.difference.n:,}" for d in shown], drop=1),
        Column("difference", [number(d.difference.value or 0.0) for d in shown]),
        Column("interval", [span(d.difference, "–") for d in shown], drop=2),
    )
    if len(rows) > len(shown):
        page.say(f"… and {len(rows) - len(shown)} more, in the files.")


def _emergent(page: Sheet, made: Intersections, way: Way) -> None:
    rows = made.top(way, SHOWN)
    page.heading(f"Traits {way} both parts")
    cells = made.emergent.score.size
    if made.emergent.tested:
        page.say(f"{made.sure(way):,} of {cells:,} cells at a false-discovery rate of 5 %.")
    if made.emergent.why and way == "above":
        page.say(f"{raised(visible(made.emergent.why))}.")
    if not rows:
        return
    sure = [row.p_adjusted is not None and row.p_adjusted < 0.05 for row in rows]  # noqa: PLR2004
    _table(
        page,
        Column("", [f"{visible(r.crossed)}: {visible(r.trait)}" for r in rows], right=False),
        Column("by", [number(r.by) for r in rows]),
        Column("score", [number(r.score) for r in rows], drop=2),
        Column("parts", [_parts(r) for r in rows], drop=3),
        Column("p (BH)", ["" if r.p_adjusted is None else p_text(r.p_adjusted) for r in rows], drop=1),
        bold=sure,
    )  # fmt: skip


def _parts(row: Row) -> str:
    return f"{number(row.first_score)}, {number(row.second_score)}"


def _findings(page: Sheet, made: Intersections) -> None:
    page.heading("What people were found to associate")
    if not made.agreements:
        page.say(f"{raised(visible(made.findings))}.")
        return
    rows = made.agreements
    shown = ["undefined" if a.precision is None else number(a.precision) for a in rows]
    _table(
        page,
        Column("emergent traits", [a.told_by for a in rows], right=False),
        Column("told", [f"{a.told} of {a.cells}" for a in rows], drop=3),
        Column("precision", shown),
        Column("chance", [number(a.chance_precision) for a in rows], drop=1),
        Column("recall", [number(a.recall) for a in rows]),
        Column("chance", [number(a.chance_recall) for a in rows], drop=1),
        Column("p", [p_text(a.p) for a in rows], drop=2),
        Column("p, dealt", ["" if a.p_dealt is None else p_text(a.p_dealt) for a in rows], drop=2),
    )
    page.say(f"Findings: {visible(made.findings)}.")
    if rows[0].why:
        page.say(f"{raised(visible(rows[0].why))}.")


def _table(page: Sheet, *columns: Column, bold: Sequence[bool] = ()) -> None:
    rows = len(columns[0].cells)
    kept = fitting(columns, page.width)
    for line in lines(kept, page.width, list(bold) or [False] * rows):
        page.line(line)
