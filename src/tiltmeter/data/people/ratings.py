"""Single people's ratings of groups: annotators × groups × pairs of traits, read from JSON or a table."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from tiltmeter.core.errors import BadInput, BadItems, Problem, UnknownName
from tiltmeter.core.reading.typed_values import OTHERS
from tiltmeter.core.text import counted, decimal_number
from tiltmeter.core.types import Array
from tiltmeter.data.files.chosen_answers import is_chosen
from tiltmeter.data.files.plain_text import lines
from tiltmeter.data.files.rows import Cell, FilledCell, UserRows, text_of
from tiltmeter.data.files.table import json_value

FEWEST = 3
"""The minimum number of ratings, all equal one by one, for a column to count as a copy of another."""


class RatingScale(NamedTuple):
    """The scale of ratings, from the number for the left trait to that for the right one."""

    low: float
    high: float

    def percent(self, rating: float) -> float:
        """A rating rescaled to percent: 0 at the low end, 50 in the middle, 100 at the high end.

        >>> RatingScale(1, 7).percent(4), RatingScale(-50, 50).percent(-25)
        (50.0, 25.0)
        """
        return 100 * (rating - self.low) / (self.high - self.low)

    def __str__(self) -> str:
        """The scale as text: "1 to 7"."""
        return f"{self.low:g} to {self.high:g}".replace("-", "−")


PERCENT = RatingScale(0.0, 100.0)
MOST_STEPS = 11
"""The maximum number of points of a scale of whole numbers; those with more count as continuous."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Single ratings, each from 0 (left trait) to 100 (right trait)."""

    annotators: tuple[str, ...]
    groups: tuple[str, ...]
    pairs: tuple[str, ...]
    values: Array
    """The ratings, shape (annotators, groups, pairs); NaN where an annotator did not rate."""
    about: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Facts about the annotators from the table: for each column, one value per annotator."""
    varying: Mapping[str, npt.NDArray[np.object_]] = field(default_factory=dict)
    """Facts about single ratings, such as a survey's marks: the columns whose values differ between the rows
    of an annotator, each of the shape of `values`, with "" where there is nothing."""
    notes: tuple[str, ...] = ()
    """Notes by the reader, for example on values that were read as missing."""

    def without(self, cells: Sequence[tuple[str, str]]) -> "Ratings":
        """The ratings without those of these cells (group, pair)."""
        values = self.values.copy()
        for group, pair in cells:
            values[:, self.groups.index(group), self.pairs.index(pair)] = np.nan
        return replace(self, values=values)

    def part(self, groups: Sequence[str], pairs: Sequence[str]) -> "Ratings":
        """The ratings of these groups and pairs only, in this order; all annotators are kept."""
        rows = [self.groups.index(group) for group in groups]
        columns = [self.pairs.index(pair) for pair in pairs]
        values = self.values[:, rows][:, :, columns]
        varying = {name: of[:, rows][:, :, columns] for name, of in self.varying.items()}
        return replace(
            self, groups=tuple(groups), pairs=tuple(pairs), values=values, varying=varying
        )

    def only(self, cells: npt.NDArray[np.bool_]) -> "Ratings":
        """Only the ratings of the cells that are True in `cells`, shape (groups, pairs)."""
        return replace(self, values=np.where(cells, self.values, np.nan))

    def slice(self, about: Mapping[str, str]) -> "Ratings":
        """The ratings with these values in these columns, about annotators or about single ratings."""
        values = self.values
        for name, value in about.items():
            has_value = np.asarray(self._facts(name) == value, dtype=bool)
            values = np.where(has_value, values, np.nan)
        by_annotator = [
            (self.about[name], value) for name, value in about.items() if name in self.about
        ]
        is_rated = np.isfinite(values).sum(axis=(1, 2)) > 0
        of_ratings = len(by_annotator) < len(about)
        kept = [
            i for i in range(len(self.annotators))
            if all(cells[i] == value for cells, value in by_annotator) and (is_rated[i] or not of_ratings)
        ]  # fmt: skip
        return replace(
            self,
            annotators=tuple(self.annotators[i] for i in kept),
            values=values[kept],
            about={name: tuple(cells[i] for i in kept) for name, cells in self.about.items()},
            varying={name: cells[kept] for name, cells in self.varying.items()},
        )

    def values_of(self, columns: Sequence[str]) -> list[dict[str, str]]:
        """Each value of a column, or each combination of values that an annotator or a rating has, in order.

        Annotators and ratings without a value in one of the columns are in none (`unstated`).
        """
        if self.varying.keys() & {*columns}:
            rated = np.isfinite(self.values)
            cells = [np.broadcast_to(self._facts(column), rated.shape)[rated] for column in columns]
        else:
            cells = [np.asarray(self.about[column], dtype=object) for column in columns]
        combined = sorted(set(zip(*cells, strict=True)))
        return [dict(zip(columns, values, strict=True)) for values in combined if all(values)]

    def unstated(self, columns: Sequence[str]) -> int:
        """The number of annotators who lack a value in one of these columns, in all of their ratings."""
        rated = np.isfinite(self.values)
        stated = np.ones(len(self.annotators), dtype=bool)
        for column in columns:
            has_value = np.asarray(self._facts(column) != "", dtype=bool)
            if column in self.varying:
                has_value = (has_value & rated).sum(axis=(1, 2), keepdims=True) > 0
            stated &= has_value[:, 0, 0]
        return int((~stated).sum())

    def _facts(self, column: str) -> npt.NDArray[np.object_]:
        """A column's values, shape (annotators, 1, 1), or that of `values` for single ratings."""
        if column in self.varying:
            return self.varying[column]
        return np.asarray(self.about[column], dtype=object)[:, None, None]


