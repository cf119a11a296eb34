"""Tables that the checks of all kinds of data share: counts with shares, and agreement."""

from collections.abc import Callable, Mapping, Sequence

from tiltmeter.core.results import Estimate
from tiltmeter.core.text import counted
from tiltmeter.report.columns import TableRows, interval_columns
from tiltmeter.report.document import BOTH, Lines, Section, Table
from tiltmeter.report.text import span

INTERVAL = "95\u00a0% interval"
Count = tuple[str, int, int]
"""What is counted, how many, and of how many."""


def count_table(
    title: str, rows: Sequence[Count], counts: str = "pairs", name: str = "name"
) -> Table:
    """Counts with their shares; `counts` says in the plural what is counted."""
    of = TableRows(rows)
    return Table(
        title,
        [
            of.words("", lambda row: row[0], name=name),
            of.counts(counts, lambda row: row[1]),
            of.numbers("share", lambda row: 100 * row[1] / row[2], percent),
        ],
        most=50,
    )


def value_table(
    title: str,
    values: Mapping[str, Estimate],
    show: Callable[[float], str],
    *,
    name: str = "name",
    notes: Sequence[str] = (),
) -> Table:
    """Values with their intervals, and why some have none."""
    of = TableRows(list(values.items()))
    _, *ends = interval_columns(list(values.values()))
    return Table(
        title,
        [
            of.words("", lambda row: row[0], name=name),
            of.numbers("value", lambda row: row[1].value, show, missing="undefined"),
            of.shown(INTERVAL, lambda row: row[1].low, lambda row: span(row[1], show=show), name="low"),
            ends[1],
        ],
        notes=[*notes, *(f"{name}: {v.why}" for name, v in values.items() if v.why)],
        most=50,
    )  # fmt: skip


def note_sections(problems: Sequence[object], notes: Sequence[str]) -> list[Section]:
    """What was left out and what else there is to know; none where that is nothing."""
    lines = [*(f"left out: {problem}" for problem in problems), *notes]
    return [Section("notes", "Notes", [Lines(lines, on=BOTH)])] if lines else []


def listed(ids: Sequence[str], total: int) -> str:
    """The first ids, and how many more there are.

    >>> listed(["a", "b"], 5)
    'a, b and 3 more'
    """
    rest = total - len(ids)
    return ", ".join(ids) + (f" and {rest:,} more" if rest > 0 else "")


def share(n: int, of: int, counts: str) -> str:
    """So many of all, and the share."""
    return f"{n:,} of {counted(of, counts)} ({percent(100 * n / of)})"


def percent(value: float) -> str:
    """A share with its unit."""
    return f"{value:.1f}\u00a0%"
