"""Items that only one of two results answers: how many, which, and what they could hide."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from tiltmeter.core.measures import Measure, RowValues
from tiltmeter.core.records import Record
from tiltmeter.core.text import counted, shortened
from tiltmeter.core.types import Array, Integers, Ties
from tiltmeter.derived.comparisons.paired import Answered, PairedColumns
from tiltmeter.run.measuring.columns import Columns

UNPAIRED = "unpaired_item"
"""`Record.kind` of an item that only one of two results answers. Its groups say which result answers it
(`answered`), which does not (`unanswered`), and in which measures."""
WHERE = "; the records of the comparison list all"
SHOWN, LONGEST = 3, 24
"""Ids in a note, and the characters of each."""


class UnpairedItems:
    """The items that only one of two results answers, by measure."""

    def __init__(self, first: str, second: str) -> None:
        """Take the names of both results."""
        self._names = first, second
        self._measures: dict[tuple[int, str], list[str]] = {}

    def add(self, measure: str, first: Sequence[str], second: Sequence[str], *, counts: str) -> str:
        """Add the ids that only the first result answers, and those that only the second does.

        Returns:
            How many there are, with the first ids; "" where there are none.
        """
        texts = []
        for side, ids in enumerate((first, second)):
            for item in ids:
                self._measures.setdefault((side, item), []).append(measure)
            if ids:
                has, lacks = self._names[side], self._names[1 - side]
                texts.append(
                    f"left out: {counted(len(ids), counts)} that {has} answers and {lacks} does not "
                    f"({named(ids, where=WHERE)})"
                )
        return "; ".join(texts)

    def records(self) -> list[Record]:
        """A record for each item and the result that answers it, in the order of the ids.

        >>> both = UnpairedItems("A", "B")
        >>> both._measures[0, "q1"] = ["accuracy"]
        >>> both.records()[0].groups
        {'answered': 'A', 'unanswered': 'B', 'measures': 'accuracy'}
        """
        return [
            Record(
                item,
                {},
                {
                    "answered": self._names[side],
                    "unanswered": self._names[1 - side],
                    "measures": ", ".join(dict.fromkeys(measures)),
                },
                kind=UNPAIRED,
            )
            for (side, item), measures in sorted(self._measures.items(), key=lambda entry: entry[0])
        ]


def named(ids: Sequence[str], *, where: str = "") -> str:
    """The first ids in words, with a pointer to the whole list where there are more.

    >>> named(["q1", "q2", "q3", "q4"]), named(["q1"])
    ('q1, q2, q3, …', 'q1')
    """
    first = ", ".join(shortened(name, LONGEST) for name in ids[:SHOWN])
    return first if len(ids) <= SHOWN else f"{first}, …{where}"


def what_they_hide(measure: Measure, pairing: PairedColumns, answered: Answered, ties: Ties) -> str:
    """How far the difference over the items of either result could reach, in words.

    Every missing answer is put at one end of the scale, then at the other. "" where the measure is no mean
    over items, or its scale has no ends, or nothing is missing.
    """
    if not len(answered.only_a) + len(answered.only_b):
        return ""
    ends = _bounds(measure, pairing, answered, ties)
    if ends is None:
        return ""
    low, high = (_written(end, measure.unit) for end in ends)
    return f"with their missing answers the difference could be {low} to {high}"


def _bounds(
    measure: Measure, pairing: PairedColumns, answered: Answered, ties: Ties
) -> tuple[float, float] | None:
    """The lowest and the highest difference over the items of either; None where no ends are known."""
    values: RowValues | None = measure.mean_of or getattr(measure.metric, "mean_of", None)
    if values is None or measure.contrast is not None:
        return None
    low_a, high_a = _ends(
        measure, values, pairing.a, answered.both, answered.only_a, answered.only_b, ties
    )
    low_b, high_b = _ends(
        measure, values, pairing.b, answered.both, answered.only_b, answered.only_a, ties
    )
    ends = low_a - high_b, high_a - low_b
    return ends if all(map(isfinite, ends)) else None


def _ends(
    measure: Measure,
    values: RowValues,
    columns: Columns,
    both: Integers,
    own: Integers,
    missing: Integers,
    ties: Ties,
) -> tuple[float, float]:
    """The mean if every missing number were the lowest possible one, and if it were the highest."""
    rows = np.concatenate([both, own])
    read = [columns.column(name, rows, optional=measure.optional) for name in measure.columns]
    each = values.of(read, ties) if len(rows) else np.zeros(0)
    return _filled(each, len(missing), values.least), _filled(each, len(missing), values.most)


def _filled(each: Array, missing: int, end: float) -> float:
    """The mean of the known numbers and of so many more at one end of the scale."""
    known = each[~np.isnan(each)]
    n = len(known) + missing
    return float((known.sum() + missing * end) / n) if n else np.nan


def _written(value: float, unit: str) -> str:
    text = f"{value:.1f}" if unit in {"%", "percentage points"} else f"{value:.3g}"
    return text.replace("-", "−")
