"""The document of a table over several runs, such as models by bias type."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from tiltmeter.core.estimates import Estimate, Meaning
from tiltmeter.core.text import listed, visible
from tiltmeter.derived.run_tables.printed_numbers import PRINTED
from tiltmeter.derived.run_tables.run_table import RunTable
from tiltmeter.derived.run_tables.run_table_layout import Key
from tiltmeter.report import document as doc
from tiltmeter.report import text
from tiltmeter.report.columns import TableRows
from tiltmeter.report.few_items import few_note, shown_significant

Intervals: TypeAlias = Literal["beside", "below", "plusminus", "none"]
"""Where the interval of a number is shown: in a column of its own, on a line under the number, as ± behind
the number, or nowhere."""
BESIDE_UP_TO, BELOW_UP_TO = 2, 8
"""Unless asked otherwise, intervals are shown beside the numbers up to the first number of columns and below
them up to the second; a table with more columns has none."""
FEW = 4
"""How many measures the heading names."""
SIGNIFICANT = "*"
ALL = "all"
INTERVAL = "interval"
ABBREVIATIONS = {"standard deviations": "SD"}
"""Abbreviations of units for the heads of narrow columns; a note under the table spells them out."""
PRINTED_FROM = "Printed numbers"


def run_table_document(
    tables: Sequence[RunTable],
    *,
    intervals: Intervals | None = None,
    finding: Sequence[str] = (),
    sources: Sequence[str] = (),
    command: str = "",
) -> doc.Document:
    """The tables, what their marks mean, and what all numbers of a table have in common.

    Args:
        tables: At least one table, each with at least one cell.
        intervals: Where the interval of each number is shown; None decides by the number of columns.
        finding: Paragraphs before the tables.
        sources: The papers, with the place in them, that printed numbers come from.
        command: The command that reproduces the tables; "" for none.
    """
    sections = []
    for table in tables:
        shown = intervals or _usual_place(len(table.columns))
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
    return doc.Document(
        title,
        f"{' · '.join(models)} · {', '.join(studies)}",
        [doc.Text(paragraph) for paragraph in finding],
        sections,
    )


def _fact_sentences(facts: Mapping[str, str]) -> list[str]:
    """Two notes: what all numbers have in common, and the sources of printed numbers."""
    shared = [f"{name}: {value}" for name, value in facts.items() if value and name != PRINTED_FROM]
    sources = facts[PRINTED_FROM]
    return [
        *([f"{'. '.join(shared)}."] if shared else []),
        *([text.sentence_end(f"{PRINTED_FROM}: {sources}")] if sources else []),
    ]


def heading(table: RunTable) -> str:
    """The measures and the axes in words: "Stereotype rate by bias type and model"."""
    estimates = [p.estimate for p in table.cells.values()]
    titles = list(dict.fromkeys(map(text.title, estimates)))
    short = list(dict.fromkeys(map(text.short_title, estimates)))
    what = titles[0] if len(titles) == 1 else listed(short) if len(short) <= FEW else "Measures"
    by = [text.axis_title(n) for n in (*table.row_names, *table.column_names) if n != "measure"]
    return f"{what} by {listed(by)}" if by else what


def _usual_place(columns: int) -> Intervals:
    return "beside" if columns <= BESIDE_UP_TO else "below" if columns <= BELOW_UP_TO else "none"


def number_table(table: RunTable, *, intervals: Intervals) -> doc.Table:
    """The table of numbers; with intervals below, each row of numbers is followed by a row of intervals."""
    labels = _labels(table)
    estimates = [p.estimate for p in table.cells.values()]
    units = {e.unit for e in estimates}
    unit = text.short_unit(next(iter(units))) if len(units) == 1 else ""
    best = table.best()
    columns = [*_names(table, labels), *_counts(table)]
    for key in table.columns:
        columns += _numbers(table, key, labels, best, intervals=intervals)
    strong = [not any(key) for key in table.rows] if len(table.row_names) == 1 else []
    made = doc.Table(
        f"{heading(table)}{f', {unit}' if unit else ''}",
        columns,
        strong=strong,
        notes=_notes(table, labels, marked_best=bool(best)),
        most=len(table.rows),
        name="table",
    )
    return _with_intervals_below(made) if intervals == "below" else made


def _with_intervals_below(table: doc.Table) -> doc.Table:
    """The table with the columns of intervals moved into rows under the numbers, where there are any."""
    spans: list[Sequence[str]] = []
    kept: list[doc.Column] = []
    for column in table.columns:
        # Columns of intervals directly follow those of their numbers.
        if column.title == INTERVAL and not column.in_files:
            spans[-1] = column.cells
        else:
            kept.append(column)
            spans.append([""] * table.rows)
    rows = [
        (row, is_interval)
        for row in range(table.rows)
        for is_interval in (False, True)
        if not is_interval or any(cells[row] for cells in spans)
    ]
    columns = [
        replace(
            column,
            values=[None if below else column.values[row] for row, below in rows],
            shown=[_bracketed(cells[row]) if below else column.cells[row] for row, below in rows],
            bold=[not below and bool(column.bold) and column.bold[row] for row, below in rows],
        )
        for column, cells in zip(kept, spans, strict=True)
    ]
    strong = [not below and table.strong[row] for row, below in rows] if table.strong else []
    return replace(table, columns=columns, strong=strong, most=len(rows))


def _bracketed(span: str) -> str:
    return f"[{span}]" if span else ""


def _labels(table: RunTable) -> Mapping[str, Mapping[str, str]]:
    """Names of values for readers, by axis: those of the studies' cards, and short titles of measures."""
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
    """The columns that name the rows; cells that repeat the row above are left blank."""
    columns, rows = [], table.rows
    for place, name in enumerate(table.row_names):
        last, upto = place == len(table.row_names) - 1, place + 1
        shown = [
            "" if i and not last and rows[i - 1][:upto] == key[:upto]
            else text.label(name, key[place], labels) if key[place] else ALL
            for i, key in enumerate(rows)
        ]  # fmt: skip
        values, title = [key[place] or ALL for key in rows], text.axis_title(name)
        columns.append(doc.Column(title, values, shown=shown, number=False, name=name))
    return columns


