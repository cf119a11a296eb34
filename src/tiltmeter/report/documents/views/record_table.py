"""Tables of records, which are the lists that an analysis gives beside its numbers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from tiltmeter.core.estimates import ALPHA
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.text import visible
from tiltmeter.core.views import RecordCurves, RecordTable
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, FILES_ONLY, Column, On, Table
from tiltmeter.report.documents.views.number_table import PLACES
from tiltmeter.report.text import Labels, axis_title, label, p_text, with_decimals


def record_tables(result: Result, view: RecordTable, *, show_text: bool = True) -> list[Table]:
    """The tables for readers: one, or one for each value of `view.by`; [] where there are no records."""
    records, labels = [*records_of(result, view)], result.card.labels
    if not view.by:
        return [_table(records, view, labels, view.caption, show_text=show_text)] if records else []
    by_value: dict[str, list[Record]] = {}
    for record in records:
        by_value.setdefault(record.groups.get(view.by, ""), []).append(record)
    names = {value: label(view.by, value, labels) for value in by_value}
    tables = {
        value: _table(some, view, labels, f"{view.caption}: {names[value]}" if view.caption else names[value],
                      show_text=show_text)
        for value, some in by_value.items()
    }  # fmt: skip
    return [
        replace(table, on=BOTH) if value in view.asked else table for value, table in tables.items()
    ]


def record_file(result: Result, view: RecordTable, *, show_text: bool = True) -> Table:
    """The whole view as one table for a file."""
    labels = result.card.labels
    return _table(
        [*records_of(result, view)], view, labels, view.caption, whole=True, show_text=show_text
    )


def records_of(result: Result, view: RecordTable | RecordCurves) -> Iterator[Record]:
    """The records that a view shows, in order."""
    wanted = view.where.items()
    records = (r for r in result.records if r.kind == view.of and wanted <= r.groups.items())
    return _distinct(records, view) if isinstance(view, RecordTable) and view.distinct else records


def _distinct(records: Iterator[Record], view: RecordTable) -> Iterator[Record]:
    """The records that have all axes of the view, without repetitions of the same values and texts."""
    seen = set()
    for record in records:
        places = [record.groups.get(axis) for axis in view.axes]
        shown = (*places, *(record.texts.get(name) for name in view.texts))
        if None not in places and shown not in seen:
            seen.add(shown)
            yield record


def _table(
    records: Sequence[Record],
    view: RecordTable,
    labels: Labels,
    caption: str,
    *,
    whole: bool = False,
    show_text: bool = True,
) -> Table:
    if view.spread and not whole:
        return _spread_table(records, view, labels, caption)
    of = TableRows(records)

    def heading(name: str) -> str:
        return view.headings.get(name) or labels.get("axis", {}).get(name) or axis_title(name)

    def place(name: str) -> On:
        return FILES_ONLY if name in view.files_only else BOTH

    axes = [axis for axis in (view.by, *view.axes) if axis and (whole or axis != view.by)]
    columns: list[Column] = [
        Column(
            heading(axis), [r.groups.get(axis) for r in records], number=False, name=axis,
            shown=[label(axis, r.groups.get(axis, ""), labels) for r in records],
            drop=view.drops.get(axis, 0), on=place(axis),
            tones=[view.tones.get(r.groups.get(axis, ""), "") for r in records] if axis == axes[0] else (),
        )
        for axis in dict.fromkeys(axes)
    ]  # fmt: skip
    if show_text:
        columns += [
            of.words(heading(name), _text(name), name=name, drop=view.drops.get(name, 0))
            for name in view.texts
        ]
    columns += [
        of.numbers(
            heading(name), _score(name), _shown(view, name), missing=view.missing.get(name, ""), name=name,
            drop=view.drops.get(name, 0), on=place(name),
        )
        for name in view.scores
    ]  # fmt: skip
    sure = [r.scores.get(view.ps[-1], 1.0) < ALPHA for r in records] if view.ps else []
    if view.tones:
        sure = [r.groups.get(axes[0], "") in view.tones for r in records]
    return Table(
        caption, columns, sure, most=view.most, folded=view.folded, name=view.name, on=PLACES[view.on]
    )  # fmt: skip


def _spread_table(
    records: Sequence[Record], view: RecordTable, labels: Labels, caption: str
) -> Table:
    """A table with a column for each value of the spread axis, and rows for the other axes."""
    axes = [axis for axis in view.axes if axis not in {view.by, view.spread}]
    cells: dict[tuple[str, ...], dict[str, Record]] = {}
    for record in records:
        key = tuple(record.groups[axis] for axis in axes)
        cells.setdefault(key, {})[record.groups[view.spread]] = record
    columns = [
        Column(
            axis_title(axis), [key[i] for key in cells], number=False, name=axis,
            shown=[label(axis, key[i], labels) for key in cells],
        )
        for i, axis in enumerate(axes)
    ]  # fmt: skip
    columns += [
        Column(
            label(view.spread, value, labels), [None] * len(cells), name=value,
            shown=[_with_interval(row.get(value), view) for row in cells.values()],
        )
        for value in dict.fromkeys(record.groups[view.spread] for record in records)
    ]  # fmt: skip
    return Table(
        caption, columns, most=view.most, folded=view.folded, name=view.name, on=PLACES[view.on]
    )


def _with_interval(record: Record | None, view: RecordTable) -> str:
    """The first score with its interval and its n: "71.0 56.0 to 86.0 (4)"."""
    value = record.scores.get(view.scores[0]) if record else None
    if record is None or value is None:
        return view.missing.get(view.scores[0], "")
    show = _shown(view, view.scores[0])
    low, high, n = (record.scores.get(name) for name in ("low", "high", "n"))
    interval = f" {show(low)} to {show(high)}" if low is not None and high is not None else ""
    return f"{show(value)}{interval}{'' if n is None else f' ({n:.0f})'}"


def _score(name: str) -> Callable[[Record], float | None]:
    return lambda record: record.scores.get(name)


def _text(name: str) -> Callable[[Record], str | None]:
    return lambda record: visible(record.texts.get(name, "")) or None


def _shown(view: RecordTable, name: str) -> Callable[[float], str]:
    if name in view.ps:
        return p_text
    return partial(with_decimals, decimals=view.decimals.get(name))
