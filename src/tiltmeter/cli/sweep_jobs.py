"""What a sweep will do, and the doing of it: model by model, so that each is loaded once."""

import textwrap
import traceback
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from rich.table import Table

from tiltmeter.cli.console import err, out
from tiltmeter.cli.publish import load, print_json, study_of, ties_of, written_beside
from tiltmeter.cli.run_plan import Plan, Settings, found, scored, with_rules
from tiltmeter.core.errors import BadInput, CannotAnswer, StorageError, TiltmeterError
from tiltmeter.core.items import Dataset
from tiltmeter.core.results import Estimate, Result
from tiltmeter.core.study import Study
from tiltmeter.models._open import Options
from tiltmeter.report.documents.families import headline_of
from tiltmeter.report.documents.run import run_document
from tiltmeter.report.html import page
from tiltmeter.report.text import span, title, visible, with_unit
from tiltmeter.run import folder as folders
from tiltmeter.run.choosing import settings_of
from tiltmeter.run.ensemble import parse
from tiltmeter.run.model_openers import ModelOpener, SharingOpener
from tiltmeter.run.store_thread import StoreThread
from tiltmeter.run.sweep import Entry, Sweep, cell_id, check_rule, options_of, sealed

State = Literal["to do", "done", "failed", "not applicable"]
HOW = ("rule", "convention", "ties")
SUMMARY = "sweep.json"
SHOWN = 120
"""Letters of a reason that the table shows."""
LONG = 24
"""Letters of a model's path, beyond which the table leaves out its beginning."""


@dataclass(frozen=True, slots=True)
class Row:
    """One study of the sweep, looked up and loaded."""

    label: str
    study: Study[Any]
    items: Dataset[Any]
    how: dict[str, Any]
    options: Mapping[str, Any]


@dataclass(slots=True)
class Cell:
    """One study of one model."""

    row: Row
    model: str
    options: Options
    state: State = "to do"
    why: str = ""
    """In one line, where it failed or is not applicable."""
    plan: Plan | None = None
    id: str = ""
    folder: Path | None = None
    head: Estimate | None = None
    trace: str = ""
    """Where an error came from that is not the user's."""

    @property
    def rule(self) -> str:
        """Rules by name; of an ensemble each member's."""
        chosen = [] if self.plan is None else [c.rule.name for _, c in self.plan.parts]
        return ", ".join(dict.fromkeys(chosen))

    def took(self, result: Result, folder: Path) -> None:
        """Note that it is done."""
        self.state, self.folder, self.head = "done", folder, headline_of(result.estimates)

    def gave_up(self, error: BaseException) -> None:
        """Note that it failed, and why."""
        self.state, self.why = "failed", _line(error)
        if not isinstance(error, TiltmeterError):
            self.trace = "".join(traceback.format_exception(error))


def planned(said: Sweep, out_folder: Path, *, fresh: bool) -> "Grid":
    """Look everything up: studies, rules, data, what each model is. No model is loaded.

    Raises:
        TiltmeterError: The file asks for what does not exist, or data cannot be read. A model that
            cannot be found is noted in its cells, and stops nothing else.
    """
    chosen = []
    for number, entry in enumerate(said.models, 1):
        with _within(f"model {number} ({entry.name})"):
            chosen.append(_options(entry))
    rows = []
    for number, (entry, label) in enumerate(
        zip(said.studies, _labels(said.studies), strict=True), 1
    ):
        with _within(f"study {number} ({entry.name})"):
            rows.append(_row(entry, *_how(entry), label))
    done = {} if fresh else sealed(out_folder)
    cells: list[Cell] = []
    for entry, options, label in zip(said.models, chosen, _labels(said.models), strict=True):
        mine = [Cell(row, label, options) for row in rows]
        _find(mine, entry.name, done)
        cells += mine
    return Grid(cells, out_folder, fresh=fresh)


@contextmanager
def _within(place: str) -> Iterator[None]:
    """Say first of which table of the file a mistake is."""
    try:
        yield
    except TiltmeterError as error:
        error.args = (f"{place}: {error}",)
        raise


def _options(entry: Entry) -> Options:
    parse(entry.name)  # an ensemble that is not one is told now
    return options_of(entry)


