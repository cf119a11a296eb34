"""Thresholds in a TOML file, or in a profile: [[threshold]] with the study, the condition and the reason."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tiltmeter.analysis.thresholds import Level, Threshold, parsed
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.run.sweep import TEXT, checked_options, read_table

KEYS = dict.fromkeys(("study", "fail-if", "title", "reason", "level"), TEXT)
LEVELS: Mapping[str, Level] = {"error": "error", "warning": "warning", "note": "note"}


def read_thresholds(path: Path) -> list[Threshold]:
    """The thresholds of a file.

    Raises:
        BadInput: It cannot be read, lists no threshold, or one says what it may not.
    """
    table = read_table(path)
    listed = table.pop("threshold", [])
    if table or not isinstance(listed, list) or not listed:
        raise BadInput(
            "a file of thresholds holds [[threshold]] and nothing else",
            'write [[threshold]] and under it fail_if = "MEASURE > 60"', file=str(path),
        )  # fmt: skip
    return thresholds_of(listed, path)


def thresholds_of(tables: Sequence[Mapping[str, Any]], path: Path) -> list[Threshold]:
    """The thresholds of these tables.

    Raises:
        BadInput: One has no condition, or says what it may not.
    """
    found = []
    for number, table in enumerate(tables, 1):
        place = f"threshold {number}"
        if not isinstance(table, Mapping):
            raise BadInput(f"{place} is not a table", "write [[threshold]]", file=str(path))
        given = checked_options(table, KEYS, place, path)
        if "fail-if" not in given:
            raise BadInput(
                f"{place} has no condition", 'write fail_if = "MEASURE > 60"', file=str(path)
            )
        level = given.get("level", "error")
        if level not in LEVELS:
            raise UnknownName(f"level of {place}", level, LEVELS)
        text = given.pop("fail-if")
        found.append(parsed(text, **given | {"level": LEVELS[level]}))
    return found
