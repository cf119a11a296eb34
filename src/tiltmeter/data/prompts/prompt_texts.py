"""The texts of a prompt set that lie in a table beside it."""

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any

from tiltmeter.core.errors import Problem
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.files.toml_reading import TomlReading
from tiltmeter.data.pairs.sentences import problem_with
from tiltmeter.data.prompts.prompt_set import AskedText

COLUMNS = ("text", "id", "label", "cluster", "groups")
"""What a table's columns may be read as."""


def texts_beside(reading: TomlReading, path: Path, name: str) -> Path | None:
    """The table that a set names, which must lie in the set's own folder or below it."""
    folder = path.parent.resolve()
    asked = PurePosixPath(name.replace("\\", "/"))
    found = (folder / asked).resolve()
    if asked.is_absolute() or ".." in asked.parts or not found.is_relative_to(folder):
        reading.complain(
            f"texts is {name!r}, which is not in the folder of this file",
            "put the table beside it, and write only its name",
        )
        return None
    if not found.is_file():
        reading.complain(f"texts: there is no file {name!r} beside this one", "correct the name")
        return None
    return found


def texts_of_table(
    reading: TomlReading, path: Path, columns: Mapping[str, Any], encoding: str
) -> tuple[tuple[AskedText, ...], tuple[Problem, ...]]:
    """The texts of a table, and its rows that are none.

    A column that [columns] does not name is found by its usual name.

    Raises:
        BadInput: The table cannot be read, or lacks a column that [columns] names.
    """
    groups = reading.text_table(columns, "groups", "[columns]")
    named = {key: reading.text(columns, key, "[columns]") for key in COLUMNS[:-1] if key in columns}
    text = named.setdefault("text", "text")
    table = read_table(path, encoding=encoding, required=[*named.values(), *groups.values()])
    for key in ("id", "label", "cluster"):
        if key not in named and key in table.columns:
            named[key] = key
    found: list[AskedText] = []
    problems: list[Problem] = []
    for number, row in enumerate(table.rows, start=1):
        if row.problem is not None:
            problems.append(row.problem)
            continue
        where = Problem("", file=path.name, line=row.line, field=text)
        if problem := problem_with(row.cells.get(text), where):
            problems.append(problem)
            continue
        cell = {key: _label(row.cells.get(column)) for key, column in named.items()}
        found.append(
            AskedText(
                id=cell.get("id") or str(number),
                text=str(row.cells[text]).strip(),
                label=cell.get("label", ""),
                groups=_groups(groups, row.cells),
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
