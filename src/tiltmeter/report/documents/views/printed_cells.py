"""Tables of papers: our numbers beside the printed ones, in the paper's layout."""

from collections.abc import Callable, Iterable, Mapping, Sequence

from tiltmeter.core.analysis_views import PrintedCells
from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.text import visible
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, PAGE, Block, Column, Lines, Table
from tiltmeter.report.text import Labels, axis_title, label, sentence_end

MARKS: Mapping[str, str] = {"equal": "=", "within": "≈", "different": "≠"}
"""What stands between our number and the printed one, by how they compare."""
READ = {
    "=": "ours = printed: equal to the printed digit.",
    "≈": "ours ≈ printed: the printed number is within our interval.",
    "≠": "ours ≠ printed: different.",
    "/": "ours / printed: not of the same quantity.",
    "(": "(printed): we have no number here.",
}  # fmt: skip
MOST = 100
"""Rows that the terminal shows."""
UNIT = "unit"
"""Among a card's labels: the units of measures, which stand behind their names in rows and headings."""
FEW_COLUMNS = 4
"""Of a table with more columns our own numbers have no intervals."""
LISTED = 12
"""Reasons that the page lists; the CSV has all."""
Key = tuple[str, ...]


def cells_blocks(result: Result, view: PrintedCells) -> list[Block]:
    """The table, with the meaning of its marks, and the reasons for what differs or is lacking."""
    records = _records(result, view)
    if not records:
        return []
    labels = result.card.labels
    rows = _together(_key(r, view.rows) for r in records)
    cells = {(_key(r, view.rows), _key(r, view.columns)): r for r in records}
    keys = _together(_key(r, view.columns) for r in records)
    show = _with_interval if len(keys) <= FEW_COLUMNS else _both
    columns = [
        *_names(view.rows, rows, labels),
        *(
            _column(view, key, [cells.get((row, key)) for row in rows], labels, show)
            for key in keys
        ),
    ]
    shown = "".join(cell for column in columns for cell in column.cells)
    notes = [" ".join(text for mark, text in READ.items() if mark in shown)]
    notes = notes if any("printed" in r.scores for r in records) else []
    reasons = _reasons(records, view, labels)
    table = Table(view.caption, columns, notes=notes, file_notes=reasons, most=MOST, name=view.name)
    return [
        table,
        *([Lines(reasons, on=BOTH if len(reasons) <= LISTED else PAGE)] if reasons else []),
    ]


def cells_file(result: Result, view: PrintedCells) -> Table:
    """A row a cell."""
    of = TableRows(_records(result, view))
    axes = [*view.rows, *view.columns]
    columns = [
        *(of.words(axis, lambda r, axis=axis: r.groups.get(axis)) for axis in axes),  # type: ignore[misc]
        *(of.numbers(name, lambda r, name=name: r.scores.get(name))  # type: ignore[misc]
          for name in ("value", "low", "high", "printed")),
        *(of.words(name, lambda r, name=name: r.groups.get(name)) for name in ("compared", "why")),  # type: ignore[misc]
    ]  # fmt: skip
    return Table(view.caption, columns, name=view.name)


def _records(result: Result, view: PrintedCells) -> list[Record]:
    return [record for record in result.records if record.kind == view.of]


def _key(record: Record, axes: Sequence[str]) -> Key:
    return tuple(record.groups.get(axis, "") for axis in axes)


def _together(keys: Iterable[Key]) -> list[Key]:
    """Each once, in order, but with those that begin alike together.

    >>> _together([("a", "x"), ("b", "x"), ("a", "y"), ("b", "x")])
    [('a', 'x'), ('a', 'y'), ('b', 'x')]
    """
    places: dict[Key, int] = {}
    distinct = list(dict.fromkeys(keys))
    paths = {key: _path(key) for key in distinct}
    for path in paths.values():
        for end in range(1, len(path) + 1):
            places.setdefault(path[:end], len(places))
    return sorted(
        distinct,
        key=lambda key: [places[paths[key][:end]] for end in range(1, len(paths[key]) + 1)],
    )


