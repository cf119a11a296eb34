"""Thresholds in a TOML file, or in a profile: [[threshold]] with the study, the condition and the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.analysis.thresholds import Level, Threshold, parsed
from tiltmeter.core.errors import BadInput
from tiltmeter.core.options import Option, options_of
from tiltmeter.run.sweep import checked_options, read_table


@dataclass(frozen=True, slots=True)
class ThresholdOptions:
    """What a table may say."""

    fail_if: Annotated[str, Option("The condition: MEASURE > 60.")]
    study: Annotated[str, Option("The study that it is about; by default any.")] = ""
    title: Annotated[str, Option("What it is called.")] = ""
    reason: Annotated[str, Option("Why it is there.")] = ""
    level: Annotated[Level, Option("error, warning or note.")] = "error"


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
        given = checked_options(table, options_of(ThresholdOptions), place, path)
        if "fail-if" not in given:
            raise BadInput(
                f"{place} has no condition", 'write fail_if = "MEASURE > 60"', file=str(path)
            )
        found.append(parsed(given.pop("fail-if"), **given))
    return found
