"""Where the command line speaks: results on standard output, everything else on standard error."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)

out = Console(highlight=False, soft_wrap=False)
err = Console(stderr=True, highlight=False, soft_wrap=True)
EVERY = 10.0
"""Seconds between two lines of progress where there is no terminal to draw a bar on."""


class Asking:
    """A bar on a terminal, a line now and then elsewhere: tokens, rate, time left."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            console=err,
            transient=True,
        )
        self._task: TaskID | None = None
        self._begun = self._spoke = time.monotonic()
        self._total = self._stored = self._done = 0

    def start(self, *, total: int, stored: int, requests: int) -> None:
        """Begin a round of questions; called once for each call a rule makes."""
        self._total, self._stored, self._done = total, stored, 0
        self._begun = self._spoke = time.monotonic()
        kept = f", {stored / total:.0%} of it answered before" if stored else ""
        if not err.is_terminal:
            err.print(f"{self._label}: {requests:,} questions, {total:,} tokens{kept}")
            return
        if self._task is not None:
            self._bar.remove_task(self._task)
        self._bar.start()
        self._task = self._bar.add_task(self._label, total=total, completed=stored, rate="")

    def advance(self, tokens: int) -> None:
        """So many tokens more are answered and stored."""
        self._done += tokens
        now = time.monotonic()
        rate = self._done / max(now - self._begun, 1e-9)
        if self._task is not None:
            self._bar.update(self._task, advance=tokens, rate=f"{rate:,.0f} tokens/s")
        elif now - self._spoke >= EVERY:
            self._spoke = now
            left = (self._total - self._stored - self._done) / rate
            err.print(
                f"{self._label}: {(self._stored + self._done) / self._total:.0%}, "
                f"{rate:,.0f} tokens/s, {left:,.0f} s left"
            )

    def stop(self) -> None:
        """Take the bar away; one that was never drawn leaves nothing, not even an empty line."""
        if self._bar.live.is_started:
            self._bar.stop()


@contextmanager
def asking(label: str) -> Iterator[Asking]:
    """An `Asking` that is gone afterwards, whatever happens."""
    progress = Asking(label)
    try:
        yield progress
    finally:
        progress.stop()


@contextmanager
def fetching(label: str) -> Iterator["Fetching"]:
    """Progress of a download."""
    progress = Fetching(label)
    try:
        yield progress
    finally:
        progress.stop()


class Fetching:
    """Call it with (bytes done, bytes in all or None)."""

    def __init__(self, label: str) -> None:
        self._label = label
        self._bar = Progress(
            TextColumn("{task.description}"), BarColumn(bar_width=None), DownloadColumn(),
            TransferSpeedColumn(), TimeRemainingColumn(compact=True), console=err, transient=True,
        )  # fmt: skip
        self._task: TaskID | None = None

    def __call__(self, done: int, total: int | None) -> None:
        """So many bytes of so many are here."""
        if self._task is None:
            if err.is_terminal:
                self._bar.start()
            else:
                size = f" ({total / 1e6:,.0f} MB)" if total else ""
                err.print(f"fetching {self._label}{size}")
            self._task = self._bar.add_task(self._label, total=total)
        self._bar.update(self._task, completed=done, total=total)

    def stop(self) -> None:
        """Take the bar away; one that was never drawn leaves nothing, not even an empty line."""
        if self._bar.live.is_started:
            self._bar.stop()
