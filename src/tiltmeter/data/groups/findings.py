"""What people were found to associate with crossed groups: a table of the user's, or the packaged one."""

from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, fields
from difflib import get_close_matches
from importlib import resources
from pathlib import Path
from typing import Any

from tiltmeter.core.errors import BadInput, BadItems, Problem
from tiltmeter.data.files.tables import read_table
from tiltmeter.data.files.toml_file import toml_table

PACKAGED = "findings"
_WHICH = ("trait", "pair", "dimension")


@dataclass(frozen=True, slots=True)
class Finding:
    """One association, by one of trait, pair of traits or dimension."""

    group: str
    """The crossed group, as runs name it."""
    trait: str = ""
    pair: str = ""
    dimension: str = ""
    direction: str = ""
    """Of a pair or dimension: "high", its right traits (powerful, warm), or "low", its left ones."""
    source: str = ""
    words: str = ""
    """The source's own words."""
    where: str = ""
    """File and entry, for messages."""


KEYS = tuple(f.name for f in fields(Finding) if f.name != "where")


def read_findings(path: str | Path, *, encoding: str = "") -> list[Finding]:
    """Read a TOML file of [[findings]], or a table (CSV, JSONL, …) with these columns.

    Raises:
        BadInput: The file cannot be read, or holds none.
        BadItems: Entries that cannot be used, all of them.
    """
    path = Path(path)
    entries = _toml(path, encoding) if path.suffix.lower() == ".toml" else _rows(path, encoding)
    problems: list[Problem] = []
    found = [_finding(entry, at, path.name, problems) for at, entry in entries]
    if problems:
        raise BadItems(problems)
    if not found:
        raise BadInput(
            "contains no findings", "write one per row, or one per [[findings]]", file=path.name
        )
    return found


def packaged_findings() -> list[Finding]:
    """The findings that the paper's text names."""
    with ExitStack() as stack:
        file = resources.files("tiltmeter.data") / "starter" / f"{PACKAGED}.toml"
        return read_findings(stack.enter_context(resources.as_file(file)))


def _toml(path: Path, encoding: str) -> list[tuple[str, Mapping[str, Any]]]:
    table = toml_table(path, "begin each with [[findings]]", encoding=encoding)
    entries = table.get("findings", [])
    if not (isinstance(entries, list) and all(isinstance(entry, dict) for entry in entries)):
        raise BadInput(
            "findings is not a list of tables", "begin each with [[findings]]", file=path.name
        )
    return [(f"finding {i}", entry) for i, entry in enumerate(entries, start=1)]


def _rows(path: Path, encoding: str) -> list[tuple[str, Mapping[str, Any]]]:
    table = read_table(path, encoding=encoding, required=("group",))
    rows = list(table.rows)
    broken = [row.problem for row in rows if row.problem]
    if broken:
        raise BadItems(broken, way_out="Correct these rows.")
    return [(f"line {row.line}", {k: v for k, v in row.cells.items() if v}) for row in rows]


def _finding(entry: Mapping[str, Any], at: str, file: str, problems: list[Problem]) -> Finding:
    texts = {key: str(value).strip() for key, value in entry.items()}
    for key in texts:
        if key not in KEYS:
            near = get_close_matches(key, KEYS, n=1)
            hint = f"did you mean {near[0]!r}? " if near else ""
            known = ", ".join(KEYS)
            problems.append(
                Problem(f"{at} has an unknown key {key!r}", f"{hint}known: {known}", file)
            )
    finding = Finding(**{key: texts.get(key, "") for key in KEYS}, where=f"{file}, {at}")
    named = [key for key in _WHICH if texts.get(key)]
    if not finding.group:
        problems.append(Problem(f"{at} names no group", "name a crossed group: Black woman", file))
    if len(named) != 1:
        of = f"{' and '.join(named)} at once" if named else "no trait"
        way = "name one of trait, pair and dimension"
        problems.append(Problem(f"{at} is about {of}", way, file))
    elif named != ["trait"] and finding.direction not in {"high", "low"}:
        reason = (
            f"{at} says {finding.direction!r} of a {named[0]}"
            if finding.direction
            else (f"{at} does not say which end of the {named[0]}")
        )
        problems.append(Problem(reason, 'give direction = "high" or "low"', file))
    elif named == ["trait"] and finding.direction not in {"", "high"}:
        reason = f"{at} says {finding.direction!r} of one trait"
        problems.append(Problem(reason, "name the opposite trait, without a direction", file))
    return finding
