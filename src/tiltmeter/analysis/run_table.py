"""A table over finished runs: which estimates stand in which row and column.

Every estimate has coordinates: the model, data, study, rule and convention of its run, its measure, and the
axes of its subset. Rows and columns are each made of one or more of these; the others must agree.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.results import Card, Estimate, Result
from tiltmeter.core.views import Extremes, Matrix, SideBySide

RUN = ("model", "data", "study", "rule", "convention", "measure")
"""Coordinates that every estimate has. All others are axes of subsets."""
MOST = 40
"""An axis with more values than this is not chosen for the rows unless it is asked for."""
Key = tuple[str, ...]
"""One value for each coordinate of the rows, or of the columns; "" is all values together."""


@dataclass(frozen=True, slots=True)
class Placed:
    """An estimate with its coordinates."""

    estimate: Estimate
    run: Mapping[str, str]
    """By the names in `RUN`."""
    printed: bool = False
    """True of a number that a paper prints."""

    def at(self, coordinate: str) -> str:
        """Its place along one coordinate; "" for all values of an axis together."""
        return self.run.get(coordinate) or self.estimate.groups.get(coordinate, "")


@dataclass(frozen=True, slots=True)
class RunTable:
    """Estimates by row and column."""

    row_names: Key
    """The coordinates of the rows, outermost first."""
    column_names: Key
    rows: Sequence[Key]
    columns: Sequence[Key]
    cells: Mapping[tuple[Key, Key], Placed]
    shared: Mapping[str, str]
    """Coordinates that are the same in all cells and are in neither rows nor columns."""
    cards: Sequence[Card] = field(default=())

    def row(self, key: Key) -> list[Placed | None]:
        """The cells of a row, in the order of the columns."""
        return [self.cells.get((key, column)) for column in self.columns]

    def best(self) -> set[tuple[Key, Key]]:
        """Cells that are the best of several models, where the measure says which way is better."""
        found: set[tuple[Key, Key]] = set()
        for rivals in self._rivals():
            way = rivals[0][1].estimate.meaning.better
            known = [(at, p) for at, p in rivals if p.estimate.value is not None]
            if not way or len({p.run["model"] for _, p in known}) < 2:  # noqa: PLR2004
                continue
            pick = max if way == "higher" else min
            top = pick(p.estimate.value or 0.0 for _, p in known)
            found |= {at for at, p in known if p.estimate.value == top}
        return found

    def _rivals(self) -> list[list[tuple[tuple[Key, Key], Placed]]]:
        """Cells that differ in nothing but the model, papers' numbers left out."""
        others = [name for name in (*self.row_names, *self.column_names) if name != "model"]

        def rest(cell: tuple[tuple[Key, Key], Placed]) -> tuple[str, ...]:
            # Numbers of different rules or data are not on one scale, wherever they stand.
            run = (cell[1].run["rule"], cell[1].run["data"], cell[1].run["measure"])
            return (*(cell[1].at(name) for name in others), *run)

        own = sorted((c for c in self.cells.items() if not c[1].printed), key=rest)
        return [list(group) for _, group in groupby(own, key=rest)]


def run_table(
    results: Sequence[Result],
    *,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    measures: Sequence[str] = (),
    printed: Sequence[Placed] = (),
) -> RunTable:
    """Place the estimates of these runs.

    Args:
        results: Of any studies; at least one.
        rows: Coordinates of the rows, outermost first; () chooses.
        columns: Coordinates of the columns; () chooses.
        measures: Which measures; () chooses the headline, or those that are read together.
        printed: Numbers of papers to stand beside these.

    Raises:
        UnknownName: No run has such a coordinate or measure.
        BadInput: Two runs have a number for the same cell, or no cell has a number.
    """
    placed = [*(p for result in results for p in placements(result)), *printed]
    _check_names(placed, (*rows, *columns), measures)
    chosen = _layout(results, rows, columns, measures)
    kept = [p for p in placed if p.run["measure"] in chosen.measures]
    over = {name for name in (*chosen.rows, *chosen.columns) if name not in RUN}
    kept = [p for p in kept if over >= p.estimate.groups.keys()]
    if not kept:
        raise BadInput(
            "no estimate has these rows and columns",
            f"choose among: {', '.join(coordinates(placed))}",
        )
    return _arranged(kept, chosen, [result.card for result in results])


def placements(result: Result) -> list[Placed]:
    """Every estimate of a run with its coordinates."""
    card = result.card
    run = {
        "model": card.model_name,
        "data": str(card.data.get("name", "")),
        "study": card.study,
        "rule": card.rule,
        "convention": card.convention,
    }
    return [Placed(e, run | {"measure": e.name}) for e in result.estimates]


def coordinates(placed: Iterable[Placed]) -> list[str]:
    """All that rows and columns can be made of: those of every run, then the axes of subsets."""
    return [*RUN, *dict.fromkeys(axis for p in placed for axis in p.estimate.groups)]


def _check_names(placed: Sequence[Placed], names: Sequence[str], measures: Sequence[str]) -> None:
    known = coordinates(placed)
    for name in names:
        if name not in known:
            raise UnknownName("axis", name, known)
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise BadInput(f"{twice[0]} is named twice", "name it once, in --rows or in --columns")
    reported = list(dict.fromkeys(p.run["measure"] for p in placed))
    for measure in measures:
        if measure not in reported:
            raise UnknownName("measure", measure, reported)


# ── Layout ───────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Layout:
    """What rows, columns and cells are."""

    rows: Key
    columns: Key
    measures: Key


