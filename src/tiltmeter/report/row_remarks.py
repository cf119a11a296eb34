"""Remarks about the rows of a table, each said once for all rows that share it."""

import re
from collections.abc import Iterable, Sequence

from tiltmeter.core.text import counted

NAMED = 3
"""Rows are counted where more than this share a remark."""
NUMBER = re.compile(r"(?:(?<!\w)−)?\d+(?:,\d{3})*(?:\.\d+)?")


def said_briefly(labels: Sequence[str], remarks: Sequence[Iterable[str]]) -> list[str]:
    """Like `said_once`, but remarks that differ only in their numbers are merged into one with their range.

    >>> said_briefly(["a", "b", "c"], [["only 3 terms"], ["only 12 terms"], []])
    ['a; b: only 3 to 12 terms']
    >>> said_briefly(["a", "b", "c"], [["−2 by chance"], ["−0.5 by chance"], ["1 by chance"]])
    ['all 3 rows: −2 to 1 by chance']
    """
    kinds: dict[str, list[str]] = {}
    for remark in dict.fromkeys(remark for row in remarks for remark in row):
        kinds.setdefault(NUMBER.sub("#", remark), []).append(remark)
    ranged = {remark: _ranged(alike) for alike in kinds.values() for remark in alike}
    return said_once(labels, [[ranged[remark] for remark in row] for row in remarks])


def _ranged(alike: Sequence[str]) -> str:
    """One remark for several that differ only in their numbers, with the range of each number."""
    numbers = iter(zip(*map(NUMBER.findall, alike), strict=True))

    def span_of(_: re.Match[str]) -> str:
        values = sorted({*next(numbers)}, key=lambda n: float(n.replace(",", "").replace("−", "-")))
        return values[0] if len(values) == 1 else f"{values[0]} to {values[-1]}"

    return NUMBER.sub(span_of, alike[0])


def said_once(labels: Sequence[str], remarks: Sequence[Iterable[str]]) -> list[str]:
    """The remarks of several rows with each said once, and those about the same rows on one line.

    >>> said_once(["a", "b"], [["rough", "few"], ["few"]])
    ['a: rough', 'both rows: few']
    """
    about: dict[str, list[str]] = {}
    for label, row in zip(labels, remarks, strict=True):
        for remark in filter(None, dict.fromkeys(row)):
            about.setdefault(remark, []).append(label)
    by_rows: dict[tuple[str, ...], list[str]] = {}
    for remark, rows in about.items():
        by_rows.setdefault(tuple(rows), []).append(remark)
    return [f"{which(rows, len(labels))}: {'; '.join(alike)}" for rows, alike in by_rows.items()]


def which(rows: Sequence[str], of: int) -> str:
    """The names of these rows, or how many of all rows they are.

    >>> which(["a", "b"], 9), which(list("abcde"), 9), which(list("abcde"), 5), which(["a"], 1)
    ('a; b', '5 of 9 rows', 'all 5 rows', 'a')
    """
    if len(rows) == of > 1:
        return "both rows" if of == 2 else f"all {counted(of, 'rows')}"  # noqa: PLR2004
    return "; ".join(rows) if len(rows) <= NAMED else f"{len(rows):,} of {counted(of, 'rows')}"
