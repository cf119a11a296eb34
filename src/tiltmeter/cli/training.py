"""What trainings show while they run and when they are done."""

import shlex
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.progress import MofNCompleteColumn, TextColumn

from tiltmeter.cli.console import err, out, print_json, print_path
from tiltmeter.cli.terminal_monitor import Bar
from tiltmeter.train.steps import TrainingProgress


class Training(Bar, TrainingProgress):
    """How far a training is and its loss; a line for each evaluation."""

    def __init__(self, unit: str = "pairs") -> None:
        loss = TextColumn("loss {task.fields[loss]:.3f}", markup=False)
        super().__init__(MofNCompleteColumn(), loss)
        self._unit = unit
        self._steps = self._before = 0

    def start(self, *, steps: int, done: int, examples: int, held_out: int) -> None:
        """So much is to do, so much was done before."""
        self._steps, self._before = steps, done
        self._begun = self._printed = time.monotonic()
        on = f", resuming after step {done:,}" if done else ""
        err.print(
            f"{examples:,} {self._unit} to train on, {held_out:,} held out; {steps:,} steps{on}"
        )
        if err.is_terminal:
            self._bar.start()
            self._task = self._bar.add_task("training", total=steps, completed=done, loss=0.0)

    def step(self, done: int, loss: float) -> None:
        """So many steps are done by now, the last with this loss."""
        if self._task is not None:
            self._bar.update(self._task, completed=done, loss=loss)
        elif self._is_line_due():
            left = (self._printed - self._begun) / (done - self._before) * (self._steps - done)
            err.print(f"step {done:,} of {self._steps:,}: loss {loss:.3f}, {left:,.0f} s left")

    def evaluated(self, done: int, loss: float, accuracy: float) -> None:
        """Print what the model reaches on what is held out."""
        err.print(f"after step {done:,}: held-out loss {loss:.3f}, accuracy {percent(accuracy)}")


def print_trained(
    said: Mapping[str, Any],
    lines: Callable[[Mapping[str, Any]], Iterable[str]],
    folders: Sequence[Path],
    *,
    as_json: bool,
    model: str = "",
) -> None:
    """The description of what was trained as JSON, or as lines with the folders below them.

    `model` is how a study names the first of the folders, if not by its path.
    """
    if as_json:
        print_json(said)
        return
    for line in lines(said):
        out.print(line, soft_wrap=True, markup=False)
    for folder in folders:
        print_path(folder)
    command = shlex.join(["tiltmeter", "run", "STUDY", model or str(folders[0])])
    err.print(f"Measure it: {command}", style="dim")


def percent(share: float) -> str:
    """A share of 1 as a person reads it.

    >>> percent(0.5)
    '50.0 %'
    """
    return f"{100 * share:.1f} %"


def steps_line(pairs: int, said: Mapping[str, Any]) -> str:
    """How long was trained on how many pairs, and which weights were kept."""
    early = "" if said["steps"] == said["of"] else f" of {said['of']:,}: the loss stopped falling"
    return f"{pairs:,} pairs, {said['steps']:,} steps{early}; kept: step {said['kept']:,}"
