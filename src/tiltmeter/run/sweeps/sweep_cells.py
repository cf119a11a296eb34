"""Cells of a sweep: one study of one model each, and how far it is."""

import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import TiltmeterError
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.planning.run_plan import ModelPlan
from tiltmeter.run.run_options import RunOptions

State = Literal["to do", "done", "failed", "not applicable", "left out"]


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One study of the sweep, looked up and loaded."""

    label: str
    study: Study[Any]
    items: Dataset[Any]
    options: RunOptions


@dataclass(slots=True)
class Cell:
    """One study of one model."""

    row: SweepRow
    model: str
    opening: Options
    state: State = "to do"
    why: str = ""
    """In one line, where it failed or is not applicable."""
    plan: ModelPlan | None = None
    id: str = ""
    folder: Path | None = None
    result: Result | None = None
    trace: str = ""
    """Where an error came from that is not the user's."""

    @property
    def rule(self) -> str:
        """Rules by name; of an ensemble each member's."""
        return "" if self.plan is None else self.plan.rules

    @property
    def headline(self) -> Estimate | None:
        """The study's first number over all items, once it is done."""
        return None if self.result is None else self.result.headline

    def finish(self, result: Result, folder: Path) -> None:
        """Note that it is done; the records stay on disk."""
        self.state, self.folder, self.result = "done", folder, replace(result, records=())

    def fail(self, error: BaseException) -> None:
        """Note that it failed, and why."""
        self.state, self.why = "failed", in_one_line(error)
        if not isinstance(error, TiltmeterError):
            self.trace = "".join(traceback.format_exception(error))


def in_one_line(error: BaseException) -> str:
    r"""An error in one line; one that is not the user's with its kind.

    >>> in_one_line(ValueError("two\nlines"))
    'ValueError: two lines'
    """
    text = " ".join(str(error).split())[:500]
    if isinstance(error, TiltmeterError):
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
