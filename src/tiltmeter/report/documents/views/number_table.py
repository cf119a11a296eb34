"""Tables of estimates, with a row for each combination of values along some axes or for each measure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.text import counted, verb_for
from tiltmeter.core.views import REST, NumberTable
from tiltmeter.report import text
from tiltmeter.report.columns import (
    TableRows,
    interval_columns,
    neutral_column,
    p_column,
    significant,
)
from tiltmeter.report.document import BOTH, FILES_ONLY, PAGE, TERMINAL, Column, On, Table, Tone
from tiltmeter.report.documents.families import measure_of
from tiltmeter.report.documents.views.number_cells import MEASURE, Key, NumberCells, ShownColumn
from tiltmeter.report.few_items import are_too_few, shown_significant
from tiltmeter.report.row_remarks import which
from tiltmeter.report.value_marks import apart_mark, mark_notes, value_mark

PLACES: dict[str, On] = {"both": BOTH, "page": PAGE, "terminal": TERMINAL, "files": FILES_ONLY}
SIGNIFICANT = "* significant (p < .05, and the interval excludes the neutral value)"
LONG = 30
"""From more rows on, a view that lists some verdicts only leaves out the rows with others."""
VALUES = {"value", "result"}
FURTHER = ("low", "high", "p", "p_adjusted", "n", "clusters", "verdict", "why", "bound")
"""Fields of estimates that table files have for each value, unless a column already has them."""


def number_tables(result: Result, view: NumberTable) -> list[Table]:
    """The tables for readers: one, or one for each value of `view.by`; [] where there are no rows."""
    cells = NumberCells(result, view)
    listed = _listed(cells)
    if not view.by:
        return [_table(cells, listed, view.caption)] if listed else []
    tables = []
    for value in dict.fromkeys(key[0] for key in listed):
        name = text.label(view.by, value, result.card.labels)
        keys = [key for key in listed if key[0] == value]
        tables.append(_table(cells, keys, f"{view.caption}: {name}" if view.caption else name))
    return tables


def number_file(result: Result, view: NumberTable) -> Table:
    """The whole view as one table for a file, with all fields of each estimate."""
    cells = NumberCells(result, view)
    return _table(cells, cells.keys, view.caption, whole=True)


def _listed(cells: NumberCells) -> Sequence[Key]:
    """The rows for readers: of a long view that lists some verdicts, those with one of these."""
    view, keys = cells.view, cells.keys
    if not view.listed or len(keys) <= LONG:
        return keys
    rows = zip(*(shown.at(keys) for shown in cells.columns), strict=True)
    has_mark = [any(e and e.verdict in view.listed for e in row) for row in rows]
    return [key for key, is_listed in zip(keys, has_mark, strict=True) if is_listed]


def _table(cells: NumberCells, keys: Sequence[Key], caption: str, *, whole: bool = False) -> Table:
    view = cells.view
    columns = [*_names(cells, keys, whole=whole)]
    for shown in cells.columns:
        place, drop = PLACES[shown.column.on], shown.column.drop
        made = MAKERS[shown.column.shows](_Filled(cells, shown, shown.at(keys)))
        columns += [replace(c, on=place, drop=drop) if c.on else c for c in made]
    columns += _further(cells, keys, columns) if whole else _counts_of_rows(cells, keys)
    judged = cells.judged(keys)
    if view.strong:
        strong = [e is not None and e.verdict in view.strong for e in judged]
    else:  # where an axis is spread, cells are marked, as a row has several
        strong = [] if view.spread else significant(judged)
    notes, on = _notes(cells, keys), PLACES[view.on]
    if len(keys) < len(cells.keys) and not view.by:
        notes.append(
            f"{len(keys):,} of {counted(len(cells.keys), 'rows')} {verb_for(len(keys), 'have')} a "
            f"mark; {view.name}.csv has all."
        )
    return Table(
        caption, columns, strong, notes=notes, most=view.most, folded=view.folded, name=view.name, on=on,
        asked=view.asked,
        too_few=[are_too_few(row) for row in zip(*(s.at(keys) for s in cells.columns), strict=True)],
    )  # fmt: skip


def _counts_of_rows(cells: NumberCells, keys: Sequence[Key]) -> list[Column]:
    """For the page, the column of n of a view that has none; a row's values may be of different n."""
    shown = [
        s for s in cells.columns if s.column.shows in VALUES and s.column.on in {"both", "page"}
    ]
    counts = [s for s in cells.columns if s.column.shows in {"n", "clusters"}]
    if not shown or any(s.column.on in {"both", "page"} for s in counts):
        return []
    rows = [
        [e.n for s in shown if (e := s.cells.get(key)) and e.n and e.value is not None]
        for key in keys
    ]
    most = [max(row, default=0) for row in rows]
    if not any(most):
        return []
    words = [text.range_of_counts(row) for row in rows]
    return [Column("n", most, shown=words, on=PAGE, in_files=False)]


