"""The cells of a paper's table: numbers of results beside the printed ones, and how they compare."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from tiltmeter.core.data.category_names import CATEGORY, usual_name
from tiltmeter.core.errors import BadInput
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.finder import find
from tiltmeter.core.finder import known as known_studies
from tiltmeter.core.reading.typed_values import near_miss
from tiltmeter.data.published import PrintedNumber
from tiltmeter.derived.run_tables.run_table import RUN, in_category, placements
from tiltmeter.derived.run_tables.run_table_layout import Key, Placed
from tiltmeter.papers.item_places import (
    BY,
    OF_PAPERS,
    agrees,
    check_where,
    every_printed,
    is_meant,
    printed_numbers,
)
from tiltmeter.papers.paper_file import PaperItem, Remark
from tiltmeter.papers.paper_plan import KINDS, PaperResult
from tiltmeter.papers.scored_parts import TASK, by_different_rules, scored_task
from tiltmeter.papers.sources import UNASKED
from tiltmeter.run.measuring.ensemble import RULE as WEIGHTED
from tiltmeter.scoring.ranking import PAIRS

Status: TypeAlias = Literal["equal", "within", "different", "not computable", "ours"]
"""How a printed number compares with ours: the same when printed alike, in our interval, neither, or we have
none of the same quantity. "ours": nothing is printed."""
NOTHING = "no result here has this number"
UNREPORTED = "what was run here does not report this number"
STORED = "stored"
"""The rule of scores that were computed elsewhere, nobody knows how."""
UNRULED = ("", STORED, WEIGHTED, PAIRS.name)
"""What stands for a rule where a model is not scored by one: baselines, ensembles, scores from elsewhere."""


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
    needs_models: bool = False
    """Whether ours is not computable only because a model of the paper was not run."""
    derived: bool = False
    """Whether ours is computed from other numbers, and its n says of how many."""
    rule: str = ""
    """By which ours is scored."""
    model: str = ""
    """Whose ours is, as the paper calls it."""

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
    clashes: Sequence["Clash"] = ()
    notes: Sequence[str] = ()
    """What numbers that are derived from others are made of."""

    @property
    def rules(self) -> str:
        """That numbers which differ in their model alone are by different rules; "" where none are."""
        alike: dict[Key, dict[str, dict[str, None]]] = {}
        for cell in self.cells:
            if cell.ours and cell.ours.value is not None and cell.rule not in UNRULED:
                at = _without_model(self.rows, cell.row) + _without_model(self.columns, cell.column)
                alike.setdefault(at, {}).setdefault(cell.rule, {})[cell.model] = None
        mixed: dict[str, dict[str, None]] = {}
        for rules in alike.values():
            for rule, models in rules.items() if len(rules) > 1 else ():
                mixed.setdefault(rule, {}).update(models)
        return by_different_rules(mixed)


@dataclass(frozen=True, slots=True)
class Derived:
    """A number of ours that is computed from others."""

    placed: Placed
    beside: str = ""
    """Why it is not compared with the printed one."""
    needs_models: bool = False
    """Whether it is lacking, or not compared, only because a model of the paper was not run."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Two numbers of ours for one place, of which the first is shown."""

    at: str
    shown: PaperResult
    left_out: PaperResult

    @property
    def is_mistake(self) -> bool:
        """Whether the table lacks an axis, and no user gave two results for one thing.

        That is so where the numbers are of one result, or of several sources that were made alike of one
        model of the paper, or of none.
        """
        if self.shown is self.left_out:
            return True
        alike = self.shown.by == self.left_out.by != "given"
        slots = {each.model.name if each.model else None for each in (self.shown, self.left_out)}
        return self.shown.source != self.left_out.source and alike and len(slots - {""}) == 1


