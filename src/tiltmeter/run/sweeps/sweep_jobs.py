"""Plans and runs sweeps, model by model, so that each model is loaded once."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

from tiltmeter.core.errors import (
    BadInput,
    CannotAnswer,
    LimitReached,
    StorageError,
    TiltmeterError,
    in_one_line,
)
from tiltmeter.core.model.model_names import without_port
from tiltmeter.core.model.study_turns import StudyTurn
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.core.text import verb_for, visible
from tiltmeter.data.files.atomic_files import sweep as remove_leftovers
from tiltmeter.models.opening.model_options import Options
from tiltmeter.models.opening.open_model import Resolved
from tiltmeter.run.asking.manner import manner_of, with_shared
from tiltmeter.run.asking.model_openers import SharingOpener
from tiltmeter.run.files import folder as folders
from tiltmeter.run.files.folder_names import folder_name
from tiltmeter.run.files.output_files import SWEEP, write_files
from tiltmeter.run.jobs import Job, Session, opening_of, score
from tiltmeter.run.measuring.ensemble import parse
from tiltmeter.run.monitor import Monitor
from tiltmeter.run.planning.item_loading import load_items
from tiltmeter.run.planning.run_plan import (
    find_models,
    study_named,
    with_distinct_names,
    with_rules,
)
from tiltmeter.run.run_options import ReplyOptions
from tiltmeter.run.sweeps.side_by_side import one_by_one, side_by_side
from tiltmeter.run.sweeps.sweep import (
    Entry,
    Sweep,
    cell_id,
    check_rule,
    opening_options_of,
    run_options_of,
    sealed,
    within,
)
from tiltmeter.run.sweeps.sweep_cells import Cell, SweepRow

HEADLINE = ("name", "value", "low", "high", "p", "n", "neutral", "unit", "why")
"""The fields of a cell's headline estimate that `cells.json` holds."""


SaveCell: TypeAlias = Callable[[Study[Any], Result, Path], object]
"""A function that writes a result into a folder, completely or not at all."""


def plan_sweep(sweep: Sweep, out_folder: Path, *, fresh: bool, monitor: Monitor) -> "Grid":
    """Look up the studies, rules, data and models of a sweep; no model is loaded.

    Raises:
        TiltmeterError: The file names a study, rule or setting that does not exist, or data cannot be read.
            A model that cannot be found raises nothing: its cells are marked as failed.
    """
    openings = []
    for number, model in enumerate(sweep.models, 1):
        with within(f"model {number} ({model.name})"):
            parse(model.name)  # refuses a malformed ensemble before data are loaded
            openings.append(opening_options_of(model))
    studies = []
    labels = labels_of(sweep.studies)
    for number, (entry, label) in enumerate(zip(sweep.studies, labels, strict=True), 1):
        with within(f"study {number} ({entry.name})"):
            studies.append(load_row(entry, label, sweep.replies, fresh=fresh, monitor=monitor))
    done = {} if fresh else sealed(out_folder)
    cells: list[Cell] = []
    for model, opening, label in zip(sweep.models, openings, labels_of(sweep.models), strict=True):
        cells_of_model = [Cell(study, model.called or label, opening) for study in studies]
        plan_cells(cells_of_model, model.name, done, monitor, called=model.called)
        cells += cells_of_model
    note_without_effect(cells, monitor)
    return Grid(cells, out_folder)


def load_row(
    entry: Entry, label: str, replies: ReplyOptions, *, fresh: bool, monitor: Monitor
) -> SweepRow:
    """Look up the study of an entry and load its items.

    `replies` are the options for how models reply that hold where the entry has none.

    Raises:
        TiltmeterError: The study, its rule or a setting does not exist, or data cannot be read.
    """
    study = study_named(entry.name)
    options = run_options_of(entry, fresh=fresh)
    check_rule(study, options)
    manner_of(options)  # for its errors, before data are loaded
    return SweepRow(label, study, load_items(study, options, monitor), options, replies)


def note_without_effect(cells: Sequence[Cell], monitor: Monitor) -> None:
    """Warn of options for how models reply that hold for all studies and have no effect on some."""
    every = dict.fromkeys(cell.row.label for cell in cells if cell.plan)
    by_labels: dict[tuple[str, ...], list[str]] = {}
    for name in dict.fromkeys(name for cell in cells for name in cell.without_effect):
        labels = dict.fromkeys(cell.row.label for cell in cells if name in cell.without_effect)
        by_labels.setdefault((*labels,), []).append(name)
    for unaffected, options in by_labels.items():
        verb, noun = (verb_for(len(options), "have"), "study" if len(every) == 1 else "studies")
        monitor.warning(
            f"{' and '.join(options)} {verb} no effect on {len(unaffected)} of {len(every)} {noun}, for "
            f"which the model writes no replies: {', '.join(unaffected)}"
        )


