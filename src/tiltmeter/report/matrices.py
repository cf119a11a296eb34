"""What a page says about one matrix of groups by pairs of traits."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from tiltmeter.analysis.compare_cells import DIFFERENCE, same_scale
from tiltmeter.analysis.matrix import Layers, axes_of, matrix_of
from tiltmeter.analysis.template_agreement import Agreement, agreements, by_chance, correlations
from tiltmeter.analysis.variation import variation
from tiltmeter.core.errors import Undefined
from tiltmeter.core.results import Estimate, Result
from tiltmeter.report import wording
from tiltmeter.report.estimate_families import families, headline_of
from tiltmeter.report.grid import CELL, MOST_ROWS, Grid, grid_of
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.heat import NARROW_SHEET, WIDE_SHEET, heat
from tiltmeter.report.plots.picture import Picture, forests
from tiltmeter.report.plots.profile import axis_of, profile
from tiltmeter.report.plots.scale import Scale, nice_step

ENDS = 10
"""How many of the most and of the least surely associated cells are listed."""
MUCH = 1 / 3
"""A family with more than this share of the templates is told of."""
ACROSS = ("dimension", "domain", "pair", "family")
"""Over which axes mean strengths are drawn, in this order."""
CELLS = ("association", "left_pole", "right_pole", DIFFERENCE)


@dataclass(frozen=True, slots=True)
class Chart:
    """One group."""

    group: str
    key: str
    """Its place on the page."""
    drawn: Markup
    cells: Sequence[Estimate]
    told: int


@dataclass(frozen=True, slots=True)
class Charts:
    """The groups of one domain."""

    domain: str
    charts: Sequence[Chart]


@dataclass(frozen=True, slots=True)
class Shown:
    """One matrix as the page shows it."""

    grid: Grid
    told: str
    """How many cells are told from 0, in words."""
    drawn: Picture
    surest: Sequence[Estimate]
    least: Sequence[Estimate]
    charts: Sequence[Charts]
    strengths: Picture | None
    templates: Sequence[Agreement]
    """The least agreeing first."""
    agreed: str
    """How much they agree, in words; "" where numbers are not by template."""
    columns: str
    """How much of the matrix any group has in common, in words; "" where nobody can say."""
    undefined: Sequence[tuple[str, Sequence[str]]]
    """Reasons, with the cells that have no value for it."""
    keys: dict[str, str]
    """Where each group's chart stands."""
    layers: Layers | None
    unit: str
    interval: str
    """Which kind the cells have."""
    way: str
    """How it was scored, so far as it differs from the others on the page."""


def shared_reach(results: Sequence[Result]) -> float | None:
    """The value that has the deepest colour in all of these; None where they are on other scales."""
    if not all(same_scale(results[0], other) for other in results[1:]):
        return None
    return max(grid_of(result.estimates).reach for result in results)


def ways(results: Sequence[Result]) -> list[str]:
    """The rule and the settings of each, where they differ."""
    rules = len({r.card.rule for r in results}) > 1
    settings = {name for r in results for name in r.card.settings}
    differ = [
        name
        for name in sorted(settings)
        if len({r.card.settings.get(name, "") for r in results}) > 1
    ]
    return [
        ", ".join([
            *([f"rule {r.card.rule}"] if rules else []),
            *(f"{name} {r.card.settings.get(name) or 'not set'}" for name in differ),
        ])
        for r in results
    ]  # fmt: skip


def shown(
    result: Result, model: str, name: str, *, alone: bool, reach: float | None, way: str
) -> Shown:
    """All there is to show; without group charts where several models are on one page."""
    layers = axes_of(result)
    grid = grid_of(result.estimates, layers)
    keys = {group: f"{name}-g{i}" for i, group in enumerate(grid.groups, 1)} if alone else {}
    templates, agreed = agreement(layers)
    return Shown(
        grid,
        counted(grid, layers),
        heats(grid, f"{name}-heat", f"Associations of groups and traits, {model}", reach=reach),
        surest(grid)[:ENDS],
        surest(grid)[ENDS:][::-1][:ENDS],
        _charts(grid, keys) if alone else (),
        _strengths(result, name) if alone else None,
        templates,
        agreed,
        in_common(result, layers),
        _undefined(grid),
        keys,
        layers,
        wording.visible(next(iter(grid.cells.values())).unit),
        wording.visible(next((cell.interval for cell in grid.known if cell.interval), "intervals")),
        way,
    )


def beside_cells(estimates: Sequence[Estimate]) -> list[Estimate]:
    """Without the numbers of single cells, which the matrix has, and those of too many groups."""
    sizes = Counter((e.model, e.name, *e.groups) for e in estimates)
    return [
        e
        for e in estimates
        if not (e.name in CELLS and set(e.groups) == CELL)
        and sizes[e.model, e.name, *e.groups] <= MOST_ROWS
    ]


def heats(
    grid: Grid, name: str, title: str, *, ways: bool = True, reach: float | None = None
) -> Picture:
    """The heat map in both layouts; its table has a form of its own."""
    how: dict[str, Any] = {"title": title, "ways": ways, "reach": reach}
    wide = heat(grid, name=name, sheet=WIDE_SHEET, **how)
    narrow = heat(grid, name=f"{name}-narrow", sheet=NARROW_SHEET, **how)
    return Picture(wide, narrow, ())


def surest(grid: Grid) -> list[Estimate]:
    """Cells by p, the smallest first, and by size where p is the same; those without p are left out."""
    tested = [cell for cell in grid.known if cell.p is not None]
    return sorted(tested, key=lambda cell: (cell.p, -abs(cell.value or 0.0)))


