"""The tables of a paper in its own layout, with our numbers beside the printed ones."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from tiltmeter.core.records import Record
from tiltmeter.core.results import Result
from tiltmeter.core.text import counted, visible
from tiltmeter.core.views import PrintedCells
from tiltmeter.report.columns import TableRows
from tiltmeter.report.document import BOTH, PAGE, Block, Column, Lines, Table
from tiltmeter.report.text import Labels, axis_title, label, sentence_end

MARKS: Mapping[str, str] = {"equal": "=", "within": "≈", "different": "≠"}
"""The sign between our number and the printed one, by how they compare."""
READ = {
    "=": "ours = printed: equal to the printed digit.",
    "≈": "ours ≈ printed: the printed number is within our interval.",
    "≠": "ours ≠ printed: different.",
    "/": "ours / printed: not of the same quantity.",
    "(": "(printed): we have no number here.",
    "; ": "In brackets our interval; the printed one.",
}  # fmt: skip
MOST = 100
"""How many rows the terminal shows."""
UNIT = "unit"
"""The key of a card's labels with the units of measures, which are added to their names."""
PRINTED_ENDS = ("printed_low", "printed_high")
"""Scores of records with the ends of a printed interval."""
SIZE = "n"
"""The score of records that says of how many items or numbers ours is computed."""
FEW_COLUMNS = 4
"""In a table with more columns than this, our own numbers are shown without intervals."""
LISTED = 12
"""Up to this many reasons are also printed in the terminal; the page and the CSV have all."""
Key = tuple[str, ...]


def cells_blocks(result: Result, view: PrintedCells) -> list[Block]:
    """The table with the meaning of its signs, and the reasons for numbers that differ or are missing."""
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
    shown = [cell for column in columns[-len(keys) :] for cell in column.cells]
    signs = {mark for mark in READ if mark != "(" and any(mark in cell for cell in shown)}
    signs |= {"("} if any(cell.startswith("(") for cell in shown) else set()
    notes = [" ".join(text for mark, text in READ.items() if mark in signs)]
    notes = notes if any("printed" in r.scores for r in records) else []
    if show is _both and any("low" in r.scores for r in records):
        notes = [*notes, f"Intervals and n of our numbers: {view.name}.csv."]
    reasons = _reasons(records, view, labels)
    table = Table(
        view.caption, columns, notes=notes, file_notes=[*reasons, *view.remarks], most=MOST, name=view.name
    )  # fmt: skip
    return [
        table,
        *([Lines(reasons, on=BOTH if len(reasons) <= LISTED else PAGE)] if reasons else []),
    ]


def cells_file(result: Result, view: PrintedCells) -> Table:
    """The numbers as a table for a file, with one row for each cell."""
    records = _records(result, view)
    of = TableRows(records)
    axes = [*view.rows, *view.columns]
    ends = [end for end in (*PRINTED_ENDS, SIZE) if any(end in r.scores for r in records)]
    columns = [
        *(of.words(axis, lambda r, axis=axis: r.groups.get(axis)) for axis in axes),  # type: ignore[misc]
        *(of.numbers(name, lambda r, name=name: r.scores.get(name))  # type: ignore[misc]
          for name in ("value", "low", "high", "printed", *ends)),
        *(of.words(name, lambda r, name=name: r.groups.get(name)) for name in ("compared", "why")),  # type: ignore[misc]
    ]  # fmt: skip
    return Table(view.caption, columns, name=view.name)


def _records(result: Result, view: PrintedCells) -> list[Record]:
    return [record for record in result.records if record.kind == view.of]


def _key(record: Record, axes: Sequence[str]) -> Key:
    return tuple(record.groups.get(axis, "") for axis in axes)


def _together(keys: Iterable[Key]) -> list[Key]:
    """The distinct keys in their order, but with those that begin with the same values kept together.

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
    """The values that a key has, with a "" at the end where its last axis has none.

    >>> _path(("a", "", "x")), _path(("a", "", ""))
    (('a', 'x'), ('a', ''))
    """
    return (*filter(None, key), *(("",) if key and not key[-1] else ()))


def _names(axes: Sequence[str], rows: Sequence[Key], labels: Labels) -> list[Column]:
    """The columns that name the rows; cells that repeat the row above are left blank.

    Trailing axes of which no row has more than one value are merged into one column.
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
    """One column of the table, with our numbers and the printed ones."""
    words = [_headed(axis, value, labels) for axis, value in zip(view.columns, key, strict=True)]
    return TableRows(cells).shown(
        words[-1] if words else "number", lambda r: r.scores.get("value"), show,
        name=" ".join(v or "all" for v in key), group=", ".join(words[:-1]),
        tones=["worse" if r and r.groups["compared"] == "different" else "" for r in cells],
    )  # fmt: skip


def _both(record: Record) -> str:
    """Our number, the sign of how they compare, and the printed one; either may be missing."""
    ours, printed = record.groups.get("shown", ""), record.groups.get("shown_printed", "")
    if ours and printed:
        return f"{ours} {MARKS.get(record.groups['compared'], '/')} {printed}"
    return ours or f"({printed})"


def _with_interval(record: Record) -> str:
    """Like `_both`, with the interval behind each number that has one to show; a printed one behind both."""
    ends = [record.groups.get(name, "") for name in ("shown_span", "shown_printed_span")]
    spans = "; ".join(filter(None, ends))
    return f"{_both(record)} ({spans})" if spans else _both(record)


def _headed(axis: str, value: str, labels: Labels) -> str:
    unit = labels.get(UNIT, {}).get(value, "") if axis == "measure" else ""
    return ", ".join(filter(None, (_word(axis, value, labels), unit)))


def _word(axis: str, value: str, labels: Labels) -> str:
    return label(axis, value, labels) if value else "all"


def _reasons(records: Sequence[Record], view: PrintedCells, labels: Labels) -> list[str]:
    """One line for each reason, with the rows, columns or cells that it concerns.

    If these are more than three, with the number of cells.
    """
    by_reason: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        status, why = record.groups["compared"], record.groups.get("why", "")
        if status == "not computable" or (status == "different" and why):
            by_reason.setdefault((status, why), []).append(record)
    lines = []
    for (status, why), about in by_reason.items():
        whole = (
            _whole(about, records, axes, labels)
            for axes in (view.rows, view.columns) if len(about) < len(records)
        )  # fmt: skip
        places = next(filter(None, whole), [_place(r, view, labels) for r in about])
        which = "; ".join(places) if len(places) <= 3 else f"{counted(len(about), 'numbers')}"  # noqa: PLR2004
        lines.append(f"{which}: {status}: {sentence_end(visible(why))}")
    return lines


def _whole(
    about: Sequence[Record], records: Sequence[Record], axes: Sequence[str], labels: Labels
) -> list[str]:
    """The names of the rows, or of the columns, of which these are all cells; [] if they are not."""
    keys, every = (Counter(_key(r, axes) for r in group) for group in (about, records))
    if any(every[key] > count for key, count in keys.items()):
        return []
    return [_words(axes, key, labels) for key in keys]


def _place(record: Record, view: PrintedCells, labels: Labels) -> str:
    axes = (*view.rows, *view.columns)
    return _words(axes, _key(record, axes), labels)


def _words(axes: Sequence[str], key: Sequence[str], labels: Labels) -> str:
    words = (label(a, value, labels) for a, value in zip(axes, key, strict=True) if value)
    return " ".join(words) or "all"
