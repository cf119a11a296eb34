"""Scores that were computed elsewhere: the authors' files, or a table with one row an item."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import isfinite, log
from pathlib import Path
from typing import Unpack

from tiltmeter.core.conventions import with_defaults
from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import BadInput, Problem, stop_at
from tiltmeter.core.reading.typed_values import Fault
from tiltmeter.core.records import Record
from tiltmeter.core.results import notes_of
from tiltmeter.core.study import Reading
from tiltmeter.core.text import counted, decimal_number, verb_for
from tiltmeter.data.downloads.sources import given
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.rows import Cell, FilledText, UserRows, number_of
from tiltmeter.studies.gest.rule import LOGARITHM, OF_TEN, TEN, record, scale_of
from tiltmeter.studies.gest.sentences import LIST, SpokenSentence, load, templates_of

_OF_TEMPLATE = re.compile(r"(.+_template-)(\d+)(\.txt)")
"""Name of a file of the authors': scores in one template, which are numbered from 0, a line a sentence."""


@dataclass(frozen=True, slots=True)
class _Row:
    id: FilledText
    masculine: Cell = ""
    male: Cell = ""
    female: Cell = ""


def has_scores(path: Path, encoding: str = "") -> bool:  # noqa: ARG001 its name says it
    """Whether a file is called as those that the authors publish."""
    return _OF_TEMPLATE.fullmatch(path.name) is not None


def stored_scores(
    path: Path,
    items: Dataset[SpokenSentence] | None,
    *,
    settings: Mapping[str, str] | None = None,
    **reading: Unpack[Reading],
) -> tuple[Dataset[SpokenSentence], Sequence[Record]]:
    """The items with the scores of a file.

    Of `MODEL_template-0.txt`, as the authors publish them, the files of the other templates beside it are
    read as well: as many as the setting `templates` names, in its order. Their scores are to base 10. Any
    other file is a table with the columns `id` and `masculine`, or `id`, `male` and `female`, in natural
    logarithms.
    """
    values = with_defaults((LIST, LOGARITHM), settings)
    data = items or load(None, settings=values)
    known = {item.id: item for item in data.items}
    if named := _OF_TEMPLATE.fullmatch(path.name):
        files = [path.with_name(f"{named[1]}{at}{named[3]}") for at in range(_count(values))]
        scored, problems = _of_lines(files, values, data, reading.get("encoding", ""))
    else:
        files = [path]
        scored, problems = _of_rows(path, known, reading.get("encoding", ""))
    if missing := [key for key in known if key not in scored]:
        reason = (
            f"{len(missing):,} of {counted(len(known), 'items')} {verb_for(len(missing), 'have')} "
            f"no score, the first {missing[0]!r}"
        )
        problems.append(Problem(reason, "add them", file=path.name))
    stop_at(problems, skip_invalid=reading.get("skip_invalid", False))
    kept = [item for item in data.items if item.id in scored]
    if not kept:
        raise BadInput(
            "has no score of any item", f"the first is {data.items[0].id}", file=path.name
        )
    notes = notes_of("caution", [OF_TEN] if values[LOGARITHM.name] == TEN else [])
    facts = {"scores": "; ".join(f"{f.name}, SHA-256 {given(f, [f]).sha256}" for f in files)}
    made = replace(
        data, items=kept, invalid=(*data.invalid, *problems), notes=(*data.notes, *notes),
        about={**data.about, **facts},
    )  # fmt: skip
    scale = scale_of(values)
    return made, [record(item, *scored[item.id], scale=scale) for item in kept]


Scored = tuple[float, Mapping[str, float]]
"""Natural logarithms: the masculine score, and those of `male` and `female` where they are known."""


def _count(values: Mapping[str, str]) -> int:
    return len(templates_of(values[LIST.name]))


def _of_lines(
    files: Sequence[Path], values: Mapping[str, str], data: Dataset[SpokenSentence], encoding: str
) -> tuple[dict[str, Scored], list[Problem]]:
    scored: dict[str, Scored] = {}
    problems: list[Problem] = []
    names = [template.name for template in templates_of(values[LIST.name])]
    ids = [*dict.fromkeys(item.id.rpartition("/")[0] for item in data.items)]
    for path, name in zip(files, names, strict=True):
        if not path.is_file():
            way_out = (
                "put it beside the others, or name the templates that the files are about with --set "
                f"{LIST.name}=NUMBERS (of causal models the authors have 3,4)"
            )
            raise BadInput(f"{path.name}, the scores in template {name}, is not here", way_out)
    for path, name in zip(files, names, strict=True):
        numbers = [*_numbers(path, encoding, problems)]
        if len(numbers) != len(ids):
            reason = (
                f"has {counted(len(numbers), 'scores')}, and {data.name} has "
                f"{counted(len(ids), 'sentences')}"
            )
            raise BadInput(reason, "name the version that was scored with --data", file=path.name)
        scored |= {
            f"{key}/{name}": (log(10) * number, {})
            for key, number in zip(ids, numbers, strict=True)
            if number is not None
        }
    return scored, problems


def _numbers(path: Path, encoding: str, problems: list[Problem]) -> Iterator[float | None]:
    for at, line in enumerate(lines(path, encoding), start=1):
        number = decimal_number(line.strip())
        if number is None or not isfinite(number):
            reason = f"is {line.strip()[:40]!r}, not a finite number"
            problems.append(Problem(reason, "write the score", file=path.name, line=at))
            number = None
        yield number


def _of_rows(
    path: Path, known: Mapping[str, SpokenSentence], encoding: str
) -> tuple[dict[str, Scored], list[Problem]]:
    rows = UserRows(_Row, path, encoding=encoding)
    scored: dict[str, Scored] = {}
    columns = {*rows.columns}
    if "masculine" not in columns and not {"male", "female"} <= columns:
        way_out = "name the columns masculine, or male and female"
        raise BadInput("has no scores", way_out, file=path.name)
    for line, row in rows:
        if row.id not in known:
            rows.complain(
                line, f"id {row.id!r} is no item", "write the sentence’s number and template: 17/3"
            )
        elif row.id in scored:
            rows.complain(line, f"id {row.id!r} has a second score", "leave one of them out")
        else:
            try:
                scored[row.id] = _scores(row)
            except Fault as fault:
                rows.complain(line, f"its score {fault.reason}", fault.way_out)
    return scored, rows.problems


def _scores(row: _Row) -> Scored:
    sides = {side: getattr(row, side) for side in ("male", "female")}
    if not all(sides.values()):
        return number_of(row.masculine), {}
    numbers = {side: number_of(cell) for side, cell in sides.items()}
    masculine = numbers["male"] - numbers["female"]
    return (number_of(row.masculine) if row.masculine else masculine), numbers
