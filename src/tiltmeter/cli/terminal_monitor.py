"""What a run does, told on standard error: progress bars, steps and warnings."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Self

from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.text import Text

from tiltmeter.cli.console import err
from tiltmeter.cli.heartbeats import heartbeat
from tiltmeter.core.text import counted

if TYPE_CHECKING:
    from tiltmeter.core.errors import Problem

MEGABYTE = 10**6
EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal to draw a bar on."""


class Bar:
    """A bar on a terminal while its block runs; elsewhere a line now and then."""

    def __init__(self, *columns: ProgressColumn) -> None:
        self._bar = Progress(
            TextColumn("{task.description}", markup=False), BarColumn(bar_width=None), *columns,
            TimeElapsedColumn(), TimeRemainingColumn(compact=True), console=err, transient=True,
        )  # fmt: skip
        self._task: TaskID | None = None
        self._next = heartbeat.busy_with
        """What the command does after the block."""
        self._begun = self._printed = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar.live.is_started:  # one that was never drawn would leave an empty line
            self._bar.stop()
        heartbeat.begin(self._next)

    def _start(self) -> None:
        """Draw the bar from now on; it moves, so that nothing else has to say that the command is busy."""
        heartbeat.rest()
        self._bar.start()

    def _is_line_due(self) -> bool:
        """Whether so much time has passed that a line says how far it is."""
        now = time.monotonic()
        if now - self._printed < EVERY:
            return False
        self._printed = now
        heartbeat.heard()
        return True


class QuestionBar(Bar):
    """The share of a run that is done, its rate, and the time left.

    There is one bar per run, even if it asks in several portions. Since only the current portion's tokens
    are known, the bar shows the share of items, and totals are estimates. Of several runs at the same time
    one bar is drawn, that of the run which asked first.
    """

    drawn: ClassVar["QuestionBar | None"] = None
    """The bar that is on the screen."""

    def __init__(self, label: str) -> None:
        super().__init__(TaskProgressColumn(), TextColumn("{task.fields[rate]}", markup=False))
        self._label = label
        self._next = f"computing the numbers of {label}"
        self._before, self._share = 0.0, 1.0
        self._total = self._stored = self._done = self._asked = 0
        self._skipped = 0.0
        self._announced = False

    def __exit__(self, *reason: object) -> None:
        super().__exit__(*reason)
        if QuestionBar.drawn is self:
            QuestionBar.drawn = None

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
        heartbeat.begin(f"asking {self._label}")
        if err.is_terminal:
            self._draw(anew=not self._before)
        elif total and not self._announced:  # a portion without questions gives no estimate
            self._announced = True
            whole = self._share >= 1
            share = f"{stored / total:.0%}" if whole else "some"  # only of the first are known
            kept = f", {share} already answered" if stored else ""
            about = "" if whole else "about "
            err.print(
                f"{self._label}: {about}{counted(round(requests / self._share), 'questions')}, "
                f"{counted(round(total / self._share), 'tokens')}{kept}"
            )

    def advance(self, tokens: int) -> None:
        """Note that this many more tokens are answered and stored."""
        self._done += tokens
        self._asked += tokens
        if self._task is not None or err.is_terminal:
            self._draw()
        elif self._is_line_due():
            made = self._reached() - self._skipped  # without what was answered before
            left = (self._printed - self._begun) * (1 - self._reached()) / max(made, 1e-9)
            err.print(f"{self._label}: {self._reached():.0%}, {self._rate()}, {left:,.0f} s left")

    def _reached(self) -> float:
        """The share of the run that is done."""
        return self._before + self._share * (self._stored + self._done) / max(self._total, 1)

    def _rate(self) -> str:
        return f"{self._asked / max(time.monotonic() - self._begun, 1e-9):,.0f} tokens/s"

    def _draw(self, *, anew: bool = False) -> None:
        if QuestionBar.drawn not in {None, self}:
            return
        QuestionBar.drawn = self
        if anew and self._task is not None:
            self._bar.remove_task(self._task)
            self._task = None
        if self._task is None:
            self._start()
            self._task = self._bar.add_task(self._label, total=1.0, rate="")
        self._bar.update(self._task, completed=self._reached(), rate=self._rate())


class DownloadBar(Bar):
    """How much of a download has arrived; call it with (bytes done, total bytes or None)."""

    def __init__(self, label: str) -> None:
        super().__init__(DownloadColumn(), TransferSpeedColumn())
        self._label = label

    def __call__(self, done: int, total: int | None, /) -> None:
        """Show that `done` of `total` bytes have arrived."""
        if self._task is None:
            self._begun = self._printed = time.monotonic()
            if err.is_terminal:
                self._start()
            else:
                size = f" ({total / 1e6:,.0f} MB)" if total and total >= MEGABYTE else ""
                err.print(f"fetching {self._label}{size}")
            self._task = self._bar.add_task(self._label, total=total)
        self._bar.update(self._task, completed=done, total=total)
        if not err.is_terminal and done and self._is_line_due():
            arrived = f"{self._label}: {done / MEGABYTE:,.0f} MB"
            left = (self._printed - self._begun) * ((total or 0) - done) / done
            err.print(
                f"{arrived} of {total / MEGABYTE:,.0f}, {left:,.0f} s left" if total else arrived
            )


class StepBar(Bar):
    """How many of many equal steps are done, and the time left."""

    def __init__(self, label: str, total: int, steps: str) -> None:
        super().__init__(MofNCompleteColumn())
        self._label, self._total, self._steps, self._done = label, total, steps, 0

    def __enter__(self) -> Self:
        if err.is_terminal and self._total:
            self._start()
            self._task = self._bar.add_task(self._label, total=self._total)
        return self

    def advance(self) -> None:
        """One more step is done."""
        self.reach(self._done + 1)

    def reach(self, done: int) -> None:
        """So many steps are done by now."""
        if done == self._done:
            return
        self._done = done
        if self._task is not None:
            self._bar.update(self._task, completed=self._done)
        elif self._is_line_due():
            left = (self._printed - self._begun) / self._done * (self._total - self._done)
            err.print(
                f"{self._label}: {self._done} of {self._total} {self._steps}, {left:,.0f} s left"
            )


class TerminalMonitor:
    """Tells the user what a run does: `run.monitor.Monitor` on standard error."""

    def step(self, text: str) -> None:
        """Print dimmed which step of a run begins."""
        err.print(text, style="dim")
        heartbeat.begin(text)

    def heading(self, text: str) -> None:
        """Print in bold which of several parts begins."""
        err.print(text, style="bold")
        heartbeat.begin(text)

    def warning(self, text: str, *, about: str = "") -> None:
        """Print a warning after what it is about; nothing where the text is empty."""
        if text:
            err.print(Text.assemble((f"{about or 'tiltmeter'}:", "yellow"), f" {text}"))

    def failure(self, text: str) -> None:
        """Print in red which part failed."""
        err.print(text, style="red")

    def left_out(self, problems: "Sequence[Problem]") -> None:
        """Print how many items are left out, and why the first few are."""
        from tiltmeter.run.monitor import left_out_lines

        for line in left_out_lines(problems):
            err.print(line)

    def questions(self, label: str) -> QuestionBar:
        """Draw a bar while a model is asked."""
        return QuestionBar(label)

    def download(self, label: str) -> DownloadBar:
        """Draw a bar while something is fetched."""
        return DownloadBar(label)

    def steps(self, label: str, total: int, counts: str) -> StepBar:
        """Draw a bar while many equal steps are done."""
        return StepBar(label, total, counts)


monitor = TerminalMonitor()
