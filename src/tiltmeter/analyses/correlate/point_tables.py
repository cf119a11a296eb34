"""Numbers to correlate that come from tables: the user’s, with a row a point, and those that papers print."""

import math
from collections.abc import Sequence
from pathlib import Path

from tiltmeter.analyses.correlate.points import Observation, Over
from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.core.text import decimal_number
from tiltmeter.data.files.table import TableRow
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.published import published

MODEL, GROUP = "model", "group"
MOST_POINTS, MOST_MEASURES = 5_000, 40
LEAST_SIZE, MOST_SIZE = 1e-100, 1e100
"""Sizes of numbers whose squares a computer can hold; 0 is held too."""


def of_table(path: Path, over: Over, *, encoding: str = "") -> tuple[list[Observation], list[str]]:
    """The numbers of a table, and notes on what is not read.

    `model` and `group` name the point; over models, or over groups, the first column does where there is
    none of that name. Every other column that holds numbers is a measure; empty cells have no value.

    Raises:
        BadInput: The file cannot be read, lacks a column that names the points, or holds no numbers.
        BadItems: Cells that are no numbers in a column of numbers, points without a name or with one that
            is there already: all of them.
    """
    table = read_table(path, encoding=encoding)
    names = _naming(path, table.columns, over)
    rows = list(table.rows)
    problems = [row.problem for row in rows if row.problem]
    if problems:
        raise BadItems(problems, way_out="Correct these rows.")
    others = [column for column in table.columns if column and column not in names.values()]
    measures = [column for column in others if any(_number(r.cells.get(column)) for r in rows)]
    if not measures:
        raise BadInput(
            "it has no column of numbers",
            "give one row per point and one column per measure",
            file=path.name,
        )
    _check_size(path, rows, measures)
    notes = [
        f"{path.name}: the column {column!r} contains no numbers and is left out"
        for column in others
        if column not in measures
    ]
    return _read(path, rows, names, measures), [*table.notes, *notes]


def _check_size(path: Path, rows: Sequence[TableRow], measures: Sequence[str]) -> None:
    """Refuse a table that would take hours: every pair of measures is permuted and resampled."""
    for what, count, most in (
        ("rows", len(rows), MOST_POINTS),
        ("columns of numbers", len(measures), MOST_MEASURES),
    ):
        if count > most:
            raise BadInput(
                f"it has {count:,} {what}, and at most {most:,} are correlated",
                f"give a table with fewer {what}",
                file=path.name,
            )


def _naming(path: Path, columns: Sequence[str], over: Over) -> dict[str, str]:
    """Which column has the name of the model, and which that of the group."""
    names = {kind: kind for kind in (MODEL, GROUP) if kind in columns}
    wanted = {"models": [MODEL], "groups": [GROUP], "cells": [MODEL, GROUP]}[over]
    lacking = [kind for kind in wanted if kind not in names]
    if lacking and len(wanted) == 1 and not names:
        return {lacking[0]: columns[0]}
    if lacking:
        raise BadInput(
            f"it has no column {lacking[0]!r}, which --over {over} needs",
            "add one, or use another --over",
            file=path.name,
        )
    return names


def _number(cell: object) -> bool:
    """Is it a finite number, or the text of one?"""
    if isinstance(cell, bool) or (isinstance(cell, str) and decimal_number(cell) is None):
        return False
    try:
        return math.isfinite(float(cell))  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return False


def _read(
    path: Path, rows: Sequence[TableRow], names: dict[str, str], measures: Sequence[str]
) -> list[Observation]:
    observations: list[Observation] = []
    problems: list[Problem] = []
    seen: dict[tuple[str, ...], int] = {}
    for row in rows:
        point = tuple(_text(row.cells.get(column)) for column in names.values())

        def complain(reason: str, way_out: str, line: int | None = row.line) -> None:
            problems.append(Problem(reason, way_out, file=path.name, line=line))

        for column, label in zip(names.values(), point, strict=True):
            if not label:
                complain(f"{column or 'the first column'} is empty", "name the point")
        if point in seen and all(point):
            complain(f"{', '.join(point)} is also on line {seen[point]}", "leave one out")
        seen.setdefault(point, row.line)
        model, group = (
            dict(zip(names, point, strict=True)).get(kind, "") for kind in (MODEL, GROUP)
        )
        for column in measures:
            cell = row.cells.get(column)
            if fault := _fault(column, cell):
                complain(*fault)
            elif _number(cell):
                observations.append(
                    Observation(
                        model, group, column, float(cell),  # type: ignore[arg-type]
                        f"the table {path.name}", f"{path.name}:{row.line}", (("table", path.name),),
                    )
                )  # fmt: skip
    if problems:
        raise BadItems(problems)
    return observations


def _fault(column: str, cell: object) -> tuple[str, str] | None:
    """Why a cell cannot be correlated, and what to do; None of a number, and of an empty cell."""
    text = _text(cell)
    if not _number(cell):
        way_out = "leave the cell empty if there is none"
        return (f"{column} is {text!r}, which is not a number", way_out) if text else None
    number = float(cell)  # type: ignore[arg-type]
    if number == 0 or LEAST_SIZE <= abs(number) <= MOST_SIZE:
        return None
    return (
        f"{column} is {text}, which is too large or too small to correlate",
        "give it in another unit",
    )


def _text(cell: object) -> str:
    return "" if cell is None else str(cell).strip()


def of_published(name: str, over: Over) -> list[Observation]:
    """The numbers of a table that a paper prints.

    Raises:
        UnknownName: There is no such table.
        BadInput: It has no points of this kind.
    """
    table = published(name)
    there = {
        "models": any(n.model for n in table.numbers),
        "groups": any(n.group for n in table.numbers),
    }
    lacks = [kind for kind, has in there.items() if over in {kind, "cells"} and not has]
    if lacks:
        others = [kind for kind, has in there.items() if has]
        way_out = f"leave it out, or take --over {others[0]}" if others else "leave it out"
        raise BadInput(f"the published table {name} is not about {lacks[0]}", way_out)
    return [
        Observation(
            n.model, n.group, n.measure, float(n.printed), table.source, name, (("table", name),)
        )
        for n in table.numbers
        if (n.model or over == "groups") and (n.group or over == "models")
    ]
