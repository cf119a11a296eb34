"""Single people's ratings from a file: JSON, or a table with a row a rating."""

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from tiltmeter.core.errors import BadInput, BadItems, Problem, UnknownName
from tiltmeter.core.json_text import parsed
from tiltmeter.core.text import decimal_number
from tiltmeter.core.typed_values import OTHERS
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.rows import Cell, FilledCell, read_rows, text_of
from tiltmeter.data.people.ratings import PERCENT, Ratings, RatingScale, scale_named

COLUMNS = ("annotator", "group", "pair", "rating")
"""Of a long table; `low` and `high` may say the scale of a row, all others describe the annotator."""
SCALE_COLUMNS = ("low", "high")


def read_ratings(
    path: Path, *, scale: RatingScale = PERCENT, encoding: str = "", pairs: Sequence[str] = ()
) -> Ratings:
    """Raw ratings: {annotator: {group: {pair: rating}}}, or a table of COLUMNS with a row a rating.

    Args:
        path: JSON, or a table in any of the formats of `read_table`.
        scale: Of the ratings, where a table's `low` and `high` do not say it row by row.
        encoding: Of text files.
        pairs: If given, the only ones there may be.

    Raises:
        BadInput: The file cannot be read as either.
        BadItems: Ratings that are no numbers or not on the scale, or are there twice: all of them.
    """
    nested = json_of(path, encoding)
    if nested is not None:
        return ratings_in(nested, path, scale, pairs)
    reading = _Reading(path, scale, pairs)
    reading.table(encoding)
    return reading.checked()


def ratings_in(
    nested: Mapping[str, Any], path: Path, scale: RatingScale, pairs: Sequence[str] = ()
) -> Ratings:
    """As `read_ratings`, of what a JSON file was found to hold."""
    reading = _Reading(path, scale, pairs)
    reading.nested(nested)
    return reading.checked()


def json_of(path: Path, encoding: str = "") -> Mapping[str, Any] | None:
    """The object that a JSON file holds; None where it is a list, lines of objects, or no JSON file.

    Raises:
        BadInput: It is broken, or has a key twice.
    """
    if path.suffix.lower() != ".json":
        return None
    text = "".join(lines(path, encoding))
    if text.lstrip()[:1] != "{":
        return None
    try:
        found = parsed(text)
    except json.JSONDecodeError as error:
        reason = f"broken JSON ({error.msg})"
        raise BadInput(reason, "correct it", file=path.name, line=error.lineno) from None
    except (ValueError, RecursionError) as error:
        way_out = "write each annotator, group and pair once"
        raise BadInput(f"broken JSON ({error})", way_out, file=path.name) from None
    return found if isinstance(found, dict) else None


def depth(value: object) -> int:
    """How many objects stand within each other, by the first entry of each."""
    if not isinstance(value, Mapping):
        return 0
    return 1 + max((depth(inner) for inner in list(value.values())[:1]), default=0)


@dataclass(frozen=True, slots=True)
class _RatingRow:
    annotator: FilledCell
    group: FilledCell
    pair: FilledCell
    rating: Cell
    low: Cell = ""
    high: Cell = ""
    about: Annotated[Mapping[str, Cell], OTHERS] = field(default_factory=dict)


class _Reading:
    """The ratings of one file, and what is wrong with them."""

    def __init__(self, path: Path, scale: RatingScale, pairs: Sequence[str]) -> None:
        self.path, self.scale, self.pairs = path, scale, pairs
        self.cells: dict[tuple[str, str, str], float] = {}
        self.about: dict[str, dict[str, set[str]]] = {}
        self.problems: list[Problem] = []

    def nested(self, found: Mapping[str, Any]) -> None:
        for annotator, groups in found.items():
            for group, pairs in _entries(groups, self, annotator):
                for pair, rating in _entries(pairs, self, f"{annotator}, {group}"):
                    self.add((annotator, group, pair), rating, self.scale)

    def table(self, encoding: str) -> None:
        rows = read_rows(_RatingRow, self.path, encoding=encoding)
        for line, row in rows:
            scale = self.scale_of(row.low, row.high, line)
            if self.add((row.annotator, row.group, row.pair), row.rating, scale, line):
                for name, value in row.about.items():
                    self.about.setdefault(name, {}).setdefault(row.annotator, set()).add(value)
        self.problems = sorted([*self.problems, *rows.problems], key=lambda each: each.line or 0)

    def scale_of(self, low: str, high: str, line: int) -> RatingScale:
        if not (low or high):
            return self.scale
        try:
            return scale_named(f"{low}:{high}")
        except BadInput:
            self.complain(f"low {low!r} and high {high!r} are not a scale", "correct it", line)
            return self.scale

    def add(
        self, at: tuple[str, str, str], rating: object, scale: RatingScale, line: int | None = None
    ) -> bool:
        named, text = ", ".join(at), text_of(rating)
        if self.pairs and at[2] not in self.pairs:
            self.complain(str(UnknownName("pair of traits", at[2], self.pairs)), "", line)
        elif at in self.cells:
            self.complain(f"{named} is rated twice", "leave one out", line)
        elif (number := decimal_number(text)) is None or math.isinf(number):
            self.complain(f"{named}: {text!r} is not a number", "write a number", line)
        elif not scale.low <= number <= scale.high:
            way_out = "correct it, or give the scale with --scale LOW:HIGH"
            self.complain(f"{named}: {text} is not on the scale {scale}", way_out, line)
        else:
            self.cells[at] = scale.percent(number)
            return True
        return False

    def complain(self, reason: str, way_out: str, line: int | None = None) -> None:
        self.problems.append(Problem(reason, way_out, file=self.path.name, line=line))

    def checked(self) -> Ratings:
        if self.problems:
            raise BadItems(self.problems, way_out="Correct these ratings, or take them out.")
        if not self.cells:
            way_out = "give one with a rating a row"
            raise BadInput("it contains no ratings", way_out, file=self.path.name)
        return self.ratings()

    def ratings(self) -> Ratings:
        axes = [tuple(dict.fromkeys(at[i] for at in self.cells)) for i in range(3)]
        places = [{name: i for i, name in enumerate(names)} for names in axes]
        values = np.full([len(names) for names in axes], np.nan)
        for (annotator, group, pair), value in self.cells.items():
            values[places[0][annotator], places[1][group], places[2][pair]] = value
        steady = {c: own for c, own in self.about.items() if all(len(v) == 1 for v in own.values())}
        about = {c: tuple(next(iter(own[a])) for a in axes[0]) for c, own in steady.items()}
        varying = tuple(c for c in self.about if c not in steady)
        return Ratings(axes[0], axes[1], axes[2], values, about, varying)


def _entries(value: object, reading: _Reading, named: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
    else:
        reading.complain(f"{named}: {value!r} is not an object", "write {pair: rating}")
