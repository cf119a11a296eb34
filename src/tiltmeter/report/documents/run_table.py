"""A table over several runs, as a document."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from tiltmeter.analysis.printed_numbers import PRINTED
from tiltmeter.analysis.run_table import RunTable
from tiltmeter.analysis.run_table_layout import Key
from tiltmeter.core.results import Estimate, Meaning
from tiltmeter.core.text import visible
from tiltmeter.report.document import (
    FILES_ONLY,
    PAGE,
    Block,
    Column,
    Document,
    Facts,
    Section,
    Table,
    Text,
)
from tiltmeter.report.few_items import few_note
from tiltmeter.report.text import (
    adjustment,
    axis_title,
    final_p,
    is_percent,
    label,
    neutral_text,
    sentence_end,
    short_title,
    short_unit,
    span,
    title,
    value_text,
    why_undefined,
)

FEW_COLUMNS = 4
"""With more columns of numbers than this, intervals are shown only on request."""
FEW = 4
"""Measures that the heading names."""
SIGNIFICANT = "*"
ALL = "all"
PRINTED_FROM = "Printed numbers"


def run_table_document(
    tables: Sequence[RunTable],
    *,
    intervals: bool | None = None,
    sources: Sequence[str] = (),
    command: str = "",
) -> Document:
    """The tables, what their marks mean, and what all numbers of each have in common.

    Args:
        tables: At least one, each with at least one cell.
        intervals: Whether each number has its interval beside it; None where there is room for them.
        sources: Of numbers that papers print: the paper and the place in it.
        command: How to make it again.
    """
    sections = []
    for table in tables:
        shown = len(table.columns) <= FEW_COLUMNS if intervals is None else intervals
        facts = {
            **{axis_title(name).capitalize(): _shared(table, name) for name in table.shared},
            PRINTED_FROM: "; ".join(sources)
            if any(p.printed for p in table.cells.values())
            else "",
        }
        notes = [*cautions(table), *table.left_out]
        study = table.cards[0].study if len(tables) > 1 else ""
        numbers = replace(
            number_table(table, intervals=shown),
            file_notes=[*_fact_sentences(facts), *notes],
            name=study or "table",
        )
        blocks: list[Block] = [numbers, Facts(facts), *(Text(text, "note") for text in notes)]
        sections.append(Section(study or "table", study, blocks))
    if command:
        again = Facts({"To repeat": command}, on=PAGE)
        sections.append(Section("repeat", "How to repeat it", [again], on=PAGE))
    cards = [card for table in tables for card in table.cards]
    models = dict.fromkeys(card.model_name for card in cards if card.model_name)
    studies = dict.fromkeys(card.study for card in cards)
    title = heading(tables[0]) if len(tables) == 1 else f"{len(tables)} studies"
    return Document(title, f"{' · '.join(models)} · {', '.join(studies)}", [], sections)


def _fact_sentences(facts: Mapping[str, str]) -> list[str]:
    """What all numbers have in common as one note, and the sources of printed numbers as another."""
    shared = [f"{name}: {value}" for name, value in facts.items() if value and name != PRINTED_FROM]
    sources = facts[PRINTED_FROM]
    return [
        *([f"{'. '.join(shared)}."] if shared else []),
        *([sentence_end(f"{PRINTED_FROM}: {sources}")] if sources else []),
    ]


def heading(table: RunTable) -> str:
    """What the numbers are, and by what: "Stereotype rate by bias type and model"."""
    estimates = [p.estimate for p in table.cells.values()]
    named = list(dict.fromkeys(map(title, estimates)))
    short = list(dict.fromkeys(map(short_title, estimates)))
    what = named[0] if len(named) == 1 else _joined(short) if len(short) <= FEW else "Measures"
    by = [axis_title(n) for n in (*table.row_names, *table.column_names) if n != "measure"]
    return f"{what} by {_joined(by)}" if by else what


def _joined(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else "".join(words)


def number_table(table: RunTable, *, intervals: bool) -> Table:
    """The numbers themselves."""
    labels = _labels(table)
    estimates = [p.estimate for p in table.cells.values()]
    units = {e.unit for e in estimates}
    unit = short_unit(next(iter(units))) if len(units) == 1 else ""
    best = table.best()
    columns = [*_names(table, labels), *_counts(table)]
    for key in table.columns:
        columns += _numbers(table, key, labels, best, intervals=intervals)
    return Table(
        f"{heading(table)}{f', {unit}' if unit else ''}",
        columns,
        strong=[not any(key) for key in table.rows] if len(table.row_names) == 1 else (),
        notes=_notes(table, labels, marked_best=bool(best)),
        most=len(table.rows),
        name="table",
    )


def _labels(table: RunTable) -> Mapping[str, Mapping[str, str]]:
    """Plain names of values: those of the studies, and of measures their short titles."""
    found: dict[str, dict[str, str]] = {}
    for card in table.cards:
        for axis, names in card.labels.items():
            found.setdefault(axis, {}).update(names)
    found["measure"] = {p.estimate.name: short_title(p.estimate) for p in table.cells.values()}
    return found


def _names(table: RunTable, labels: Mapping[str, Mapping[str, str]]) -> list[Column]:
    """A column for each coordinate of the rows; what repeats the row above is left blank."""
    found = []
    for place, name in enumerate(table.row_names):
        values = [key[place] for key in table.rows]
        shown = [
            "" if place < len(table.row_names) - 1 and _repeats(table.rows, i, place)
            else label(name, value, labels) if value else ALL
            for i, value in enumerate(values)
        ]  # fmt: skip
        found.append(
            Column(
                axis_title(name), [v or None for v in values], shown=shown, number=False, name=name
            )
        )
    return found


def _repeats(rows: Sequence[Key], at: int, place: int) -> bool:
    return at > 0 and rows[at - 1][: place + 1] == rows[at][: place + 1]


def _counts(table: RunTable) -> list[Column]:
    """How many items of the runs, where all of their cells in a row have as many."""
    found = []
    for key in table.rows:
        own = [p.estimate.n for p in table.row(key) if p is not None and not p.printed]
        sizes = {n for n in own if n}
        found.append(next(iter(sizes)) if len(sizes) == 1 else None)
    if all(n is None for n in found):
        return []
    return [Column("n", found, "{:,}".format, name="n")]


def _numbers(
    table: RunTable,
    key: Key,
    labels: Mapping[str, Mapping[str, str]],
    best: set[tuple[Key, Key]],
    *,
    intervals: bool,
) -> list[Column]:
    """The values of one column with their marks, and for files the ends of the intervals and p."""
    cells = [table.cells.get((row, key)) for row in table.rows]
    found = [p.estimate if p else None for p in cells]
    words = [
        label(n, v, labels) if v else ALL for n, v in zip(table.column_names, key, strict=True)
    ]
    name = " ".join(v or ALL for v in key)
    group, heading = ", ".join(words[:-1]), "".join(words[-1:])
    made = [
        Column(
            heading,
            [e.value if e else None for e in found],
            shown=["" if e is None else _value(e) for e in found],
            bold=[(row, key) in best for row in table.rows],
            name=name,
            group=group,
        )
    ]
    if intervals:
        spans = [span(e) if e else "" for e in found]
        made.append(
            Column(
                "interval", [None] * len(found), shown=spans, drop=2, in_files=False, group=group
            )
        )
    ends = {
        "low": [e.low if e else None for e in found],
        "high": [e.high if e else None for e in found],
        "p": [final_p(e) if e else None for e in found],
    }
    made += [
        Column("", values, on=FILES_ONLY, name=f"{name} {part}", group=group)
        for part, values in ends.items()
        if any(value is not None for value in values)
    ]
    return made


def _value(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    return value_text(estimate) + (SIGNIFICANT if _is_starred(estimate) else "")


def _is_starred(estimate: Estimate) -> bool:
    """The star says p < .05, so that a measure without a test has none."""
    return bool(estimate.significant) and final_p(estimate) is not None


def _notes(
    table: RunTable, labels: Mapping[str, Mapping[str, str]], *, marked_best: bool
) -> list[str]:
    notes = []
    own = [p.estimate for p in table.cells.values() if not p.printed]
    if any(map(_is_starred, own)):
        neutral = {neutral_text(e) for e in own if final_p(e) is not None}
        of = f"from {next(iter(neutral))}" if len(neutral) == 1 else "from the neutral value"
        way = adjustment(own)
        after = f", {way} adjustment" if way else ""
        notes.append(f"{SIGNIFICANT} significantly different {of} (p < .05{after}).")
    notes += few_note(p.estimate for p in table.cells.values() if not p.printed)
    if marked_best:
        kinds = {
            tuple(p.run[name] for name in ("rule", "convention", "items"))
            for p in table.cells.values()
            if not p.printed
        }
        alike = "" if len(kinds) == 1 else " that were scored by the same rule on the same data"
        notes.append(f"Bold: the best of the models{alike}.")
    if any(p.run["model"].endswith(PRINTED) for p in table.cells.values() if p.printed):
        notes.append(f"{PRINTED} as printed in the paper.")
    undefined: dict[str, list[str]] = {}
    for (row, _), p in table.cells.items():
        if p.estimate.value is None:
            place = [label(n, v, labels) for n, v in zip(table.row_names, row, strict=True) if v]
            undefined.setdefault(why_undefined(p.estimate), []).append(
                ", ".join([p.run["model"], *place])
            )
    notes += [
        f"{'; '.join(places)}: undefined, {sentence_end(why)}" for why, places in undefined.items()
    ]
    return list(dict.fromkeys(notes))


def _shared(table: RunTable, name: str) -> str:
    """One coordinate that all cells share, as a person reads it."""
    value = table.shared[name]
    if name == "measure":
        e = next(p.estimate for p in table.cells.values())
        neutral = f"; neutral value {neutral_text(e)}" if neutral_text(e) else ""
        unit = f", {e.unit}" if e.unit and not is_percent(e.unit) else ""
        return f"{title(e)}{unit}{neutral}"
    return visible(value)


def cautions(table: RunTable) -> list[str]:
    """What limits the comparison of the numbers in this table."""
    own = [p for p in table.cells.values() if not p.printed]
    meanings: list[Meaning] = [p.estimate.meaning for p in own]
    notes = [m.caution for m in meanings if m.caution]
    rules = dict.fromkeys(p.run["rule"] for p in own)
    if len({(p.run["measure"], p.run["rule"]) for p in own}) > len({p.run["measure"] for p in own}):
        notes.append(
            f"The models were scored by different rules ({', '.join(rules)}), so differences between "
            "them may come from the rules."
        )
    own_data = {p.run["data"] for p in own}
    theirs = {p.run["data"] for p in table.cells.values() if p.printed} - own_data
    whole = {name for name in theirs if any(data.startswith(f"{name}, ") for data in own_data)}
    if whole:
        notes.append(
            f"The printed numbers were measured on all of {', '.join(sorted(whole))}, not on a sample."
        )
    if theirs := theirs - whole:
        notes.append(
            f"The printed numbers were measured on other data ({', '.join(sorted(theirs))})."
        )
    samples = {(card.study, str(card.data.get("sample", ""))) for card in table.cards}
    if len(samples) > len({card.study for card in table.cards}):
        notes.append("The runs cover different samples of the data.")
    return list(dict.fromkeys(notes))
