"""Results on the terminal or as JSON, once their folders are written."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tiltmeter.analysis.run_table import run_tables
from tiltmeter.cli.arguments import RunOutput
from tiltmeter.cli.console import out, print_json
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.report import tables
from tiltmeter.report.documents.comparison import comparison_document
from tiltmeter.report.documents.request_plan import request_plan_document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.documents.run_table import run_table_document
from tiltmeter.report.saved_runs import Comparison, as_object, compared, save_comparison, save_run
from tiltmeter.report.terminal import Sheet, print_document
from tiltmeter.run.budget import Price
from tiltmeter.run.folder_names import comparison_name, folder_name
from tiltmeter.run.output_files import PAGE
from tiltmeter.run.request_plan import RequestPlan


def show_runs(
    study: Study[Any], results: Sequence[Result], output: RunOutput, *, seed: int
) -> None:
    """Write every run folder, then show the run, or of several one table and how they differ."""
    as_json, show_text = output.as_json, not output.no_text
    saved = [
        save_run(result, study, output.folder / folder_name(result),
                 jsonl=output.jsonl, show_text=show_text)
        for result in results
    ]  # fmt: skip
    if len(results) > 1:
        if not as_json:
            print_document(run_table_document(run_tables(results)), out)
            out.print()
        comparison = compared(results, seed=seed)
        show_comparison(study, comparison, output.folder, as_json=as_json, show_text=show_text)
        if not as_json:
            files = {r.card.model_name: s.folder for r, s in zip(results, saved, strict=True)}
            Sheet(out).addresses(files)
    elif as_json:
        print_json(as_object(results))
    else:
        print_document(run_document(results[0], study), out, files=saved[0].files)


def show_comparison(
    study: Study[Any], comparison: Comparison, out_folder: Path, *, as_json: bool, show_text: bool
) -> None:
    """Write a comparison's folder, then show it."""
    folder = out_folder / comparison_name(comparison.results)
    save_comparison(comparison, study, folder, show_text=show_text)
    if as_json:
        print_json(as_object(comparison.results, comparison.differences))
        return
    document = comparison_document(
        comparison.results, comparison.differences, study, show_text=show_text
    )
    print_document(document, out, files={"page": folder / PAGE})


def show_request_plan(
    plans: Sequence[RequestPlan], study: str, price: Price | None, *, as_json: bool
) -> None:
    """What a run would ask, as a table or as JSON."""
    document = request_plan_document(plans, study, price)
    if as_json:
        print_json([row for table in document.tables() for row in tables.as_rows(table)])
    else:
        print_document(document, out)
