"""replicate: a paper's tables and figures from runs and stored outputs, with the printed numbers beside."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tiltmeter.cli import arguments
from tiltmeter.cli.machinery.option_parameters import GivenOptions, only
from tiltmeter.core.reading.options import Option, SkipInvalid
from tiltmeter.models.opening.model_options import Options, SharedOptions
from tiltmeter.run.asking.budget import RequestBudget

if TYPE_CHECKING:
    from tiltmeter.papers.paper_file import Paper
    from tiltmeter.report.document import Document


def replicate(  # noqa: PLR0913 the command line's own options
    paper: Annotated[str | None, Option(
        "A paper's name, or your own TOML file; without one, all are listed.",
        metavar="PAPER", argument=True)] = None,
    *,
    models: Annotated[str | None, Option(
        "Models to run, separated by commas: the paper's by name, `all` of them, NAME=REFERENCE "
        "for one stored elsewhere, or your own. Default: only what is stored.", metavar="MODEL,…")] = None,
    runs: Annotated[list[Path] | None, Option(
        "Finished runs of yours to use, or folders of several.", metavar="RUN")] = None,
    data: Annotated[list[str] | None, Option(
        "Your file, or a folder with all files, in place of a data set of the paper (repeatable).",
        metavar="NAME=PATH")] = None,
    heads: Annotated[Path | None, Option(
        "Folder of next-sentence heads for models that have none, each in a folder named like the model.",
        metavar="FOLDER")] = None,
    limit: Annotated[int | None, Option(
        "Measure models on a random sample of this many items of each study.", min=1)] = None,
    skip_invalid: SkipInvalid = False,
    select: Annotated[str | None, Option(
        "Only these tables and figures, separated by commas.", metavar="T2,F1,…")] = None,
    out_folder: Annotated[Path | None, Option(
        "Folder for the document and the runs (default runs/PAPER).", name="out")] = None,
    plan: arguments.ShowPlan = False,
    budget: RequestBudget,
    fresh: arguments.FreshRuns = False,
    overwrite: Annotated[bool, Option(
        "Replace the document in the folder, also one of another paper or of other settings.")] = False,
    as_json: arguments.Json = False,
    printed_as: arguments.PrintedAs = "text",
    figures: arguments.Figures = None,
    fail_if: arguments.FailIf = (),
    no_text: arguments.NoText = False,
    opening: Annotated[dict[str, Any], GivenOptions(Options, only(SharedOptions, "revision"))],
    workers: arguments.RayOptions,
) -> None:  # fmt: skip
    """Recompute a paper's tables and figures beside the printed numbers.

    After a stop, the same command continues.
    """
    import time
    from contextlib import ExitStack

    from tiltmeter.cli.analyses import Ending, show_result
    from tiltmeter.cli.console import out
    from tiltmeter.cli.machinery.typed_command import command_line
    from tiltmeter.cli.show import enforce
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.core.errors import known_names
    from tiltmeter.derived.audits.thresholds import parse
    from tiltmeter.papers.making import make
    from tiltmeter.papers.paper_file import papers, read_paper
    from tiltmeter.papers.paper_plan import PaperRequest
    from tiltmeter.papers.plan_document import plan_document
    from tiltmeter.papers.replication import QUANTITIES, check_folder, replicated
    from tiltmeter.papers.sources import plan_paper
    from tiltmeter.papers.user_data import files_in_place, named_files
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.files.folder import prepare
    from tiltmeter.run.files.repeatable_command import repeatable
    from tiltmeter.run.jobs import session, stamped

    begun, limits = time.monotonic(), parse(fail_if)
    budget.check_price(planned=plan)
    known_names("measure", [limit.name for limit in limits], [q.name for q in QUANTITIES])
    if paper is None:
        print_document(_list([read_paper(name) for name in papers()]), out)
        return
    chosen = read_paper(paper)
    items = chosen.chosen(_split(select))
    folder = out_folder or Path("runs") / chosen.name
    named = _split(models)
    request = PaperRequest(named, runs or (), heads, limit, skip_invalid, Options(**opening), fresh)
    if not plan:
        prepare(folder)
        check_folder(chosen, folder, request.settings, overwrite=overwrite)
    with ExitStack() as stack:
        stack.enter_context(files_in_place(chosen, named_files(data or ())))
        planned = plan_paper(chosen, items, folder, request, monitor)
        command = repeatable(command_line(), named)
        opener = stack.enter_context(arguments.model_opener(workers, gpus=planned.grid.gpus))
        shared = stack.enter_context(
            session(monitor, opener=opener, command=command, budget=budget)
        )
        if plan:
            _print_plan(plan_document(planned, shared, budget.price), as_json=as_json)
            return
        make(planned, shared, show_text=not no_text)
    ending = Ending(
        folder,
        as_json=as_json,
        printed_as=printed_as,
        figures=None if figures == "svg" else figures,
        no_text=no_text,
        everything=True,
    )
    result = stamped(replicated(planned, items), begun, command)
    show_result(result, folder, ending)
    for fault in planned.faults:
        raise fault
    enforce(limits, [result])
    _exit_if(planned.failed)


def _exit_if(failed: Sequence[str]) -> None:
    """Exit with a code of failure where something was not run on these models."""
    import typer

    from tiltmeter.cli.console import err
    from tiltmeter.core.errors import Unavailable

    if failed:
        err.print(f"Not all was run on {', '.join(failed)}: the document says why.", markup=False)
        raise typer.Exit(Unavailable.exit_code)


def _print_plan(document: "Document", *, as_json: bool) -> None:
    from tiltmeter.cli.console import out, print_json
    from tiltmeter.report.tables import as_rows
    from tiltmeter.report.terminal import print_document

    if as_json:
        print_json([row for table in document.tables() for row in as_rows(table)])
    else:
        print_document(document, out)


def _split(text: str | None) -> list[str]:
    """The parts, also empty ones, which nothing is called: [] where the option is not given."""
    return [] if text is None else [part.strip() for part in text.split(",")]


def _list(known: "Sequence[Paper]") -> Any:
    from tiltmeter.report.document import Column, Document, Section, Table

    columns = [
        Column("paper", [paper.name for paper in known], number=False, name="paper"),
        Column("title", [paper.title for paper in known], number=False, name="title", drop=1),
        Column("items", [len(paper.items) for paper in known], name="items"),
        Column("models", [", ".join(m.name for m in paper.models) for paper in known], number=False,
               name="models", drop=2),
    ]  # fmt: skip
    table = Table("", columns, most=len(known), name="papers")
    return Document("Papers", "tiltmeter replicate PAPER", [], [Section("papers", "", [table])])
