"""The document of a table over several runs, such as models by bias type."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.text import counted, listed
from tiltmeter.derived.run_tables.run_table import PART, RunTable
from tiltmeter.derived.run_tables.run_table_layout import Key
from tiltmeter.derived.run_tables.table_variants import VARIANT
from tiltmeter.report import document as doc
from tiltmeter.report import text
from tiltmeter.report.columns import TableRows
from tiltmeter.report.documents.run_tables.run_table_notes import (
    SIGNIFICANT,
    Intervals,
    abbreviated,
    cautions,
    fact_sentences,
    has_several_units,
    is_starred,
    study_label,
    table_facts,
    table_notes,
)
from tiltmeter.report.rows import ALL
from tiltmeter.report.value_marks import value_mark

BESIDE_UP_TO, BELOW_UP_TO = 2, 8
"""Unless asked otherwise, intervals are shown beside the numbers up to the first number of columns and below
them up to the second; a table with more columns has none."""
FEW = 4
"""How many measures the heading names."""
INTERVAL = "interval"
ENDS: Mapping[str, Callable[[Estimate], float | None]] = {
    "low": lambda e: e.low, "high": lambda e: e.high, "p": text.final_p,
}  # fmt: skip
"""What files have of each number beside its value, by the name of the column."""


def run_table_document(
    tables: Sequence[RunTable],
    *,
    intervals: Intervals | None = None,
    finding: Sequence[str] = (),
    sources: Sequence[str] = (),
    command: str = "",
    caption: str = "",
    label: str = "",
) -> doc.Document:
    """The tables, what their marks mean, and what all numbers of a table have in common.

    Args:
        tables: At least one table, each with at least one cell.
        intervals: Where the interval of each number is shown; None decides by the number of columns.
        finding: Paragraphs before the tables.
        sources: The papers, with the place in them, that printed numbers come from.
        command: The command that reproduces the tables; "" for none.
        caption: The heading of the table, where it is one; "" says what is in it.
        label: Its label in LaTeX; "" is made from its heading.
    """
    sections = []
    for table in tables:
        shown = intervals or _usual_place(len(table.columns))
        facts = table_facts(table, shown, _labels(table), sources)
        notes = [*cautions(table, _labels(table)), *table.notes]
        study = table.cards[0].study if len(tables) > 1 else ""
        numbers = replace(
            number_table(table, intervals=shown),
            file_notes=[*fact_sentences(facts), *notes],
            name=study or "table",
            label=label,
        )
        if caption:
            numbers = replace(numbers, title=caption)
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
    title = caption or (heading(tables[0]) if len(tables) == 1 else counted(len(tables), "studies"))
    return doc.Document(
        title,
        f"{' · '.join(models)} · {', '.join(studies)}",
        [doc.Text(paragraph) for paragraph in finding],
        sections,
    )


def heading(table: RunTable) -> str:
    """The measures and the axes in words: "Stereotype rate by bias type and model"."""
    estimates = [p.estimate for p in table.cells.values()]
    titles = list(dict.fromkeys(map(text.title, estimates)))
    short = list(dict.fromkeys(map(text.short_title, estimates)))
    what = titles[0] if len(titles) == 1 else "Measures"
    if len(titles) > 1 and len(short) <= FEW:
        what = listed([short[0], *map(text.lowered, short[1:])])
    axes = [n for n in (*table.row_names, *table.column_names) if n not in {"measure", VARIANT}]
    if "study" in axes and len(titles) > 1:
        axes.remove("study")
        studies = {p.run["study"].partition(PART)[0] for p in table.cells.values()}
        what = f"Measures of {counted(len(studies), 'studies')}"
    by = [text.axis_title(name) for name in axes]
    return f"{what} by {listed(by)}" if by else what


def _usual_place(columns: int) -> Intervals:
    return "beside" if columns <= BESIDE_UP_TO else "below" if columns <= BELOW_UP_TO else "none"


def number_table(table: RunTable, *, intervals: Intervals) -> doc.Table:
    """The table of numbers; with intervals below, each is the second line of its number's cell."""
    labels = _labels(table)
    estimates = [p.estimate for p in table.cells.values()]
    units = {e.unit for e in estimates}
    unit = text.short_unit(next(iter(units))) if len(units) == 1 else ""
    best = table.best()
    counts = _counts(table)
    columns = [*_names(table, labels), *counts]
    ends = ENDS if counts else {**ENDS, "n": lambda e: e.n or None}
    for key in table.columns:
        columns += _numbers(table, key, labels, best, ends, intervals=intervals)
    strong = [not any(key) for key in table.rows] if len(table.row_names) == 1 else []
    return doc.Table(
        f"{heading(table)}{f', {unit}' if unit else ''}",
        columns,
        strong=strong,
        notes=table_notes(table, labels, marked_best=bool(best)),
        most=len(table.rows),
        name="table",
    )


def _labels(table: RunTable) -> Mapping[str, Mapping[str, str]]:
    """Names of values for readers, by axis: those of the cards, of the studies, and of measures in short."""
    labels: dict[str, dict[str, str]] = {}
    for card in table.cards:
        for axis, names in card.labels.items():
            labels.setdefault(axis, {}).update(names)
        whole = labels.setdefault("study", {})[card.study] = study_label(card)
        labels["study"] |= {
            name: f"{whole}{name.removeprefix(card.study)}"
            for p in table.cells.values()
            if (name := p.run["study"]).startswith(card.study + PART)
        }
    several = has_several_units(table)  # else the heading has the unit
    titles: dict[str, dict[str, None]] = {}
    for e in (p.estimate for p in table.cells.values()):
        unit = f" ({abbreviated(e.unit)})" if several and e.unit else ""
        titles.setdefault(e.name, {})[text.short_title(e) + unit] = None
    labels["model"] = _model_names(table)
    labels["measure"] = {name: listed([*each]) for name, each in titles.items()}
    return labels


