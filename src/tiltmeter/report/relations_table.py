"""Correlations in the terminal."""

from collections.abc import Mapping
from pathlib import Path

from rich.console import Console

from tiltmeter.analysis.correlate import CORRECTED, KENDALL, PEARSON, SPEARMAN, Relations
from tiltmeter.core.results import Estimate
from tiltmeter.report.columns import Column, fitting, lines
from tiltmeter.report.plots.correlation_heat import is_told, two
from tiltmeter.report.relations_words import LETTERS, ends, finding, ranked
from tiltmeter.report.terminal import Sheet
from tiltmeter.report.wording import final_p, p_text, visible

MOST_ROWS = 20
"""Pairs that are listed; the files have all."""


def print_relations(
    made: Relations, console: Console, *, files: Mapping[str, str | Path] | None = None
) -> None:
    """The finding, the measures by number, the strongest pairs, and what so many points can show.

    Args:
        made: What was found.
        console: No line is wider than it, but for the addresses of files.
        files: What each file is, and where it lies.
    """
    page = Sheet(console)
    for i, text in enumerate(finding(made)):
        page.say(text, style="" if i else "bold")
    page.heading(f"Measures, of {len(made.points.labels)} {made.points.over}")
    known = {e.groups["measure"]: e for e in made.reliabilities}
    for source in dict.fromkeys(measure.source for measure in made.points.measures):
        page.say(f"{visible(source)}:", style="dim")
        page.facts({
            f"{i:>3}": f"{visible(measure.name)}{_reliable(known.get(measure.name))}"
            for i, measure in enumerate(made.points.measures, 1)
            if measure.source == source
        })  # fmt: skip
    page.heading("Correlations, the strongest first")
    _print_pairs(page, made)
    page.gap()
    page.facts(
        {"What it can show": " ".join(_sentence(note) for note in made.notes), "p": _tests(made)}
    )
    if files:
        page.gap()
        page.addresses(files)


def _reliable(e: Estimate | None) -> str:
    if e is None:
        return ""
    if e.value is None:
        return f"; reliability undefined: {visible(e.why)}"
    return f"; reliability {two(e.value)}{f', {visible(e.why)}' if e.why else ''}"


def _print_pairs(page: Sheet, made: Relations) -> None:
    rows = ranked(made)[:MOST_ROWS]
    number = {name: i for i, name in enumerate(made.points.names, 1)}
    first = [row[made.method] for row in rows]
    other = SPEARMAN if made.method == PEARSON else PEARSON
    columns = [
        Column("pair", [f"{number[e.groups['x']]} and {number[e.groups['y']]}" for e in first], right=False),
        Column("n", [f"{e.n}" for e in first]),
        Column(LETTERS[made.method], [two(e.value) or "undefined" for e in first]),
        Column("interval", [ends(e, " to ") for e in first], drop=1),
        Column("p (Holm)", ["" if (p := final_p(e)) is None else p_text(p) for e in first], drop=2),
        Column(LETTERS[other], [two(row[other].value) for row in rows], drop=3),
        Column(LETTERS[KENDALL], [two(row[KENDALL].value) for row in rows], drop=4),
    ]  # fmt: skip
    if any(CORRECTED in row and row[CORRECTED].value is not None for row in rows):
        cells = [two(row[CORRECTED].value) if CORRECTED in row else "" for row in rows]
        columns.append(Column("r without noise", cells, drop=5))
    for line in lines(fitting(columns, page.width), page.width, [is_told(e) for e in first]):
        page.line(line)
    reasons: dict[str, list[str]] = {}
    for e, text in zip(first, columns[0].cells, strict=True):
        if e.value is None:
            reasons.setdefault(e.why, []).append(text)
    for why, pairs in reasons.items():
        page.say(f"Undefined ({'; '.join(pairs)}): {visible(why)}.")
    for why in dict.fromkeys(row[CORRECTED].why for row in rows if CORRECTED in row):
        page.say(f"r without noise: {visible(why)}." if why else "")
    rest = len(made.of(made.method)) - len(rows)
    if rest:
        page.say(f"… and {rest} more {'pair' if rest == 1 else 'pairs'}, in the files.")


def _tests(made: Relations) -> str:
    tests = dict.fromkeys(e.test for e in made.of(made.method) if e.test)
    return f"{'; '.join(tests)}; after Holm’s adjustment over all pairs" if tests else ""


def _sentence(text: str) -> str:
    """With a full stop."""
    return visible(text) if text.endswith(".") else f"{visible(text)}."