def place(
    item: PaperItem,
    results: Sequence[PaperResult],
    lacking: Sequence[Remark],
    failed: Sequence[Remark] = (),
    derived: Sequence[Derived] = (),
) -> PaperCells:
    """Our numbers and the printed ones, by row and column.

    Where several results have a number for one place, that of the earlier kind (`By`) is shown, of one kind
    that of the earlier source of the item.

    Args:
        item: Of the paper.
        results: Of its sources.
        lacking: Why some of what it needs is not there, by coordinates.
        failed: Why runs that the user asked for failed: these reasons go before those of the paper's file.
        derived: Numbers of ours that are computed from others; those without a value only take the place of
            a printed one.

    Raises:
        BadInput: Two printed numbers are at one place, or no number is at one that the item names.
    """
    printed = [*printed_numbers(item)]
    ranked = sorted(results, key=lambda each: (KINDS.index(each.by), item.of.index(each.source)))
    by_result = [(each, [*_ours(item, each)]) for each in ranked]
    ours = [p for _, placed in by_result for p in placed] + [each.placed for each in derived]
    _check(item, printed, ours, results, complete=not (lacking or failed))
    rows, columns = item.rows, item.columns
    used = {*rows, *columns, *(axis for axis, values in item.where.items() if len(values) == 1)}
    used |= {"model"} if "base" in used else set()
    for axis in ("model", "measure"):
        if axis not in used and len({p.at(axis) for p in ours} | {n.at(axis) for n in printed}) > 1:
            columns = (*columns, axis)

    def key(number: PrintedNumber | Placed, axes: Key) -> Key:
        values = [(item.names.get(axis, {}), number.at(axis)) for axis in axes]
        return tuple(names.get(value, value) for names, value in values)

    parts = [*filter(None, map(_part, results))]
    by_model = {each.at.get("model", ""): each.by for each in reversed(ranked)}
    cells: dict[tuple[Key, Key], PaperCell] = {}
    for number in printed:
        at = key(number, rows), key(number, columns)
        if at in cells:
            raise BadInput(
                f"{item.name}: two printed numbers are at {_words(at)}", "name more axes"
            )
        by = by_model.get(number.places.get("model", ""), "")
        places = {**number.places, BY: by}
        why = reason_at(places, (*failed, *item.missing, *parts, *lacking))
        why = why or _no_number(number, results)
        needs_models = why.startswith(UNASKED) and not reason_at(number.places, item.unlike)
        cells[at] = PaperCell(*at, None, number, why, needs_models=needs_models)
    known = {_without_model(rows, row) + _without_model(columns, column) for row, column in cells}
    shown: dict[tuple[Key, Key], PaperResult] = {}
    clashes: dict[tuple[int, int], Clash] = {}
    of_results = [(each, p, None) for each, placed in by_result for p in placed]
    for each, p, of in (*of_results, *((None, of.placed, of) for of in derived)):
        at = key(p, rows), key(p, columns)
        is_known = _without_model(rows, at[0]) + _without_model(columns, at[1]) in known
        is_empty = of is not None and p.estimate.value is None and at not in cells
        if (known and not is_known) or is_empty:
            continue
        if each and (other := shown.get(at)):
            clashes.setdefault((id(other), id(each)), Clash(_words(at), other, each))
            continue
        if each:
            shown[at] = each
        cells[at] = _beside(cells.get(at, PaperCell(*at)), p, item, of)
    titles = item.names.get("axis", {})
    rows, columns = (tuple(titles.get(axis, axis) for axis in axes) for axes in (rows, columns))
    return PaperCells(rows, columns, list(cells.values()), list(clashes.values()))


def _no_number(printed: PrintedNumber, results: Sequence[PaperResult]) -> str:
    """Why no result has this number, where nothing else says it."""
    model = printed.places.get("model", "")
    own = [
        each for each in results if model in {"", each.at.get("model", each.result.card.model_name)}
    ]
    if not own:
        return NOTHING
    measure = printed.places.get("measure", "")
    own = [each for each in own if any(e.name == measure for e in each.result.estimates)] or own
    samples = dict.fromkeys(str(each.result.card.data.get("sample") or "") for each in own)
    if any(samples):
        listed = "; ".join(filter(None, samples))
        return f"the sample of the data that was measured has nothing of it: {listed}"
    return UNREPORTED


def _beside(
    cell: PaperCell, ours: Placed, item: PaperItem, derived: Derived | None = None
) -> PaperCell:
    """The cell with our number, and why that differs."""
    beside = derived.beside if derived else ""
    unlike = beside or _unlike(cell.printed, ours, item) if cell.printed else ""
    lacks_models = derived.needs_models if derived else False
    undefined = ours.estimate.why if ours.estimate.value is None else ""
    cell = replace(
        cell, ours=ours.estimate, why=undefined or unlike or ours.estimate.why, unlike=bool(unlike),
        needs_models=lacks_models and unlike == beside, derived=derived is not None,
        rule=ours.at("rule"), model=ours.at("base") or ours.at("model"),
    )  # fmt: skip
    if cell.printed and cell.status == "different":
        return replace(cell, why=reason_at({**cell.printed.places, BY: ours.at(BY)}, item.known))
    return cell


