"""Arranges the estimates of a table of numbers by row and column."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.views import REST, NumberColumn, NumberTable
from tiltmeter.report.documents.families import measure_of
from tiltmeter.report.text import label, subset, title

Key = tuple[str, ...]
"""The key of a row: its value along each axis of the view, where an axis may also be the measure."""
MEASURE = "measure"
MANY = 3
"""From this many columns with the same unit on, a note gives the unit instead of each heading."""


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column of the view with its estimates."""

    column: NumberColumn
    spread: str | None
    """The column's value along the axis that is spread over columns; None where no axis is."""
    cells: Mapping[Key, Estimate]

    @property
    def first(self) -> Estimate | None:
        """The first estimate of the column, from which its heading is made; None where it has none."""
        return next(iter(self.cells.values()), None)

    def at(self, keys: Sequence[Key]) -> list[Estimate | None]:
        """The estimates in these rows; None for empty cells."""
        return [self.cells.get(key) for key in keys]


class NumberCells:
    """The estimates of a view, by row and column."""

    def __init__(self, result: Result, view: NumberTable) -> None:
        self.view, self.labels = view, result.card.labels
        self.axes: Key = (*([view.by] if view.by else []), *view.rows)
        self.by_measure = MEASURE in view.rows
        self._estimates = [
            e for e in result.estimates
            if all(coordinates(e).get(axis, "") == value for axis, value in view.where.items())
        ]  # fmt: skip
        self.has_changes = any(column.signed for column in view.columns)
        changes = {column.measure for column in view.columns if column.signed}
        kinds = {frozenset(e.groups) for e in self._estimates if e.groups and e.name in changes}
        self._several = len(kinds) > 1
        self.columns = [*self._columns()]
        self.keys = self._ordered()

    def naming(self, keys: Sequence[Key]) -> list[Estimate | None]:
        """Estimates from which rows take their names: those of the first column that is not a change."""
        return self._first(keys, signed=False)

    def judged(self, keys: Sequence[Key]) -> list[Estimate | None]:
        """Estimates that decide which rows are emphasized: the changes where there are any."""
        return self._first(keys, signed=True)

    def _first(self, keys: Sequence[Key], *, signed: bool) -> list[Estimate | None]:
        first = (shown for shown in self.columns if shown.column.signed == signed)
        return next(first, self.columns[0]).at(keys) if keys else []

    def row_name(self, key: Key) -> str:
        """A row in words, without the axis of which each value has a table of its own."""
        (head,) = self.naming([key])
        return ", ".join(
            (title(head) if head else "") if axis == MEASURE else label(axis, value, self.labels)
            for axis, value in zip(self.axes, key, strict=True)
            if axis != self.view.by
        )

    @property
    def shared_unit(self) -> str:
        """The unit of all values, where there are enough columns that a note gives it once; otherwise ""."""
        if any(shown.column.shows == "result" for shown in self.columns):  # which has its unit
            return ""
        heads = [shown.first for shown in self.columns if shown.column.shows == "value"]
        units = {e.unit for e in heads if e}
        return units.pop() if len(heads) >= MANY and len(units) == 1 and not self.by_measure else ""

    def _columns(self) -> Iterator[ShownColumn]:
        """The columns of the view; where an axis is spread, one for each of its values that has cells."""
        axis = self.view.spread
        for column in self.view.columns:
            if not axis:
                yield ShownColumn(column, None, self._cells(column, None))
                continue
            values = dict.fromkeys(
                e.groups.get(axis, "")
                for e in self._estimates
                if e.name == column.measure and column.at.items() <= e.groups.items()
            )
            # "", the value over everything, sorts first; alone it would leave nothing to spread.
            for value in sorted(values, key=bool) if any(values) else ():
                if cells := self._cells(column, value):
                    yield ShownColumn(column, value, cells)

    def _cells(self, column: NumberColumn, spread: str | None) -> dict[Key, Estimate]:
        at, view = column.at, self.view
        elsewhere = {axis for other in view.columns for axis in other.at} - at.keys()
        fixed = {*self.axes, *view.where, *at, view.spread}
        needed = {*self.axes} - {MEASURE, REST}
        cells: dict[Key, Estimate] = {}
        for e in self._estimates:
            same = spread is None or e.groups.get(view.spread, "") == spread
            if not (self._fits(e, column) and same and at.items() <= e.groups.items()):
                continue
            places = coordinates(e)
            rest = {axis: value for axis, value in e.groups.items() if axis not in fixed}
            may_have_more = REST in self.axes and not rest.keys() & elsewhere
            if needed <= places.keys() and (not rest or may_have_more):
                # Axes are named where rows are over several kinds of subsets.
                words = subset(rest, self.labels, with_axis=self._several)
                known = {**places, MEASURE: measure_of(e), REST: words}
                cells.setdefault(tuple(known[axis] for axis in self.axes), e)
        return cells

    def _fits(self, e: Estimate, column: NumberColumn) -> bool:
        """Whether an estimate belongs in the column, by the column's measure or those of the rows."""
        if column.measure:
            return e.name == column.measure
        wanted = not self.view.measures or measure_of(e) in self.view.measures
        return wanted and (not self.has_changes or column.signed == bool(e.meaning.difference_of))

    def _ordered(self) -> list[Key]:
        """The keys of the rows in order: those of the first column, or of all where an axis is spread."""
        first = self.columns[0].cells if self.columns else {}
        keys = [*first]
        if self.view.spread and not self.view.order:
            places = {id(e): at for at, e in enumerate(self._estimates)}
            first_at = {
                key: places[id(e)] for s in reversed(self.columns) for key, e in s.cells.items()
            }
            keys = sorted(first_at, key=first_at.__getitem__)
        if self.by_measure and self.view.measures:
            at = self.axes.index(MEASURE)
            keys.sort(key=lambda key: self.view.measures.index(key[at]))
        if self.view.order == "grouped":
            place_of = _places(key[0] for key in keys)
            keys.sort(key=lambda key: place_of[key[0]])
        elif self.view.order:
            keys.sort(key=lambda key: -self._rank(first[key]))
        if self.view.by:
            whole = _places(key[0] for key in first)
            keys.sort(key=lambda key: whole[key[0]])
        return keys

    def _rank(self, e: Estimate) -> float:
        if e.value is None:
            return float("-inf")
        return e.value if self.view.order == "high" else abs(e.value - (e.neutral or 0.0))


def _places(values: Iterable[str]) -> dict[str, int]:
    """The place of each value in the order in which they first occur."""
    return {value: at for at, value in enumerate(dict.fromkeys(values))}


def coordinates(e: Estimate) -> dict[str, str]:
    """The groups of an estimate together with its model, study, rule and convention, as one mapping."""
    outer = {"model": e.model, "study": e.study, "rule": e.rule, "convention": e.convention}
    return {**{name: value for name, value in outer.items() if value}, **e.groups}
