"""Groups × trait pairs: the numbers of a run, or of any table, as a matrix."""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl

from tiltmeter.core.errors import BadInput, BadItems
from tiltmeter.core.results import Record, Result
from tiltmeter.core.types import Array
from tiltmeter.data.tables import read_table
from tiltmeter.run import folder

NAME = "association"
"""The estimates that a matrix is made of."""
LONG = ("group", "pair", "value")
"""Columns of a table with a row a cell; `low`, `high`, `p` and `n` may follow."""


@dataclass(frozen=True, slots=True)
class Matrix:
    """One number for each group (row) and each pair of traits (column)."""

    name: str
    """What it is of: a model, or people."""
    groups: tuple[str, ...]
    pairs: tuple[str, ...]
    """Each "left - right": below the middle the group is nearer to the left trait."""
    values: Array
    """Shape (groups, pairs); NaN where there is none."""
    low: Array
    high: Array
    p: Array
    """As `values`; after adjustment over all cells. NaN where there is none."""
    why: tuple[str, ...] = ()
    """Which cells have no value, and for what reason."""
    n: Array | None = None
    """How many scores each value was computed from; None where nobody says."""

    def row(self, group: str) -> Array:
        """The values of one group, shape (pairs,)."""
        return np.asarray(self.values[self.groups.index(group)], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Layers:
    """A matrix for each template, of scores before any averaging."""

    name: str
    templates: tuple[str, ...]
    families: tuple[str, ...]
    """Of each template."""
    groups: tuple[str, ...]
    pairs: tuple[str, ...]
    left: Array
    """s(group, left trait), shape (templates, groups, pairs); NaN where there is none."""
    right: Array
    domains: tuple[str, ...] = ()
    """Of each group; "" where the data do not say."""
    dimensions: tuple[str, ...] = ()
    """Of each pair."""
    parts: tuple[tuple[str, str], ...] = ()
    """Of each group, the two that it is crossed from, in this order; ("", "") of a single group."""

    @property
    def values(self) -> Array:
        """Right − left, shape (templates, groups, pairs)."""
        return np.asarray(self.right - self.left, dtype=np.float64)

    def averaged(self, templates: Sequence[int] | None = None) -> Matrix:
        """The mean over all templates, or over those at these places; NaN where one has none."""
        chosen = self.values if templates is None else self.values[list(templates)]
        values = chosen.mean(axis=0)
        none = np.full(values.shape, np.nan)
        return Matrix(self.name, self.groups, self.pairs, values, none, none, none)


def is_matrix(result: Result) -> bool:
    """Whether a result has a number for each group and pair of traits."""
    return any(e.name == NAME and set(e.groups) == {"group", "pair"} for e in result.estimates)


def matrix_of(result: Result) -> Matrix:
    """The estimates of each cell; groups and pairs in the order in which the records have them.

    Raises:
        BadInput: The result has no such estimates.
    """
    found = {
        (e.groups["group"], e.groups["pair"]): e
        for e in result.estimates
        if e.name == NAME and set(e.groups) == {"group", "pair"}
    }
    if not found:
        raise BadInput(
            f"the study {result.card.study} has no number for each group and pair of traits",
            "give a run of group_traits, or a table of such numbers",
        )
    groups, pairs = _names(result.records, ("group", "pair"))
    groups = groups or tuple(dict.fromkeys(group for group, _ in found))
    pairs = pairs or tuple(dict.fromkeys(pair for _, pair in found))
    values, low, high, p = (np.full((len(groups), len(pairs)), np.nan) for _ in range(4))
    n = np.zeros((len(groups), len(pairs)))
    why = []
    for i, group in enumerate(groups):
        for j, pair in enumerate(pairs):
            e = found.get((group, pair))
            n[i, j] = e.n if e else 0
            if e is None or e.value is None:
                why.append(f"{group}, {pair}: {e.why if e else 'not asked'}")
                continue
            adjusted = e.p if e.p_adjusted is None else e.p_adjusted
            for table, number in ((values, e.value), (low, e.low), (high, e.high), (p, adjusted)):
                table[i, j] = np.nan if number is None else number
    name = str(result.card.model["name"])
    return Matrix(name, groups, pairs, values, low, high, p, tuple(why), n)


def layers_of(result: Result) -> Layers:
    """The records of each cell, template by template.

    Raises:
        BadInput: The records are not of groups, pairs and templates.
    """
    axes = ("template", "group", "pair")
    seen: dict[str, dict[str, int]] = {axis: {} for axis in axes}
    told: dict[str, dict[str, str]] = {axis: {} for axis in axes}
    parts: dict[str, tuple[str, str]] = {}
    codes, scores = array("l"), array("d")
    for record in result.records:  # once, as there may be a million
        of = record.groups
        if not all(axis in of for axis in axes):
            continue
        for axis, more in zip(axes, ("family", "domain", "dimension"), strict=True):
            codes.append(seen[axis].setdefault(of[axis], len(seen[axis])))
            told[axis].setdefault(of[axis], of.get(more, ""))
        parts.setdefault(of["group"], (of.get("first", ""), of.get("second", "")))
        scores.extend(record.scores.get(side, np.nan) for side in ("left", "right"))
    if not codes:
        raise BadInput(
            f"the records of {result.card.study} are not of groups, pairs of traits and templates",
            "give a run of group_traits",
        )
    left, right = (np.full([len(names) for names in seen.values()], np.nan) for _ in range(2))
    at = tuple(np.frombuffer(codes, dtype=np.dtype("l")).reshape(-1, len(axes)).T)
    left[at], right[at] = np.frombuffer(scores, dtype=np.float64).reshape(-1, 2).T
    templates, groups, pairs = (tuple(names) for names in seen.values())
    families, domains, dimensions = (tuple(some.values()) for some in told.values())
    name = str(result.card.model["name"])
    both = tuple(parts.values())
    return Layers(name, templates, families, groups, pairs, left, right, domains, dimensions, both)


def axes_of(result: Result) -> Layers | None:
    """As `layers_of`; of results that are not by template only the axes; None where nothing says."""
    try:
        return layers_of(result)
    except BadInput:
        pass
    groups: dict[str, str] = {}
    pairs: dict[str, str] = {}
    for of in (record.groups for record in result.records):
        if "group" in of and "pair" in of:
            groups.setdefault(of["group"], of.get("domain", ""))
            pairs.setdefault(of["pair"], of.get("dimension", ""))
    none = np.empty((0, len(groups), len(pairs)))
    return Layers(
        str(result.card.model["name"]), (), (), tuple(groups), tuple(pairs), none, none,
        domains=tuple(groups.values()), dimensions=tuple(pairs.values()),
    ) if groups else None  # fmt: skip


def read_matrix(path: Path, *, encoding: str = "") -> Matrix:
    """Of a run folder, or of a table: wide (group, then a column a pair) or long (group, pair, value).

    Raises:
        BadInput: It is neither; or a cell is no number, or is given twice.
    """
    if path.is_dir():
        return matrix_of(folder.read(path))
    table = read_table(path, encoding=encoding)
    long = set(LONG) <= set(table.columns)
    first, *rest = table.columns
    cells: list[tuple[object, object, object]] = []
    for row in table.rows:
        if row.problem:
            raise BadItems([row.problem], way_out="Mend the row.")
        if long:
            cells.append((row.cells["group"], row.cells["pair"], row.cells["value"]))
        else:
            cells += [(row.cells[first], pair, row.cells.get(pair)) for pair in rest if pair]
    if not cells:
        raise BadInput("it has no rows, or one column only", "give a row a group", file=path.name)
    return _from_cells(path, cells)


def traits_of(pair: str) -> tuple[str, str]:
    """The left and the right trait of a pair's name.

    >>> traits_of("low status - high status"), traits_of("mood")
    (('low status', 'high status'), ('mood (left)', 'mood (right)'))
    """
    left, sign, right = pair.partition(" - ")
    return (left, right) if sign else (f"{pair} (left)", f"{pair} (right)")


def write_matrix(matrix: Matrix, path: Path) -> None:
    """As a long CSV: see `as_csv`."""
    path.write_text(as_csv(matrix), encoding="utf-8", newline="\n")


def as_csv(matrix: Matrix) -> str:
    """A row a cell: group, pair, value, low, high, p, n; nothing where there is no number.

    >>> one = np.array([[0.5]])
    >>> print(as_csv(Matrix("m", ("women",), ("cold - warm",), one, one, one, one)).splitlines()[1])
    women,cold - warm,0.5,0.5,0.5,0.5,
    """
    rows, columns = matrix.values.shape
    numbers = {"value": matrix.values, "low": matrix.low, "high": matrix.high, "p": matrix.p}
    n = np.full(matrix.values.shape, np.nan) if matrix.n is None else matrix.n
    table = pl.DataFrame({
        "group": [group for group in matrix.groups for _ in range(columns)],
        "pair": [pair for _ in range(rows) for pair in matrix.pairs],
        **{name: pl.Series(table.ravel()).fill_nan(None) for name, table in numbers.items()},
        "n": pl.Series(n.ravel()).fill_nan(None).cast(pl.Int64),
    })  # fmt: skip
    return table.write_csv()


def _from_cells(path: Path, cells: Sequence[tuple[object, object, object]]) -> Matrix:
    if not all(_named(group) and _named(pair) for group, pair, _ in cells):
        raise BadInput("a row has no group, or no pair of traits", "write its name", file=path.name)
    groups = tuple(dict.fromkeys(str(group).strip() for group, _, _ in cells))
    pairs = tuple(dict.fromkeys(str(pair).strip() for _, pair, _ in cells))
    values = np.full((len(groups), len(pairs)), np.nan)
    seen: set[tuple[int, int]] = set()
    for group, pair, value in cells:
        at = groups.index(str(group).strip()), pairs.index(str(pair).strip())
        named = f"{groups[at[0]]}, {pairs[at[1]]}"
        if at in seen:
            raise BadInput(f"{named} is given twice", "leave one out", file=path.name)
        seen.add(at)
        text = "" if value is None else str(value).strip()
        try:
            number = float(text) if text else np.nan
        except ValueError:
            number = np.inf
        if np.isinf(number):
            raise BadInput(
                f"{named} is {text!r}, which is no number",
                "write a number, or leave it empty where there is none",
                file=path.name,
            )
        values[at] = number
    none = np.full(values.shape, np.nan)
    return Matrix(path.stem, groups, pairs, values, none, none, none)


def _named(label: object) -> bool:
    return label is not None and bool(str(label).strip())


def _names(records: Iterable[Record], axes: tuple[str, str]) -> list[tuple[str, ...]]:
    """The labels of each axis, in the order in which records have them."""
    found: list[dict[str, None]] = [{} for _ in axes]
    for record in records:
        for names, axis in zip(found, axes, strict=True):
            if axis in record.groups:
                names.setdefault(record.groups[axis])
    return [tuple(names) for names in found]
