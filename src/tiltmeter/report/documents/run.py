"""A result as a document: a run of a study, or an analysis, whose card says itself what it is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.core.views import Matrix, Plane
from tiltmeter.report.document import TERMINAL, Document, Section, Text
from tiltmeter.report.documents.analysis import FILES, analysis_document
from tiltmeter.report.documents.comparison import comparison_document
from tiltmeter.report.documents.conditions import conditions
from tiltmeter.report.documents.matrix.profiles import row_pictures
from tiltmeter.report.documents.matrix.sections import without_cells
from tiltmeter.report.documents.method import method_sections
from tiltmeter.report.documents.plane_blocks import plane_sections
from tiltmeter.report.documents.result_sections import (
    findings,
    of_kind,
    result_sections,
    shown_views,
    warning,
)
from tiltmeter.report.documents.run_sections import sections_of_run
from tiltmeter.report.text import name_of
from tiltmeter.run.study_files import study_if_known

CELLS_ELSEWHERE = (
    "The numbers of single cells are under the pictures above, in matrix.csv and in estimates.json."
)


def run_document(
    result: Result, study: Study[Any] | None = None, *, show_text: bool = True
) -> Document:
    """The finding, the categories, the other measures, the surest items, and how it was computed.

    Args:
        result: Of a study on a model, or of an analysis.
        study: Adds its title, what the number means, and what it does not show; None where it is not
            known here.
        show_text: False leaves the items' texts out.
    """
    card = result.card
    if card.compares_runs and result.runs:
        return comparison_document(result, show_text=show_text)
    if card.title:
        document = analysis_document(result, show_text=show_text)
        return _with_runs(document, result) if result.runs else document
    views = shown_views(result)
    estimates = list(result.estimates)
    matrices = of_kind(views, Matrix)
    for matrix in matrices:
        estimates = without_cells(estimates, matrix)
    planes = [s for view in of_kind(views, Plane) for s in plane_sections([result], view)]
    return Document(
        study.title if study else card.study,
        name_of(result),
        findings(result),
        [
            *planes,
            *result_sections(result, views, "r1", show_text=show_text),
            Section("conditions", "", [conditions(card, result.estimates, bars=not matrices)], on=TERMINAL),
            Section("limits", "What this does not show", [Text(study.not_what)] if study else [],
                    on=TERMINAL),
            *method_sections([result], estimates, study,
                             elsewhere=CELLS_ELSEWHERE if len(estimates) < len(result.estimates) else ""),
        ],
        meaning=study.measures_what if study else "",
        limits=study.not_what if study else "",
        warning=warning([result]),
        files=FILES,
    )  # fmt: skip


def _with_runs(document: Document, result: Result) -> Document:
    """With sections of the runs that an audit has, before those about data, all numbers and method."""
    made: list[Section] = []
    sources = {source.get("folder"): source for source in result.card.sources}
    for number, (name, run) in enumerate(result.runs.items(), 1):
        made += sections_of_run(
            run, sources[name], f"s{number}", findings(run), shown_views(run), study_if_known(run.card),
            draws_plane=all(section.id != "plane" for section in made),
        )  # fmt: skip
    at = next(
        i for i, section in enumerate(document.sections) if section.id in {"data", "estimates"}
    )
    sections = [*document.sections[:at], *made, *document.sections[at:]]
    return replace(document, sections=sections)


def row_document(result: Result, rows: Sequence[str]) -> Document:
    """The profiles of single rows of a matrix, a picture each.

    Raises:
        BadInput: Rows are named, and the result has no matrix.
        UnknownName: No such row.
    """
    views = of_kind(shown_views(result), Matrix)
    if rows and not views:
        raise BadInput(f"{rows[0]!r} has no picture of its own: this run has no matrix")
    drawn = [picture for view in views for picture in row_pictures(result, view, rows)]
    return Document(result.card.study, name_of(result), [], [Section("rows", "", drawn)])
