"""Results on the terminal or as JSON, once their folders are written."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tiltmeter.cli.console import out, print_json
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.report.documents.comparison import comparison_document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.saved_runs import (
    PAGE,
    Comparison,
    as_object,
    compared,
    save_comparison,
    save_run,
)
from tiltmeter.report.terminal import print_document
from tiltmeter.run import folder as folders


def show_runs(
    study: Study[Any],
    results: Sequence[Result],
    out_folder: Path,
    *,
    as_json: bool,
    jsonl: bool,
    seed: int,
    show_text: bool,
) -> None:
    """Write every run folder, then show: a table each and, for several, one comparison."""
    for result in results:
        folder = out_folder / folders.folder_name(result)
        saved = save_run(result, study, folder, jsonl=jsonl, show_text=show_text)
        if not as_json:
            print_document(run_document(result, study), out, files=saved.files)
    if len(results) > 1:
        comparison = compared(results, seed=seed)
        show_comparison(study, comparison, out_folder, as_json=as_json, show_text=show_text)
    elif as_json:
        print_json(as_object(results))


def show_comparison(
    study: Study[Any], comparison: Comparison, out_folder: Path, *, as_json: bool, show_text: bool
) -> None:
    """Write a comparison's folder, then show it."""
    folder = out_folder / folders.comparison_name(comparison.results)
    save_comparison(comparison, study, folder, show_text=show_text)
    if as_json:
        print_json(as_object(comparison.results, comparison.differences))
        return
    document = comparison_document(
        comparison.results, comparison.differences, study, show_text=show_text
    )
    print_document(document, out, files={"page": folder / PAGE})