def labels_of(entries: Sequence[Entry]) -> list[str]:
    """The names of the entries; those that occur more than once with the options in which they differ."""
    names = Counter(entry.name for entry in entries)
    labels = []
    for entry in entries:
        others = [e.options for e in entries if e.name == entry.name and e is not entry]
        differing = {k: v for k, v in entry.options.items() if any(o.get(k) != v for o in others)}
        described = ", ".join(f"{key} {value}" for key, value in differing.items())
        apart = names[entry.name] > 1 and described
        labels.append(f"{entry.name} ({described})" if apart else entry.name)
    return labels


def plan_cells(
    cells: Sequence[Cell],
    reference: str | Resolved,
    done: Mapping[str, Path],
    monitor: Monitor,
    *,
    called: str = "",
) -> None:
    """Resolve a model and set the state of its cells: done, failed, not applicable or still to do.

    `called` is the name that the user gives the model; "" for the usual one.
    """
    ensemble = parse(reference) if isinstance(reference, str) else None
    try:
        models = find_models(reference, cells[0].opening, monitor)
    except (TiltmeterError, OSError) as error:
        for cell in cells:
            cell.fail(error)
        return
    for cell in cells:
        try:
            plan = with_rules(cell.row.study, models, cell.row.options, ensemble)
            cell.plan = replace(plan, called=called)
        except CannotAnswer as refused:
            cell.state, cell.why = "not applicable", in_one_line(refused)
            continue
        except BadInput as error:
            cell.fail(error)
            continue
        rules = [member.chosen.rule for member in cell.plan.members]
        cell.options, cell.without_effect = with_shared(cell.row.options, cell.row.replies, rules)
        sources = [(where, cell.opening) for where in models]
        try:
            cell.id = cell_id(cell.row.study, cell.options, cell.row.items, sources, called=called)
        except (TiltmeterError, OSError) as error:  # of a model on a hub, its files are looked up
            cell.fail(error)
            continue
        if cell.id in done:
            cell.finish(folders.read(done[cell.id]), done[cell.id])


