"""The cells of a paper's table: numbers of results beside the printed ones, and how they compare."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tiltmeter.core.data.category_names import CATEGORY, usual_name
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.reading.typed_values import near_miss
from tiltmeter.data.published import PrintedNumber, published
from tiltmeter.derived.run_tables.run_table import RUN, Placed, in_category, placements
from tiltmeter.derived.run_tables.run_table_layout import Key
from tiltmeter.papers.paper_file import PaperItem, Places, Remark
from tiltmeter.papers.sources import PaperResult

Status: TypeAlias = Literal["equal", "within", "different", "not computable", "ours"]
"""How a printed number compares with ours: the same when printed alike, in our interval, neither, or we have
none of the same quantity. "ours": nothing is printed."""
ANY = "*"
NOTHING = "no result here has this number"
STORED = "stored"
"""The rule of scores that were computed elsewhere, nobody knows how."""


@dataclass(frozen=True, slots=True)
class PaperCell:
    """A place in a table of a paper."""

    row: Key
    column: Key
    ours: Estimate | None = None
    printed: PrintedNumber | None = None
    why: str = ""
    """Why ours differs, is missing, or is of another quantity."""
    unlike: bool = False
    """Whether ours is of another quantity: other data, another rule."""

    @property
    def status(self) -> Status:
        """How both numbers compare."""
        if self.printed is None:
            return "ours"
        if self.ours is None or self.ours.value is None or self.unlike:
            return "not computable"
        if self.printed.equals(self.ours.value) and self.printed.bound == self.ours.bound:
            return "equal"
        if self.printed.bound:
            return "within" if self.ours.value >= self.printed.value else "different"
        low, high = self.ours.low, self.ours.high
        inside = (low is None or low <= self.printed.value) and (
            high is None or self.printed.value <= high
        )
        return "within" if inside and (low, high) != (None, None) else "different"


@dataclass(frozen=True, slots=True)
class PaperCells:
    """The cells of a table, in the paper's order, and what rows and columns are."""

    rows: Key
    columns: Key
    cells: Sequence[PaperCell]


def place(item: PaperItem, results: Sequence[PaperResult], lacking: Sequence[Remark]) -> PaperCells:
    """Our numbers and the printed ones, by row and column.

    Args:
        item: Of the paper.
        results: Of its sources.
        lacking: Why some of what it needs is not there, by coordinates.

    Raises:
        BadInput: Two results have a number for one place, or none has an axis or a measure of the item.
    """
    printed = [*_printed(item)]
    ours = [*_ours(item, results)]
    _check(item, printed, ours, results)
    rows, columns = item.rows, item.columns
    used = {*rows, *columns, *(axis for axis, values in item.where.items() if len(values) == 1)}
    used |= {"model"} if "base" in used else set()
    for axis in ("model", "measure"):
        if axis not in used and len({p.at(axis) for p in ours} | {n.at(axis) for n in printed}) > 1:
            columns = (*columns, axis)

    def key(number: PrintedNumber | Placed, axes: Key) -> Key:
        values = [(item.names.get(axis, {}), number.at(axis)) for axis in axes]
        return tuple(names.get(value, value) for names, value in values)

    cells = {}
    for number in printed:
        at = key(number, rows), key(number, columns)
        if at in cells:
            raise BadInput(
                f"{item.name}: two printed numbers are at {_words(at)}", "name more axes"
            )
        cells[at] = PaperCell(
            *at, None, number, _why(number.places, (*item.missing, *lacking)) or NOTHING
        )
    known = {_without_model(rows, row) + _without_model(columns, column) for row, column in cells}
    for p in ours:
        at = key(p, rows), key(p, columns)
        if known and _without_model(rows, at[0]) + _without_model(columns, at[1]) not in known:
            continue
        cell = cells.get(at, PaperCell(*at))
        if cell.ours:
            raise BadInput(
                f"{item.name}: two results have a number for {_words(at)}",
                "name the axis in which they differ among the rows or columns, or its value in where",
            )
        places = cell.printed.places if cell.printed else {}
        unlike = _unlike(cell.printed, p, item) if cell.printed else ""
        cell = replace(cell, ours=p.estimate, why=unlike or p.estimate.why, unlike=bool(unlike))
        if cell.status == "different":
            cell = replace(cell, why=_why(places, item.known))
        cells[at] = cell
    titles = item.names.get("axis", {})
    rows, columns = (tuple(titles.get(axis, axis) for axis in axes) for axes in (rows, columns))
    return PaperCells(rows, columns, list(cells.values()))


