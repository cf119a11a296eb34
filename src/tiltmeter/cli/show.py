"""Results on the terminal or as JSON, once their folders are written, and what became of thresholds."""

import time
from collections.abc import Sequence
from typing import Any

import typer

from tiltmeter.analyses.compare import comparison
from tiltmeter.cli.arguments import RunOutput
from tiltmeter.cli.console import err, out, print_json
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.derived.audits.audit_states import StudyState
from tiltmeter.derived.audits.thresholds import Outcome, Threshold, judge, printed_estimates
from tiltmeter.derived.comparisons.compare import Comparisons, compare_all
from tiltmeter.derived.run_tables.run_table import run_tables
from tiltmeter.report import tables
from tiltmeter.report.document import Document
from tiltmeter.report.documents.no_answers import lacks_answers, replies_of_models
from tiltmeter.report.documents.request_plan import request_plan_document
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.documents.run_tables.run_table_page import run_table_document
from tiltmeter.report.saved_runs import as_object, save_run
from tiltmeter.report.terminal import Sheet, print_document
from tiltmeter.report.terminal_excerpt import print_result
from tiltmeter.run.asking.budget import Price
from tiltmeter.run.asking.request_plan import RequestPlan
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.jobs import stamped

CROSSED = 3
STYLES = {"passed": "green", "failed": "red", "undefined": "red"}


def enforce(thresholds: Sequence[Threshold], results: Sequence[Result]) -> None:
    """Report for each threshold whether it held, and exit with code 3 if one is crossed.

    An undefined estimate crosses every threshold.

    Raises:
        UnknownName: No result has such an estimate.
    """
    outcomes = judge(thresholds, printed_estimates(results))
    say(outcomes)
    leave_if_crossed(outcomes)


def say(outcomes: Sequence[Outcome]) -> None:
    """A line for each on standard error."""
    for outcome in outcomes:
        word = "passed" if outcome.status == "passed" else "failed"
        if not outcome.fails and word == "failed":
            word = outcome.threshold.level
        err.print(f"{word}: ", style=STYLES.get(word, "yellow"), end="")
        err.print(outcome.message)


def say_incomplete(states: Sequence[StudyState]) -> None:
    """A line on standard error for each study that lacks a result, in an audit that must be complete."""
    for state in states:
        err.print("incomplete: ", style="red", end="")
        err.print(f"{state.label}: {state.state}: {state.why}")
    if not states:
        err.print("incomplete: ", style="red", end="")
        err.print("no study of the profile applies to the model")


def leave_if_crossed(outcomes: Sequence[Outcome]) -> None:
    """Leave with exit code 3 if a threshold is crossed whose level is error."""
    if any(outcome.fails for outcome in outcomes):
        raise typer.Exit(CROSSED)


def show_runs(
    study: Study[Any], results: Sequence[Result], output: RunOutput, *, seed: int,
    differences: Comparisons | None = None,
) -> list[Result]:  # fmt: skip
    """Write every run folder, then show the run, or of several one table and how they differ.

    Args:
        study: Whose results they are.
        results: Of one model each.
        output: Where, and in which form.
        seed: Of the comparison's draws.
        differences: What `compare_all` made of the results already; None: not yet.

    Returns:
        All results whose numbers are shown: these, and the comparison of several.
    """
    begun, as_json, show_text = time.monotonic(), output.as_json, not output.no_text
    saved = [
        save_run(result, study, output.folder / folder_name(result),
                 jsonl=output.jsonl, show_text=show_text)
        for result in results
    ]  # fmt: skip
    if len(results) > 1:
        if not as_json:
            _show_table(results, everything=output.everything)
        runs = {s.folder.name: result for s, result in zip(saved, results, strict=True)}
        compared = compare_all(results, seed=seed) if differences is None else differences
        made = comparison(runs, compared, seed=seed)
        made = stamped(made, begun, results[0].card.command)
        comparing = save_run(made, study, output.folder / folder_name(made), show_text=show_text)
        if as_json:
            print_json(as_object([made]))
            return [*results, made]
        document = comparing.document if show_text else run_document(made, show_text=show_text)
        page = {"page": comparing.files["page"]}
        print_result(document, out, files=page, everything=output.everything)
        files = {r.card.model_name: s.folder for r, s in zip(results, saved, strict=True)}
        Sheet(out).addresses(files)
        return [*results, made]
    if as_json:
        print_json(as_object(results))
    else:
        document = (
            saved[0].document if show_text else run_document(results[0], study, show_text=show_text)
        )
        print_result(document, out, files=saved[0].files, everything=output.everything)
    return list(results)


def _show_table(results: Sequence[Result], *, everything: bool) -> None:
    """One table of the models that gave answers, below a sentence on the replies of the others."""
    finding = replies_of_models([result.card for result in results])
    answered = [result for result in results if not lacks_answers(result.card)]
    if answered:
        table = run_table_document(run_tables(answered), finding=finding)
        print_result(table, out, everything=everything)
    else:
        print_document(Document("", "", finding, []), out)
    out.print()


def show_request_plan(
    plans: Sequence[RequestPlan], study: str, price: Price | None, *, as_json: bool
) -> None:
    """What a run would ask, as a table or as JSON."""
    document = request_plan_document(plans, study, price)
    if as_json:
        # one object for each model, with the columns of all tables
        parts = zip(*map(tables.as_rows, document.tables()), strict=True)
        print_json([{key: value for part in row for key, value in part.items()} for row in parts])
    else:
        print_document(document, out)