def _names(cells: NumberCells, keys: Sequence[Key], *, whole: bool) -> Iterator[Column]:
    """The columns that name the rows, one for each axis."""
    labels, view = cells.labels, cells.view
    for i, axis in enumerate(cells.axes):
        if axis == view.by and not whole:
            continue
        values = [key[i] for key in keys]
        heading, shown, name = "", values, axis
        if axis == REST:
            name = "items"
        elif axis == MEASURE:
            titles = {measure_of(e): text.title(e) for e in cells.naming(keys) if e}
            shown = [titles[value] for value in values]
        else:
            heading = labels.get("axis", {}).get(axis, text.axis_title(axis))
            shown = [text.label(axis, value, labels) for value in values]
        yield Column(heading, values, number=False, name=name, shown=shown)


# ── Columns by what they show ────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Filled:
    """A column with the estimates of one table's rows."""

    cells: NumberCells
    shown: ShownColumn
    estimates: Sequence[Estimate | None]

    @property
    def rows(self) -> TableRows[Estimate]:
        return TableRows(self.estimates)

    def heading(self, usual: str) -> str:
        return self.shown.column.heading or usual

    @property
    def name(self) -> str:
        """The name of its values in files: the measure and what distinguishes it from other columns."""
        column = self.shown.column
        measure = "" if self.cells.by_measure else column.measure
        words = [measure, *column.at.values(), self.shown.spread or ""]
        return "_".join(filter(None, words)) or ("change" if column.signed else "value")

    def name_of(self, field: str) -> str:
        """The name in files of a field besides the value: bare for what the rows are about.

        In a table with changes these are the changes, so that their p are never mistaken for those of values.
        """
        main = "change" if self.cells.has_changes else "value"
        return field if self.name == main else f"{self.name}_{field}"


def _values(filled: _Filled) -> list[Column]:
    cells, shown = filled.cells, filled.shown
    column, head = shown.column, shown.first
    # Columns of one measure are shown alike, with units in the cells where these differ.
    alike = [
        s for s in cells.columns
        if (s.column.measure, s.column.signed) == (column.measure, column.signed)
    ]  # fmt: skip
    mixed = not column.measure and len({e.unit for s in alike for e in s.cells.values()}) > 1
    show = text.change_text if column.signed else _with_unit if mixed else text.value_text
    heading, group, star = column.heading, "", ""
    if shown.spread is not None:
        star = "*"  # a row has several values of a measure, each of which may be significant
    if shown.spread:
        several = len({other.measure for other in cells.view.columns}) > 1
        group = (heading or (text.short_title(head) if head else "")) if several else ""
        heading = text.label(cells.view.spread, shown.spread, cells.labels)
    elif not heading and head:
        bare = mixed or not head.unit or cells.shared_unit
        unit = "" if bare else f", {text.short_unit(head.unit)}"
        heading = f"{text.short_title(head) if column.measure else 'value'}{unit}"
    elif column.signed and head and text.short_unit(head.unit) == "points":
        heading = f"{heading}, points"
    column_of_values = filled.rows.shown(
        heading, lambda e: e.value, lambda e: f"{show(e)}{star if shown_significant(e) else ''}",
        missing=column.missing, name=filled.name, group=group,
    )  # fmt: skip
    return [column_of_values]


def _with_unit(e: Estimate) -> str:
    return text.value_with_unit(e) + value_mark(e)


def _intervals(filled: _Filled) -> list[Column]:
    """The interval for readers, and its two ends for files."""
    show = text.change_span if filled.shown.column.signed else text.span
    prefix = filled.name_of("")
    return interval_columns(filled.estimates, filled.heading("interval"), show, prefix=prefix)


def _p_of_family(filled: _Filled) -> list[Column]:
    field = "p_adjusted" if filled.shown.column.shows == "p_adjusted" else "p"
    how = text.adjustment(e for e in filled.estimates if e)
    heading = filled.heading(f"p ({how})" if field == "p_adjusted" else "p")
    return [filled.rows.numbers(heading, attrgetter(field), text.p_text, in_files=False)]


def _counts(filled: _Filled) -> list[Column]:
    field = filled.shown.column.shows
    return [filled.rows.counts(filled.heading("n"), attrgetter(field), name=filled.name_of(field))]


def _verdicts(filled: _Filled) -> list[Column]:
    """The verdicts, in the tones that the view declares except where a value is not significant."""
    tones: list[Tone] = [
        "" if e is None or e.significant is False else filled.cells.view.tones.get(e.verdict, "")
        for e in filled.estimates
    ]
    heading, name = filled.heading("verdict"), filled.name_of("verdict")
    return [filled.rows.words(heading, lambda e: e.verdict or None, name=name, tones=tones)]


def _towards(e: Estimate) -> str | None:
    """The side that a value leans towards, if it is significant before adjustment; otherwise None."""
    if e.value is None or not shown_significant(replace(e, p_adjusted=None)):
        return None
    return (text.sides(e) or ("below neutral", "above neutral"))[e.value > (e.neutral or 0.0)]


def _detectable(filled: _Filled) -> list[Column]:
    made = filled.rows.shown(
        filled.heading("MDE"), lambda e: e.mde,
        lambda e: "" if e.mde is None else text.number(e.mde, e.unit),
        name=filled.name_of("mde"),
    )  # fmt: skip
    return [made]


