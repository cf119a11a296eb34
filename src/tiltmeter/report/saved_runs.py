"""Results on disk with their pages: what the command line and the Python API both write."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tiltmeter.analysis.matrix import as_csv, is_matrix, matrix_of
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.report import tables
from tiltmeter.report.document import Document
from tiltmeter.report.documents.analysis import analysis_files
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.plots.export import drawings_of, drawn
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.output_files import PAGE
from tiltmeter.run.planning.study_files import study_if_known


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run folder that was written."""

    folder: Path
    files: Mapping[str, Path]
    """What there is to look at, by what it is: the page, the matrix, the folder itself."""
    document: Document
    """The page's headline, tables and pictures, which the terminal and files show too."""


def run_page(result: Result, study: Study[Any] | None, *, show_text: bool = True) -> str:
    """The page of one run."""
    return page(run_document(result, study, show_text=show_text))


def run_pictures(result: Result, study: Study[Any] | None) -> dict[str, str]:
    """Pictures of one run as SVG that needs nothing else, by name."""
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
    """Write a run folder, its page among the files, and the runs of an audit or a comparison that it lacks.

    Raises:
        StorageError: It could not be written.
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
    return SavedRun(folder, {"page": folder / PAGE, **others, "all": folder}, document)


def as_object(results: Sequence[Result]) -> dict[str, object]:
    """For JSON: a card, or what several have in common and a card each; all estimates.

    A comparison stands with the runs that it compares, before it.
    """
    every = [
        each for r in results for each in (*(r.runs.values() if r.card.compares_runs else ()), r)
    ]
    cards = [asdict(r.card) for r in every]
    for card in cards:
        del card["files"]  # of a folder
    card = cards[0] if len(cards) == 1 else {"study": cards[0]["study"], "cards": cards}
    return {"card": card, "estimates": [asdict(e) for r in every for e in r.estimates]}