def _how(entry: Entry) -> tuple[Study[Any], dict[str, Any]]:
    study = study_of(entry.name)
    how = {key: entry.options.get(key) for key in HOW}
    how["ties"] = ties_of(how["ties"])
    how["settings"] = settings_of(study, entry.options.get("set", {}), how["convention"])
    check_rule(study, how)
    return study, how


def _row(entry: Entry, study: Study[Any], how: dict[str, Any], label: str) -> Row:
    rest = {key: value for key, value in entry.options.items() if key not in (*HOW, "set")}
    items = load(
        study,
        rest.get("data"),
        skip_invalid=rest.get("skip-invalid", False),
        encoding=rest.get("encoding", ""),
        part=rest.get("split"),
        split_seed=rest.get("split-seed", 0),
        settings=how["settings"],
    )
    return Row(label, study, items, how, rest)


def _labels(entries: Sequence[Entry]) -> list[str]:
    """Their names; where one occurs twice, with the options that tell them apart."""
    names = Counter(entry.name for entry in entries)
    labels = []
    for entry in entries:
        others = [e.options for e in entries if e.name == entry.name and e is not entry]
        own = {k: v for k, v in entry.options.items() if any(o.get(k) != v for o in others)}
        told = ", ".join(f"{key} {value}" for key, value in own.items())
        labels.append(f"{entry.name} ({told})" if names[entry.name] > 1 and told else entry.name)
    return labels


def _find(cells: Sequence[Cell], reference: str, done: Mapping[str, Path]) -> None:
    """Find out what the model is and which of its cells are finished."""
    ensemble = parse(reference)
    try:
        models = found(reference, cells[0].options)
    except (TiltmeterError, OSError) as error:
        for cell in cells:
            cell.gave_up(error)
        return
    for cell in cells:
        try:
            cell.plan = with_rules(cell.row.study, models, cell.row.how, ensemble)
        except CannotAnswer as refused:
            cell.state, cell.why = "not applicable", _line(refused)
            continue
        if cell.plan.is_fitted and "split" in cell.row.options:
            cell.gave_up(BadInput("a fitted ensemble is reported on the test terms: no split"))
            continue
        wanted = [(where, cell.options) for where in models]
        cell.id = cell_id(cell.row.study, cell.row.how, cell.row.options, cell.row.items, wanted)
        if cell.id in done:
            cell.took(folders.read(done[cell.id]), done[cell.id])


