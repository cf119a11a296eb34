"""Thresholds in a TOML file, or in a profile: [[threshold]] with the study, the condition and the reason."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from tiltmeter.analysis.thresholds import Level, Threshold, parsed
from tiltmeter.core.typed_values import checked
from tiltmeter.core.value_types import Line, some, via
from tiltmeter.data.files.toml_file import read_toml

MANUAL = "docs/audit.md"


@dataclass(frozen=True, slots=True)
class _Table:
    fail_if: Line
    """The condition: MEASURE > 60."""
    study: Line = ""
    title: Line = ""
    reason: Line = ""
    level: Level = "error"


def _threshold(table: _Table) -> Threshold:
    return parsed(
        table.fail_if, study=table.study, level=table.level, title=table.title, reason=table.reason
    )


@dataclass(frozen=True, slots=True)
class _File:
    threshold: Annotated[tuple[Annotated[Threshold, via(_Table, _threshold)], ...], some]


def read_thresholds(path: Path) -> tuple[Threshold, ...]:
    """The thresholds of a file.

    Raises:
        BadInput: It cannot be read.
        BadItems: It lists no threshold, or one says what it may not.
    """
    return read_toml(_File, path, MANUAL).threshold


def thresholds_of(tables: Sequence[Mapping[str, Any]], path: Path) -> tuple[Threshold, ...]:
    """The thresholds of these tables of a file.

    Raises:
        BadItems: One has no condition, or says what it may not.
    """
    if not tables:
        return ()
    return checked(_File, {"threshold": [*tables]}, file=path.name, manual=MANUAL).threshold
