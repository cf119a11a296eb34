"""A grid of classifiers, each of several models on each of several data sets, trained one after the other.

A cell that fails stops no other. The states are in `grid.json`; after a stop, the same grid in the same
folder skips the cells that are done, and continues the one that was being trained.
"""

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from tiltmeter import __version__
from tiltmeter.core.errors import StorageError, in_one_line
from tiltmeter.core.reading.json_text import parsed
from tiltmeter.models.opening.checkpoint_parts import description_in
from tiltmeter.train.classifier import SUMMARY, TEST, place_of_seed, train
from tiltmeter.train.steps import TrainingProgress
from tiltmeter.train.training_config import ClassifierConfig
from tiltmeter.train.training_run import write_json

STATES = "grid.json"
"""Name of the file with the state of all cells."""


@dataclass(slots=True)
class TrainingCell:
    """The classifiers of one model on one data set, one for each seed."""

    model: str
    """The model as the grid names it."""
    data: str
    """The data set as the grid names it."""
    config: ClassifierConfig
    state: Literal["to do", "done", "failed"] = "to do"
    why: str = ""
    """The reason in one line, for a cell that failed."""
    summary: Mapping[str, Any] | None = None
    """What the training returned: the scores on the test texts."""

    @property
    def folders(self) -> list[Path]:
        """The checkpoints, one for each seed."""
        return [place_of_seed(self.config.folder, seed) for seed in self.config.seeds]

    @property
    def test_texts(self) -> Path:
        """The table of test texts, which no seed has learned from."""
        name = (self.summary or {}).get("data", {}).get("name", self.data)
        return self.config.folder / TEST.format(Path(name).stem)

    def as_object(self) -> dict[str, Any]:
        """What `grid.json` says of the cell."""
        return {
            "model": self.model,
            "data": self.data,
            "state": self.state,
            "why": self.why,
            "folder": self.config.folder.name,
            "training": _identity(self.config),
            "test": (self.summary or {}).get("test"),
        }


class TrainingGrid:
    """All cells of a grid, in the order in which they are trained."""

    def __init__(self, cells: Sequence[TrainingCell], folder: Path) -> None:
        """Find which cells are done already.

        Args:
            cells: The cells; each has a folder of its own.
            folder: The folder for `grid.json`.
        """
        self.cells, self._folder = cells, folder
        known = _known(folder)
        for cell in cells:
            there = known.get((cell.model, cell.data), {})
            path = cell.config.folder / SUMMARY
            same = there.get("training") == _identity(cell.config)
            if same and there.get("state") == "done" and path.is_file():
                cell.state, cell.summary = "done", description_in(path)

    @property
    def waiting(self) -> list[TrainingCell]:
        """The cells that are still to do."""
        return [cell for cell in self.cells if cell.state == "to do"]

    def run(
        self,
        progress: Callable[[TrainingCell, str], AbstractContextManager[TrainingProgress]],
        say: Callable[[str], None] = lambda _: None,
    ) -> None:
        """Train the cells still to do; a failure stops no other cell.

        Args:
            progress: Called for each cell, with its place ("2 of 18"); what it returns is entered while the
                cell is trained, and gives what receives the progress.
            say: Receives messages about texts.

        Raises:
            StorageError: Something could not be written, so the grid stops.
        """
        self.write()
        waiting = self.waiting
        for number, cell in enumerate(waiting, 1):
            try:
                with progress(cell, f"{number} of {len(waiting)}") as shown:
                    cell.summary = train(cell.config, shown, say)
                cell.state = "done"
            except StorageError:
                raise
            except Exception as error:  # noqa: BLE001 whatever a model does, the others go on
                cell.state, cell.why = "failed", in_one_line(error)
                say(f"failed: {cell.why}")
            self.write()

    def write(self) -> None:
        """Write `grid.json` with the state of all cells."""
        self._folder.mkdir(parents=True, exist_ok=True)
        write_json(self._folder / STATES, self.as_object())

    def as_object(self) -> dict[str, Any]:
        """The content of `grid.json` as an object for JSON."""
        counts = Counter(cell.state for cell in self.cells)
        return {"counts": dict(counts), "cells": [cell.as_object() for cell in self.cells]}


def _known(folder: Path) -> dict[tuple[str, str], dict[str, Any]]:
    """What an earlier call wrote about each cell; a damaged file says nothing."""
    try:
        read = parsed((folder / STATES).read_text("utf-8"))
        return {(cell["model"], cell["data"]): cell for cell in read["cells"]}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _identity(config: ClassifierConfig) -> dict[str, Any]:
    """All that a cell's training depends on, as far as can be seen without opening model and data."""
    options: dict[str, Any] = json.loads(json.dumps(asdict(config)))
    data = Path(config.data)
    stamp = [data.stat().st_size, data.stat().st_mtime_ns] if data.is_file() else []
    return {**options, "out": "", "stamp": stamp, "version": __version__}