def scale_named(text: str) -> RatingScale:
    """Parse a scale given as "LOW:HIGH", or as "LOW-HIGH" if both are above 0.

    >>> scale_named("1:7"), scale_named("1-5")
    (RatingScale(low=1.0, high=7.0), RatingScale(low=1.0, high=5.0))
    """
    mark = ":" if ":" in text else "-"
    low, high = (decimal_number(end) for end in text.partition(mark)[::2])
    if low is None or high is None or not -math.inf < low < high < math.inf:
        raise BadInput(f"{text!r} is not a scale", "write LOW:HIGH, such as 1:7 or -50:50")
    return RatingScale(low, high)


def whole_steps(scale: RatingScale) -> tuple[str, ...]:
    """The points of a scale of a few whole numbers; () of any other.

    >>> whole_steps(RatingScale(1, 5)), whole_steps(RatingScale(0, 100))
    (('1', '2', '3', '4', '5'), ())
    """
    low, high = scale
    if low != int(low) or high != int(high) or high - low >= MOST_STEPS:
        return ()
    return tuple(str(step) for step in range(int(low), int(high) + 1))


def means(ratings: Ratings) -> tuple[Array, Array]:
    """The mean and number of ratings of each cell, both of shape (groups, pairs); NaN where nobody rated.

    Means are rounded to nine decimals, so that the middle of a scale is exactly 50.
    """
    counts = np.isfinite(ratings.values).sum(axis=0).astype(np.float64)
    sums = np.nansum(ratings.values, axis=0)  # `nanmean` warns where nobody rated
    averages = np.full(sums.shape, np.nan)
    np.divide(sums, counts, out=averages, where=counts > 0)
    return np.asarray(averages.round(9), dtype=np.float64), counts


def copies(ratings: Ratings) -> list[tuple[str, tuple[str, ...]]]:
    """Pairs of traits of a group that everybody rated alike: (group, the pairs), each set once.

    Three ratings or more that are not all the same number. People do not answer so: in all likelihood
    one column was written over the others.
    """
    alike = []
    for g, group in enumerate(ratings.groups):
        columns: dict[bytes, list[str]] = {}
        for p, pair in enumerate(ratings.pairs):
            column = ratings.values[:, g, p]
            given = column[np.isfinite(column)]
            if len(given) >= FEWEST and np.ptp(given) > 0:
                columns.setdefault(column.tobytes(), []).append(pair)
        alike += [(group, tuple(pairs)) for pairs in columns.values() if len(pairs) > 1]
    return alike


COLUMNS = ("annotator", "group", "pair", "rating")
"""The columns of a long table; `low` and `high` may give the scale of a row, all others describe the
annotator."""
SCALE_COLUMNS = ("low", "high")


