"""What the terminal shows of an alignment with people."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.console import Console

from tiltmeter.analysis.people.alignment import Alignment, Alignments
from tiltmeter.analysis.people.alignment_numbers import MEAN, OWN, POOLED, precision_name
from tiltmeter.analysis.people.ceiling_numbers import SPLIT
from tiltmeter.core.results import Estimate
from tiltmeter.report import people_words as words
from tiltmeter.report.columns import Column, fitting, lines
from tiltmeter.report.people_words import ends, two
from tiltmeter.report.terminal import Sheet
from tiltmeter.report.wording import final_p, is_clear, p_text, visible

MOST = 12
"""Templates that are listed; of more, those at either end."""


def print_alignments(
    made: Alignments, console: Console, *, files: Mapping[str, str | Path] | None = None
) -> None:
    """The finding, the groups, the templates, and what to know beside them."""
    page = Sheet(console)
    k = made.wanted.k
    for one in made.parts:
        _print_one(page, one, k)
    if made.compared:
        page.heading("The matrices compared")
        _rows(page, [(f"{words.title(e.name)}: {visible(e.model)}", e) for e in made.compared])
    page.gap()
    page.facts(_facts(made))
    if files:
        page.gap()
        page.addresses(files)


def _print_one(page: Sheet, one: Alignment, k: int) -> None:
    page.gap()
    first, *rest = words.finding(one, k)
    page.say(first, style="bold")
    for text in (*rest, words.pilot(one)):
        page.say(text)
    page.heading(f"{visible(one.source.name)} and people, over all groups")
    names = (POOLED, MEAN, precision_name(k), OWN)
    _rows(page, [(_short(words.title(n)), e) for n in names if (e := one.find(n)) is not None])
    ceilings = words.ceilings(one, k)
    if ceilings:
        page.heading("What people reach with each other")
        _rows(page, [(f"{_short(name)}: {_short(how)}", e) for name, e, how in ceilings])
    page.heading("Kendall’s τ by group")
    _print_groups(page, one, k)
    page.say(words.nearest_and_farthest(one))
    _print_templates(page, one)
    _print_subsets(page, one)
    for text in one.left_out:
        page.say(visible(text))
    if one.turned:
        page.say(f"Turned round, as people have them the other way: {'; '.join(one.turned)}.")


def _short(text: str) -> str:
    return words.SHORT.get(text, text)


def _rows(page: Sheet, rows: Sequence[tuple[str, Estimate]]) -> None:
    """One measure a row."""
    estimates = [e for _, e in rows]
    columns = [
        Column("", [label for label, _ in rows], right=False),
        Column("value", [two(e.value) or "undefined" for e in estimates]),
        Column("interval", [ends(e, "–") for e in estimates], drop=1),
        Column("p", [_p(e) for e in estimates], drop=2),
        Column("neutral", [f"{e.neutral:g}" for e in estimates], drop=3),
        Column("n", [f"{e.n:,}" for e in estimates], drop=4),
    ]
    if not any(e.p is not None for e in estimates):
        columns.pop(3)
    _table(page, columns, [bool(is_clear(e)) for e in estimates])
    for label, e in rows:
        if e.why:
            page.say(f"{label}: {visible(e.why)}")


def _print_groups(page: Sheet, one: Alignment, k: int) -> None:
    rows = words.ranked(one)
    whose = [e.groups["group"] for e in rows]
    splits = [one.find(f"{POOLED}_{SPLIT}", group=group) for group in whose]
    precisions = [one.find(precision_name(k), group=group) for group in whose]
    columns = [
        Column("", [visible(group) for group in whose], right=False),
        Column("n", [f"{e.n}" for e in rows], drop=4),
        Column("τ", [two(e.value) or "undefined" for e in rows]),
        Column("interval", [ends(e, "–") for e in rows], drop=1),
        Column("p (Holm)", [_p(e) for e in rows], drop=2),
        Column("halves of people", [two(e.value) if e else "" for e in splits], drop=3),
        Column(f"P@{k}", [two(e.value) if e else "" for e in precisions], drop=3),
    ]
    if not any(splits):
        columns.pop(5)
    _table(page, columns, [bool(is_clear(e)) for e in rows])
    for e in rows:
        if e.why:
            page.say(f"{visible(e.groups['group'])}: {visible(e.why)}")


def _print_templates(page: Sheet, one: Alignment) -> None:
    if not one.by_template:
        return
    ranked = sorted(one.by_template, key=lambda e: (e.value is None, -(e.value or 0.0)))
    shown = ranked if len(ranked) <= MOST else [*ranked[: MOST // 2], *ranked[-MOST // 2 :]]
    page.heading(f"Kendall’s τ by template, on the {len(one.groups)} groups above")
    chosen = one.pilot.templates if one.pilot else ()
    names = [e.groups["template"] for e in shown]
    columns = [
        Column("", [visible(n) + (" (chosen)" if n in chosen else "") for n in names], right=False),
        Column("τ", [two(e.value) or "undefined" for e in shown]),
        Column("interval", [ends(e, "–") for e in shown], drop=1),
        Column("p (Holm)", [_p(e) for e in shown], drop=2),
    ]
    _table(page, columns, [bool(is_clear(e)) for e in shown])
    if len(shown) < len(ranked):
        page.say(f"The highest and the lowest {MOST // 2} of {len(ranked)}; all are in the files.")


def _print_subsets(page: Sheet, one: Alignment) -> None:
    if not one.subsets:
        return
    (column,) = one.subsets[0].estimates[0].groups
    page.heading(f"Kendall’s τ with the people of each {visible(column)}")
    pooled = [s.estimates[0] for s in one.subsets]
    columns = [
        Column("", [visible(s.value) or "(empty)" for s in one.subsets], right=False),
        Column("people", [f"{s.people}" for s in one.subsets]),
        Column("τ, all cells", [two(e.value) or "undefined" for e in pooled]),
        Column("interval", [ends(e, "–") for e in pooled], drop=1),
        Column("p (Holm)", [_p(e) for e in pooled], drop=2),
        Column("mean τ", [two(s.estimates[1].value) for s in one.subsets], drop=3),
    ]
    _table(page, columns, [bool(is_clear(e)) for e in pooled])


def _table(page: Sheet, columns: Sequence[Column], bold: Sequence[bool]) -> None:
    kept = fitting(columns, page.width, name_least=min(columns[0].width, 30))
    for line in lines(kept, page.width, bold):
        page.line(line)


def _p(estimate: Estimate) -> str:
    p = final_p(estimate)
    return "" if p is None else p_text(p)


def _facts(made: Alignments) -> dict[str, str]:
    shown = [e for one in made.parts for e in one.estimates]
    intervals = dict.fromkeys(e.interval for e in shown if e.interval)
    people = made.people
    return {
        "People": f"{people.name}: {len(people.groups)} groups, {len(people.pairs)} pairs of traits, "
        f"answers from {people.scale}",
        "Notes": " ".join(visible(note) for note in made.notes),
        "Interval": "; ".join(intervals),
        "Bold": "told from the neutral value: interval and p both say so",
        "Not shown": "Agreement with people is no virtue: people were asked how others stereotype. A "
        "low τ may be a model without these stereotypes, or one that was asked in vain.",
    }
