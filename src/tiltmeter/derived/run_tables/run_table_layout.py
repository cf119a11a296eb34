"""Which coordinates are the rows and columns of a table over runs, where nobody says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import Extremes, Matrix, SideBySide

MOST = 40
"""An axis with more values than this is not chosen for the rows unless it is asked for."""
Key: TypeAlias = tuple[str, ...]
"""One value for each coordinate of the rows, or of the columns; "" is all values together."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An estimate with its coordinates."""

    estimate: Estimate
    run: Mapping[str, str]
    """The coordinates of the run, by the names in `run_table.RUN`."""
    printed: bool = False
    """Whether it is a number that a paper prints."""
    card: Card | None = None
    """The card of its run; None for a number that a paper prints."""
    tokens: str = ""
    """How its model splits texts into tokens, for a number that depends on that (`Conditions.tokens`)."""

    def at(self, coordinate: str) -> str:
        """The value of an estimate along one coordinate; "" for all values of an axis together."""
        return self.run.get(coordinate) or self.estimate.groups.get(coordinate, "")


@dataclass(frozen=True, slots=True)
class TableLayout:
    """What rows, columns and cells are."""

    rows: Key
    columns: Key
    measures: Key


def table_layout(
    results: Sequence[Result], rows: Sequence[str], columns: Sequence[str], measures: Sequence[str]
) -> TableLayout:
    """What was asked for, and for the rest what readers of such results expect."""
    usual = _usual(results, tuple(measures) or _measures(results, {*rows, *columns}))
    if not measures and not rows and not columns:
        usual = _strengths(results, usual)
    down = tuple(rows) or _without(usual.rows, columns) or _without(usual.columns, columns)
    down = down or _without(("measure", "model"), columns)[:1]
    across = tuple(columns) or _without(usual.columns, down) or _without(usual.rows, down)
    across = across or _without(("measure", "model"), down)[:1]
    return TableLayout(down, across, usual.measures)


def _without(names: Sequence[str], used: Sequence[str]) -> Key:
    return tuple(name for name in names if name not in used)


def _strengths(results: Sequence[Result], usual: TableLayout) -> TableLayout:
    """Of several matrices, which no table holds, how far each row's cells lie from neutral."""
    matrix = _matrix(results)
    if len(results) > 1 and matrix and matrix.strength and usual.measures == (matrix.measure,):
        return TableLayout((matrix.rows,), ("model",), (matrix.strength,))
    return usual


def _usual(results: Sequence[Result], measures: Key) -> TableLayout:
    several = [name for name in ("study", "data") if _varies(results, name)]
    if "data" in several and "study" in several:
        several.remove("study")  # a data set belongs to one study
    matrix = _matrix(results)
    if len(measures) > 1:
        inner = ["model"] if _varies(results, "model") or several else _axis(results, measures)
        return TableLayout((*several, *inner), ("measure",), measures)
    if matrix and len(results) == 1 and measures == (matrix.measure,):
        sizes = {
            axis: len({e.groups.get(axis) for e in results[0].estimates})
            for axis in (matrix.rows, matrix.columns)
        }
        longer, shorter = sorted(sizes, key=lambda axis: -sizes[axis])
        return TableLayout((longer,), (shorter,), measures)
    if several:
        return TableLayout((*several,), ("model",), measures)
    return TableLayout((*_axis(results, measures),), ("model",), measures)


def _varies(results: Sequence[Result], name: str) -> bool:
    return len({r.card.coordinates[name] for r in results}) > 1


def _matrix(results: Sequence[Result]) -> Matrix | None:
    matrices = [v for v in results[0].card.views if isinstance(v, Matrix)]
    same = all(r.card.study == results[0].card.study for r in results)
    return matrices[0] if matrices and same else None


def _measures(results: Sequence[Result], axes: set[str]) -> Key:
    """Those that are read together if all runs have them, else each run's headline.

    Of a run without a headline it is the first number over one of these axes, or the first of all.
    """
    for view in results[0].card.views:
        if isinstance(view, SideBySide) and all(view in r.card.views for r in results):
            return view.measures
    matrix = _matrix(results)
    if matrix:
        return (matrix.measure,)
    heads = (
        r.headline or next((e for e in r.estimates if axes & e.groups.keys()), r.estimates[0])
        for r in results
    )
    return tuple(dict.fromkeys(head.name for head in heads))


def _axis(results: Sequence[Result], measures: Key) -> list[str]:
    """The single axis of the first run's measure with the most values; [] where there is none."""
    first = results[0]
    ends = {view.axis for view in first.card.views if isinstance(view, Extremes)}
    values: dict[str, set[str]] = {}
    for e in first.estimates:
        if e.name in measures and len(e.groups) == 1:
            axis, value = next(iter(e.groups.items()))
            values.setdefault(axis, set()).add(value)
    few = {axis: len(known) for axis, known in values.items()
           if len(known) <= MOST and axis not in ends}  # fmt: skip
    return [max(few, key=lambda axis: few[axis])] if few else ["measure"]
