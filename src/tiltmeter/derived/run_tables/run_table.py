"""A table over finished runs: which estimates stand in which row and column.

Every estimate has coordinates: the model, data, study, rule and convention of its run, its measure, and the
axes of its subset. Rows and columns are each made of one or more of these; the others must agree.
"""

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from tiltmeter.core.data.category_names import CATEGORY, joined_note, names_to_join
from tiltmeter.core.errors import BadInput, UnknownName
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Card, Result
from tiltmeter.core.study_views import SideBySide
from tiltmeter.derived.comparisons.comparable_numbers import tokens_of
from tiltmeter.derived.model_origin import made_from
from tiltmeter.derived.run_tables.run_table_layout import Key, Placed, TableLayout, table_layout
from tiltmeter.derived.run_tables.table_variants import how_measured, with_variants

RUN = ("model", "data", "study", "rule", "convention", "measure")
"""Coordinates that every estimate has. All others are axes of subsets."""
OF_SOURCE = ("model", "rule", "convention", "data")
"""Coordinates that an estimate of an analysis takes over from the source that it is about."""
MADE = ("base", "mitigation", "seed")
"""The model that a model was made from, what was done to it, the seed of its training: nothing adds these by
itself."""
MOST_PARTS = 6
"""The most parts of a study that stand beside whole studies in a table."""
PART = ": "
"""Between a study and its part, in the name of a part that stands beside whole studies."""
CHECKSUM = 8
"""The length of a checksum that tells data of the same name apart."""


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
    notes: Sequence[str] = ()
    """Which names of categories were joined, and which runs have no number in this table and why."""

    def row(self, key: Key) -> list[Placed | None]:
        """The cells of a row, in the order of the columns."""
        return [self.cells.get((key, column)) for column in self.columns]

    def best(self) -> set[tuple[Key, Key]]:
        """Cells that are the best of several models, where the measure says which way is better.

        There is none where all are equal. Only numbers that are comparable are held against each other, and
        none of a line in which some are not.
        """
        best: set[tuple[Key, Key]] = set()
        for rivals in self._rivals():
            way = rivals[0][1].estimate.meaning.better
            if len({how_measured(p) for _, p in rivals}) > 1:
                continue
            known = {at: p.estimate.value for at, p in rivals if p.estimate.value is not None}
            if not way or len({*known.values()}) < 2:  # noqa: PLR2004
                continue
            top = max(known.values()) if way == "higher" else min(known.values())
            best |= {at for at, value in known.items() if value == top}
        return best

    def of_other_tokens(self) -> list[list[list[Placed]]]:
        """Lines of numbers that are not comparable, as the models split texts into different tokens.

        The numbers of each line are grouped: those in one group are comparable.
        """
        lines = (_by_tokens(p for _, p in rivals) for rivals in self._rivals())
        return [line for line in lines if len(line) > 1]

    def _rivals(self) -> list[list[tuple[tuple[Key, Key], Placed]]]:
        """Cells that differ in nothing but the model; papers' numbers and baselines are left out."""
        others = [name for name in (*self.row_names, *self.column_names) if name != "model"]
        lines: dict[object, list[tuple[tuple[Key, Key], Placed]]] = {}
        for at, p in self.cells.items():
            if (how := how_measured(p)) is not None:
                line = (*(p.at(name) for name in others), p.run["measure"], how.of_column)
                lines.setdefault(line, []).append((at, p))
        return list(lines.values())


def _by_tokens(placed: Iterable[Placed]) -> list[list[Placed]]:
    """Numbers in groups of models that split texts into the same tokens."""
    groups: dict[str, list[Placed]] = {}
    for p in placed:
        groups.setdefault(p.tokens, []).append(p)
    return list(groups.values())


