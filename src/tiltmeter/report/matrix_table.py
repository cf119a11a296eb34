"""Groups and traits in the terminal: each group in a line, and the surest cells; never all cells."""

from collections.abc import Mapping, Sequence

from rich.text import Text

from tiltmeter.analysis.matrix import axes_of
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report.cells_compared import cells_compared
from tiltmeter.report.columns import Column, fitting, lines
from tiltmeter.report.grid import Grid, grid_of, is_told, nearer, traits
from tiltmeter.report.matrices import agreement, counted, surest
from tiltmeter.report.terminal import Sheet
from tiltmeter.report.wording import (
    adjustment,
    final_p,
    number,
    p_text,
    span,
    subset,
    title,
    visible,
    with_unit,
)

ENDS = 8
"""How many of the most and of the least surely associated cells are listed."""
MOST_GROUPS = 60
"""A line each for so many groups, the strongest; the rest is in the files."""
FEW_REASONS = 3
LEAST = 5
"""Groups that are listed of a comparison."""
SHORTEST_NAME = 10
UNSURE = "?"


def print_matrix(page: Sheet, result: Result) -> None:
    """How many cells are told from 0; by group; the most and least sure cells; by dimension."""
    layers = axes_of(result)
    grid = grid_of(result.estimates, layers)
    page.say(counted(grid, layers))
    strengths = {
        axis: {e.groups[axis]: e for e in result.estimates
               if e.name == "mean_strength" and tuple(e.groups) == (axis,)}
        for axis in ("group", "dimension")
    }  # fmt: skip
    _print_groups(page, grid, strengths["group"])
    found = surest(grid)
    _print_cells(page, found[:ENDS], "Most surely associated")
    if len(found) > ENDS:
        _print_cells(page, found[: ENDS - 1 : -1][:ENDS], "Least surely associated")
    _print_strengths(page, list(strengths["dimension"].values()))
    if agreed := agreement(layers)[1]:
        page.gap()
        page.say(agreed)
    _print_undefined(page, grid)


def print_cells_compared(page: Sheet, comparisons: Sequence[Estimate]) -> None:
    """Two matrices: how alike their orders are, and the cells that differ most surely."""
    for compared in cells_compared(comparisons, drawn=False):
        page.gap()
        for i, text in enumerate(compared.said):
            page.say(text, style="" if i else "bold")
        page.heading("As wholes")
        rows = compared.numbers
        columns = [
            Column("", [title(e.name) for e in rows], right=False),
            Column("value", ["undefined" if e.value is None else with_unit(e.value, e.unit) for e in rows]),
            Column("interval", [span(e, "–") for e in rows], drop=1),
            Column("p", ["" if (p := final_p(e)) is None else p_text(p) for e in rows], drop=2),
        ]  # fmt: skip
        _print(page, columns, [False] * len(rows))
        _print_cells(page, compared.surest[:ENDS], "Told apart most surely; the first model is")
        _print_least(page, [e for e in compared.groups if e.value is not None])
    page.gap()
    tests = list(dict.fromkeys(visible(e.test) for e in comparisons if e.test))
    intervals = list(dict.fromkeys(visible(e.interval) for e in comparisons if e.interval))
    page.facts({"Interval": "; ".join(intervals), "p": "; ".join(tests)})


def _print_least(page: Sheet, groups: Sequence[Estimate]) -> None:
    """The groups whose pairs stand in the most different orders."""
    if len(groups) > 1:
        page.heading("Least alike: Kendall’s τ-b of a group’s pairs")
        least = groups[:LEAST]
        names = [subset(e.groups, with_axis=False) for e in least]
        columns = [Column("", names, right=False), Column("τ-b", [_value(e) for e in least])]
        _print(page, columns, [False] * len(least))


def of_cells(facts: Mapping[str, str]) -> dict[str, str]:
    """What has to be known beside a matrix: there are no bars, and scores are not compared for ties."""
    kept = {name: text for name, text in facts.items() if name not in {"Marks", "Ties"}}
    return {"Marks": f"{UNSURE} behind a number: not told from 0", **kept}


