"""Saves results to disk with their pages, for the command line and the Python API."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.derived.matrices.matrix import as_csv, is_matrix, matrix_of
from tiltmeter.report import tables
from tiltmeter.report.document import Document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.documents.views.view_files import analysis_files
from tiltmeter.report.html import page
from tiltmeter.report.plots.export import drawings_of, drawn
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.output_files import PAGE
from tiltmeter.run.planning.study_files import study_if_known


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run folder that has been written."""

    folder: Path
    files: Mapping[str, Path]
    """The files worth looking at by what they are: "page", "matrix", …, and "folder" for all of them."""
    document: Document
    """The document of the page, for printing it in the terminal and writing its tables to files."""


def run_page(result: Result, study: Study[Any] | None, *, show_text: bool = True) -> str:
    """The HTML page of one result."""
    return page(run_document(result, study, show_text=show_text))


def run_pictures(result: Result, study: Study[Any] | None) -> dict[str, str]:
    """The pictures of one result as self-contained SVG, by name."""
    drawings = drawings_of(run_document(result, study))
    return {name: drawn(drawing, "svg").decode() for name, drawing in drawings.items()}


def save_run(
    result: Result,
    study: Study[Any] | None,
    folder: Path,
    *,
    jsonl: bool = False,
    show_text: bool = True,
) -> SavedRun:
    """Write a run folder with its page, and into it those runs of an audit or a comparison that it lacks.

    Args:
        result: The result.
        study: Its study, where it is a run of one that is installed.
        folder: The folder to write.
        jsonl: Whether to write records as lines of JSON too.
        show_text: Whether the page and the tables have texts of items.

    Raises:
        StorageError: The folder could not be written.
        BadInput: A file stands where the folder should be.
    """
    there = folders.folders_of_runs(folder, result.card)
    for name, run in result.runs.items():
        if name not in there:
            study_of_run = study_if_known(run.card)
            save_run(run, study_of_run, folder / name, jsonl=jsonl, show_text=show_text)
    more = {
        f"{n}.csv": tables.as_csv(t) for n, t in analysis_files(result, show_text=show_text).items()
    }
    if is_matrix(result):
        more["matrix.csv"] = as_csv(matrix_of(result))
    document = run_document(result, study, show_text=show_text)
    if result.card.lays_out_runs:
        more |= tables.files(run_document(result, study, show_text=False), "latex")
        pictures = drawings_of(document).items()
        more |= {f"{name}.svg": drawn(drawing, "svg").decode() for name, drawing in pictures}
    folders.write(result, folder, page=page(document), jsonl=jsonl, more=more)
    others = {Path(name).stem: folder / name for name in more}
    return SavedRun(folder, {"page": folder / PAGE, **others, "folder": folder}, document)


def as_object(results: Sequence[Result]) -> dict[str, object]:
    """The results as an object for JSON: the card, or the study with a list of cards, and all estimates.

    The runs of a comparison are included before it.
    """
    every = [
        each for r in results for each in (*(r.runs.values() if r.card.compares_runs else ()), r)
    ]
    cards = [asdict(r.card) for r in every]
    for card in cards:
        del card["files"]  # checksums of a run folder's files, which say nothing here
    card = cards[0] if len(cards) == 1 else {"study": cards[0]["study"], "cards": cards}
    return {"card": card, "estimates": [folders.plain(e, {}) for r in every for e in r.estimates]}