def counted(grid: Grid, layers: Layers | None) -> str:
    """How many cells are told from 0, and what chance alone would give."""
    known, gone = len(grid.known), len(grid.cells) - len(grid.known)
    how = wording.adjustment(grid.known)
    after = {"BH": " after Benjamini and Hochberg’s adjustment", "Holm": " after Holm’s adjustment"}
    size = f"{_many(grid.all_groups, 'group')} by {_many(grid.all_pairs, 'pair')} of traits"
    said = f"Of {_many(len(grid.cells), 'cell')} ({size}) "
    said += f"{known:,} {'has' if known == 1 else 'have'} a value; of these " if gone else ""
    if any(wording.final_p(cell) is not None for cell in grid.known):
        said += f"{grid.told:,} {'is' if grid.told == 1 else 'are'} told from no leaning"
        said += f" (p < .05{after.get(how, '')})."
    else:
        said += f"none can be tested{': that takes several templates' if layers else ''}."
    try:
        chance = by_chance(layers) if layers else None
    except Undefined:
        chance = None
    if chance is not None:
        unit = grid.known[0].unit if grid.known else ""
        said += (
            " Were there no leaning at all, the scatter of the templates alone would give a mean of about "
            f"{wording.with_unit(chance, unit)}."
        )
    return said


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def agreement(layers: Layers | None) -> tuple[list[Agreement], str]:
    """The templates, the least agreeing first, and how much they agree in words."""
    if layers is None or not layers.templates:
        return [], ""
    try:
        found = agreements(layers)
    except Undefined as why:
        return [], f"How much templates agree is undefined: {why}."
    ordered = sorted(found, key=lambda a: (a.correlation is None, a.correlation or 0.0))
    ranked = correlations(found)
    if not ranked:
        return ordered, "There are too few cells to correlate templates."
    middle = (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2
    said = (
        f"Each template’s cells correlate with the means of the other {len(found) - 1} at "
        f"{wording.number(middle)} in the middle (Pearson’s r, median), from "
        f"{wording.number(ranked[0])} to {wording.number(ranked[-1])}."
    )
    low = [a for a in ordered if a.correlation is not None and a.correlation <= 0]
    if low:
        many = f"{len(low)} of {len(found)} templates do"
        said += (
            f" {many if len(low) > 1 else 'One template does'} not agree with the others at all."
        )
    (family, size), *_ = Counter(layers.families).most_common(1)
    if family and MUCH * len(found) < size < len(found):
        said += (
            f" {size} of {len(found)} templates are of one family ({family}): so far as they repeat each "
            "other, intervals over templates are narrower than they should be."
        )
    return ordered, said


def in_common(result: Result, layers: Layers | None) -> str:
    """How much of the differences between cells lies between pairs, and so says nothing of a group."""
    # Where there are templates, scores are beside a sentence that names no group.
    beside = " beside a sentence without any" if layers else ""
    try:
        found = variation(matrix_of(result))
    except Undefined:
        return ""
    said = (
        f"Of the variation between cells, {found.pairs:.0%} lies between pairs of traits: a column of one "
        f"colour says what these groups have in common{beside}. {found.groups:.0%} "
        f"lies between groups, and {found.rest:.0%} is particular to single cells."
    )
    return said.replace("%", "\u00a0%")


def _charts(grid: Grid, keys: dict[str, str]) -> list[Charts]:
    axis = axis_of(grid)
    return [
        Charts(
            block.name,
            [
                Chart(g, keys[g], profile(grid, g, axis, name=f"{keys[g]}-chart"),
                      cells := grid.of_group(g), grid.told_of(cells))
                for g in block.members
            ],
        )
        for block in grid.rows
    ]  # fmt: skip


def _strengths(result: Result, name: str) -> Picture | None:
    """Mean strengths over each axis that has few values, under each other."""
    head = headline_of(result.estimates)
    found = {
        f.axes[0]: f
        for f in families(result.estimates)
        if head and f.name == head.name and f.is_drawn
    }
    scale = sizes(e for f in found.values() for e in f.estimates)
    rows: list[Row] = []
    for axis in ACROSS:
        members = found[axis].estimates if axis in found else ()
        ranked = sorted(members, key=lambda e: -(e.value or 0.0))
        label = wording.subset
        rows += [
            Row(label(e.groups, with_axis=axis == "family"), e, apart=not i and bool(rows))
            for i, e in enumerate(ranked)
        ]
    if not rows or head is None:
        return None
    rows.append(Row("all", head, total=True))
    return forests(rows, f"{name}-strength", "Mean strengths", scale)


def sizes(estimates: Iterable[Estimate]) -> Scale:
    """An axis for values that are never below 0: from there on."""
    ends = [end for e in estimates for end in (e.value, e.high) if end is not None]
    reach = max(ends, default=0.0) or 1.0
    step = nice_step(reach, 5)
    ticks = [k * step for k in range(math.ceil(reach / step - 1e-9) + 1)]
    return Scale(-step / 4, ticks[-1], 0.0, tuple(ticks))  # apart from what stands left of it


def _undefined(grid: Grid) -> list[tuple[str, list[str]]]:
    found: dict[str, list[str]] = {}
    for (group, pair), cell in grid.cells.items():
        if cell.value is None:
            found.setdefault(cell.why or "no reason was recorded", []).append(f"{group}, {pair}")
    return list(found.items())
