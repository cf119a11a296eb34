"""Tables of estimates: a row for each place along some axes, or for each measure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter

from tiltmeter.core.analysis_views import REST, NumberColumn, NumberTable
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report.columns import (
    TableRows,
    interval_columns,
    neutral_column,
    p_column,
    significant,
)
from tiltmeter.report.document import BOTH, FILES_ONLY, PAGE, TERMINAL, Column, On, Table, Tone
from tiltmeter.report.documents.estimate_tables import which
from tiltmeter.report.few_items import few_mark, few_note
from tiltmeter.report.text import (
    adjustment,
    axis_title,
    change_span,
    change_text,
    counted,
    dashed,
    label,
    number,
    p_text,
    short_title,
    short_unit,
    sides,
    span,
    subset,
    title,
    value_text,
    value_with_unit,
)

PLACES: dict[str, On] = {"both": BOTH, "page": PAGE, "terminal": TERMINAL, "files": FILES_ONLY}
Key = tuple[str, ...]
"""A row: its value along each axis, or its measure."""
MEASURE = "measure"
MANY = 3
"""Columns of one unit, from which on it is said under the table and not in each heading."""
SIGNIFICANT = "* significant (p < .05, and the interval excludes the neutral value)"
NONE = Estimate("", None, None, None, None, 0, None, "")
"""Stands where there is no estimate."""


def number_tables(result: Result, view: NumberTable) -> list[Table]:
    """What readers see: one table, or one for each value of the axis that parts them."""
    cells = _Cells(result, view)
    if not view.by:
        return [_table(cells, cells.keys, view.caption)] if cells.keys else []
    made = []
    for value in dict.fromkeys(key[0] for key in cells.keys):
        name = label(view.by, value, result.card.labels)
        keys = [key for key in cells.keys if key[0] == value]
        made.append(_table(cells, keys, f"{view.caption}: {name}" if view.caption else name))
    return made


def number_file(result: Result, view: NumberTable) -> Table:
    """All of it as one table, with every number that is known."""
    cells = _Cells(result, view)
    return _table(cells, cells.keys, view.caption, whole=True)


@dataclass(frozen=True, slots=True)
class _Shown:
    """A column before it is made: what it shows of which estimates, one a row."""

    column: NumberColumn
    spread: str | None
    """The value of the axis that is spread over columns; None where none is."""


class _Cells:
    """The estimates of a view by row and column."""

    def __init__(self, result: Result, view: NumberTable) -> None:
        self.view, self.labels = view, result.card.labels
        self.axes: Key = (*([view.by] if view.by else []), *view.rows)
        self.by_measure = MEASURE in view.rows
        self._estimates = [
            e for e in result.estimates if view.where.items() <= coordinates(e).items()
        ]
        self.has_changes = any(column.signed for column in view.columns)
        named = {column.measure for column in view.columns if column.signed}
        kinds = {frozenset(e.groups) for e in self._estimates if e.groups and e.name in named}
        self._several = len(kinds) > 1
        made = [(shown, self._of(shown)) for shown in self._spread()]
        made = [(shown, cells) for shown, cells in made if shown.spread is None or cells]
        self.columns, self._found = [shown for shown, _ in made], [cells for _, cells in made]
        self.keys = self._ordered()

    def cells(self, at: int, keys: Sequence[Key]) -> list[Estimate | None]:
        """Those of the column with this number, one a row."""
        return [self._found[at].get(key) for key in keys]

    def named(self, keys: Sequence[Key]) -> list[Estimate | None]:
        """Estimates that name the rows: of a change, the values that changed."""
        at = next((i for i, s in enumerate(self.columns) if not s.column.signed), 0)
        return self.cells(at, keys)

    def judged(self, keys: Sequence[Key]) -> list[Estimate | None]:
        """Estimates that say which rows stand out: the changes where there are any."""
        at = next((i for i, s in enumerate(self.columns) if s.column.signed), 0)
        return self.cells(at, keys)

    def headed(self, at: int) -> Estimate | None:
        """An estimate of the column, for its heading."""
        return next(iter(self._found[at].values()), None)

    @property
    def shared_unit(self) -> str:
        """The unit of all values, where so many columns have it that a note says it once; else ""."""
        heads = [self.headed(at) for at, s in enumerate(self.columns) if s.column.shows == "value"]
        units = {e.unit for e in heads if e}
        return units.pop() if len(heads) >= MANY and len(units) == 1 and not self.by_measure else ""

    def _spread(self) -> Iterator[_Shown]:
        """The columns, each once for every value of the axis that is spread."""
        for column in self.view.columns:
            if not self.view.spread:
                yield _Shown(column, None)
                continue
            values = dict.fromkeys(
                e.groups.get(self.view.spread, "")
                for e in self._estimates
                if e.name == column.measure and column.at.items() <= e.groups.items()
            )
            yield from (_Shown(column, value) for value in sorted(values, key=bool))

    def _of(self, shown: _Shown) -> dict[Key, Estimate]:
        at, spread, view = shown.column.at, self.view.spread, self.view
        elsewhere = {axis for column in view.columns for axis in column.at} - at.keys()
        fixed = {*self.axes, *view.where, *at, spread}
        needed = {*self.axes} - {MEASURE, REST}
        found: dict[Key, Estimate] = {}
        for e in self._estimates:
            same = shown.spread is None or e.groups.get(spread, "") == shown.spread
            if not (self._fits(e, shown.column) and same and at.items() <= e.groups.items()):
                continue
            places = coordinates(e)
            rest = {axis: value for axis, value in e.groups.items() if axis not in fixed}
            may_have_more = REST in self.axes and not rest.keys() & elsewhere
            if needed <= places.keys() and (not rest or may_have_more):
                known = {**places, MEASURE: _measure(e), REST: self._subset(rest)}
                found.setdefault(tuple(known[axis] for axis in self.axes), e)
        return found

    def _fits(self, e: Estimate, column: NumberColumn) -> bool:
        """Whether an estimate is of the measure of a column, or of one of the rows."""
        if column.measure:
            return e.name == column.measure
        wanted = not self.view.measures or _measure(e) in self.view.measures
        return wanted and (not self.has_changes or column.signed == bool(e.meaning.difference_of))

    def _subset(self, groups: Mapping[str, str]) -> str:
        """A row of whatever axes there are, in words; they are named where there are several kinds."""
        return subset(groups, self.labels, with_axis=self._several)

    def _ordered(self) -> list[Key]:
        """The rows: the places of the first column."""
        first = self._found[0] if self._found else {}
        keys = [*first]
        if self.by_measure and self.view.measures:
            place = {name: i for i, name in enumerate(self.view.measures)}
            at = self.axes.index(MEASURE)
            keys.sort(key=lambda key: place[key[at]])
        if self.view.order:
            keys.sort(key=lambda key: -self._rank(first[key]))
        if self.view.by:
            whole = [*dict.fromkeys(key[0] for key in first)]
            keys.sort(key=lambda key: whole.index(key[0]))
        return keys

    def _rank(self, e: Estimate) -> float:
        if e.value is None:
            return float("-inf")
        return e.value if self.view.order == "high" else abs(e.value - (e.neutral or 0.0))


def _table(cells: _Cells, keys: Sequence[Key], caption: str, *, whole: bool = False) -> Table:
    view = cells.view
    columns = [*_names(cells, keys, whole=whole)]
    for at in range(len(cells.columns)):
        columns += _columns(cells, at, keys)
    if whole:
        columns += _further(cells, keys, columns)
    judged = [e or NONE for e in cells.judged(keys)]
    strong = [e.verdict in view.strong for e in judged] if view.strong else significant(judged)
    if view.spread and not view.strong:
        strong = []  # cells are marked, as a row has several
    return Table(
        caption,
        columns,
        strong=strong,
        notes=_notes(cells, keys),
        most=view.most,
        folded=view.folded,
        name=view.name,
        on=PLACES[view.on],
    )


def _names(cells: _Cells, keys: Sequence[Key], *, whole: bool) -> Iterator[Column]:
    """What each row is: a column an axis."""
    labels, view = cells.labels, cells.view
    for i, axis in enumerate(cells.axes):
        if axis == view.by and not whole:
            continue
        values = [key[i] for key in keys]
        if axis == REST:
            yield Column("", values, number=False, name="items")
        elif axis == MEASURE:
            heads = {_measure(e): e for e in cells.named(keys) if e}
            yield Column("", values, number=False, name=MEASURE,
                         shown=[title(heads[value]) for value in values])  # fmt: skip
        else:
            heading = labels.get("axis", {}).get(axis, axis_title(axis))
            yield Column(heading, values, number=False, name=axis,
                         shown=[label(axis, value, labels) for value in values])  # fmt: skip


def coordinates(e: Estimate) -> dict[str, str]:
    """The axes of an estimate, and what it has of its own: its study, rule and convention."""
    own = {"study": e.study, "rule": e.rule, "convention": e.convention}
    return {**{name: value for name, value in own.items() if value}, **e.groups}


def _measure(e: Estimate) -> str:
    """The measure of a row: of a change, what changed."""
    return e.meaning.difference_of or e.name


def _name(cells: _Cells, at: int) -> str:
    """Of a column in files."""
    shown = cells.columns[at]
    parts = [
        *([shown.column.measure] if shown.column.measure and not cells.by_measure else []),
        *shown.column.at.values(),
    ]
    bare = "change" if shown.column.signed else "value"
    return "_".join([*parts, *([shown.spread] if shown.spread else [])]) or bare


def _columns(cells: _Cells, at: int, keys: Sequence[Key]) -> list[Column]:
    """One column, and of an interval its two ends for files."""
    shown, found, name = cells.columns[at], cells.cells(at, keys), _name(cells, at)
    column, of = shown.column, TableRows(found)
    drop, on = column.drop, PLACES[column.on]
    known = [e or NONE for e in found]
    if column.shows == "value":
        return [_values(cells, at, keys)]
    if column.shows == "interval":
        prefix = "" if name == "value" else f"{name}_"
        show = change_span if column.signed else dashed
        return interval_columns(
            found, column.heading or "interval", show, prefix=prefix, drop=drop, on=on
        )
    if column.shows in {"p", "p_adjusted", "p_unadjusted"}:
        return [_p_column(column, known)]
    if column.shows in {"result", "mde", "towards", "neutral"}:
        return _judged_columns(cells, at, keys)
    if column.shows in {"n", "clusters"}:
        counts = of.counts(
            column.heading or "n",
            lambda e: getattr(e, column.shows) if e else None,
            name=_counted(name, column.shows), drop=drop, on=on,
        )  # fmt: skip
        return [counts]
    tones: list[Tone] = [
        cells.view.tones.get(e.verdict, "") if e.significant is not False else "" for e in known
    ]
    words = of.words(
        column.heading or column.shows,
        lambda e: (getattr(e, column.shows) if e else "") or None,
        name=_counted(name, column.shows), drop=drop, on=on,
        tones=tones if column.shows == "verdict" else (),
    )  # fmt: skip
    return [words]


def _judged_columns(cells: _Cells, at: int, keys: Sequence[Key]) -> list[Column]:
    """What a number comes to: value and interval, the neutral value, its side, or what could be detected.

    Files have the measure, the value and both ends of the interval instead of a result.
    """
    column, found, name = cells.columns[at].column, cells.cells(at, keys), _name(cells, at)
    of, drop, on = TableRows(found), column.drop, PLACES[column.on]
    if column.shows == "neutral":
        heading = column.heading or "neutral"
        return [neutral_column([e or NONE for e in found], drop=drop, title=heading)]
    if column.shows == "towards":
        return [of.words(column.heading or "towards", _towards, name="towards", drop=drop, on=on)]
    if column.shows == "mde":
        shown = of.shown(
            column.heading or "MDE", lambda e: e.mde if e else None,
            lambda e: "" if e is None or e.mde is None else number(e.mde, e.unit),
            name=_counted(name, "mde"), drop=drop, on=on,
        )  # fmt: skip
        return [shown]
    shown = of.shown(
        column.heading or "result", lambda e: e.value if e else None, lambda e: result_text(e) if e else "",
        name=name, drop=drop, on=on,
    )  # fmt: skip
    prefix = "" if name in {"value", "change"} else f"{name}_"
    ends = {
        f"{prefix}measure": lambda e: e.name if e else None,
        f"{prefix}unit": lambda e: e.unit if e else None,
        f"{prefix}low": lambda e: e.low if e else None,
        f"{prefix}high": lambda e: e.high if e else None,
    }
    return [replace(shown, number=False), *of.hidden(ends)]


def result_text(e: Estimate) -> str:
    """The value with its unit and interval; of a count, how many of all.

    >>> from tiltmeter.core.results import Meaning
    >>> tests = Meaning("Significant tests", "significant", counts="tests", decimals=0)
    >>> result_text(Estimate("t", 2, None, None, None, 5, None, "", meaning=tests))
    '2 of 5 tests significant'
    """
    if e.value is None:
        return e.verdict or "undefined"
    if e.meaning.decimals == 0 and not e.unit and e.n:
        return f"{e.value:,.0f} of {counted(e.n, e.meaning.counts)} {short_title(e)}"
    inside = f" [{span(e, ' to ')}]" if span(e) else ""
    return f"{value_with_unit(e)}{inside}"


def _towards(e: Estimate | None) -> str | None:
    """What a value leans towards that is significant by itself."""
    if e is None or e.value is None or not replace(e, p_adjusted=None).significant:
        return None
    above = e.value > (e.neutral or 0.0)
    named = sides(e)
    return named[above] if named else ("above neutral" if above else "below neutral")


def _p_column(column: NumberColumn, known: Sequence[Estimate]) -> Column:
    drop, on = column.drop, PLACES[column.on]
    if column.shows == "p":
        return p_column(known, column.heading, drop=drop, on=on, in_files=False)
    is_adjusted = column.shows == "p_adjusted"
    usual = f"p ({adjustment(known)})" if is_adjusted else "p"
    return TableRows(known).numbers(
        column.heading or usual, attrgetter("p_adjusted" if is_adjusted else "p"), p_text,
        drop=drop, on=on, in_files=False,
    )  # fmt: skip


def _counted(name: str, field: str) -> str:
    return field if name in {"value", "change"} else f"{name}_{field}"


def _values(cells: _Cells, at: int, keys: Sequence[Key]) -> Column:
    shown, found = cells.columns[at], cells.cells(at, keys)
    column, head = shown.column, cells.headed(at)
    kind = (column.measure, column.signed)
    alike = [
        i for i, s in enumerate(cells.columns) if (s.column.measure, s.column.signed) == kind
    ]  # fmt: skip
    units = {e.unit for i in alike for e in cells.cells(i, keys) if e}
    mixed = not column.measure and len(units) > 1
    show = change_text if column.signed else _with_unit if mixed else value_text
    heading, group = column.heading, ""
    if shown.spread:
        several = len({one.measure for one in cells.view.columns}) > 1
        group = (heading or short_title(head or NONE)) if several else ""
        heading = label(cells.view.spread, shown.spread, cells.labels)
    elif not heading and head:
        bare = mixed or not head.unit or cells.shared_unit
        unit = "" if bare else f", {short_unit(head.unit)}"
        heading = f"{short_title(head) if column.measure else 'value'}{unit}"
    return TableRows(found).shown(
        heading,
        lambda e: e.value if e else None,
        lambda e: f"{show(e)}{_star(shown, e)}" if e else column.missing,
        name=_name(cells, at), drop=column.drop, on=PLACES[column.on], group=group,
    )  # fmt: skip


def _star(shown: _Shown, e: Estimate | None) -> str:
    """Marks what is significant where a row has several values of a measure."""
    return "*" if shown.spread is not None and e and e.significant else ""


def _with_unit(e: Estimate) -> str:
    return value_with_unit(e) + few_mark(e)


def _further(cells: _Cells, keys: Sequence[Key], there: Sequence[Column]) -> Iterator[Column]:
    """For files: what is known of each number and has no column of its own."""
    taken = {column.name or column.title for column in there}
    numbered = [*enumerate(cells.columns)]
    if not cells.by_measure:  # of several measures, the change is what counts
        numbered.sort(key=lambda each: not each[1].column.signed or bool(each[1].column.measure))
    for at, shown in numbered:
        if shown.column.shows not in {"value", "result"}:
            continue
        found, name = cells.cells(at, keys), _name(cells, at)
        for field in ("low", "high", "p", "p_adjusted", "n", "clusters", "verdict", "why", "bound"):
            values = [getattr(e, field) if e else None for e in found]
            of_field = _counted(name, field)
            if of_field not in taken and any(v not in {None, "", 0} for v in values):
                taken.add(of_field)
                yield Column(of_field, values, on=FILES_ONLY)


def _notes(cells: _Cells, keys: Sequence[Key]) -> list[str]:
    """What the mark of few items means, and why values or intervals are missing; each reason once."""
    known: list[Estimate | None] = []
    about: dict[tuple[str, str], dict[int, str]] = {}
    explained = {shown.column.measure for shown in cells.columns if shown.column.shows == "why"}
    several = len({s.column.measure for s in cells.columns if s.column.shows == "value"}) > 1
    for at, shown in enumerate(cells.columns):
        if shown.column.shows not in {"value", "result"} or shown.column.on == "files":
            continue
        if cells.has_changes and not shown.column.signed:  # the reasons of a change are what counts
            continue
        found = cells.cells(at, keys)
        known += found
        for i, e in enumerate(found):
            if e and e.why and shown.column.measure not in explained:
                whose = (shown.column.heading or short_title(e)) if several else ""
                about.setdefault((whose, e.why), {})[i] = _row_label(cells, keys[i])
    unit = [f"Values in {short_unit(cells.shared_unit)}."] if cells.shared_unit else []
    stars = [SIGNIFICANT] if cells.view.spread and any(e and e.significant for e in known) else []
    return [*unit, *stars, *few_note(known), *_reasons(about, len(keys))]


def _reasons(about: Mapping[tuple[str, str], Mapping[int, str]], of: int) -> Iterator[str]:
    """A line for each set of rows: the measures that have a reason, and the reason."""
    by_rows: dict[tuple[tuple[int, str], ...], dict[str, list[str]]] = {}
    for (measure, why), rows in about.items():
        by_rows.setdefault(tuple(rows.items()), {}).setdefault(why, []).append(measure)
    for some, reasons in by_rows.items():
        texts = [
            ": ".join(filter(None, ("; ".join(measures), why))) for why, measures in reasons.items()
        ]
        yield f"{which([name for _, name in some], of)}: {'; '.join(texts)}"


def _row_label(cells: _Cells, key: Key) -> str:
    (head,) = cells.named([key])
    parts = [
        title(head or NONE) if axis == MEASURE else label(axis, value, cells.labels)
        for axis, value in zip(cells.axes, key, strict=True)
        if axis != cells.view.by
    ]
    return ", ".join(parts)