def run_tables(
    results: Sequence[Result],
    *,
    rows: Sequence[str] = (),
    columns: Sequence[str] = (),
    measures: Sequence[str] = (),
    printed: Sequence[Placed] = (),
) -> list[RunTable]:
    """A table for each study, because studies share neither measures nor axes.

    If rows or columns are named, one table of all. Arguments and errors are those of `run_table`.
    """
    by_study: dict[str, list[Result]] = {}
    for result in results:
        by_study.setdefault(result.card.study, []).append(result)
    if rows or columns or len(by_study) == 1:
        return [run_table(results, rows=rows, columns=columns, measures=measures, printed=printed)]
    _check_names([p for result in results for p in placements(result)], (), measures)
    tables, without = [], []
    for study, own in by_study.items():
        reported = {e.name for result in own for e in result.estimates}
        chosen = [name for name in measures if name in reported]
        if measures and not chosen:
            without.append(f"{study}: not in the table, it does not report {', '.join(measures)}.")
            continue
        beside = [p for p in printed if p.run["study"] == study]
        tables.append(run_table(own, measures=chosen, printed=beside))
    return [*tables[:-1], replace(tables[-1], notes=[*tables[-1].notes, *without])]


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
    joined: list[str] = []
    if CATEGORY in (*rows, *columns):
        results, printed, joined = _by_category(results, printed)
    same_names = _same_names(result.card for result in results)
    by_run = [placements(result, same_names, (*rows, *columns)) for result in results]
    placed = [*chain.from_iterable(by_run), *printed]
    _check_names(placed, (*rows, *columns), measures)
    chosen = table_layout(results, rows, columns, measures)
    kept = [p for p in placed if p.run["measure"] in chosen.measures]
    axes = {axis for p in placed for axis in p.estimate.groups}
    over = {n for n in (*chosen.rows, *chosen.columns) if n in axes or n not in {*RUN, *MADE}}
    kept = [p for p in kept if over >= p.estimate.groups.keys()]
    if not kept:
        raise BadInput(
            "no estimate has these rows and columns",
            f"choose among: {', '.join(coordinates(placed))}",
        )
    used = {axis for p in kept if not p.printed for axis in p.estimate.groups}
    if missing := [axis for axis in (*rows, *columns) if axis in over - used]:
        raise BadInput(
            f"no number of {', '.join(chosen.measures)} is by {' and '.join(missing)} alone",
            f"its axes are: {_axes(p for p in placed if p.run['measure'] in chosen.measures)}",
        )
    if "study" in (*chosen.rows, *chosen.columns) and not over and not measures:
        there = {id(p) for p in kept}
        whole = [own for own in by_run if not any(id(p) in there for p in own)]
        parts = [(id(own), _of_parts(own)) for own in whole]
        kept += chain.from_iterable(of_parts for _, of_parts in parts)
        by_run = [dict(parts).get(id(own)) or own for own in by_run]
    there = {id(p) for p in kept}
    left_out = [_left_out(own, [p for p in own if id(p) in there], chosen, over) for own in by_run]
    table = _arranged(kept, chosen, [result.card for result in results])
    return replace(table, notes=[*joined, *(reason for reason in left_out if reason)])


def _of_parts(own: Sequence[Placed]) -> list[Placed]:
    """The numbers of a run that has none over everything, each as one of a study of its own: "seat: race".

    Those of the measure with the fewest of them, as a table of whole studies has little room; [] where even
    these are many.
    """
    families: dict[tuple[str, ...], list[Placed]] = {}
    for p in own:
        if len(p.estimate.groups) == 1:
            families.setdefault((p.run["measure"], *p.estimate.groups), []).append(p)
    fewest = min(families.values(), key=len, default=[])
    if len(fewest) > MOST_PARTS:
        return []
    return [
        replace(
            p,
            estimate=replace(p.estimate, groups={}),
            run={**p.run, "study": f"{p.run['study']}{PART}{part}"},
        )
        for p in fewest
        for part in p.estimate.groups.values()
    ]


def main_numbers(result: Result) -> list[Placed]:
    """The numbers that a result is cited for, as a table of whole studies has them.

    Those over everything that are read together, or the first; of a result without any, its largest parts.
    """
    placed = placements(result)
    views = [view for view in result.card.views if isinstance(view, SideBySide)]
    together = [name for view in views for name in view.measures]
    whole = [p for p in placed if not p.estimate.groups]
    first = [p for p in placed[:1] if not whole]
    return (
        [p for name in dict.fromkeys(together) for p in whole if p.run["measure"] == name]
        or whole[:1]
        or _of_parts(placed)
        or [p for p in placed if p.run["measure"] in {f.run["measure"] for f in first}]
    )


def _by_category(
    results: Sequence[Result], printed: Sequence[Placed]
) -> tuple[list[Result], list[Placed], list[str]]:
    """The same with "category" for each study's axis of kinds of bias, and a note on joined names."""
    axes = {result.card.study: result.card.categories for result in results}
    sources = [(axes[result.card.study], result.estimates) for result in results] + [
        (axes.get(p.run["study"], ""), [p.estimate]) for p in printed
    ]
    joined = names_to_join(
        [[e.groups[axis] for e in estimates if axis in e.groups] for axis, estimates in sources]
    )

    def renamed(e: Estimate, study: str) -> Estimate:
        return in_category(e, axes.get(study, ""), lambda name: joined.get(name, name))

    return (
        [replace(r, estimates=[renamed(e, r.card.study) for e in r.estimates]) for r in results],
        [replace(p, estimate=renamed(p.estimate, p.run["study"])) for p in printed],
        joined_note(joined),
    )


def in_category(estimate: Estimate, axis: str, name: Callable[[str], str]) -> Estimate:
    """The estimate with "category" in place of its axis of kinds of bias, and other names of these."""
    groups = estimate.groups
    if axis not in groups or (axis != CATEGORY and CATEGORY in groups):
        return estimate
    renamed = {CATEGORY if a == axis else a: name(v) if a == axis else v for a, v in groups.items()}
    return replace(estimate, groups=renamed)


