"""The sections about a matrix in the document of a run: heat map, evidence, profiles, strength, agreement."""

from collections import Counter
from collections.abc import Sequence

from tiltmeter.core.errors import Undefined
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import counted, verb_for, visible
from tiltmeter.derived.matrices.layer_agreement import variation
from tiltmeter.derived.matrices.matrix import matrix_of
from tiltmeter.derived.matrices.matrix_comparison import difference_name
from tiltmeter.report.columns import TableRows, interval_columns, value_column
from tiltmeter.report.document import PAGE, TERMINAL, Block, Lines, Section, Table, Text
from tiltmeter.report.documents.matrix.cells import (
    CELL_ROWS,
    MatrixShown,
    cell_table,
    heat_map,
    matrix_shown,
    row_table,
    surest,
)
from tiltmeter.report.documents.matrix.layers import layer_section
from tiltmeter.report.documents.matrix.profiles import profile_sections
from tiltmeter.report.documents.pictures import forest_pictures
from tiltmeter.report.plots.forest import Row
from tiltmeter.report.plots.matrix_grid import MOST_ROWS, MatrixGrid
from tiltmeter.report.plots.squares import marks_sentence
from tiltmeter.report.sentences import after_adjustment
from tiltmeter.report.text import axis_title, final_p, subset, why_undefined

FEW_REASONS, MANY_REASONS = 3, 40
"""How many cells without a value the terminal names, and how many the page names for each reason."""
MOST_DRAWN = 40
"""An axis with more subsets than this is not drawn."""


def matrix_sections(
    result: Result, view: Matrix, key: str = "m", *, several: bool = False, rows_drawn: bool = True
) -> list[Section]:
    """The sections about one matrix, as far as they have content.

    In a document of `several` models, their heat maps are shown side by side elsewhere, so this leaves out
    the heat map, the profiles and the picture of strengths. `rows_drawn` decides whether profiles are drawn.
    """
    shown = matrix_shown(result, view, key)
    rows = row_table(shown.grid, shown.strengths(view.rows))
    sections = [
        _whole(shown, drawn=not several),
        Section(f"{key}-rows", "", [rows], on=TERMINAL),
        _surest(shown),
        *(profile_sections(shown) if rows_drawn and not several else []),
        _strength(shown, drawn=not several),
        layer_section(shown),
        _undefined_in_terminal(shown),
    ]
    return [section for section in sections if section.blocks]


def without_cells(estimates: Sequence[Estimate], view: Matrix) -> list[Estimate]:
    """The estimates without single cells, which the matrix shows, and measures of too many subsets."""
    names = {view.measure, *view.sides.measures, difference_name(view)}
    sizes = Counter((e.model, e.name, *e.groups) for e in estimates)
    return [
        e
        for e in estimates
        if not (e.name in names and set(e.groups) == {view.rows, view.columns})
        and sizes[e.model, e.name, *e.groups] <= MOST_ROWS
    ]


def _whole(shown: MatrixShown, *, drawn: bool) -> Section:
    grid, view = shown.grid, shown.view
    meaning = shown.result.card.measures.get(view.measure)
    measure = (meaning and meaning.title) or view.measure.replace("_", " ")
    title = f"{measure} by {axis_title(view.rows)} and {axis_title(view.columns)}, {shown.model}"
    blocks: list[Block] = [Text(counts(shown))]
    if drawn:
        blocks.append(
            heat_map(grid, name=f"{shown.key}-matrix", title=title, caption=_heat_caption(shown))
        )
    if common := in_common(shown):
        blocks.append(Text(common, on=PAGE))
    if reasons := _undefined(grid):
        gone = len(grid.cells) - len(grid.known)
        title = f"{counted(gone, 'cells')} without a value: which, and why"
        blocks.append(Lines(reasons, title, folded=True))
    return Section(f"{shown.key}-whole", "The matrix", blocks)


def _heat_caption(shown: MatrixShown) -> str:
    grid, view = shown.grid, shown.view
    beside = (
        f", compared with a sentence without any {axis_title(view.rows)}" if shown.layers else ""
    )
    over = f", averaged over {view.layer_names}" if shown.layers else ""
    caption = (
        f"Orange: nearer to the right trait; blue: nearer to the left one{beside}. The deeper the colour, "
        f"the farther from 0 ({visible(grid.unit)}{over}). "
        + marks_sentence(grid.shown, "p < .05 after adjustment over all cells")
    )
    if grid.is_cut:
        caption += (
            " The deepest colour is reached at the 99th percentile, so that outliers do not make all other "
            "cells pale."
        )
    if not grid.is_whole:
        caption += (
            f" Shown are the {len(grid.row_labels)} strongest of {counted(grid.all_rows, view.row_names)} "
            f"and the {len(grid.column_labels)} strongest of {counted(grid.all_columns, view.column_names)}; "
            "matrix.csv has all."
        )
    return caption