def read_ratings(
    path: Path, *, scale: RatingScale = PERCENT, encoding: str = "", pairs: Sequence[str] = ()
) -> Ratings:
    """Raw ratings: {annotator: {group: {pair: rating}}}, or a table of COLUMNS with a row a rating.

    `scale` is that of the ratings where a table's `low` and `high` do not say it row by row; `pairs`, if
    given, are the only ones there may be.

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
    """The ratings in {annotator: {group: {pair: rating}}}; errors as `read_ratings`."""
    reading = _Reading(path, scale, pairs)
    reading.nested(nested)
    return reading.checked()


def ratings_of(
    rated: Iterable[tuple[str, str, str, str]],
    path: Path,
    scale: RatingScale,
    about: Mapping[str, Mapping[str, str]] | None = None,
) -> Ratings:
    """The ratings that an export of another program holds; errors as `read_ratings`.

    Args:
        rated: Annotator, group, pair and number of each; "" is no rating.
        path: The file, for messages.
        scale: That of the ratings.
        about: Facts about annotators, by name and column.
    """
    reading = _Reading(path, scale, ())
    for annotator, group, pair, number in rated:
        at = (annotator, group, pair)
        if number and is_chosen(path.name, annotator) and reading.add(at, number, scale):
            reading.describe(at, (about or {}).get(annotator, {}))
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
    way_out = "correct it; each annotator rates each pair of a group once"
    value = json_value(text, way_out, file=path.name)
    return value if isinstance(value, dict) else None


def depth(value: object) -> int:
    """The number of objects nested in each other, following the first entry of each."""
    if not isinstance(value, Mapping):
        return 0
    return 1 + max((depth(inner) for inner in list(value.values())[:1]), default=0)


Place: TypeAlias = tuple[str, str, str]
"""Annotator, group and pair of a rating."""


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
        self.cells: dict[Place, float] = {}
        self.about: dict[str, dict[str, dict[str, list[Place]]]] = {}
        """By column, annotator and value: the ratings that have it."""
        self.problems: list[Problem] = []
        self.notes: list[str] = []

    def nested(self, ratings: Mapping[str, Any]) -> None:
        for annotator, groups in ratings.items():
            for group, pairs in _entries(groups, self, annotator):
                for pair, rating in _entries(pairs, self, f"{annotator}, {group}"):
                    if is_chosen(self.path.name, annotator):
                        self.add((annotator, group, pair), rating, self.scale)

    def table(self, encoding: str) -> None:
        rows = UserRows(_RatingRow, self.path, encoding=encoding)
        unrated = 0
        for line, row in rows:
            scale = self.scale_of(row.low, row.high, line)
            if not row.rating:
                unrated += 1
                continue
            at = (row.annotator, row.group, row.pair)
            if self.add(at, row.rating, scale, line):
                self.describe(at, row.about)
        self.problems = sorted([*self.problems, *rows.problems], key=lambda each: each.line or 0)
        self.notes += rows.notes
        if unrated:
            self.notes.append(f"{counted(unrated, 'rows')} without a rating: left out.")

    def describe(self, at: Place, about: Mapping[str, str]) -> None:
        for name, value in about.items():
            by_value = self.about.setdefault(name, {}).setdefault(at[0], {})
            by_value.setdefault(value, []).append(at)

    def scale_of(self, low: str, high: str, line: int) -> RatingScale:
        if not (low or high):
            return self.scale
        try:
            return scale_named(f"{low}:{high}")
        except BadInput:
            self.complain(f"low {low!r} and high {high!r} are not a scale", "correct it", line)
            return self.scale

    def add(self, at: Place, rating: object, scale: RatingScale, line: int | None = None) -> bool:
        cell, text = ", ".join(at), text_of(rating)
        if self.pairs and at[2] not in self.pairs:
            self.complain(str(UnknownName("pair of traits", at[2], self.pairs)), "", line)
        elif at in self.cells:
            self.complain(f"{cell} is rated twice", "leave one out", line)
        elif (number := decimal_number(text)) is None or math.isinf(number):
            self.complain(f"{cell}: {text!r} is not a number", "write a number", line)
        elif not scale.low <= number <= scale.high:
            way_out = "correct it, or give the scale with --scale LOW:HIGH"
            self.complain(f"{cell}: {text} is not on the scale {scale}", way_out, line)
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
        axes = [tuple(dict.fromkeys(at[i] for at in self.cells)) for i in range(3)]
        places = [{name: i for i, name in enumerate(names)} for names in axes]
        values = np.full([len(names) for names in axes], np.nan)
        for (annotator, group, pair), value in self.cells.items():
            values[places[0][annotator], places[1][group], places[2][pair]] = value
        steady = {c: by for c, by in self.about.items() if all(len(v) == 1 for v in by.values())}
        about = {c: tuple(next(iter(by[a])) for a in axes[0]) for c, by in steady.items()}
        varying = {
            name: self.by_rating(by, places, values.shape)
            for name, by in self.about.items()
            if name not in steady
        }
        return Ratings(axes[0], axes[1], axes[2], values, about, varying, tuple(self.notes))

    @staticmethod
    def by_rating(
        by_annotator: Mapping[str, Mapping[str, Sequence[Place]]],
        places: Sequence[Mapping[str, int]],
        shape: tuple[int, ...],
    ) -> npt.NDArray[np.object_]:
        """A column's value for each rating, "" where there is none."""
        facts: npt.NDArray[np.object_] = np.full(shape, "", dtype=object)
        for by_value in by_annotator.values():
            for value, rated in by_value.items():
                for at in rated:
                    facts[tuple(of[name] for of, name in zip(places, at, strict=True))] = value
        return facts


def _entries(value: object, reading: _Reading, place: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        yield from value.items()
    else:
        reading.complain(f"{place}: {value!r} is not an object", "write {pair: rating}")