def _model_names(table: RunTable) -> dict[str, str]:
    """Names of pairs of models that stand in the table with ratios alone, which have another sign."""
    names: dict[str, set[str]] = {}
    for p in table.cells.values():
        if p.run["model"] == p.estimate.model:
            names.setdefault(p.run["model"], set()).add(text.models_of(p.estimate))
    return {model: shown.pop() for model, shown in names.items() if len(shown) == 1}


def _names(table: RunTable, labels: Mapping[str, Mapping[str, str]]) -> list[doc.Column]:
    """The columns that name the rows; cells that repeat the row above are left blank."""
    columns, rows = [], table.rows
    for place, name in enumerate(table.row_names):
        last, upto = place == len(table.row_names) - 1, place + 1
        shown = [
            "" if i and not last and rows[i - 1][:upto] == key[:upto]
            else text.label(name, key[place], labels) if key[place] else _whole(name)
            for i, key in enumerate(rows)
        ]  # fmt: skip
        values, title = [key[place] or _whole(name) for key in rows], text.axis_title(name)
        columns.append(doc.Column(title, values, shown=shown, number=False, name=name))
    return columns


def _whole(axis: str) -> str:
    """What stands for all values of an axis together; nothing for the only variant of a study."""
    return "" if axis == VARIANT else ALL


def _counts(table: RunTable) -> list[doc.Column]:
    """The column of n, empty in rows whose cells do not all have the same n; [] where all rows are empty.

    There is none where cells of a row are of different studies, whose n count different things.
    """
    sizes_of_rows = []
    for key in table.rows:
        row = [p for p in table.row(key) if p is not None and not p.printed]
        if len({p.run["study"] for p in row}) > 1:
            return []
        sizes = {p.estimate.n for p in row if p.estimate.n}
        sizes_of_rows.append(next(iter(sizes)) if len(sizes) == 1 else None)
    if all(n is None for n in sizes_of_rows):
        return []
    return [doc.Column("n", sizes_of_rows, "{:,}".format, name="n")]


def _numbers(
    table: RunTable,
    key: Key,
    labels: Mapping[str, Mapping[str, str]],
    best: set[tuple[Key, Key]],
    ends: Mapping[str, Callable[[Estimate], float | None]],
    *,
    intervals: Intervals,
) -> list[doc.Column]:
    """One column of values with their marks, and for files columns of the intervals' `ends`, p and data."""
    placed = [table.cells.get((row, key)) for row in table.rows]
    of = TableRows([p.estimate if p else None for p in placed])
    at = [*zip(table.column_names, key, strict=True)]
    words = [text.label(n, v, labels) if v else _whole(n) for n, v in at if v or _whole(n)]
    if "measure" not in {*table.row_names, *table.column_names}:
        words[-1] += _own_unit(table, key)
    name = " ".join(filter(None, (v or _whole(n) for n, v in at)))
    if len(words) == 1 and PART in words[0]:  # parts of one study stand under its name
        words = words[0].split(PART, 1)
    group, heading = ", ".join(words[:-1]), "".join(words[-1:])
    show = _value_with_margin if intervals == "plusminus" else _value
    values = of.shown(heading, lambda e: e.value, show, name=name, group=group)
    below = of.shown("", lambda _: None, _in_brackets).cells if intervals == "below" else ()
    columns = [replace(values, bold=[(row, key) in best for row in table.rows], below=below)]
    if intervals == "beside":
        columns.append(
            of.shown(INTERVAL, lambda _: None, text.span, drop=2, in_files=False, group=group)
        )
    for part, get in ends.items():
        known = of.values(get)
        if any(value is not None for value in known):
            columns.append(
                doc.Column("", known, on=doc.FILES_ONLY, name=f"{name} {part}", group=group)
            )
    data = [p.card.data_name if p and p.card else None for p in placed]
    if any(data):
        columns.append(
            doc.Column("", data, number=False, on=doc.FILES_ONLY, name=f"{name} data", group=group)
        )
    return columns


def _own_unit(table: RunTable, key: Key) -> str:
    """The unit of a column in brackets; "" where all columns share one, which the heading has then."""
    own = {p.estimate.unit for (_, column), p in table.cells.items() if column == key}
    unit = abbreviated(next(iter(own))) if has_several_units(table) and len(own) == 1 else ""
    return f" ({unit})" if unit else ""


def _value(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    return text.value_text(estimate) + _star(estimate)


def _star(estimate: Estimate) -> str:
    return SIGNIFICANT if is_starred(estimate) else ""


def _in_brackets(estimate: Estimate) -> str:
    """The interval for the second line of a cell: "[47.5, 52.6]"; "" where there is none."""
    if estimate.value is None or estimate.low is None:
        return ""
    if estimate.high is None:
        return f"[{text.span(estimate)}]"
    ends = (text.number_of(estimate, end) for end in (estimate.low, estimate.high))
    return f"[{', '.join(ends)}]"


def _value_with_margin(estimate: Estimate) -> str:
    """The value with its margin: "52.0 ± 9.6", or "33.8 (+10.7 −9.3)" for an asymmetric interval.

    Marks are behind both, where they do not disturb the alignment of the numbers.
    """
    value, low, high = estimate.value, estimate.low, estimate.high
    if value is None or low is None or high is None:
        return _value(estimate)
    above, below = text.number_of(estimate, high - value), text.number_of(estimate, value - low)
    margin = f" ± {above}" if above == below else f" (+{above} −{below})"
    return text.bare_value(estimate) + margin + value_mark(estimate) + _star(estimate)
