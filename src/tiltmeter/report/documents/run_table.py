"""A table over several runs, as a document."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tiltmeter.analysis.printed_numbers import PRINTED
from tiltmeter.analysis.run_table import RunTable
from tiltmeter.analysis.run_table_layout import Key
from tiltmeter.core.results import Estimate, Meaning
from tiltmeter.core.text import listed, visible
from tiltmeter.report import document as doc
from tiltmeter.report import text
from tiltmeter.report.columns import TableRows
from tiltmeter.report.few_items import few_note

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
) -> doc.Document:
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
            **{text.axis_title(name).capitalize(): _shared(table, name) for name in table.shared},
            PRINTED_FROM: "; ".join(sources)
            if any(p.printed for p in table.cells.values())
            else "",
        }
        notes = [*cautions(table), *table.notes]
        study = table.cards[0].study if len(tables) > 1 else ""
        numbers = replace(
            number_table(table, intervals=shown),
            file_notes=[*_fact_sentences(facts), *notes],
            name=study or "table",
        )
        blocks: list[doc.Block] = [
            numbers,
            doc.Facts(facts),
            *(doc.Text(text, "note") for text in notes),
        ]
        sections.append(doc.Section(study or "table", study, blocks))
    if command:
        again = doc.Facts({"To repeat": command}, on=doc.PAGE)
        sections.append(doc.Section("repeat", "How to repeat it", [again], on=doc.PAGE))
    cards = [card for table in tables for card in table.cards]
    models = dict.fromkeys(card.model_name for card in cards if card.model_name)
    studies = dict.fromkeys(card.study for card in cards)
    title = heading(tables[0]) if len(tables) == 1 else f"{len(tables)} studies"
    return doc.Document(title, f"{' · '.join(models)} · {', '.join(studies)}", [], sections)


def _fact_sentences(facts: Mapping[str, str]) -> list[str]:
    """What all numbers have in common as one note, and the sources of printed numbers as another."""
    shared = [f"{name}: {value}" for name, value in facts.items() if value and name != PRINTED_FROM]
    sources = facts[PRINTED_FROM]
    return [
        *([f"{'. '.join(shared)}."] if shared else []),
        *([text.sentence_end(f"{PRINTED_FROM}: {sources}")] if sources else []),
    ]


def heading(table: RunTable) -> str:
    """What the numbers are, and by what: "Stereotype rate by bias type and model"."""
    estimates = [p.estimate for p in table.cells.values()]
    titles = list(dict.fromkeys(map(text.title, estimates)))
    short = list(dict.fromkeys(map(text.short_title, estimates)))
    what = titles[0] if len(titles) == 1 else listed(short) if len(short) <= FEW else "Measures"
    by = [text.axis_title(n) for n in (*table.row_names, *table.column_names) if n != "measure"]
    return f"{what} by {listed(by)}" if by else what


def number_table(table: RunTable, *, intervals: bool) -> doc.Table:
    """The numbers, a row and a column for each place."""
    labels = _labels(table)
    estimates = [p.estimate for p in table.cells.values()]
    units = {e.unit for e in estimates}
    unit = text.short_unit(next(iter(units))) if len(units) == 1 else ""
    best = table.best()
    columns = [*_names(table, labels), *_counts(table)]
    for key in table.columns:
        columns += _numbers(table, key, labels, best, intervals=intervals)
    return doc.Table(
        f"{heading(table)}{f', {unit}' if unit else ''}",
        columns,
        strong=[not any(key) for key in table.rows] if len(table.row_names) == 1 else (),
        notes=_notes(table, labels, marked_best=bool(best)),
        most=len(table.rows),
        name="table",
    )


def _labels(table: RunTable) -> Mapping[str, Mapping[str, str]]:
    """Plain names of values: those of the studies, and of measures their short titles."""
    labels: dict[str, dict[str, str]] = {}
    for card in table.cards:
        for axis, names in card.labels.items():
            labels.setdefault(axis, {}).update(names)
    estimates = [p.estimate for p in table.cells.values()]
    several = len({e.unit for e in estimates}) > 1  # else the heading has the unit
    labels["measure"] = {
        e.name: text.short_title(e)
        + (f" ({text.short_unit(e.unit)})" if several and e.unit else "")
        for e in estimates
    }
    return labels


def _names(table: RunTable, labels: Mapping[str, Mapping[str, str]]) -> list[doc.Column]:
    """A column for each coordinate of the rows; what repeats the row above is left blank."""
    columns, rows = [], table.rows
    for place, name in enumerate(table.row_names):
        last, upto = place == len(table.row_names) - 1, place + 1
        shown = [
            "" if i and not last and rows[i - 1][:upto] == key[:upto]
            else text.label(name, key[place], labels) if key[place] else ALL
            for i, key in enumerate(rows)
        ]  # fmt: skip
        values, title = [key[place] or None for key in rows], text.axis_title(name)
        columns.append(doc.Column(title, values, shown=shown, number=False, name=name))
    return columns


def _counts(table: RunTable) -> list[doc.Column]:
    """How many items of the runs, where all of their cells in a row have as many."""
    sizes_of_rows = []
    for key in table.rows:
        counts = [p.estimate.n for p in table.row(key) if p is not None and not p.printed]
        sizes = {n for n in counts if n}
        sizes_of_rows.append(next(iter(sizes)) if len(sizes) == 1 else None)
    if all(n is None for n in sizes_of_rows):
        return []
    return [doc.Column("n", sizes_of_rows, "{:,}".format, name="n")]


def _numbers(
    table: RunTable,
    key: Key,
    labels: Mapping[str, Mapping[str, str]],
    best: set[tuple[Key, Key]],
    *,
    intervals: bool,
) -> list[doc.Column]:
    """The values of one column with their marks, and for files the ends of the intervals and p."""
    cells = (table.cells.get((row, key)) for row in table.rows)
    of = TableRows([p.estimate if p else None for p in cells])
    words = [
        text.label(n, v, labels) if v else ALL for n, v in zip(table.column_names, key, strict=True)
    ]
    name = " ".join(v or ALL for v in key)
    group, heading = ", ".join(words[:-1]), "".join(words[-1:])
    values = of.shown(heading, lambda e: e.value, _value, name=name, group=group)
    columns = [replace(values, bold=[(row, key) in best for row in table.rows])]
    if intervals:
        columns.append(
            of.shown("interval", lambda _: None, text.span, drop=2, in_files=False, group=group)
        )
    ends: dict[str, Callable[[Estimate], float | None]] = {
        "low": lambda e: e.low, "high": lambda e: e.high, "p": text.final_p,
    }  # fmt: skip
    for part, get in ends.items():
        known = of.values(get)
        if any(value is not None for value in known):
            columns.append(
                doc.Column("", known, on=doc.FILES_ONLY, name=f"{name} {part}", group=group)
            )
    return columns


def _value(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    return text.value_text(estimate) + (SIGNIFICANT if _is_starred(estimate) else "")


def _is_starred(estimate: Estimate) -> bool:
    """The star says p < .05, so that a measure without a test has none."""
    return bool(estimate.significant) and text.final_p(estimate) is not None


def _notes(
    table: RunTable, labels: Mapping[str, Mapping[str, str]], *, marked_best: bool
) -> list[str]:
    notes = []
    measured = [p.estimate for p in table.cells.values() if not p.printed]
    if any(map(_is_starred, measured)):
        neutral = {text.neutral_text(e) for e in measured if text.final_p(e) is not None}
        of = f"from {next(iter(neutral))}" if len(neutral) == 1 else "from the neutral value"
        way = text.adjustment(measured)
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
            place = zip(table.row_names, row, strict=True)
            further = [text.label(n, v, labels) for n, v in place if v and n != "model"]
            undefined.setdefault(text.why_undefined(p.estimate), []).append(
                ", ".join([p.run["model"], *further])
            )
    notes += [
        f"{'; '.join(dict.fromkeys(places))}: undefined, {text.sentence_end(why)}"
        for why, places in undefined.items()
    ]
    return list(dict.fromkeys(notes))


def _shared(table: RunTable, name: str) -> str:
    """One coordinate that all cells share, as a person reads it."""
    value = table.shared[name]
    if name == "measure":
        e = next(p.estimate for p in table.cells.values())
        neutral = f"; neutral value {text.neutral_text(e)}" if text.neutral_text(e) else ""
        unit = f", {e.unit}" if e.unit and not text.is_percent(e.unit) else ""
        return f"{text.title(e)}{unit}{neutral}"
    return visible(value)


def cautions(table: RunTable) -> list[str]:
    """What limits the comparison of the numbers in this table."""
    measured = [p for p in table.cells.values() if not p.printed]
    meanings: list[Meaning] = [p.estimate.meaning for p in measured]
    notes = [m.caution for m in meanings if m.caution]
    rules = dict.fromkeys(p.run["rule"] for p in measured)
    if len({(p.run["measure"], p.run["rule"]) for p in measured}) > len(
        {p.run["measure"] for p in measured}
    ):
        notes.append(
            f"The models were scored by different rules ({', '.join(rules)}), so differences between "
            "them may come from the rules."
        )
    own_data = {p.run["data"] for p in measured}
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
