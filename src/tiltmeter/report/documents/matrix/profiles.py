"""The profiles of a matrix's rows: a bar for each pair of traits, towards the trait the row is nearer to."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial

from tiltmeter.core.errors import UnknownName
from tiltmeter.core.results import Result
from tiltmeter.core.study_views import Matrix
from tiltmeter.core.text import visible
from tiltmeter.report.document import PAGE, Picture, Section, Table, Text
from tiltmeter.report.documents.matrix.cells import (
    MatrixShown,
    cell_table,
    matrix_shown,
    side_columns,
)
from tiltmeter.report.documents.pictures import in_two_layouts
from tiltmeter.report.plots.matrix_grid import MatrixGrid
from tiltmeter.report.plots.profile import profiles
from tiltmeter.report.text import axis_title
from tiltmeter.run.files.folder_names import slug


def profile_sections(shown: MatrixShown) -> list[Section]:
    """A picture for each domain with the profiles of its rows; all but the first are collapsed."""
    grid, row = shown.grid, axis_title(shown.view.rows)
    heading = f"{row} by {row}".capitalize()
    sections = [Section(f"{shown.key}-profiles", heading, [Text(_profile_caption(grid))], on=PAGE)]
    for i, block in enumerate(grid.rows, 1):
        domain = block.name or shown.view.row_names.capitalize()
        name, title = f"{shown.key}-profiles-{i}", f"{domain}, {shown.model}"
        picture = in_two_layouts(
            name,
            partial(profiles, grid, block.members, title=title),
            (2, 1),
            table=_profile_table(grid, block.members, name),
        )
        members = f"{domain}: {', '.join(block.members)}"
        sections.append(Section(f"{name}-rows", members, [picture], level=3, on=PAGE, folded=i > 1))
    return sections


def _profile_caption(grid: MatrixGrid) -> str:
    view = grid.view
    interval = next((visible(cell.interval) for cell in grid.known if cell.interval), "intervals")
    colours = (
        f" Each {axis_title(view.domains.columns)} has its own colour."
        if view.domains.columns
        else ""
    )
    return (
        f"A bar points from 0 to the trait that the {axis_title(view.rows)} is nearer to; all bars have one "
        f"axis ({visible(grid.unit)}). Lines are intervals ({interval}), cut where the axis ends. A hollow "
        f"bar is not significant.{colours}"
    )


def _profile_table(grid: MatrixGrid, rows: Iterable[str], name: str) -> Table:
    cells = [cell for row in rows for cell in grid.of_row(row)]
    table = cell_table(grid, cells, "", name=name, most=0)
    return replace(table, columns=[*table.columns, *side_columns(grid, cells)], on=PAGE)


def row_pictures(result: Result, view: Matrix, rows: Sequence[str]) -> list[Picture]:
    """A picture of its own for each of these rows' profiles, for use in papers.

    Raises:
        UnknownName: The matrix has no row of that name.
    """
    grid = matrix_shown(result, view).grid
    known = list(dict.fromkeys(grid.row(cell) for cell in grid.cells.values()))
    made = []
    for row in rows:
        if row not in known:
            raise UnknownName(axis_title(view.rows), row, known)
        name = f"{view.rows}-{slug(row)}"
        title = f"{row}, {result.card.model['name']}"
        drawn = profiles(grid, [row], name=name, title=title, layout=1)
        made.append(Picture(name, drawn, drawn, _profile_caption(grid)))
    return made