def _check(
    item: PaperItem,
    printed: Sequence[PrintedNumber],
    ours: Sequence[Placed],
    results: Sequence[PaperResult],
) -> None:
    """See that what the item names occurs, if there is anything to look at.

    Raises:
        BadInput: No number has one of its axes, or no result one of its measures.
    """
    axes = {*RUN, *(axis for number in printed for axis in number.places)}
    axes |= {axis for p in ours for axis in (*p.run, *p.estimate.groups)}
    measures = {e.name for each in results for e in each.result.estimates}
    measures |= {number.places.get("measure", "") for number in printed}
    lacking = [axis for axis in (*item.rows, *item.columns) if axis not in axes]
    if lacking and (printed or ours):
        way_out = f"axes are {', '.join(sorted(axes))}"
        raise BadInput(f"{item.name}: no number has the axis {lacking[0]!r}", way_out)
    if item.where and results:
        every = [p for each in results for p in placements(each.result)]
        known = axes | {"base", CATEGORY, *(axis for p in every for axis in p.estimate.groups)}
        known |= {axis for each in results for axis in each.at}
        if others := [axis for axis in item.where if axis not in known]:
            way_out = f"{near_miss(others[0], known)}axes are {', '.join(sorted(known))}"
            reason = f"where names the axis {others[0]!r}, which no number has"
            raise BadInput(f"{item.name}: {reason}", way_out)
        if item.rows and not (printed or ours):
            check_where(item, [p.at for p in every])
    unknown = [measure for measure in item.measures if measure not in measures]
    if unknown and results:
        way_out = f"measures are {', '.join(sorted(filter(None, measures)))}"
        raise BadInput(f"{item.name}: no result has the measure {unknown[0]!r}", way_out)


def check_where(item: PaperItem, places: Sequence[Callable[[str], str]]) -> None:
    """See that some number is at each of the places that the item's `where` names.

    Args:
        item: Of the paper.
        places: For each number: its value on an axis, "" where it has none.

    Raises:
        BadInput: None is at one of them.
    """
    for axis, values in item.where.items():
        has = {at(axis) for at in places}
        if not any(_is_meant(value, values) for value in has):
            near = near_miss(values[0], filter(None, has)) if values else ""
            listed = ", ".join(sorted(filter(None, has))[:MOST_LISTED]) or "none"
            raise BadInput(
                f"{item.name}: where has {axis} = {', '.join(values)}, and no number is there",
                f"{near}values of {axis}: {listed}",
            )


MOST_LISTED = 20
"""Values of an axis in an error."""


def check_printed(item: PaperItem) -> None:
    """See that the item's `where` leaves some of the printed numbers, before anything is computed.

    Raises:
        BadInput: It leaves none.
    """
    numbers = [number for name in item.published for number in published(name).numbers]
    if numbers and not any(True for _ in _printed(item)):
        check_where(item, [number.at for number in numbers])


def _unlike(printed: PrintedNumber, ours: Placed, item: PaperItem) -> str:
    """Why both are not of the same quantity; "" where they are, or nothing says otherwise."""
    if why := _why(printed.places, item.unlike):
        return why
    if sample := ours.run["sample"]:
        return f"ours is of a sample of the data: {sample}"
    names = item.names.get("data", {})
    theirs, mine = (
        names.get(data, data) for data in (printed.places.get("data", ""), ours.at("data"))
    )
    if theirs and mine and theirs != mine:
        return f"ours is of other data: {mine}, not {theirs}"
    theirs, mine = printed.places.get("rule", ""), ours.at("rule")
    if theirs and mine and mine != STORED and theirs not in mine.split("+"):
        return f"ours is by another rule: {mine}, not {theirs}"
    return ""


def _without_model(axes: Key, key: Key) -> Key:
    return tuple(v for axis, v in zip(axes, key, strict=True) if axis not in {"model", "base"})


def _words(at: tuple[Key, Key]) -> str:
    return ", ".join(value or "all" for part in at for value in part)


def _printed(item: PaperItem) -> Iterator[PrintedNumber]:
    for name in item.published:
        for number in published(name).numbers:
            measure = number.at("measure")
            if (not (item.measures and measure) or measure in item.measures) and _has(
                number.places, item.where
            ):
                yield number


def _has(places: Mapping[str, str], where: Places) -> bool:
    """Whether all that is known of a number agrees with what is meant."""
    return all(
        axis not in places or _is_meant(places[axis], values) or (axis in RUN and not places[axis])
        for axis, values in where.items()
    )


def _is_meant(value: str, values: Collection[str]) -> bool:
    """Whether it is one of the values; ANY stands for every value but the whole.

    >>> _is_meant("women", ["men"]), _is_meant("women", ["*"]), _is_meant("", ["*"])
    (False, True, False)
    """
    return value in values or (bool(value) and ANY in values)


def _ours(item: PaperItem, results: Sequence[PaperResult]) -> Iterator[Placed]:
    axes = {*item.rows, *item.columns, *item.where}
    for each in results:
        base = {"base": each.at["model"]} if "model" in each.at else {}
        for p in placements(each.result):
            e = p.estimate
            if CATEGORY in axes:
                e = in_category(e, each.result.card.categories, usual_name)
            sample = str(each.result.card.data.get("sample") or "")
            placed = replace(p, estimate=e, run={**p.run, "sample": sample, **base, **each.at})
            if item.measures and e.name not in item.measures:
                continue
            if not e.groups.keys() <= axes:
                continue
            if all(_is_meant(placed.at(axis), values) for axis, values in item.where.items()):
                yield placed


def _why(places: Mapping[str, str], remarks: Sequence[Remark]) -> str:
    """The first remark about these places; "" where there is none."""
    return next((r.why for r in remarks if _has(places, r.where)), "")