def _results(filled: _Filled) -> list[Column]:
    """Value and interval as one text for readers, and for files the measure, unit, value and ends."""
    heading = filled.heading("result")
    shown = filled.rows.shown(heading, lambda e: e.value, result_text, name=filled.name)
    ends: Mapping[str, Callable[[Estimate], str | float | None]] = {
        filled.name_of("measure"): attrgetter("name"),
        **{filled.name_of(field): attrgetter(field) for field in ("unit", "low", "high")},
    }
    return [replace(shown, number=False), *filled.rows.hidden(ends)]


def result_text(e: Estimate) -> str:
    """The value with its unit and interval; a count is given as "2 of 5 tests".

    >>> from tiltmeter.core.results import Meaning
    >>> tests = Meaning("Significant tests", "significant", counts="tests", decimals=0)
    >>> result_text(Estimate("t", 2, None, None, None, 5, None, "", meaning=tests))
    '2 of 5 tests significant'
    """
    if e.value is None:
        return e.verdict or "undefined"
    if e.meaning.decimals == 0 and not e.unit and e.n:
        return f"{e.value:,.0f} of {counted(e.n, e.meaning.counts)} {text.short_title(e)}"
    return text.value_with_unit(e) + apart_mark(e) + text.in_brackets(e)


MAKERS: Mapping[str, Callable[[_Filled], list[Column]]] = {
    "value": _values, "interval": _intervals, "result": _results, "mde": _detectable,
    "p": lambda f: [p_column(f.estimates, f.shown.column.heading, in_files=False)],
    "p_adjusted": _p_of_family, "p_unadjusted": _p_of_family, "n": _counts, "clusters": _counts,
    "neutral": lambda f: [neutral_column(f.estimates, drop=0, title=f.heading("neutral"))],
    "towards": lambda f: [f.rows.words(f.heading("towards"), _towards, name="towards")],
    "verdict": _verdicts,
    "why": lambda f: [f.rows.words(f.heading("why"), lambda e: e.why or None, name=f.name_of("why"))],
}  # fmt: skip
"""The function that makes a column, by what it shows; some add further columns for files."""


def _further(cells: NumberCells, keys: Sequence[Key], there: Sequence[Column]) -> Iterator[Column]:
    """Columns for files: the fields of each number that no other column has."""
    taken = {column.name or column.title for column in there}
    ordered = [shown for shown in cells.columns if shown.column.shows in VALUES]
    if not cells.by_measure:  # of several measures, the change is what counts
        ordered.sort(key=lambda shown: not shown.column.signed or bool(shown.column.measure))
    for shown in ordered:
        filled = _Filled(cells, shown, shown.at(keys))
        for field in FURTHER:
            values, name = filled.rows.values(attrgetter(field)), filled.name_of(field)
            if name not in taken and any(v not in {None, "", 0} for v in values):
                taken.add(name)
                yield Column(name, values, on=FILES_ONLY)


# ── Notes ────────────────────────────────────────────────────────────────────────────────────────


def _notes(cells: NumberCells, keys: Sequence[Key]) -> list[str]:
    """Notes under a table: the unit, what marks mean, and why values or intervals are missing."""
    known: list[Estimate] = []
    about: dict[tuple[str, str], dict[int, str]] = {}
    explained = {shown.column.measure for shown in cells.columns if shown.column.shows == "why"}
    several = len({s.column.measure for s in cells.columns if s.column.shows == "value"}) > 1
    for shown in cells.columns:
        column = shown.column
        if column.shows not in VALUES or column.on == "files":
            continue
        # In a table with changes, reasons are those of the changes.
        is_explained = (cells.has_changes and not column.signed) or column.measure in explained
        for i, e in enumerate(shown.at(keys)):
            if e is None:
                continue
            known.append(e)
            if e.why and not is_explained:
                named = several and column.measure  # the main column of a table needs no name
                whose = (column.heading or text.short_title(e)) if named else ""
                about.setdefault((whose, e.why), {})[i] = cells.row_name(keys[i])
    unit = [f"Values in {text.short_unit(cells.shared_unit)}."] if cells.shared_unit else []
    stars = [SIGNIFICANT] if cells.view.spread and any(map(shown_significant, known)) else []
    return [*unit, *stars, *mark_notes(known), *_reasons(about, len(keys))]


def _reasons(about: Mapping[tuple[str, str], Mapping[int, str]], of: int) -> Iterator[str]:
    """One line for each set of rows that share reasons, with the reasons and the measures they concern."""
    by_rows: dict[tuple[tuple[int, str], ...], dict[str, list[str]]] = {}
    for (measure, why), rows in about.items():
        by_rows.setdefault(tuple(rows.items()), {}).setdefault(why, []).append(measure)
    for some, reasons in by_rows.items():
        texts = [": ".join(filter(None, ("; ".join(of_), why))) for why, of_ in reasons.items()]
        yield f"{which([name for _, name in some], of)}: {'; '.join(texts)}"