def _counts(table: RunTable) -> list[doc.Column]:
    """The column of n, empty in rows whose cells do not all have the same n; [] where all rows are empty."""
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
    intervals: Intervals,
) -> list[doc.Column]:
    """One column of values with their marks, and for files columns of the intervals' ends and p."""
    cells = (table.cells.get((row, key)) for row in table.rows)
    of = TableRows([p.estimate if p else None for p in cells])
    words = [
        text.label(n, v, labels) if v else ALL for n, v in zip(table.column_names, key, strict=True)
    ]
    if "measure" not in {*table.row_names, *table.column_names}:
        words[-1] += _own_unit(table, key)
    name = " ".join(v or ALL for v in key)
    group, heading = ", ".join(words[:-1]), "".join(words[-1:])
    show = _value_with_margin if intervals == "plusminus" else _value
    values = of.shown(heading, lambda e: e.value, show, name=name, group=group)
    columns = [replace(values, bold=[(row, key) in best for row in table.rows])]
    if intervals in {"beside", "below"}:
        columns.append(
            of.shown(INTERVAL, lambda _: None, text.span, drop=2, in_files=False, group=group)
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


def _own_unit(table: RunTable, key: Key) -> str:
    """The unit of a column in brackets; "" where all columns share one, which the heading has then."""
    units = {p.estimate.unit for p in table.cells.values()}
    own = {p.estimate.unit for (_, column), p in table.cells.items() if column == key}
    unit = text.short_unit(next(iter(own))) if len(units) > 1 and len(own) == 1 else ""
    return f" ({ABBREVIATIONS.get(unit, unit)})" if unit else ""


def _value(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    return text.value_text(estimate) + (SIGNIFICANT if _is_starred(estimate) else "")


def _value_with_margin(estimate: Estimate) -> str:
    """The value with its margin: "52.0 ± 9.6", or "33.8 (+10.7 −9.3)" for an asymmetric interval."""
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None:
        return _value(estimate)
    above, below = text.number_of(estimate, high - value), text.number_of(estimate, value - low)
    margin = f" ± {above}" if above == below else f" (+{above} −{below})"
    return _value(estimate) + margin


def _is_starred(estimate: Estimate) -> bool:
    """Whether the value gets a star, which means p < .05: never for a measure without a test."""
    return bool(shown_significant(estimate)) and text.final_p(estimate) is not None


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
    if "measure" not in {*table.row_names, *table.column_names}:
        own = {_own_unit(table, key).strip(" ()") for key in table.columns}
        notes += [f"{short}: {unit}." for unit, short in ABBREVIATIONS.items() if short in own]
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
    """A coordinate that all cells share, for readers; a measure with its title, unit and neutral value."""
    value = table.shared[name]
    if name == "measure":
        e = next(p.estimate for p in table.cells.values())
        neutral = f"; neutral value {text.neutral_text(e)}" if text.neutral_text(e) else ""
        unit = f", {e.unit}" if e.unit and not text.is_percent(e.unit) else ""
        return f"{text.title(e)}{unit}{neutral}"
    return visible(value)


def cautions(table: RunTable) -> list[str]:
    """Notes on what limits comparisons between the numbers in this table."""
    measured = [p for p in table.cells.values() if not p.printed]
    meanings: list[Meaning] = [p.estimate.meaning for p in measured]
    notes = [m.caution for m in meanings if m.caution]
    rules = dict.fromkeys(rule for p in measured if (rule := p.run["rule"]))
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
