"""Results on disk with their pages: what the command line and the Python API both write."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tiltmeter.analysis.compare import compare_all
from tiltmeter.analysis.matrix import as_csv, is_matrix, matrix_of
from tiltmeter.core.errors import BadInput
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.study import Study
from tiltmeter.report import tables
from tiltmeter.report.documents.analysis import analysis_files
from tiltmeter.report.documents.comparison import comparison_document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.plots.export import drawings_of, drawn
from tiltmeter.run import folder as folders
from tiltmeter.run.output_files import PAGE, SEAL, write_files
from tiltmeter.run.study_files import study_if_known

COMPARISON = "comparison.json"


@dataclass(frozen=True, slots=True)
class SavedRun:
    """A run folder that was written."""

    folder: Path
    files: Mapping[str, Path]
    """What there is to look at, by what it is: the page, the matrix, the folder itself."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Results of one study on the same items, and how they differ."""

    results: Sequence[Result]
    differences: Sequence[Estimate]


def run_page(result: Result, study: Study[Any] | None, *, show_text: bool = True) -> str:
    """The page of one run."""
    return page(run_document(result, study, show_text=show_text))


def comparison_page(
    comparison: Comparison, study: Study[Any] | None, *, show_text: bool = True
) -> str:
    """The page of several runs."""
    document = comparison_document(
        comparison.results, comparison.differences, study, show_text=show_text
    )
    return page(document)


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
    """Write a run folder, its page among the files; below it the runs of an audit that are not there yet.

    Raises:
        StorageError: It could not be written.
        BadInput: A file stands where the folder should be.
    """
    for name, run in result.runs.items():
        if not (folder / name / SEAL).is_file():
            study_of_run = study_if_known(run.card)
            save_run(run, study_of_run, folder / name, jsonl=jsonl, show_text=show_text)
    more = {
        f"{n}.csv": tables.as_csv(t) for n, t in analysis_files(result, show_text=show_text).items()
    }
    if is_matrix(result):
        more["matrix.csv"] = as_csv(matrix_of(result))
    text = run_page(result, study, show_text=show_text)
    folders.write(result, folder, page=text, jsonl=jsonl, more=more)
    others = {Path(name).stem: folder / name for name in more}
    return SavedRun(folder, {"page": folder / PAGE, **others, "all": folder})


def compared(results: Sequence[Result], *, seed: int) -> Comparison:
    """How results of one study differ on the same items.

    Raises:
        BadInput: There are fewer than two, or they have no items in common.
    """
    if len(results) < 2:  # noqa: PLR2004
        raise BadInput("one run is not a comparison", "give two or more")
    return Comparison(results, compare_all(results, seed=seed))


def save_comparison(
    comparison: Comparison, study: Study[Any] | None, folder: Path, *, show_text: bool = True
) -> None:
    """Write a comparison's folder: the page and the numbers.

    Raises:
        StorageError: It could not be written.
    """
    numbers = as_object(comparison.results, comparison.differences)
    text = comparison_page(comparison, study, show_text=show_text)
    write_files(folder, {COMPARISON: folders.to_json(numbers), PAGE: text})


def as_object(results: Sequence[Result], differences: Sequence[Estimate] = ()) -> dict[str, object]:
    """For JSON: one card, or for several results what they share and a card each; all estimates."""
    cards = [asdict(r.card) for r in results]
    for card in cards:
        del card["files"]  # of a folder
    card = cards[0] if len(cards) == 1 else {"study": cards[0]["study"], "cards": cards}
    numbers = [e for r in results for e in r.estimates]
    return {"card": card, "estimates": [asdict(e) for e in (*numbers, *differences)]}