class Grid:
    """All cells, in the order in which they are done."""

    def __init__(self, cells: list[Cell], out_folder: Path, *, fresh: bool) -> None:
        self.cells = cells
        self._out = out_folder
        self._fresh = fresh
        names = {where.name: set[str]() for where, _ in self._parts()}
        for where, _ in self._parts():
            names[where.name].add(where.location)
        self._twice = {name for name, places in names.items() if len(places) > 1}

    @property
    def waiting(self) -> list[Cell]:
        """What is still to do."""
        return [cell for cell in self.cells if cell.state == "to do"]

    @property
    def failed(self) -> list[Cell]:
        """What did not succeed."""
        return [cell for cell in self.cells if cell.state == "failed"]

    @property
    def gpus(self) -> bool:
        """Whether any model may run on a GPU."""
        return any(cell.options.device not in {"cpu", "mps"} for cell in self.waiting)

    def run(self, opener: ModelOpener, store: StoreThread, *, jsonl: bool, show_text: bool) -> None:
        """Do what is to do; one that fails stops no other.

        Raises:
            StorageError: Answers or results cannot be kept, so that going on is in vain.
        """
        self.write()
        with SharingOpener(opener) as shared:
            for cell in self.waiting:
                err.print(f"{cell.row.label} × {cell.model}", markup=False, style="bold")
                try:
                    self._do(cell, shared, store, jsonl=jsonl, show_text=show_text)
                except StorageError:
                    raise
                except Exception as error:  # noqa: BLE001 whatever a model does, the others go on
                    cell.gave_up(error)
                    shared.close()  # nothing half open is used again
                    err.print(f"failed: {cell.why}", markup=False, style="red")
                self.write()

    def _do(
        self, cell: Cell, shared: SharingOpener, store: StoreThread, *, jsonl: bool, show_text: bool
    ) -> None:
        if cell.plan is None:
            raise ValueError("only what is to do has a plan")
        row = cell.row
        settings = Settings(
            row.study, row.items, cell.options, seed=row.options.get("seed", 0),
            split_seed=row.options.get("split-seed", 0),
            skip_invalid=row.options.get("skip-invalid", False), fresh=self._fresh,
            twice=self._twice, models=shared,
        )  # fmt: skip
        result = scored(cell.plan, settings, store)
        card = replace(result.card, run={**result.card.run, "sweep": cell.id})
        result = replace(result, card=card)
        folder = self._place(cell, result)
        shown = page(run_document(result, row.study, show_text=show_text))
        folders.write(result, folder, page=shown, jsonl=jsonl, more=written_beside(result))
        cell.took(result, folder)

    def _place(self, cell: Cell, result: Result) -> Path:
        """The cell's folder: no other cell's, also where two differ in nothing that folders tell."""
        folder = self._out / folders.folder_name(result)
        taken = {other.folder for other in self.cells if other is not cell}
        return folder.with_name(f"{folder.name}-{cell.id[:8]}") if folder in taken else folder

    def _parts(self) -> list[tuple[Any, Any]]:
        return [part for cell in self.cells if cell.plan for part in cell.plan.parts]

    def write(self) -> None:
        """Write `sweep.json`: what there is so far."""
        folders.write_text(self._out / SUMMARY, folders.to_json(self.as_object()))

    def as_object(self) -> dict[str, Any]:
        """What `sweep.json` holds and --json prints."""
        counts = Counter(cell.state for cell in self.cells)
        return {"counts": dict(counts), "cells": [self._told(cell) for cell in self.cells]}

    def _told(self, cell: Cell) -> dict[str, Any]:
        head = cell.head
        told: dict[str, Any] = {
            "study": cell.row.study.name, "model": cell.model, "rule": cell.rule,
            "convention": cell.row.how["convention"] or cell.row.study.conventions[0].name,
            "data": cell.row.items.name, "state": cell.state, "why": cell.why,
            "folder": cell.folder and cell.folder.name, "id": cell.id,
        }  # fmt: skip
        fields = ("name", "value", "low", "high", "p", "n", "neutral", "unit", "why")
        told["headline"] = head and {name: getattr(head, name) for name in fields}
        return told | ({"trace": cell.trace} if cell.trace else {})

    def show(self, *, as_json: bool) -> None:
        """The table: study × model, the headline with its interval, or why there is none."""
        if as_json:
            print_json(self.as_object())
            return
        table = Table(box=None, header_style="bold", pad_edge=False)
        for heading in ("study", "model", "rule", "n"):
            table.add_column(
                heading, justify="right" if heading == "n" else "left", overflow="fold"
            )
        table.add_column("result", overflow="fold", ratio=1)
        called = _short_names([cell.model for cell in self.cells])
        for cell in self.cells:
            count = f"{cell.head.n:,}" if cell.head else ""
            named = (visible(cell.row.label), visible(called[cell.model]), cell.rule)
            table.add_row(*map(_plain, named), count, _plain(_result(cell)))
        out.print(table)
        if (self._out / SUMMARY).is_file():
            out.print(f"All: {self._out}", markup=False, soft_wrap=True)


def _plain(text: str) -> Any:
    from rich.text import Text

    return Text(text)


def _result(cell: Cell) -> str:
    if cell.state == "done" and cell.head is not None:
        head = cell.head
        if head.value is None:
            return f"{title(head)}: undefined ({visible(head.why)})"
        between = f", {span(head, '–')}" if head.low is not None else ""
        return f"{title(head)} {with_unit(head.value, head.unit)}{between}"
    return f"{cell.state}: {_short(visible(cell.why))}" if cell.why else cell.state


def _short_names(models: Sequence[str]) -> dict[str, str]:
    """Long paths without their beginning, where the end tells them from all others."""
    ends = {model: "…/" + model.rpartition("/")[2] for model in models}
    used = Counter(ends.values())
    return {
        model: end if len(model) > LONG and used[end] == 1 and "/" in model else model
        for model, end in ends.items()
    }


def _short(why: str) -> str:
    """The reason without its preamble, cut to a line or two; `sweep.json` has the whole."""
    told = why.partition(": that needs ")[2]
    said = f"needs {told}" if told else why
    return textwrap.shorten(said, SHOWN, placeholder=" …")


def _line(error: BaseException) -> str:
    """An error in one line; one that is nobody's fault here with its kind."""
    said = " ".join(str(error).split())[:500]
    if isinstance(error, TiltmeterError):
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
