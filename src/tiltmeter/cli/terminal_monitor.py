"""What a run does, told on standard error: progress bars, steps and warnings."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Self

from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from tiltmeter.cli.console import err

if TYPE_CHECKING:
    from tiltmeter.core.errors import Problem

DESCRIPTION = TextColumn("{task.description}", markup=False)
"""What a bar is about."""
MEGABYTE = 10**6
EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal to draw a bar on."""


class QuestionBar:
    """A progress bar on a terminal, occasional lines elsewhere: share done, rate, time left.

    There is one bar per run, even if it asks in several portions. Since only the current portion's tokens
    are known, the bar shows the share of items, and totals are estimates.
    """

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar = Progress(
            DESCRIPTION,
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}", markup=False),
            TimeRemainingColumn(compact=True),
            console=err,
            transient=True,
        )
        self._task: TaskID | None = None
        self._begun = self._printed = time.monotonic()
        self._before, self._share = 0.0, 1.0
        self._total = self._stored = self._done = self._asked = 0
        self._skipped = 0.0
        self._announced = False

    def part(self, before: float, share: float) -> None:
        """Note that the next questions are `share` of the run, after `before` of it."""
        self._before, self._share = before, share

    def start(self, *, total: int, stored: int, requests: int) -> None:
        """Begin a round of questions; called once for each call a rule makes."""
        self._total, self._stored, self._done = total, stored, 0
        if not self._before:
            self._begun = self._printed = time.monotonic()
            self._asked, self._skipped, self._announced = 0, 0.0, False
        if self._total:
            self._skipped += self._share * stored / total
        if err.is_terminal:
            self._draw(anew=not self._before)
        elif total and not self._announced:  # a portion without questions gives no estimate
            self._announced = True
            whole = self._share >= 1
            share = f"{stored / total:.0%}" if whole else "some"  # only of the first are known
            kept = f", {share} already answered" if stored else ""
            about = "" if whole else "about "
            err.print(
                f"{self._label}: {about}{requests / self._share:,.0f} questions, "
                f"{total / self._share:,.0f} tokens{kept}"
            )

    def advance(self, tokens: int) -> None:
        """Note that this many more tokens are answered and stored."""
        self._done += tokens
        self._asked += tokens
        now = time.monotonic()
        if self._task is not None:
            self._draw()
        elif now - self._printed >= EVERY:
            self._printed = now
            made = self._reached() - self._skipped  # without what was answered before
            left = (now - self._begun) * (1 - self._reached()) / max(made, 1e-9)
            err.print(f"{self._label}: {self._reached():.0%}, {self._rate()}, {left:,.0f} s left")

    def _reached(self) -> float:
        """The share of the run that is done."""
        return self._before + self._share * (self._stored + self._done) / max(self._total, 1)

    def _rate(self) -> str:
        return f"{self._asked / max(time.monotonic() - self._begun, 1e-9):,.0f} tokens/s"

    def _draw(self, *, anew: bool = False) -> None:
        if anew and self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
        if self._task is None:
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=1.0, rate="")
        self._bar.update(self._task, completed=self._reached(), rate=self._rate())

    def stop(self) -> None:
        """Remove the bar; one that was never drawn leaves no empty line."""
        if self._bar.live.is_started:
            self._bar.stop()


class DownloadBar:
    """A download bar; call it with (bytes done, total bytes or None)."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar = Progress(
            DESCRIPTION, BarColumn(bar_width=None), DownloadColumn(),
            TransferSpeedColumn(), TimeRemainingColumn(compact=True), console=err, transient=True,
        )  # fmt: skip
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int | None, /) -> None:
        """Show that `done` of `total` bytes have arrived."""
        if self._task is None:
            if err.is_terminal:
                self._bar.start()
            else:
                size = f" ({total / 1e6:,.0f} MB)" if total and total >= MEGABYTE else ""
                err.print(f"fetching {self._label}{size}")
            self._task = self._bar.add_task(self._label, total=total)
        self._bar.update(self._task, completed=done, total=total)

    def stop(self) -> None:
        """Remove the bar; one that was never drawn leaves no empty line."""
        if self._bar.live.is_started:
            self._bar.stop()


class StepBar:
    """A bar on a terminal, an occasional line elsewhere: steps done and time left."""

    def __init__(self, label: str, total: int, steps: str) -> None:
        self._label, self._total, self._steps, self._done = label, total, steps, 0
        self._begun = self._printed = time.monotonic()
        self._task: TaskID | None = None
        self._bar = Progress(
            DESCRIPTION, BarColumn(bar_width=None), MofNCompleteColumn(),
            TimeRemainingColumn(compact=True), console=err, transient=True,
        )  # fmt: skip

    def __enter__(self) -> Self:
        if err.is_terminal and self._total:
            self._bar.start()
            self._task = self._bar.add_task(self._label, total=self._total)
        return self

    def __exit__(self, *_: object) -> None:
        if self._task is not None:
            self._bar.stop()

    def advance(self) -> None:
        """One more step is done."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """So many steps are done by now."""
        if done == self._done:
            return
        self._done = done
        now = time.monotonic()
        if self._task is not None:
            self._bar.update(self._task, completed=self._done)
        elif now - self._printed >= EVERY:
            self._printed = now
            left = (now - self._begun) / self._done * (self._total - self._done)
            err.print(
                f"{self._label}: {self._done} of {self._total} {self._steps}, {left:,.0f} s left"
            )


class TerminalMonitor:
    """Tells the user what a run does: `run.monitor.Monitor` on standard error."""

    def step(self, text: str) -> None:
        """As `Monitor`."""
        err.print(text, style="dim")

    def heading(self, text: str) -> None:
        """As `Monitor`."""
        err.print(text, style="bold")

    def warning(self, text: str, *, about: str = "") -> None:
        """As `Monitor`; nothing where the text is empty."""
        if text:
            err.print(Text.assemble((f"{about or 'tiltmeter'}:", "yellow"), f" {text}"))

    def failure(self, text: str) -> None:
        """As `Monitor`."""
        err.print(text, style="red")

    def left_out(self, problems: "Sequence[Problem]") -> None:
        """As `Monitor`."""
        from tiltmeter.run.monitor import left_out_lines

        for line in left_out_lines(problems):
            err.print(line)

    @contextmanager
    def questions(self, label: str) -> Iterator[QuestionBar]:
        """As `Monitor`: a bar that is gone afterwards, whatever happens."""
        bar = QuestionBar(label)
        try:
            yield bar
        finally:
            bar.stop()

    @contextmanager
    def download(self, label: str) -> Iterator[DownloadBar]:
        """As `Monitor`."""
        bar = DownloadBar(label)
        try:
            yield bar
        finally:
            bar.stop()

    def steps(self, label: str, total: int, counts: str) -> StepBar:
        """As `Monitor`."""
        return StepBar(label, total, counts)


monitor = TerminalMonitor()