def _axes(placed: Iterable[Placed]) -> str:
    """The axes by which numbers are known, those of crossed groups joined by a comma."""
    return (
        "; ".join(dict.fromkeys(",".join(p.estimate.groups) for p in placed if p.estimate.groups))
        or "none"
    )


def _left_out(
    own: Sequence[Placed], kept: Sequence[Placed], chosen: TableLayout, over: set[str]
) -> str:
    """What of a run does not stand in the table that its reader may look for, and why; "" for nothing."""
    run = own[0].run
    who = " of ".join(name for name in (run["study"], run["model"]) if name)
    if kept and (not over or any(p.estimate.groups for p in kept)):
        return ""
    measured = [p for p in own if p.run["measure"] in chosen.measures]
    if not measured:
        return f"{who}: not in the table, it does not report {', '.join(chosen.measures)}."
    place = "only over everything" if kept else "not in the table"
    return f"{who}: {place}, its numbers are by {_axes(measured)}."


def _items(card: Card) -> tuple[str, str]:
    """What tells the data of two runs apart: their content, and which sample of it was measured."""
    return str(card.data.get("sha256") or card.data_name), str(card.data.get("sample", ""))


def _same_names(cards: Iterable[Card]) -> set[str]:
    """Names that data of different content share."""
    contents = {(card.data_name, _items(card)[0]) for card in cards}
    return {name for name, count in Counter(name for name, _ in contents).items() if count > 1}


def placements(
    result: Result, same_names: Container[str] = (), named: Container[str] = ()
) -> list[Placed]:
    """Every estimate of a run with its coordinates; data with one of the `same_names` get their checksum.

    An axis that says which of an analysis's several sources an estimate is about gives way to that source's
    model, rule, convention and data, unless it is among the `named` ones.
    """
    card = result.card
    content = " ".join(_items(card))
    run = card.coordinates | made_from(result) | {"items": content}
    if card.data_name in same_names:
        run["data"] += f" ({content[:CHECKSUM]})"
    tokens = tokens_of(result) if any(e.meaning.by_token for e in result.estimates) else ""
    sources = {} if card.model_name else _sources(card, named)
    placed = []
    for e in result.estimates:
        source = next((at for at in e.groups.items() if at in sources), None)
        own = run | {"model": run["model"] or e.model, "measure": e.name}
        own["base"] = run["base"] or e.model
        split = tokens if e.meaning.by_token else ""
        if source is None:
            placed.append(Placed(e, own, card=card, tokens=split))
        else:
            groups = {axis: value for axis, value in e.groups.items() if axis != source[0]}
            placed.append(Placed(replace(e, groups=groups), own | sources[source], card=card))
    return placed


def _sources(card: Card, named: Container[str]) -> dict[tuple[str, str], dict[str, str]]:
    """The coordinates of each source with a model, by each axis and value that may name it."""
    return {
        (axis, name): {key: str(source[key]) for key in OF_SOURCE if key in source}
        for source in card.sources if "model" in source
        for axis, name in source.items() if axis not in named and isinstance(name, str)
    }  # fmt: skip


def coordinates(placed: Iterable[Placed]) -> list[str]:
    """All that rows and columns can be made of: those of every run, then the axes of subsets."""
    return [*RUN, *MADE, *dict.fromkeys(axis for p in placed for axis in p.estimate.groups)]


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


# ── Placing ──────────────────────────────────────────────────────────────────────────────────────


def _arranged(kept: Sequence[Placed], chosen: TableLayout, cards: Sequence[Card]) -> RunTable:
    kept, rows, columns = with_variants(kept, *_with_needed(kept, chosen))
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
                f"two runs have a number for the same cell ({_place(p, used)}): "
                f"{_made_by(cells[at])}, and {_made_by(p)}",
                "leave one of them out, or tell them apart by --rows or --columns",
            )
        cells[at] = p
    return RunTable(
        rows, columns, _ordered({r: None for r, _ in cells}), _ordered({c: None for _, c in cells}),
        cells, shared, cards,
    )  # fmt: skip


def _with_needed(kept: Sequence[Placed], chosen: TableLayout) -> tuple[Key, Key]:
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


def _place(placed: Placed, used: Iterable[str]) -> str:
    return ", ".join(f"{name} {placed.at(name) or 'all'}" for name in used)


def _made_by(placed: Placed) -> str:
    """Which run a number is of: its command, and when that finished."""
    if placed.card is None:
        return "the printed one"
    finished = str(placed.card.run.get("finished", ""))[:16].replace("T", " ")
    return (
        f"`{placed.card.command}` (finished {finished})" if finished else f"`{placed.card.command}`"
    )


def _ordered(keys: Iterable[Key]) -> list[Key]:
    """Values of each coordinate as they first appear, the whole before its parts."""
    listed = list(keys)
    width = len(listed[0]) if listed else 0
    places = [
        {value: i for i, value in enumerate(sorted(dict.fromkeys(k[n] for k in listed), key=bool))}
        for n in range(width)
    ]
    return sorted(listed, key=lambda key: [places[n][value] for n, value in enumerate(key)])
