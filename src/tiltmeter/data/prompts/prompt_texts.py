"""The texts of a prompt set that lie in a table beside it."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from tiltmeter.core.errors import Problem
from tiltmeter.core.typed_values import Fault, bad_items
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.pairs.sentences import problem_with
from tiltmeter.data.prompts.prompt_set import AskedText, TextColumns

_USUAL = ("id", "label", "cluster")


def texts_beside(path: Path, name: str) -> Path:
    """The table that a set names, which must lie in the set's own folder or below it.

    Raises:
        BadItems: It does not, or is not there.
    """
    folder = path.parent.resolve()
    asked = PurePosixPath(name.replace("\\", "/"))
    if "\0" in name:
        raise bad_items(
            [Fault(f"texts: {name!r} cannot be a name of a file", "correct it")], path.name
        )
    found = (folder / asked).resolve()
    if asked.is_absolute() or ".." in asked.parts or not found.is_relative_to(folder):
        reason = f"texts is {name!r}, which is not in the folder of this file"
        way_out = "put the table beside it, and write only its name"
        raise bad_items([Fault(reason, way_out)], path.name)
    if not found.is_file():
        reason = f"texts: there is no file {name!r} beside this one"
        raise bad_items([Fault(reason, "correct the name")], path.name)
    return found


def texts_of_table(
    path: Path, columns: TextColumns, encoding: str
) -> tuple[tuple[AskedText, ...], tuple[Problem, ...]]:
    """The texts of a table, and its rows that are none.

    Raises:
        BadInput: The table cannot be read, or lacks a column that `columns` names.
    """
    named = {key: getattr(columns, key) for key in ("text", *_USUAL)}
    required = filter(None, (*named.values(), *columns.groups.values()))
    table = read_table(path, encoding=encoding, required=[*required])
    named |= {key: key for key in _USUAL if not named[key] and key in table.columns}
    found: list[AskedText] = []
    problems: list[Problem] = []
    for number, row in enumerate(table.rows, start=1):
        if row.problem is not None:
            problems.append(row.problem)
            continue
        where = Problem("", file=path.name, line=row.line, field=columns.text)
        if problem := problem_with(row.cells.get(columns.text), where):
            problems.append(problem)
            continue
        cell = {key: _label(row.cells.get(column)) for key, column in named.items()}
        found.append(
            AskedText(
                id=cell.get("id") or str(number),
                text=str(row.cells[columns.text]).strip(),
                label=cell.get("label", ""),
                groups=_groups(columns.groups, row.cells),
                cluster=cell.get("cluster", ""),
                where=f"{path.name}:{row.line}",
            )
        )
    return tuple(found), tuple(problems)


def _groups(groups: Mapping[str, str], cells: Mapping[str, Any]) -> dict[str, str]:
    found = {axis: _label(cells.get(column)) for axis, column in groups.items()}
    return {axis: label for axis, label in found.items() if label}


def _label(cell: Any) -> str:
    return "" if cell is None else str(cell).strip()