def counts(shown: MatrixShown) -> str:
    """A sentence on the size of the matrix and how many cells have a value and are significant."""
    grid, view = shown.grid, shown.view
    known, gone = len(grid.known), len(grid.cells) - len(grid.known)
    columns = counted(grid.all_columns, view.column_names)
    size = f"{counted(grid.all_rows, view.row_names)} by {columns}"
    words = f"Of {counted(len(grid.cells), 'cells')} ({size}) "
    words += f"{known:,} {verb_for(known, 'have')} a value; of these " if gone else ""
    if any(final_p(cell) is not None for cell in grid.known):
        after = after_adjustment(grid.known)
        be = verb_for(grid.significant, "are")
        words += f"{grid.significant:,} {be} significant (p < .05{after})."
    else:
        needs = f": that takes several {view.layer_names}" if shown.layers else ""
        words += f"none can be tested{needs}."
    return words


def in_common(shown: MatrixShown) -> str:
    """A sentence on how much of the variation between cells is between columns, between rows, and in neither.

    Variation between columns is what all rows have in common, so it says nothing about one group.
    """
    view = shown.view
    try:
        shares = variation(matrix_of(shown.result))
    except Undefined:
        return ""
    return (
        f"Of the variation between cells, {shares.columns:.0%} lies between {view.column_names}: a column "
        f"of one colour says what these {view.row_names} have in common. {shares.rows:.0%} lies between "
        f"{view.row_names}, and {shares.rest:.0%} is particular to single cells."
    ).replace("%", "\u00a0%")


def _undefined(grid: MatrixGrid) -> list[str]:
    """One line for each reason why cells have no value, with the cells."""
    by_reason: dict[str, list[str]] = {}
    for (row, column), cell in grid.cells.items():
        if cell.value is None:
            by_reason.setdefault(why_undefined(cell), []).append(f"{row}, {column}")
    more = {why: len(cells) - MANY_REASONS for why, cells in by_reason.items()}
    return [
        f"{'; '.join(cells[:MANY_REASONS])}{f' and {n} more' if (n := more[why]) > 0 else ''}: {why}"
        for why, cells in by_reason.items()
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


def _surest(shown: MatrixShown) -> Section:
    grid, cells = shown.grid, surest(shown.grid)
    ends = {
        "Strongest evidence": cells[:CELL_ROWS],
        "Weakest evidence": cells[CELL_ROWS:][::-1][:CELL_ROWS],
    }
    tables = [
        cell_table(grid, some, title, name=title.lower().replace(" ", "-"))
        for title, some in ends.items()
        if some
    ]
    agree = (
        f" {visible(shown.view.layer_names).capitalize()} that agree make a small p; a large value on "
        "which they disagree does not."
        if shown.layers
        else ""
    )
    unsure = (
        "Not significant is not the same as no leaning: the interval says how large one might be."
    )
    blocks: list[Block] = [
        Text(f"Cells by p, and by size where p is the same.{agree}", on=PAGE),
        *tables,
        Text(unsure, "note", PAGE),
    ]
    return Section(f"{shown.key}-cells", "Cells by strength of evidence", blocks if cells else ())


def _strength(shown: MatrixShown, *, drawn: bool) -> Section:
    view, result = shown.view, shown.result
    by_domain = list(shown.strengths(view.domains.columns).values()) if view.domains.columns else []
    blocks: list[Block] = []
    if len(by_domain) > 1:
        blocks.append(_strength_table(by_domain, view.domains.columns))
    axes = [
        a for a in (view.domains.columns, view.domains.rows, view.columns, view.domains.layers) if a
    ]
    rows: list[Row] = []
    for axis in axes if drawn else ():
        members = sorted(shown.strengths(axis).values(), key=lambda e: -(e.value or 0.0))
        if 1 < len(members) <= MOST_DRAWN:
            names = [subset(e.groups, with_axis=axis == view.domains.layers) for e in members]
            rows += [
                Row(name, e, apart=not i and bool(rows))
                for i, (name, e) in enumerate(zip(names, members, strict=True))
            ]
    head = next((e for e in result.estimates if e.name == view.strength and not e.groups), None)
    if rows and head:
        caption = (
            "Root mean square distance of a cell from 0, in either direction, by "
            f"{', '.join(map(axis_title, axes))}. Chance makes it neither larger nor smaller; a value below "
            "0 is none."
        )
        rows.append(Row("all", head, total=True))
        title = f"Strengths, {shown.model}"
        blocks += forest_pictures(rows, name=f"{shown.key}-strength", title=title, caption=caption)
    return Section(f"{shown.key}-strength", "How strongly", blocks)


def _strength_table(estimates: Sequence[Estimate], axis: str) -> Table:
    columns = [
        TableRows(estimates).words("", lambda e: e.groups[axis], name=axis),
        value_column(estimates),
        *interval_columns(estimates, drop=1),
        TableRows(estimates).counts("n", lambda e: e.n, drop=2),
    ]
    return Table(
        f"Root mean square strength by {axis_title(axis)}", columns, on=TERMINAL, name="strength"
    )