def _path(key: Key) -> Key:
    """What a key names, and "" for the whole of it.

    >>> _path(("a", "", "x")), _path(("a", "", ""))
    (('a', 'x'), ('a', ''))
    """
    return (*filter(None, key), *(("",) if key and not key[-1] else ()))


def _names(axes: Sequence[str], rows: Sequence[Key], labels: Labels) -> list[Column]:
    """A column for each axis of the rows; what repeats the row above is left blank.

    Last axes of which no row has two are one column.
    """
    joined = next(
        (i for i in range(len(axes) - 1) if all(sum(map(bool, key[i:])) <= 1 for key in rows)),
        len(axes) - 1,
    )
    columns = []
    for place, axis in enumerate(axes[: joined + 1]):
        last, upto = place == joined, place + 1
        values = [(next(filter(None, key[place:]), "") if last else key[place]) for key in rows]
        named = [
            axes[key.index(v)] if last and v else axis for v, key in zip(values, rows, strict=True)
        ]
        shown = [
            "" if i and not last and rows[i - 1][:upto] == key[:upto] else _headed(of, value, labels)
            for i, (of, value, key) in enumerate(zip(named, values, rows, strict=True))
        ]  # fmt: skip
        titles = [
            labels.get("axis", {}).get(a) or axis_title(a)
            for a in (axes[place:] if last else [axis])
        ]
        columns.append(
            Column(
                ", ".join(titles), [v or None for v in values], shown=shown, number=False, name=axis
            )
        )
    return columns


def _column(
    view: PrintedCells,
    key: Key,
    cells: Sequence[Record | None],
    labels: Labels,
    show: Callable[[Record], str],
) -> Column:
    """Our numbers and the printed ones at a place along the columns."""
    words = [_headed(axis, value, labels) for axis, value in zip(view.columns, key, strict=True)]
    return TableRows(cells).shown(
        words[-1] if words else "number", lambda r: r.scores.get("value"), show,
        name=" ".join(v or "all" for v in key), group=", ".join(words[:-1]),
        tones=["worse" if r and r.groups["compared"] == "different" else "" for r in cells],
    )  # fmt: skip


def _both(record: Record) -> str:
    """Our number, how it compares, and the printed one."""
    ours, printed = record.groups.get("shown", ""), record.groups.get("shown_printed", "")
    if ours and printed:
        return f"{ours} {MARKS.get(record.groups['compared'], '/')} {printed}"
    return ours or f"({printed})"


def _with_interval(record: Record) -> str:
    """The same; a number that the paper does not print has its interval behind it."""
    ends = record.groups.get("shown_span", "")
    return f"{_both(record)} ({ends})" if ends else _both(record)


def _headed(axis: str, value: str, labels: Labels) -> str:
    unit = labels.get(UNIT, {}).get(value, "") if axis == "measure" else ""
    return ", ".join(filter(None, (_word(axis, value, labels), unit)))


def _word(axis: str, value: str, labels: Labels) -> str:
    return label(axis, value, labels) if value else "all"


def _reasons(records: Sequence[Record], view: PrintedCells, labels: Labels) -> list[str]:
    """A line a reason, with the places that it is about; where it is about most of them, how many."""
    by_reason: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        status, why = record.groups["compared"], record.groups.get("why", "")
        if status == "not computable" or (status == "different" and why):
            by_reason.setdefault((status, why), []).append(record)
    lines = []
    for (status, why), about in by_reason.items():
        places = [
            " ".join(label(axis, record.groups[axis], labels)
                     for axis in (*view.rows, *view.columns) if record.groups.get(axis)) or "all"
            for record in about
        ]  # fmt: skip
        which = "; ".join(places) if len(places) <= 3 else f"{len(places)} numbers"  # noqa: PLR2004
        lines.append(f"{which}: {status}: {sentence_end(visible(why))}")
    return lines