def _check(
    item: PaperItem,
    printed: Sequence[PrintedNumber],
    ours: Sequence[Placed],
    results: Sequence[PaperResult],
    *,
    complete: bool,
) -> None:
    """See that what the item names occurs, if there is anything to look at.

    Where not all results are here (`complete`), values may be those of the others.

    Raises:
        BadInput: No number has one of its axes, or no result one of its measures.
    """
    axes = {*RUN, *(axis for number in printed for axis in number.places)}
    axes |= {axis for p in ours for axis in (*p.run, *p.estimate.groups)}
    measures = {e.name for each in results for e in each.result.estimates}
    studies = {each.result.card.study for each in results}.intersection(known_studies("studies"))
    measures |= {m.name for study in studies for m in find("studies", study, "STUDY").measures}
    measures |= {number.places.get("measure", "") for number in printed}
    lacking = [axis for axis in (*item.rows, *item.columns) if axis not in axes]
    if lacking and (printed or ours):
        way_out = f"axes are {', '.join(sorted(axes))}"
        raise BadInput(f"{item.name}: no number has the axis {lacking[0]!r}", way_out)
    if item.where and results:
        every = [p for each in results for p in placements(each.result)]
        known = axes | {*OF_PAPERS, *(axis for p in every for axis in p.estimate.groups)}
        known |= {axis for each in results for axis in each.at}
        if others := [axis for axis in item.where if axis not in known]:
            way_out = f"{near_miss(others[0], known)}axes are {', '.join(sorted(known))}"
            reason = f"where names an axis that no number has: {others[0]!r}"
            raise BadInput(f"{item.name}: {reason}", way_out)
        if item.rows and not ours:
            places = [*(p.at for p in every), *(n.at for n in every_printed(item))]
            check_where(item, places, near=not complete)
    unknown = [measure for measure in item.measures if measure not in measures]
    if unknown and results:
        way_out = f"measures are {', '.join(sorted(filter(None, measures)))}"
        raise BadInput(f"{item.name}: no result has the measure {unknown[0]!r}", way_out)


def _unlike(printed: PrintedNumber, ours: Placed, item: PaperItem) -> str:
    """Why both are not of the same quantity; "" where they are, or nothing says otherwise."""
    reasons = [reason_at({**ours.run, **printed.places, BY: ours.at(BY)}, item.unlike)]
    if sample := ours.run["sample"]:
        reasons.append(f"ours is of a sample of the data: {sample}")
    names = item.names.get("data", {})
    theirs, mine = (
        names.get(data, data) for data in (printed.places.get("data", ""), ours.at("data"))
    )
    # an analysis of several data sets names all of them
    if theirs and mine and theirs not in {mine, *mine.split(", ")}:
        reasons.append(f"ours is of other data: {mine}, not {theirs}")
    theirs, mine = printed.places.get("rule", ""), ours.at("rule")
    if theirs and mine != STORED and mine and not {*theirs.split("+")} <= {*mine.split("+")}:
        reasons.append(f"ours is by another rule: {mine}, not {theirs}")
    return "; ".join(filter(None, reasons))


def _without_model(axes: Key, key: Key) -> Key:
    return tuple(v for axis, v in zip(axes, key, strict=True) if axis not in {"model", "base"})


def _words(at: tuple[Key, Key]) -> str:
    return ", ".join(value or "all" for part in at for value in part)


def _part(each: PaperResult) -> Remark | None:
    """Why numbers over all tasks, and those of others, are lacking of a result of one task."""
    task = scored_task(each.result.card)
    if not task or "model" not in each.at:
        return None
    rule = each.result.card.rule
    why = f"only {task} items were scored, by {rule}: no rule of the paper for the others fits it"
    return Remark(why, {"model": (each.at["model"],)})


def placed_numbers(each: PaperResult, axes: Collection[str] = ()) -> Iterator[Placed]:
    """The numbers of a result with their coordinates: its source's too, and its settings as "set NAME".

    With CATEGORY among the axes, numbers of a kind of bias have its usual name. Of a result of one task alone
    those by task: the others would look like numbers over all tasks.
    """
    card = each.result.card
    part = scored_task(card)
    base = {"base": each.at["model"]} if "model" in each.at else {}
    sample = str(card.data.get("sample") or "")
    settings = {f"set {name}": value for name, value in card.settings.items()}
    for p in placements(each.result):
        e = p.estimate
        if part and TASK not in e.groups:
            continue
        if CATEGORY in axes:
            e = in_category(e, card.categories, usual_name)
        data = p.run["data"].removesuffix(
            f", {sample.partition(' items')[0]}"
        )  # what it is a sample of
        run = {**p.run, **settings, "data": data, "sample": sample, BY: each.by, **base, **each.at}
        yield replace(p, estimate=e, run=run)


def _ours(item: PaperItem, each: PaperResult) -> Iterator[Placed]:
    """The estimates that an item means; of one with derived numbers only those of measures that it names."""
    if item.derived and not item.measures:
        return
    axes = {*item.rows, *item.columns, *item.where}
    for p in placed_numbers(each, axes):
        is_measured = not item.measures or p.estimate.name in item.measures
        is_there = all(is_meant(p.at(axis), values) for axis, values in item.where.items())
        if is_measured and is_there and p.estimate.groups.keys() <= axes:
            yield p


def reason_at(places: Mapping[str, str], remarks: Sequence[Remark]) -> str:
    """The first remark about these places; "" where there is none."""
    return next((r.why for r in remarks if agrees(places, r.where)), "")
