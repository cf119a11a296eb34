"""replicate: a paper's tables and figures from runs and stored outputs, with the printed numbers beside."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from tiltmeter.cli.arguments import Figures, Json, NoText, PrintedAs, RayOptions, ShowPlan
from tiltmeter.cli.option_parameters import GivenOptions, without
from tiltmeter.core.options import Option
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.budget import RequestBudget

if TYPE_CHECKING:
    from tiltmeter.papers.paper_file import Paper, PaperItem
    from tiltmeter.papers.sources import PaperPlan


def replicate(  # noqa: PLR0913 the command line's own options
    paper: Annotated[
        str | None,
        Option(
            "A paper's name, or your own TOML file; without one, all are listed.",
            metavar="PAPER",
            argument=True,
        ),
    ] = None,
    *,
    models: Annotated[
        str,
        Option(
            "Models to run, parted by commas: the paper's by name, `all` of them, NAME=REFERENCE for "
            "one that lies elsewhere, or your own. Default: only what is stored.",
            metavar="MODEL,…",
        ),
    ] = "",
    runs: Annotated[
        list[Path] | None, Option("Finished runs of yours to use.", metavar="RUN")
    ] = None,
    tables: Annotated[
        str, Option("Only these tables and figures, parted by commas.", metavar="T2,F1,…")
    ] = "",
    out_folder: Annotated[
        Path | None,
        Option("Folder for the document and the runs (default runs/PAPER).", name="out"),
    ] = None,
    plan: ShowPlan = False,
    budget: RequestBudget,
    fresh: Annotated[bool, Option("Repeat finished runs and ignore stored answers.")] = False,
    as_json: Json = False,
    printed_as: PrintedAs = "text",
    figures: Figures = "svg",
    no_text: NoText = False,
    opening: Annotated[dict[str, Any], GivenOptions(Options, without("start_token"))],
    workers: RayOptions,
) -> None:
    """Make a paper's tables and figures, the printed numbers beside; after a stop, repeat the command."""
    import time

    from tiltmeter.cli.analyses import Ending, show_result
    from tiltmeter.cli.arguments import model_opener
    from tiltmeter.cli.console import out
    from tiltmeter.cli.show import show_request_plan
    from tiltmeter.cli.terminal_monitor import monitor
    from tiltmeter.cli.typed_command import command_line
    from tiltmeter.papers.making import make
    from tiltmeter.papers.paper_file import papers, read_paper
    from tiltmeter.papers.replication import replicated
    from tiltmeter.papers.sources import PaperRequest, plan_paper
    from tiltmeter.report.terminal import print_document
    from tiltmeter.run.folder import prepare
    from tiltmeter.run.jobs import session, stamped
    from tiltmeter.run.repeatable_command import repeatable

    begun = time.monotonic()
    if paper is None:
        print_document(_list([read_paper(name) for name in papers()]), out)
        return
    chosen = read_paper(paper)
    items = _wanted(chosen, _split(tables))
    folder = out_folder or Path("runs") / chosen.name
    if not plan:
        prepare(folder)
    sources = list(dict.fromkeys(name for item in items for name in item.of))
    named = _split(models)
    request = PaperRequest(named, runs or (), Options(**opening), fresh)
    planned = plan_paper(chosen, sources, folder, request, monitor)
    command = repeatable(command_line(), named)
    with (
        model_opener(workers, gpus=planned.grid.gpus) as opener,
        session(monitor, opener=opener, command=command, budget=budget) as shared,
    ):
        if plan:
            show_request_plan(
                _requests(planned, shared), chosen.title, budget.price, as_json=as_json
            )
            return
        make(planned, shared, show_text=not no_text)
    ending = Ending(
        folder, as_json=as_json, printed_as=printed_as, figures=figures, no_text=no_text
    )
    show_result(stamped(replicated(planned, items), begun, command), folder, ending)


def _split(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _wanted(paper: "Paper", names: Sequence[str]) -> "list[PaperItem]":
    from tiltmeter.core.errors import known_names

    known_names(f"table or figure of {paper.name}", names, [item.name for item in paper.items])
    return [item for item in paper.items if not names or item.name in names]


def _requests(planned: "PaperPlan", shared: Any) -> Any:
    from tiltmeter.run.jobs import Job
    from tiltmeter.run.request_plan import plan_requests

    return [
        each
        for cell in planned.grid.waiting
        if cell.plan is not None
        for each in plan_requests(
            Job(cell.row.study, cell.row.items, cell.plan, cell.row.options, cell.opening), shared
        )
    ]


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
