"""What replicating a paper would take, as a document: what is there, what is run, fetched and asked."""

from collections.abc import Mapping, Sequence

from tiltmeter.core.text import counted
from tiltmeter.models.opening.model_files import bytes_to_fetch
from tiltmeter.papers.paper_plan import PaperPlan
from tiltmeter.report.document import BOTH, Column, Document, Lines, Section, Table, Text
from tiltmeter.report.documents.request_plan import request_plan_document
from tiltmeter.run.asking.budget import Price
from tiltmeter.run.asking.request_plan import RequestPlan, plan_requests
from tiltmeter.run.jobs import Job, Session
from tiltmeter.run.sweeps.sweep_cells import Cell

Row = tuple[str, str, str, int | None, int | None]
"""Source, model, state, items, bytes to fetch."""


def plan_document(plan: PaperPlan, session: Session, price: Price | None) -> Document:
    """Every source with its state, and the requests of models that are here; only their speed is tried."""
    fetches = {id(cell): _to_fetch(cell) for cell in plan.grid.waiting}
    here = [cell for cell in plan.grid.waiting if not fetches[id(cell)]]
    requests = _requests(here, session)
    asked = request_plan_document(requests, plan.paper.title, price)
    rows = [*_rows(plan, fetches)]
    columns = [
        Column("source", [row[0] for row in rows], number=False, name="source"),
        Column("model", [row[1] for row in rows], number=False, name="model"),
        Column("state", [row[2] for row in rows], number=False, name="state"),
        Column("items", [row[3] for row in rows], "{:,}".format, name="items"),
        Column("to fetch, MB", [row[4] for row in rows], lambda v: f"{float(v or 0) / 1e6:,.0f}",
               name="bytes_to_fetch"),
    ]  # fmt: skip
    states = Table("", columns, most=len(rows), name="sources")
    gone = sum(
        {cell.model: size for cell in plan.grid.waiting if (size := fetches[id(cell)])}.values()
    )
    headline = f"{counted(len(plan.grid.waiting), 'runs')} to do, {gone / 1e6:,.0f} MB to fetch."
    asking = [Section("requests", "Requests to models that are here", asked.sections[0].blocks)]
    return Document(
        f"What it would take: {plan.paper.title}", asked.subtitle,
        [Text(headline, "headline"), *(asked.finding if requests else [])],
        [
            Section("sources", "", [states]),
            *(asking if requests else []),
            Section("lacking", "Not here", [Lines(_lacking(plan), on=BOTH)]),
        ],
    )  # fmt: skip


def _rows(plan: PaperPlan, fetches: Mapping[int, int]) -> list[Row]:
    here = [
        (each.source, each.at.get("model", each.result.card.model_name)) for each in plan.results
    ]
    rows: list[Row] = [(source, model, "given", None, None) for source, model in here]
    for run in plan.runs:
        cell = run.cell
        state = {"to do": "to run"}.get(cell.state, cell.state)
        name, items = run.at.get("model", cell.model), len(cell.row.items.items)
        rows.append((run.source.name, name, state, items, fetches.get(id(cell)) or None))
    rows += [
        (stored.source.name, stored.at.get("model", stored.path.stem), "stored", None, None)
        for stored in plan.stored
    ]
    rows += [(source.name, "", "to compute", None, None) for source in plan.analyses]
    return rows


def _lacking(plan: PaperPlan) -> list[str]:
    """A line a reason: whose runs of which sources are not there."""
    by_reason: dict[str, dict[str, None]] = {}
    for run in plan.runs:
        if run.cell.why:
            name = f"{run.source.name} of {run.at.get('model', run.cell.model)}"
            by_reason.setdefault(run.cell.why, {})[name] = None
    for lack in plan.lacks:
        name = " of ".join(filter(None, (lack.source, lack.at.get("model", ""))))
        by_reason.setdefault(lack.why, {})[name] = None
    return [f"{', '.join(names)}: {why}" for why, names in by_reason.items()]


def _to_fetch(cell: Cell) -> int:
    members = cell.plan.members if cell.plan else ()
    return sum(bytes_to_fetch(member.where.location, cell.opening) for member in members)


def _requests(cells: Sequence[Cell], session: Session) -> list[RequestPlan]:
    jobs = [
        Job(c.row.study, c.row.items, c.plan, c.row.options, c.opening) for c in cells if c.plan
    ]
    return [planned for job in jobs for planned in plan_requests(job, session)]
