"""What people were found to associate with crossed groups: a table of the user's, or the packaged one."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.typed_values import UNREAD, Fault
from tiltmeter.data.downloads.places import package_file
from tiltmeter.data.files.rows import Cell, FilledText, TextCell, UserRows
from tiltmeter.data.files.toml_file import read_toml

PACKAGED = "findings"


@dataclass(frozen=True, slots=True)
class Finding:
    """One association, by one of trait, pair of traits or dimension."""

    group: FilledText
    """The crossed group, as runs name it."""
    trait: TextCell = ""
    pair: TextCell = ""
    dimension: Cell = ""
    direction: Cell = ""
    """For a pair or dimension: "high", its right traits (powerful, warm), or "low", its left ones."""
    source: Cell = ""
    words: TextCell = ""
    """The source's own words."""
    where: Annotated[str, UNREAD] = ""
    """File and entry, for messages."""

    def faults(self) -> Iterator[Fault]:
        """Whether it is about several things or none, and lacks the end of the one that it is about."""
        about = [name for name in ("trait", "pair", "dimension") if getattr(self, name)]
        if len(about) != 1:
            what = f"{' and '.join(about)} at once" if about else "no trait"
            yield Fault(f"is about {what}", "name one of trait, pair and dimension")
        elif about != ["trait"] and self.direction not in {"high", "low"}:
            reason = f"says {self.direction!r} of a {about[0]}"
            lacking = f"does not say which end of the {about[0]}"
            yield Fault(reason if self.direction else lacking, 'give direction = "high" or "low"')
        elif about == ["trait"] and self.direction not in {"", "high"}:
            reason = f"says {self.direction!r} of one trait"
            yield Fault(reason, "name the opposite trait, without a direction")


@dataclass(frozen=True, slots=True)
class _File:
    findings: tuple[Finding, ...] = ()


def read_findings(path: str | Path, *, encoding: str = "") -> list[Finding]:
    """Read a TOML file of [[findings]], or a table (CSV, JSONL, …) with the fields as columns.

    Raises:
        BadInput: The file cannot be read, or holds none.
        BadItems: Entries that cannot be used, all of them.
    """
    path = Path(path)
    if path.suffix.lower() == ".toml":
        entries = read_toml(_File, path, "docs/how-to/intersections.md", encoding=encoding).findings
        findings = [replace(e, where=f"{path.name}, finding {i}") for i, e in enumerate(entries, 1)]
    else:
        rows = UserRows(Finding, path, encoding=encoding)
        findings = [replace(row, where=f"{path.name}, line {line}") for line, row in rows]
        rows.finish()
    if not findings:
        way_out = "write one per row, or one per [[findings]]"
        raise BadInput("contains no findings", way_out, file=path.name)
    return findings


def packaged_findings() -> list[Finding]:
    """The findings that the paper's text names."""
    return read_findings(package_file(f"starter/{PACKAGED}.toml"))
