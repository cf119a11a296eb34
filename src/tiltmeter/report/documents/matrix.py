"""The sections about a matrix in the document of a run."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tiltmeter.analysis.layer_agreement import LayerAgreement, agreements, by_chance, correlations
from tiltmeter.analysis.matrix import ScoreLayers, axes_of, matrix_of
from tiltmeter.analysis.matrix_comparison import difference_name, same_scale
from tiltmeter.analysis.variation import variation
from tiltmeter.core.errors import Undefined, UnknownName
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.text import visible
from tiltmeter.core.views import Matrix
from tiltmeter.report.document import (
    PAGE,
    TERMINAL,
    Block,
    Column,
    Lines,
    Picture,
    Section,
    Table,
    Text,
)
from tiltmeter.report.documents.cells import (
    CELL_ROWS,
    cell_table,
    heat_map,
    row_table,
    side_columns,
    surest,
)
from tiltmeter.report.documents.forests import forest_picture
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.matrix_grid import MOST_ROWS, MatrixGrid, grid_of
from tiltmeter.report.plots.profile import profiles
from tiltmeter.report.plots.scale import Scale, nice_step
from tiltmeter.report.text import (
    adjustment,
    axis_title,
    counted,
    final_p,
    number,
    span,
    subset,
    why_undefined,
    with_unit,
)
from tiltmeter.run.folder import slug

MUCH = 1 / 3
"""A family with more than this share of the layers is named."""
FEW_REASONS = 3
"""Cells without a value that the terminal names."""
MOST_DRAWN = 40
"""Subsets of an axis; more are not drawn."""
AFTER = {
    "BH": " after Benjamini and Hochberg’s adjustment",
    "Holm": " after Holm’s adjustment",
}


@dataclass(frozen=True, slots=True)
class MatrixShown:
    """What the sections about one matrix are made of."""

    result: Result
    view: Matrix
    grid: MatrixGrid
    axes: ScoreLayers | None
    """Which domains there are; with scores by layer where the records have them."""
    key: str
    """Where anchors and names of pictures begin: "m1"."""

    @property
    def model(self) -> str:
        """Its name."""
        return str(self.result.card.model["name"])

    @property
    def layers(self) -> ScoreLayers | None:
        """Scores by layer; None where the matrix has no layers."""
        return self.axes if self.axes and self.axes.layers else None


def matrix_sections(
    result: Result,
    view: Matrix,
    *,
    key: str = "m",
    level: int = 2,
    several: bool = False,
    reach: float | None = None,
    way: str = "",
    rows_drawn: bool = True,
) -> list[Section]:
    """The heat map, the surest cells, the profile of each row, how strong, and whether layers agree.

    Args:
        result: With a number for each row and column.
        view: Declared by its study.
        key: Makes anchors and names of pictures unique in the document.
        level: Of the headings.
        several: Whether other models are in the document, which has their matrices side by side; rows are
            then not drawn one by one.
        reach: The value that has the deepest colour, to share it between models.
        way: How the model was scored, where others were scored in other ways.
        rows_drawn: Whether each row is drawn by itself.
    """
    axes = axes_of(result)
    shown = MatrixShown(result, view, grid_of(result.estimates, view, axes), axes, key)
    cells = surest(shown.grid)
    sections = [
        _whole(shown, reach, way, drawn=not several),
        Section(f"{key}-rows", "", [row_table(shown.grid, _strengths(shown, view.rows))],
                on=TERMINAL),
        _surest(shown, cells),
        *(_profiles(shown) if rows_drawn and not several else []),
        _strength(shown, drawn=not several),
        _agreement(shown),
        _undefined_in_terminal(shown),
    ]  # fmt: skip
    deeper = level - sections[0].level
    return [replace(s, level=s.level + deeper) for s in sections if s.blocks]


def row_pictures(result: Result, view: Matrix, rows: Sequence[str]) -> list[Picture]:
    """The profile of each of these rows by itself, for papers.

    Raises:
        UnknownName: No such row.
    """
    grid = grid_of(result.estimates, view, axes_of(result))
    known = list(dict.fromkeys(grid.row(cell) for cell in grid.cells.values()))
    made = []
    for row in rows:
        if row not in known:
            raise UnknownName(axis_title(view.rows), row, known)
        name = f"{view.rows}-{slug(row)}"
        drawn = profiles(grid, [row], name=name, title=f"{row}, {result.card.model['name']}",
                         abreast=1)  # fmt: skip
        made.append(Picture(name, drawn, drawn, _profile_caption(grid)))
    return made


def without_cells(estimates: Sequence[Estimate], view: Matrix) -> list[Estimate]:
    """Without the numbers of single cells, which the matrix has, and those of too many rows."""
    names = {view.measure, *view.side_measures, difference_name(view)}
    sizes = Counter((e.model, e.name, *e.groups) for e in estimates)
    return [
        e
        for e in estimates
        if not (e.name in names and set(e.groups) == {view.rows, view.columns})
        and sizes[e.model, e.name, *e.groups] <= MOST_ROWS
    ]


def shared_reach(results: Sequence[Result], view: Matrix) -> float | None:
    """The value that has the deepest colour in all of these; None where they are on other scales."""
    if not all(same_scale(results[0], other) for other in results[1:]):
        return None
    return max(grid_of(result.estimates, view).reach for result in results)


def ways(results: Sequence[Result]) -> list[str]:
    """The rule and the settings of each, where they differ."""
    rules = len({r.card.rule for r in results}) > 1
    settings = sorted({name for r in results for name in r.card.settings})
    differ = [
        name for name in settings if len({r.card.settings.get(name, "") for r in results}) > 1
    ]
    return [
        ", ".join([
            *([f"rule {r.card.rule}"] if rules else []),
            *(f"{name} {r.card.settings.get(name) or 'not set'}" for name in differ),
        ])
        for r in results
    ]  # fmt: skip


# ── The whole matrix ─────────────────────────────────────────────────────────────────────────────


def _whole(shown: MatrixShown, reach: float | None, way: str, *, drawn: bool) -> Section:
    grid, view = shown.grid, shown.view
    scored = f" ({way})" if way and way not in shown.model else ""
    title = f"{_measure(shown)} by {axis_title(view.rows)} and {axis_title(view.columns)}, {shown.model}"
    blocks: list[Block] = [Text(counts(shown))]
    if drawn:
        name = f"{shown.key}-matrix"
        caption = _heat_caption(shown)
        blocks.append(
            heat_map(grid, name=name, title=f"{title}{scored}", caption=caption, reach=reach)
        )
    if common := in_common(shown):
        blocks.append(Text(common, on=PAGE))
    if reasons := _undefined(grid):
        gone = len(grid.cells) - len(grid.known)
        title = f"{counted(gone, 'cells')} without a value: which, and why"
        blocks.append(Lines(reasons, title, folded=True))
    return Section(f"{shown.key}-whole", "The matrix", blocks)


def _measure(shown: MatrixShown) -> str:
    meaning = shown.result.card.measures.get(shown.view.measure)
    return meaning.title if meaning and meaning.title else shown.view.measure.replace("_", " ")


def _heat_caption(shown: MatrixShown) -> str:
    grid, view = shown.grid, shown.view
    beside = f" than a sentence without any {axis_title(view.rows)}" if shown.layers else ""
    over = f", averaged over {view.layer_names}" if shown.layers else ""
    caption = (
        f"Colours say which of two opposite traits the model holds a {axis_title(view.rows)} to be "
        f"nearer to{beside}; the deeper, the farther from 0 ({visible(grid.unit)}{over}). A full square "
        "is significant (p < .05 after adjustment over all cells), a small one is not, and a cross has "
        "no value."
    )
    if grid.is_cut:
        caption += (
            " Colours end where 99 of 100 cells lie, so that outliers do not make all others pale."
        )
    if not grid.is_whole:
        caption += (
            f" Shown are the {len(grid.row_labels)} strongest of {grid.all_rows:,} {view.row_names} and "
            f"the {len(grid.column_labels)} strongest of {grid.all_columns:,} {view.column_names}; "
            "matrix.csv has all."
        )
    return caption


def counts(shown: MatrixShown) -> str:
    """How many cells are significant, and what chance alone would give."""
    grid, view = shown.grid, shown.view
    known, gone = len(grid.known), len(grid.cells) - len(grid.known)
    size = f"{counted(grid.all_rows, view.row_names)} by {_counted_columns(grid)}"
    words = f"Of {counted(len(grid.cells), 'cells')} ({size}) "
    words += f"{known:,} {'has' if known == 1 else 'have'} a value; of these " if gone else ""
    if any(final_p(cell) is not None for cell in grid.known):
        after = AFTER.get(adjustment(grid.known), "")
        be = "is" if grid.significant == 1 else "are"
        words += f"{grid.significant:,} {be} significant (p < .05{after})."
    else:
        needs = f": that takes several {view.layer_names}" if shown.layers else ""
        words += f"none can be tested{needs}."
    chance = _chance(shown.layers)
    if chance is not None:
        words += (
            f" Without any leaning, the scatter of the {view.layer_names} alone would give a mean "
            f"distance from 0 of about {with_unit(chance, grid.unit)}."
        )
    return words


def _counted_columns(grid: MatrixGrid) -> str:
    """So many "pairs of traits"; "1 pair"."""
    if grid.all_columns == 1:
        return f"1 {axis_title(grid.view.columns)}"
    return f"{grid.all_columns:,} {grid.view.column_names}"


def _chance(layers: ScoreLayers | None) -> float | None:
    try:
        return by_chance(layers) if layers else None
    except Undefined:
        return None


def in_common(shown: MatrixShown) -> str:
    """How much of the differences between cells lies between columns, and so says nothing of one row."""
    view = shown.view
    try:
        found = variation(matrix_of(shown.result))
    except Undefined:
        return ""
    return (
        f"Of the variation between cells, {found.columns:.0%} lies between {view.column_names}: a column "
        f"of one colour says what these {view.row_names} have in common. {found.rows:.0%} lies between "
        f"{view.row_names}, and {found.rest:.0%} is particular to single cells."
    ).replace("%", "\u00a0%")


def _undefined(grid: MatrixGrid) -> list[str]:
    """The cells without a value, by reason."""
    found: dict[str, list[str]] = {}
    for (row, column), cell in grid.cells.items():
        if cell.value is None:
            found.setdefault(why_undefined(cell), []).append(f"{row}, {column}")
    return [
        f"{'; '.join(cells[:40])}{f' and {len(cells) - 40} more' if len(cells) > 40 else ''}: {why}"  # noqa: PLR2004
        for why, cells in found.items()
    ]


def _undefined_in_terminal(shown: MatrixShown) -> Section:
    gone = [cell for cell in shown.grid.cells.values() if cell.value is None]
    lines = [
        f"{subset(cell.groups, with_axis=False)} is undefined: {why_undefined(cell)}"
        for cell in gone[:FEW_REASONS]
    ]
    if len(gone) > FEW_REASONS:
        more = counted(len(gone) - FEW_REASONS, "cells")
        lines.append(f"… and {more} more, which the page lists.")
    return Section(f"{shown.key}-undefined", "", [Text(line) for line in lines], on=TERMINAL)


# ── Cells and rows ───────────────────────────────────────────────────────────────────────────────


def _surest(shown: MatrixShown, cells: Sequence[Estimate]) -> Section:
    grid = shown.grid
    most = cell_table(grid, cells[:CELL_ROWS], "Strongest evidence", name="strongest-evidence")
    least = cell_table(
        grid, cells[CELL_ROWS:][::-1][:CELL_ROWS], "Weakest evidence", name="weakest-evidence"
    )
    agree = (
        f" {visible(shown.view.layer_names).capitalize()} that agree make a small p; a large value on "
        "which they disagree does not."
        if shown.layers
        else ""
    )
    blocks: list[Block] = [
        Text(f"Cells by p, and by size where p is the same.{agree}", on=PAGE),
        *(table for table in (most, least) if table.rows),
        Text("Not significant is not the same as no leaning: the interval says how large one might be.",
             "note", PAGE),
    ]  # fmt: skip
    return Section(f"{shown.key}-cells", "Cells by strength of evidence", blocks if cells else ())


def _profiles(shown: MatrixShown) -> list[Section]:
    """A picture of the rows of each domain; of many domains the first is open."""
    grid, row = shown.grid, axis_title(shown.view.rows)
    heading = f"{row} by {row}".capitalize()
    found = [Section(f"{shown.key}-profiles", heading, [Text(_profile_caption(grid))], on=PAGE)]
    for i, block in enumerate(grid.rows, 1):
        domain = block.name or shown.view.row_names.capitalize()
        name, title = f"{shown.key}-profiles-{i}", f"{domain}, {shown.model}"
        picture = Picture(
            name,
            profiles(grid, block.members, name=name, title=title),
            profiles(grid, block.members, name=f"{name}-narrow", title=title, abreast=1),
            "",
            _profile_table(grid, block.members, name),
        )
        members = f"{domain}: {', '.join(block.members)}"
        found.append(Section(f"{name}-rows", members, [picture], level=3, on=PAGE, folded=i > 1))
    return found


def _profile_caption(grid: MatrixGrid) -> str:
    interval = next((visible(cell.interval) for cell in grid.known if cell.interval), "intervals")
    return (
        f"A bar leads from 0 to the trait that the {axis_title(grid.view.rows)} is nearer to; all bars have "
        f"one axis ({visible(grid.unit)}). Lines are intervals ({interval}), cut where the axis ends. A "
        "hollow bar is not significant. Colours tell the sorts of columns apart."
    )


def _profile_table(grid: MatrixGrid, rows: Iterable[str], name: str) -> Table:
    cells = [cell for row in rows for cell in grid.of_row(row)]
    table = cell_table(grid, cells, "", name=name, most=0)
    return replace(table, columns=[*table.columns, *side_columns(grid, cells)], on=PAGE)


# ── Strength and agreement ───────────────────────────────────────────────────────────────────────


def _strengths(shown: MatrixShown, axis: str) -> dict[str, Estimate]:
    """How far cells lie from 0, by the values of one axis."""
    return {
        e.groups[axis]: e
        for e in shown.result.estimates
        if e.name == shown.view.strength and tuple(e.groups) == (axis,)
    }


def _strength(shown: MatrixShown, *, drawn: bool) -> Section:
    view = shown.view
    blocks: list[Block] = []
    by_domain = list(_strengths(shown, view.column_domain).values()) if view.column_domain else []
    if len(by_domain) > 1:
        blocks.append(_strength_table(by_domain, view.column_domain))
    axes = [a for a in (view.column_domain, view.row_domain, view.columns, view.layer_family) if a]
    rows: list[Row] = []
    for axis in axes if drawn else ():
        members = list(_strengths(shown, axis).values())
        if not 1 < len(members) <= MOST_DRAWN:
            continue
        ranked = sorted(members, key=lambda e: -(e.value or 0.0))
        with_axis = axis == view.layer_family
        rows += [
            Row(subset(e.groups, with_axis=with_axis), e, apart=not i and bool(rows))
            for i, e in enumerate(ranked)
        ]
    head = next(
        (e for e in shown.result.estimates if e.name == view.strength and not e.groups), None
    )
    if rows and head:
        rows.append(Row("all", head, total=True))
        named = ", ".join(axis_title(axis) for axis in axes)
        picture = forest_picture(
            rows,
            name=f"{shown.key}-strength",
            title=f"Mean strengths, {shown.model}",
            caption=f"How far a cell lies from 0 on average, either way, by {named}. It is never below 0, "
            f"and fewer {view.layer_names or 'scores'} make it larger by chance alone: subsets with few "
            "are not to be compared with those that have many.",
            scale=_from_zero(row.estimate for row in rows),
        )
        blocks += [picture] if picture else []
    return Section(f"{shown.key}-strength", "How strongly", blocks)


def _strength_table(estimates: Sequence[Estimate], axis: str) -> Table:
    return Table(
        f"Mean strength by {axis_title(axis)}",
        [
            Column("", [e.groups[axis] for e in estimates], number=False, name=axis),
            Column("value", [e.value for e in estimates],
                   shown=["undefined" if e.value is None else number(e.value, e.unit) for e in estimates]),
            Column("interval", [span(e) for e in estimates],
                   shown=[span(e, "–") for e in estimates], drop=1, in_files=False),
        ],
        on=TERMINAL,
        name="strength",
    )  # fmt: skip


def _from_zero(estimates: Iterable[Estimate]) -> Scale:
    """An axis for values that are never below 0: from there on."""
    ends = [end for e in estimates for end in (e.value, e.high) if end is not None]
    reach = max(ends, default=0.0) or 1.0
    step = nice_step(reach, 5)
    ticks = [k * step for k in range(math.ceil(reach / step - 1e-9) + 1)]
    return Scale(-step / 4, ticks[-1], 0.0, tuple(ticks))  # apart from what stands left of it


def _agreement(shown: MatrixShown) -> Section:
    """Whether layers agree, in words and as a table, the least agreeing first."""
    names = shown.view.layer_names
    id_, title = f"{shown.key}-layers", f"Do the {names} agree?"
    if shown.layers is None:
        return Section(id_, title, ())
    try:
        found = agreements(shown.layers)
    except Undefined as why:
        return Section(id_, title, [Text(f"Agreement between {names} is undefined: {why}.")])
    ordered = sorted(found, key=lambda a: (a.correlation is None, a.correlation or 0.0))
    blocks: list[Block] = [Text(_agreement_words(shown, ordered)), _agreement_table(shown, ordered)]
    return Section(id_, title, blocks)


def _agreement_words(shown: MatrixShown, ordered: Sequence[LayerAgreement]) -> str:
    view, size = shown.view, len(ordered)
    ranked = correlations(ordered)
    if not ranked:
        return f"There are too few cells to correlate {view.layer_names}."
    middle = (ranked[(len(ranked) - 1) // 2] + ranked[len(ranked) // 2]) / 2
    words = (
        f"Each {axis_title(view.layers)}’s cells correlate with the means of the other {size - 1} at a "
        f"median of {number(middle)} (Pearson’s r), from {number(ranked[0])} to {number(ranked[-1])}."
    )
    low = sum(a.correlation is not None and a.correlation <= 0 for a in ordered)
    if low == 1:
        words += f" One {axis_title(view.layers)} does not correlate positively with the others."
    elif low:
        words += f" {low} of {size} {view.layer_names} do not correlate positively with the others."
    (family, members), *_ = Counter(a.family for a in ordered).most_common(1)
    if family and MUCH * size < members < size:
        words += (
            f" {members} of {size} {view.layer_names} are of one family ({family}): so far as they repeat "
            f"each other, intervals over {view.layer_names} are narrower than they should be."
        )
    return words


def _agreement_table(shown: MatrixShown, ordered: Sequence[LayerAgreement]) -> Table:
    return Table(
        "",
        [
            Column(axis_title(shown.view.layers).capitalize(), [a.layer for a in ordered], number=False),
            Column("Family", [a.family for a in ordered], number=False),
            Column("r with the others", [a.correlation for a in ordered],
                   shown=["undefined" if a.correlation is None else number(a.correlation) for a in ordered]),
            Column("Same side", [a.same for a in ordered],
                   shown=[with_unit(a.same, "%") for a in ordered]),
            Column("Mean size", [a.strength for a in ordered],
                   shown=[number(a.strength) for a in ordered]),
        ],
        notes=[_how_read(shown.view)],
        on=PAGE,
        name=f"{shown.key}-{shown.view.layer_names}",
    )  # fmt: skip


def _how_read(view: Matrix) -> str:
    return (
        f"r: Pearson’s correlation, over cells, of a {axis_title(view.layers)}’s scores with the means of "
        "all the others. Same side: in how many cells it leans the way that those means do. Mean size: of "
        "its own scores, before any averaging."
    )
