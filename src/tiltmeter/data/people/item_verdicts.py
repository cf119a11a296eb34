"""What people found of single items: a table of ids and verdicts, which joins the items as an axis."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, TypeVar

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput
from tiltmeter.core.reading.typed_values import Fault, Raw
from tiltmeter.core.results import Note
from tiltmeter.core.text import counted, verb_for
from tiltmeter.data.downloads.fetch import sha256
from tiltmeter.data.files.rows import FilledText, UserRows, absence, label_of, text_of

AXIS, PROBLEM = "valid", "problem"
"""The axes: what people found, and which problem they named."""
VALID, DOUBTFUL, NOT_JUDGED = "valid", "doubtful", "not judged"
SPELLINGS = {
    **dict.fromkeys(("yes", "true", "1", "valid"), VALID),
    **dict.fromkeys(("no", "false", "0", "doubtful", "invalid"), DOUBTFUL),
}
"""The verdict of each word that a cell may have, in any case."""
FACT = "verdicts"
"""The fact about the data that says where verdicts came from."""
SHOWN = 3
"""Ids that a message names."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Verdicts:
    """What people found of items, by the items' ids."""

    file: str
    sha256: str
    by_item: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By id: the values on the axes, "valid" or "doubtful" and perhaps a problem."""

    def joined(self, items: Sequence[T], ids: Iterable[str]) -> list[T]:
        """The items (or records) with the axes, in order; those without a verdict are "not judged"."""
        return [self._with_axes(item, name) for item, name in zip(items, ids, strict=True)]

    def _with_axes(self, item: Any, name: str) -> Any:
        axes = self.by_item.get(name, {AXIS: NOT_JUDGED})
        return replace(item, groups={**item.groups, **axes})

    def of(self, data: Dataset[Any]) -> Dataset[Any]:
        """The data with the verdicts on its items, and with what there is to say about them.

        Raises:
            BadInput: No verdict is about an item of the data, or the items have such an axis already.
        """
        ids = [str(getattr(item, "id", "")) for item in data.items]
        self._check(data, ids)
        judged = [self.by_item[name][AXIS] for name in ids if name in self.by_item]
        counts = [(judged.count(verdict), verdict) for verdict in (VALID, DOUBTFUL)]
        counts.append((len(ids) - len(judged), NOT_JUDGED))
        said = ", ".join(f"{count:,} {verdict}" for count, verdict in counts)
        fact = f"{self.file} (SHA-256 {self.sha256[:12]}…): {said}"
        return replace(
            data,
            items=self.joined(data.items, ids),
            notes=(*data.notes, *self._notes(data, ids)),
            about={**data.about, FACT: fact},
        )

    def _check(self, data: Dataset[Any], ids: Sequence[str]) -> None:
        if not set(ids) & self.by_item.keys():
            reason = (
                f"no id in it ({_some(self.by_item)}) is that of an item of {data.name}, whose ids are like "
                f"{_some(ids)}"
            )
            way_out = "write the ids that `tiltmeter export RUN FILE --what items` writes"
            raise BadInput(reason, way_out, file=self.file)
        axes = {axis for values in self.by_item.values() for axis in values}
        for axis in sorted(axes):
            if any(axis in getattr(item, "groups", {}) for item in data.items):
                reason = f"the items of {data.name} have an axis {axis!r} of their own"
                raise BadInput(reason, "leave out --valid, or rename their column", file=self.file)

    def _notes(self, data: Dataset[Any], ids: Sequence[str]) -> list[Note]:
        others = sorted(self.by_item.keys() - set(ids))
        if not others:
            return []
        verdicts = counted(len(others), "verdicts")
        is_about = verb_for(len(others), "are")
        text = (
            f"{verdicts} of {self.file} {is_about} about no item of {data.name}: {_some(others)}."
        )
        return [Note("caution", text)]


def _some(names: Iterable[str]) -> str:
    """The first of the names, quoted.

    >>> _some(["a", "b", "c", "d"])
    "'a', 'b', 'c', …"
    """
    every = list(dict.fromkeys(names))
    return ", ".join(map(repr, every[:SHOWN])) + (", …" if len(every) > SHOWN else "")


def _verdict(cell: Any) -> str:
    if not text_of(cell):
        raise absence(text_of(cell))
    word = label_of(cell).lower()
    if word not in SPELLINGS:
        raise Fault(f"is {label_of(cell)[:40]!r}", "write yes (valid) or no (doubtful)")
    return SPELLINGS[word]


@dataclass(frozen=True, slots=True)
class _VerdictRow:
    id: FilledText
    valid: Annotated[str, Raw(_verdict)]
    problem: Annotated[str, Raw(label_of)] = ""


def read_verdicts(path: Path, *, encoding: str = "") -> Verdicts:
    """A table with the columns id and valid (yes or no), and perhaps a column problem.

    Args:
        path: Of the table, in any format that `read_table` takes.
        encoding: Of text files.

    Raises:
        BadInput: The file cannot be read or has no rows.
        BadItems: Rows without an id, with another word than yes or no, or with an id that another row has.
    """
    rows = UserRows(
        _VerdictRow, path, encoding=encoding,
        way_out="write a row for each item that people judged: id,valid (yes or no)",
    )  # fmt: skip
    by_item: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    for line, row in rows:
        if row.id in lines:
            way_out = (
                "keep one verdict; `tiltmeter survey accept` makes one of several people's votes"
            )
            rows.complain(line, f"the id {row.id!r} is on line {lines[row.id]} too", way_out)
            continue
        lines[row.id] = line
        by_item[row.id] = {AXIS: row.valid, **({PROBLEM: row.problem} if row.problem else {})}
    rows.finish("")
    return Verdicts(path.name, sha256(path), by_item)