class Grid:
    """All cells of a sweep or audit, in the order in which they run."""

    def __init__(self, cells: list[Cell], out_folder: Path) -> None:
        self.cells = cells
        self._out = out_folder
        planned = [(cell, cell.plan) for cell in cells if cell.plan is not None]
        plans = with_distinct_names([plan for _, plan in planned])
        for (cell, _), plan in zip(planned, plans, strict=True):
            cell.plan = plan

    @property
    def waiting(self) -> list[Cell]:
        """The cells that are still to do, in the order in which they run."""
        return [cell for cell in self.cells if cell.state == "to do"]

    @property
    def failed(self) -> list[Cell]:
        """The cells that ended in an error; their `why` holds the reason."""
        return [cell for cell in self.cells if cell.state == "failed"]

    @property
    def results(self) -> list[Result]:
        """The results of finished cells, without their records."""
        return [cell.result for cell in self.cells if cell.result is not None]

    @property
    def gpus(self) -> bool:
        """Whether any model may run on a GPU."""
        return any(cell.opening.device not in {"cpu", "mps"} for cell in self.waiting)

    def check_folder(self, *, may_overwrite: bool = False) -> None:
        """Check that the folder holds no grid that shares no cell with this one.

        A grid that has grown, or lost some of its cells, is the same.

        Raises:
            BadInput: It does, and its `cells.json` would be replaced.
        """
        try:
            cells = parsed((self._out / SWEEP).read_text("utf-8"))["cells"]
            earlier = {
                (str(cell["study"]), without_port(str(cell["model"]))): cell["model"]
                for cell in cells
            }
        except (OSError, ValueError, TypeError, KeyError):
            return  # there is none, or it is damaged and nothing is lost
        mine = {(cell.row.study.name, without_port(cell.model)) for cell in self.cells}
        if earlier and mine.isdisjoint(earlier):
            (study, _), model = next(iter(earlier.items()))
            raise BadInput(
                f"this folder holds the cells of another grid, such as {visible(study)} of {visible(model)}",
                "name another --out"
                + (", or replace it with --overwrite" if may_overwrite else ""),
                file=str(self._out),
            )

    def run(self, session: Session, save: SaveCell) -> None:
        """Run the cells still to do; a failure stops no other cell, and cells beyond the limits are left out.

        Cells of a model behind a server run side by side.

        Raises:
            StorageError: Answers or results cannot be stored, so the sweep stops.
        """
        if self._out.is_dir():
            remove_leftovers(self._out)
        self.write()
        waiting = self.waiting
        with SharingOpener(session.opener) as opener:
            shared = replace(session, opener=opener)
            score_cell = partial(_score, shared)
            numbered = enumerate(waiting, 1)
            for group, members in groupby(numbered, lambda pair: _group_of(pair[1], opener)):
                begun = (
                    cell
                    for number, cell in members
                    if self._begins(cell, opener, session, f" ({number} of {len(waiting)})")
                )
                outcomes = (
                    side_by_side(begun, score_cell, group.places)
                    if group
                    else one_by_one(begun, score_cell)
                )
                with closing(outcomes):
                    for cell, outcome in outcomes:
                        self._end(cell, outcome, session.monitor, save)
                        if cell.state == "failed" and not group:
                            opener.close()  # the error may have left the model in a broken state
                        self.write()
        self.write()

    def _begins(self, cell: Cell, opener: SharingOpener, session: Session, place: str) -> bool:
        """Whether the cell begins now; it does not if its model failed to open before or time is up."""
        if error := _not_opened(cell, opener):  # reported with the model's first study
            cell.fail(error)
            return False
        try:
            if session.budget:
                session.budget.check_time()
        except LimitReached as error:
            cell.leave_out(error)
            return False
        several = "" if place == " (1 of 1)" else place
        session.monitor.heading(f"{cell.row.label} × {cell.model}{several}")
        return True

    def _end(
        self, cell: Cell, outcome: Result | BaseException, monitor: Monitor, save: SaveCell
    ) -> None:
        """Save a cell's result, or note why it has none.

        Raises:
            StorageError: Answers or results cannot be stored.
        """
        try:
            self._save(cell, _result_of(outcome), save)
        except StorageError:
            raise
        except LimitReached as error:
            cell.leave_out(error)
        except Exception as error:  # noqa: BLE001 whatever a model does, the others go on
            cell.fail(error)
            monitor.failure(f"failed: {cell.why}")

    def _save(self, cell: Cell, result: Result, save: SaveCell) -> None:
        card = replace(result.card, run={**result.card.run, "sweep": cell.id})
        result = replace(result, card=card)
        folder = self._folder_of(cell, result)
        save(cell.row.study, result, folder)
        cell.finish(result, folder)

    def _folder_of(self, cell: Cell, result: Result) -> Path:
        """The cell's folder; if another cell has it already, the id is added to its name."""
        folder = self._out / folder_name(result)
        taken = {other.folder for other in self.cells if other is not cell}
        return folder.with_name(f"{folder.name}-{cell.id[:8]}") if folder in taken else folder

    def write(self) -> None:
        """Write `cells.json` with the state of all cells."""
        write_files(self._out, {SWEEP: folders.to_json(self.as_object())})

    def as_object(self) -> dict[str, object]:
        """The content of `cells.json` as an object for JSON."""
        counts = Counter(cell.state for cell in self.cells)
        return {"counts": dict(counts), "cells": [_as_object(cell) for cell in self.cells]}


@dataclass(frozen=True, slots=True)
class _Group:
    """What cells that run side by side share: their model, and how many requests it takes at once."""

    where: Resolved
    opening: Options
    places: int


def _group_of(cell: Cell, opener: SharingOpener) -> _Group | None:
    """The group of a cell of one model that answers in other processes; None for any other cell."""
    members = cell.plan.members if cell.plan else ()
    if len(members) != 1:
        return None
    places = opener.places(members[0].where, cell.opening)
    return _Group(members[0].where, cell.opening, places) if places else None


def _score(session: Session, cell: Cell, turn: StudyTurn | None) -> Result:
    """The result of a cell; with a turn, progress is shown under the study's name, as others run too."""
    if cell.plan is None:
        raise ValueError("only what is to do has a plan")
    row = cell.row
    job = Job(row.study, row.items, cell.plan, cell.options, cell.opening)
    return score(job, replace(session, turn=turn, label=row.label) if turn else session)


def _result_of(outcome: Result | BaseException) -> Result:
    """The result, or the error raised in the thread that saves."""
    if isinstance(outcome, BaseException):
        raise outcome
    return outcome


def _not_opened(cell: Cell, opener: SharingOpener) -> Exception | None:
    """The error with which a model of this cell failed to open for an earlier cell; None if there is none."""
    members = cell.plan.members if cell.plan else ()
    opening = opening_of(cell.opening, cell.row.options)
    whys = (opener.why_not(member.where, opening) for member in members)
    return next(filter(None, whys), None)


def _as_object(cell: Cell) -> dict[str, object]:
    head, row = cell.headline, cell.row
    return {
        "study": row.study.name, "model": cell.model, "rule": cell.rule,
        "convention": row.options.convention or row.study.conventions[0].name,
        "data": row.items.name, "state": cell.state, "why": cell.why,
        "folder": cell.folder and cell.folder.name, "id": cell.id,
        "headline": head and {name: getattr(head, name) for name in HEADLINE},
        **({"trace": cell.trace} if cell.trace else {}),
    }  # fmt: skip
