"""The cells of a sweep, each one study of one model with its state."""

import traceback
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from tiltmeter.core.data.items import Dataset
from tiltmeter.core.errors import LimitReached, TiltmeterError, in_one_line
from tiltmeter.core.estimates import Estimate
from tiltmeter.core.results import Result
from tiltmeter.core.study import Study
from tiltmeter.models.opening.model_options import Options
from tiltmeter.run.planning.run_plan import ModelPlan
from tiltmeter.run.run_options import ReplyOptions, RunOptions

State = Literal["to do", "done", "failed", "not applicable", "left out"]


@dataclass(frozen=True, slots=True)
class SweepRow:
    """One study of the sweep, looked up and loaded."""

    label: str
    study: Study[Any]
    items: Dataset[Any]
    options: RunOptions
    replies: ReplyOptions = field(default_factory=ReplyOptions)
    """How models reply where the study has replies and its options leave it open."""


@dataclass(slots=True)
class Cell:
    """One study of one model."""

    row: SweepRow
    model: str
    opening: Options
    options: RunOptions = field(init=False)
    """The row's options, and after planning those for how models reply that have an effect."""
    without_effect: tuple[str, ...] = ()
    """Options for how models reply that have no effect on this cell, as users write them."""
    state: State = "to do"
    why: str = ""
    """The reason in one line, for a cell that failed, is not applicable or was left out; otherwise ""."""
    plan: ModelPlan | None = None
    id: str = ""
    folder: Path | None = None
    result: Result | None = None
    trace: str = ""
    """The traceback of an unexpected error; "" for errors of the user and without an error."""

    def __post_init__(self) -> None:
        """Begin with the options of the row."""
        self.options = self.row.options

    @property
    def rule(self) -> str:
        """The names of the rules of the model or of the ensemble's members; "" before the cell is planned."""
        return "" if self.plan is None else self.plan.rules

    @property
    def headline(self) -> Estimate | None:
        """The headline estimate of the result; None before the cell is done."""
        return None if self.result is None else self.result.headline

    def finish(self, result: Result, folder: Path) -> None:
        """Mark the cell as done; the records are not kept in memory."""
        self.state, self.folder, self.result = "done", folder, replace(result, records=())

    def leave_out(self, limit: LimitReached) -> None:
        """Mark the cell as left out, because a limit of the run was reached."""
        self.state, self.why = "left out", in_one_line(limit)

    def fail(self, error: BaseException) -> None:
        """Mark the cell as failed, with the reason."""
        self.state, self.why = "failed", in_one_line(error)
        if not isinstance(error, TiltmeterError):
            self.trace = "".join(traceback.format_exception(error))
