"""Scores of pairs as they are read: the numbers in cells, and what was found so far."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tiltmeter.core.errors import Problem
from tiltmeter.core.items import Dataset, Pair
from tiltmeter.core.text import decimal_number
from tiltmeter.data.memory.score_rows import ScoreRows
from tiltmeter.data.memory.spool import Spool

SIDES = ("more", "less")


@dataclass(slots=True)
class ScoresFound:
    """What was read so far."""

    layout: str
    """Which one, in words."""
    data: Dataset[Pair]
    pairs: Spool[Pair] = field(default_factory=lambda: Spool(Pair))
    scores: ScoreRows = field(default_factory=lambda: ScoreRows(len(SIDES)))
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    cautions: list[str] = field(default_factory=list)
    """Reasons to doubt that the file says what it seems to say."""


def two_numbers(
    cells: Mapping[str, Any], names: tuple[str, str], where: Problem, problems: list[Problem]
) -> tuple[float, float] | None:
    """The numbers in both cells; None, and a problem more for each that has none."""
    more, less = (number_in(cells, name, where, problems) for name in names)
    return None if more is None or less is None else (more, less)


def number_in(
    cells: Mapping[str, Any], name: str, where: Problem, problems: list[Problem]
) -> float | None:
    """The finite number in a cell; otherwise None, and a problem more.

    >>> problems = []
    >>> number_in({"score": "nan"}, "score", Problem("", file="a.csv", line=2), problems)
    >>> print(problems[0])
    a.csv:2: score is nan; an undefined score cannot be compared: remove the pair
    """
    cell = cells.get(name)
    way_out = "write a number with a decimal point"
    if cell is None or cell == "" or (isinstance(cell, str) and not cell.strip()):
        reason = f"{name} is empty"
    elif isinstance(cell, str) and decimal_number(cell) is None:
        odd = cell.strip().lower().lstrip("+-") in {"nan", "inf", "infinity"}
        reason = (
            f"{name} is {cell.strip()}" if odd else f"{name} {cell.strip()[:40]!r} is not a number"
        )
        way_out = "an undefined score cannot be compared: remove the pair" if odd else way_out
    elif isinstance(cell, bool) or not isinstance(cell, str | int | float):
        reason = f"{name} is not a number"
    else:
        try:
            value = float(cell)
        except OverflowError:  # a whole number of hundreds of digits
            value = math.inf
        if math.isfinite(value):
            return value
        reason = f"{name} is {value}"
        way_out = "an undefined score cannot be compared: remove the pair"
    problems.append(replace(where, reason=reason, way_out=way_out, field=name))
    return None