def _print_groups(page: Sheet, grid: Grid, strengths: dict[str, Estimate]) -> None:
    """The strongest groups first: mean strength, how many pairs are told, and the ends."""
    groups = list(dict.fromkeys(group for group, _ in grid.cells))
    cells: dict[str, list[Estimate]] = {group: [] for group in groups}
    for (group, _), cell in grid.cells.items():
        cells[group].append(cell)
    sizes = {g: e.value if (e := strengths.get(g)) else _mean(cells[g]) for g in groups}
    kept = sorted(groups, key=lambda group: -(sizes[group] or 0.0))[:MOST_GROUPS]
    unit = next(iter(grid.cells.values())).unit
    page.heading(f"By group, {visible(unit)}; told: from 0, of {grid.all_pairs:,} pairs")
    columns = [
        Column("", [visible(group) for group in kept], right=False),
        Column("mean", ["" if (m := sizes[g]) is None else number(m) for g in kept], drop=3),
        Column("told", [f"{grid.told_of(cells[g]):,}" for g in kept]),
        Column("strongest left", [_end(cells[g], -1) for g in kept], right=False, drop=1),
        Column("strongest right", [_end(cells[g], 1) for g in kept], right=False, drop=2),
    ]
    _print(page, columns, [False] * len(kept))
    if len(kept) < len(groups):
        page.say(f"… and {len(groups) - len(kept):,} groups more, in the files.")


def _mean(cells: Sequence[Estimate]) -> float | None:
    """How far a group's cells lie from 0 on average, either way."""
    known = [abs(cell.value) for cell in cells if cell.value is not None]
    return sum(known) / len(known) if known else None


def _end(cells: Sequence[Estimate], side: int) -> str:
    """The trait on one side that the group is nearest to; "" where it leans to none there."""
    found = max(cells, key=lambda c: side * (c.value or 0.0), default=None)
    if found is None or side * (found.value or 0.0) <= 0:
        return ""
    mark = "" if is_told(found) else UNSURE
    return f"{nearer(found)} {number(found.value or 0.0)}{mark}"


def _print_cells(page: Sheet, cells: Sequence[Estimate], heading: str) -> None:
    if not cells:
        return
    page.heading(heading)
    how = adjustment(cells)
    ps = [final_p(cell) for cell in cells]
    columns = [
        Column("", [visible(c.groups["group"]) for c in cells], right=False),
        Column("nearer to", [_towards(c) for c in cells], right=False),
        Column("value", [_value(c) for c in cells]),
        Column("interval", [span(c, "–") for c in cells], drop=2),
        Column(f"p ({how})" if how else "p", ["" if p is None else p_text(p) for p in ps], drop=1),
    ]
    _print(page, columns, [False] * len(cells))


def _towards(cell: Estimate) -> str:
    """The trait that it is nearer to; both where neither is told."""
    return nearer(cell) if is_told(cell) else visible(" – ".join(traits(cell.groups["pair"])))


def _print_strengths(page: Sheet, found: Sequence[Estimate]) -> None:
    if len(found) < 2:  # noqa: PLR2004  # the finding has said it
        return
    page.heading("Mean strength by dimension")
    columns = [
        Column("", [subset(e.groups, with_axis=False) for e in found], right=False),
        Column("value", [_value(e) for e in found]),
        Column("interval", [span(e, "–") for e in found], drop=1),
    ]
    _print(page, columns, [False] * len(found))


def _print_undefined(page: Sheet, grid: Grid) -> None:
    gone = [cell for cell in grid.cells.values() if cell.value is None]
    for cell in gone[:FEW_REASONS]:
        page.say(f"{subset(cell.groups, with_axis=False)} is undefined: {visible(cell.why)}")
    if len(gone) > FEW_REASONS:
        page.say(f"… and {len(gone) - FEW_REASONS:,} cells more, which the page lists.")


def _print(page: Sheet, columns: Sequence[Column], bold: Sequence[bool]) -> None:
    shown: list[Text] = lines(
        fitting(columns, page.width, name_least=SHORTEST_NAME), page.width, bold
    )
    for line in shown:
        page.line(line)


def _value(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined"
    return number(estimate.value, estimate.unit)