def _layout(
    results: Sequence[Result], rows: Sequence[str], columns: Sequence[str], measures: Sequence[str]
) -> _Layout:
    """What was asked for, and for the rest what readers of such results expect."""
    usual = _usual(results, tuple(measures) or _measures(results))
    if not measures and not rows and not columns:
        usual = _strengths(results, usual)
    down = tuple(rows) or _without(usual.rows, columns) or _without(usual.columns, columns)
    down = down or _without(("measure", "model"), columns)[:1]
    across = tuple(columns) or _without(usual.columns, down) or _without(usual.rows, down)
    across = across or _without(("measure", "model"), down)[:1]
    return _Layout(down, across, usual.measures)


def _without(names: Sequence[str], used: Sequence[str]) -> Key:
    return tuple(name for name in names if name not in used)


def _strengths(results: Sequence[Result], usual: _Layout) -> _Layout:
    """Of several matrices, which no table holds, how far each row's cells lie from neutral."""
    matrix = _matrix(results)
    if len(results) > 1 and matrix and matrix.strength and usual.measures == (matrix.measure,):
        return _Layout((matrix.rows,), ("model",), (matrix.strength,))
    return usual


def _usual(results: Sequence[Result], measures: Key) -> _Layout:
    several = [name for name in ("study", "data") if _varies(results, name)]
    if "data" in several and "study" in several:
        several.remove("study")  # a data set belongs to one study
    matrix = _matrix(results)
    if len(measures) > 1:
        inner = ["model"] if _varies(results, "model") or several else _axis(results, measures)
        return _Layout((*several, *inner), ("measure",), measures)
    if matrix and len(results) == 1 and measures == (matrix.measure,):
        sizes = {
            axis: len({e.groups.get(axis) for e in results[0].estimates})
            for axis in (matrix.rows, matrix.columns)
        }
        longer, shorter = sorted(sizes, key=lambda axis: -sizes[axis])
        return _Layout((longer,), (shorter,), measures)
    if several:
        return _Layout((*several,), ("model",), measures)
    return _Layout((*_axis(results, measures),), ("model",), measures)


def _varies(results: Sequence[Result], name: str) -> bool:
    return len({p.run[name] for r in results for p in placements(r)[:1]}) > 1


def _matrix(results: Sequence[Result]) -> Matrix | None:
    found = [v for v in results[0].card.views if isinstance(v, Matrix)]
    same = all(r.card.study == results[0].card.study for r in results)
    return found[0] if found and same else None


def _measures(results: Sequence[Result]) -> Key:
    """Those that are read together if all runs have them, else each run's headline."""
    for view in results[0].card.views:
        if isinstance(view, SideBySide) and all(view in r.card.views for r in results):
            return view.measures
    matrix = _matrix(results)
    if matrix:
        return (matrix.measure,)
    heads = (next((e for e in r.estimates if not e.groups), r.estimates[0]) for r in results)
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
    few = {axis: len(found) for axis, found in values.items()
           if len(found) <= MOST and axis not in ends}  # fmt: skip
    return [max(few, key=lambda axis: few[axis])] if few else ["measure"]


# ── Placing ──────────────────────────────────────────────────────────────────────────────────────


def _arranged(kept: Sequence[Placed], chosen: _Layout, cards: Sequence[Card]) -> RunTable:
    rows, columns = _with_needed(kept, chosen)
    used = {*rows, *columns}
    shared = {
        name: next(iter(values))
        for name in RUN
        if name not in used and len(values := {p.run[name] for p in kept if not p.printed}) == 1
    }
    cells: dict[tuple[Key, Key], Placed] = {}
    for p in kept:
        at = (_key(p, rows), _key(p, columns))
        if at in cells:
            raise BadInput(
                f"two runs have a number for the same cell ({_said(p, used)})",
                "leave one of them out, or tell them apart by --rows or --columns",
            )
        cells[at] = p
    return RunTable(
        rows, columns, _ordered({r: None for r, _ in cells}), _ordered({c: None for _, c in cells}),
        cells, shared, cards,
    )  # fmt: skip


def _with_needed(kept: Sequence[Placed], chosen: _Layout) -> tuple[Key, Key]:
    """Rows and columns, with coordinates added in which runs differ that would share a cell."""
    rows, columns = list(chosen.rows), list(chosen.columns)
    for name in ("model", "measure", "data", "study", "rule", "convention"):
        used = (*rows, *columns)
        if name in used:
            continue
        own = [p for p in kept if not p.printed] if name in {"rule", "convention"} else kept
        there = {tuple(p.at(u) for u in used) for p in own}
        apart = {(*(p.at(u) for u in used), p.run[name]) for p in own}
        if len(apart) > len(there):
            (columns if name in {"model", "measure"} else rows).append(name)
    return tuple(rows), tuple(columns)


def _key(placed: Placed, names: Sequence[str]) -> Key:
    return tuple(placed.at(name) for name in names)


def _said(placed: Placed, used: Iterable[str]) -> str:
    return ", ".join(f"{name} {placed.at(name) or 'all'}" for name in used)


def _ordered(keys: Iterable[Key]) -> list[Key]:
    """Values of each coordinate as they first appear, the whole before its parts."""
    listed = list(keys)
    width = len(listed[0]) if listed else 0
    places = [
        {value: i for i, value in enumerate(sorted(dict.fromkeys(k[n] for k in listed), key=bool))}
        for n in range(width)
    ]
    return sorted(listed, key=lambda key: [places[n][value] for n, value in enumerate(key)])
